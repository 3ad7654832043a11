// What leaves: what is signed, what becomes of it and when, and whether an account's nonces are without gaps.

import { Counter, Gauge, Histogram } from "prom-client";
import type { Registry } from "prom-client";
import type { NonceUse, SendingObserver } from "../../service/ports/sending-observer.ts";
import type { Clock } from "../system/clock.ts";
import type { Harmless } from "./harmless.ts";
import { Recent } from "./recent.ts";

const endBuckets = [5, 15, 30, 60, 120, 300, 600, 1200, 3600, 14_400, 86_400];

/** An account has a turn every few seconds while something is on its way; who has not does not send from it any more. */
const keptMilliseconds = 300_000;

const outcomes = {
  succeeded: "succeeded",
  reverted: "reverted",
  replaced: "nonce_used_by_another",
} as const;

export class SendingMetrics {
  readonly observer: SendingObserver;

  constructor(registry: Registry, clock: Pick<Clock, "nowMilliseconds">, safely: Harmless) {
    const registers = [registry];
    const signed = new Counter({
      name: "pay_transactions_signed_total",
      help: "Transactions signed and stored. kind: first, or replacement of one that waited too long, with higher fees.",
      labelNames: ["chain_id", "purpose", "kind"],
      registers,
    });
    const ended = new Histogram({
      name: "pay_transaction_end_seconds",
      help: "From being queued until what became of a transaction was final. outcome: succeeded, reverted, nonce_used_by_another.",
      labelNames: ["chain_id", "purpose", "outcome"],
      buckets: endBuckets,
      registers,
    });
    const nonces = new Recent<NonceUse>(clock, keptMilliseconds);
    addNonces(registers, nonces);
    this.observer = {
      onSigned: safely(({ chainId: chain_id, purpose, isFirst }) =>
        signed.inc({ chain_id, purpose, kind: isFirst ? "first" : "replacement" }),
      ),
      onNonces: safely((use) => nonces.set(`${use.chainId} ${use.role}`, use)),
      onEnded: safely(({ chainId: chain_id, purpose, status, queuedAt, at }) =>
        ended.observe(
          { chain_id, purpose, outcome: outcomes[status] },
          Math.max(0, at.getTime() - queuedAt.getTime()) / 1000,
        ),
      ),
    };
  }
}

function addNonces(registers: Registry[], nonces: Recent<NonceUse>): void {
  const shown = [
    [
      "pay_sender_nonces_waiting",
      "Nonces that are signed and not mined, as the process that sends last saw it, if in the last five minutes.",
      ({ waiting }: NonceUse) => waiting,
    ],
    [
      "pay_sender_nonces_missing",
      "Nonces below one of those that are neither mined nor signed: what is above waits for them.",
      ({ missing }: NonceUse) => missing,
    ],
  ] as const;
  for (const [name, help, valueOf] of shown) {
    void new Gauge({
      name,
      help,
      labelNames: ["chain_id", "account"],
      registers,
      collect() {
        this.reset();
        for (const use of nonces.all()) {
          this.set({ chain_id: use.chainId, account: use.role }, valueOf(use));
        }
      },
    });
  }
}
