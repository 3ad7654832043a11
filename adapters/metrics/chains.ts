// What chains and signer are asked, what they answer, and what is handed to them.

import { Counter, Histogram } from "prom-client";
import type { Registry } from "prom-client";
import type { Chain } from "../../service/ports/chain.ts";
import { NonceTaken, SignerRefusal } from "../../service/ports/signer.ts";
import type { ActionSigner } from "../../service/ports/signer.ts";
import type { RpcObserver } from "../evm/rpc.ts";
import type { Clock } from "../system/clock.ts";

const callBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Blocks: one is everyday life, more than the finality of a small payment is not. */
const depthBuckets = [1, 2, 3, 6, 12, 32, 64, 128];

const questions = ["transfer", "settle", "collect", "nonce"] as const;
const outcomes = ["done", "refused", "nonce_taken", "failed"] as const;

interface Asked {
  readonly chain_id: string;
  readonly kind: (typeof questions)[number];
}

export class ChainMetrics {
  readonly #clock: Pick<Clock, "monotonicMilliseconds">;
  readonly #calls: Counter<"chain_id" | "endpoint" | "method" | "outcome">;
  readonly #durations: Histogram<"chain_id" | "endpoint">;
  readonly #failovers: Counter<"chain_id" | "endpoint">;
  readonly #reorganisations: Histogram<"chain_id">;
  readonly #sent: Counter<"chain_id" | "outcome">;
  readonly #asking: Counter<"chain_id" | "kind" | "outcome">;
  readonly #answering: Histogram;

  constructor(registry: Registry, clock: Pick<Clock, "monotonicMilliseconds">) {
    this.#clock = clock;
    const registers = [registry];
    this.#calls = new Counter({
      name: "pay_rpc_calls_total",
      help: "Calls of nodes. endpoint: its place in EVM_RPC_URLS, from 1 on. outcome: answered, node_error or failed.",
      labelNames: ["chain_id", "endpoint", "method", "outcome"],
      registers,
    });
    this.#durations = new Histogram({
      name: "pay_rpc_call_duration_seconds",
      help: "From asking a node to its answer.",
      labelNames: ["chain_id", "endpoint"],
      buckets: callBuckets,
      registers,
    });
    this.#failovers = new Counter({
      name: "pay_rpc_failovers_total",
      help: "Questions that went to another endpoint, since the one of this place failed.",
      labelNames: ["chain_id", "endpoint"],
      registers,
    });
    this.#reorganisations = new Histogram({
      name: "pay_chain_reorganization_depth_blocks",
      help: "Reorganisations by how many blocks that were read are gone.",
      labelNames: ["chain_id"],
      buckets: depthBuckets,
      registers,
    });
    this.#sent = new Counter({
      name: "pay_transactions_sent_total",
      help: "Transactions handed to a chain, again included. outcome: accepted, known, nonce_used, underpriced, unfunded, failed.",
      labelNames: ["chain_id", "outcome"],
      registers,
    });
    this.#asking = new Counter({
      name: "pay_signer_requests_total",
      help: "What the signer was asked. kind: to sign a transfer, settle or collect, or for its next nonce. outcome: done, refused, nonce_taken, failed.",
      labelNames: ["chain_id", "kind", "outcome"],
      registers,
    });
    this.#answering = new Histogram({
      name: "pay_signer_request_duration_seconds",
      help: "From asking the signer to its answer.",
      buckets: callBuckets,
      registers,
    });
  }

  /** From then on what rules count the changes of is there, at 0: the first change would not be one otherwise. */
  readonly observerOf = (chainId: string): RpcObserver => {
    this.#reorganisations.zero({ chain_id: chainId });
    for (const kind of questions) {
      for (const outcome of outcomes) this.#asking.inc({ chain_id: chainId, kind, outcome }, 0);
    }
    return this.#rpcObserver(chainId);
  };

  #rpcObserver(chainId: string): RpcObserver {
    return {
      onCall: (place, method) => {
        const begun = this.#clock.monotonicMilliseconds();
        return (outcome) => {
          const where = { chain_id: chainId, endpoint: place };
          this.#calls.inc({ ...where, method, outcome });
          this.#durations.observe(where, this.#secondsSince(begun));
        };
      },
      onFailover: (place) => this.#failovers.inc({ chain_id: chainId, endpoint: place }),
    };
  }

  readonly onReorganised = (chainId: string, blocks: number): void =>
    this.#reorganisations.observe({ chain_id: chainId }, blocks);

  readonly observe = <Of extends Pick<Chain, "chainId" | "send">>(chain: Of): Of => {
    const send: Chain["send"] = async (raw) => {
      const of = { chain_id: chain.chainId };
      try {
        const outcome = await chain.send(raw);
        this.#sent.inc({ ...of, outcome });
        return outcome;
      } catch (error) {
        this.#sent.inc({ ...of, outcome: "failed" });
        throw error;
      }
    };
    return { ...chain, send };
  };

  readonly observeSigner = <Of extends Pick<ActionSigner, "signAction" | "nextNonce">>(
    signer: Of,
  ): Of => ({
    ...signer,
    signAction: (chainId, intent) =>
      this.#asked({ chain_id: chainId, kind: intent.action.kind }, () =>
        signer.signAction(chainId, intent),
      ),
    nextNonce: (chainId, role) =>
      this.#asked({ chain_id: chainId, kind: "nonce" }, () => signer.nextNonce(chainId, role)),
  });

  async #asked<Answer>(of: Asked, ask: () => Promise<Answer>): Promise<Answer> {
    const begun = this.#clock.monotonicMilliseconds();
    try {
      const answer = await ask();
      this.#asking.inc({ ...of, outcome: "done" });
      return answer;
    } catch (error) {
      this.#asking.inc({ ...of, outcome: refusalOf(error) });
      throw error;
    } finally {
      this.#answering.observe(this.#secondsSince(begun));
    }
  }

  #secondsSince(begun: number): number {
    return (this.#clock.monotonicMilliseconds() - begun) / 1000;
  }
}

function refusalOf(error: unknown): (typeof outcomes)[number] {
  if (error instanceof NonceTaken) return "nonce_taken";
  return error instanceof SignerRefusal ? "refused" : "failed";
}
