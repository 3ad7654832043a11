// Takes deliveries of the service, and sends each event on: one after the other, once, and signed with another secret.

import { createHmac } from "node:crypto";
import type { WebhookEvent } from "../../../generated/types.ts";
import { reasonOf } from "./failures.ts";

/** An event, and what became of it. */
export interface Forwarded {
  readonly event: WebhookEvent;
  /** what the receiver has answered; undefined: there was no answer */
  readonly status: number | undefined;
  /** why there was none */
  readonly reason: string | undefined;
  readonly milliseconds: number;
}

export interface ForwarderOptions {
  readonly url: string;
  /** `whsec_...` */
  readonly secret: string;
  readonly onForwarded: (forwarded: Forwarded) => void;
}

/** As long as the service waits for a receiver. */
const answerMillisecondsMax = 15_000;

export class Forwarder {
  readonly #options: ForwarderOptions;
  readonly #seen = new Set<string>();
  readonly #stopping = new AbortController();
  #last: Promise<void> = Promise.resolve();

  constructor(options: ForwarderOptions) {
    this.#options = options;
  }

  /** Sends it on when those before it have been; one that came already is not sent again. */
  add(event: WebhookEvent, body: Buffer): void {
    if (this.#seen.has(event.id)) return;
    this.#seen.add(event.id);
    this.#last = this.#last.then(() => this.#send(event, body));
  }

  /** Whatever is under way is given up. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error("listen was ended"));
    await this.#last;
  }

  async #send(event: WebhookEvent, body: Buffer): Promise<void> {
    const { url, secret, onForwarded } = this.#options;
    const startedAt = performance.now();
    const limit = AbortSignal.timeout(answerMillisecondsMax);
    const outcome = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...signedHeaders(secret, event.id, body) },
      body,
      redirect: "manual",
      signal: AbortSignal.any([this.#stopping.signal, limit]),
    }).then(
      async (answer) => {
        await answer.body?.cancel();
        return { status: answer.status, reason: undefined };
      },
      (error: unknown) => ({ status: undefined, reason: reasonOf(error) }),
    );
    const milliseconds = Math.round(performance.now() - startedAt);
    onForwarded({ event, ...outcome, milliseconds });
  }
}

/** Standard Webhooks 1.0, as the service signs: docs/running/webhooks.md. */
function signedHeaders(secret: string, id: string, body: Buffer) {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const digest = createHmac("sha256", key)
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest("base64");
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${digest}`,
  };
}
