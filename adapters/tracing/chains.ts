// What nodes and the signer are asked. Of a node its place in the configuration: its address may hold a key.

import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { NonceTaken, SignerRefusal } from "../../service/ports/signer.ts";
import type { ActionSigner, IndexKeeper } from "../../service/ports/signer.ts";
import type { RpcObserver } from "../evm/rpc.ts";
import type { Spans } from "./spans.ts";

interface Question {
  /** none: it is about no chain */
  readonly chainId?: string;
  readonly kind: string;
}

export class ChainTracing {
  readonly #spans: Spans;

  constructor(spans: Spans) {
    this.#spans = spans;
  }

  readonly observerOf = (chainId: string): RpcObserver => ({
    onCall: (place, method) => {
      if (!this.#spans.isRecording()) return () => undefined;
      const attributes = {
        "rpc.system.name": "jsonrpc",
        "rpc.method": method,
        "pay.chain_id": chainId,
        "pay.endpoint": place,
      };
      const work = { name: method, kind: SpanKind.CLIENT, attributes };
      const span = this.#spans.begin(work, this.#spans.context());
      return (ending) => {
        if (ending !== "answered") {
          span.setAttribute("error.type", ending);
          span.setStatus({ code: SpanStatusCode.ERROR });
        }
        this.#spans.end(span);
      };
    },
    onFailover: () => undefined,
  });

  readonly observeSigner = <Of extends Pick<ActionSigner, "signAction" | "nextNonce">>(
    signer: Of,
  ): Of => ({
    ...signer,
    signAction: (chainId, intent) =>
      this.#asked({ chainId, kind: intent.action.kind }, () => signer.signAction(chainId, intent)),
    nextNonce: (chainId, role) =>
      this.#asked({ chainId, kind: "nonce" }, () => signer.nextNonce(chainId, role)),
  });

  readonly observeKeeper = (keeper: IndexKeeper): IndexKeeper => ({
    claimIndexes: (first, count) =>
      this.#asked({ kind: "claim" }, () => keeper.claimIndexes(first, count)),
  });

  #asked<Answer>({ chainId, kind }: Question, ask: () => Promise<Answer>): Promise<Answer> {
    const attributes = {
      "pay.signer.question": kind,
      ...(chainId === undefined ? {} : { "pay.chain_id": chainId }),
    };
    const work = { name: `signer ${kind}`, kind: SpanKind.CLIENT, attributes };
    return this.#spans.part(work, async (span) => {
      try {
        const answer = await ask();
        span?.setAttribute("pay.signer.outcome", "done");
        return answer;
      } catch (error) {
        span?.setAttribute("pay.signer.outcome", refusalOf(error));
        throw error;
      }
    });
  }
}

function refusalOf(error: unknown): string {
  if (error instanceof NonceTaken) return "nonce_taken";
  return error instanceof SignerRefusal ? "refused" : "failed";
}
