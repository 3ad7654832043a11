// What comes in: how long it takes until it is final, and what the chains take back.

import { Counter, Histogram } from "prom-client";
import type { Registry } from "prom-client";
import { listener, memberOf } from "./committed.ts";
import type { Finding, Listener } from "./committed.ts";
import type { Harmless } from "./harmless.ts";

const finalBuckets = [1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1200, 3600, 14_400];

interface Booked {
  readonly chainId: string;
  readonly deploymentId: string;
  /** undefined: it was taken back */
  readonly seconds: number | undefined;
}

export class DepositMetrics {
  readonly #final: Histogram<"chain_id">;
  readonly #booked: Counter<"deployment_id">;
  readonly #reversed: Counter<"deployment_id">;
  /** of what is booked and taken back */
  readonly listener: Listener;

  constructor(registry: Registry, safely: Harmless) {
    this.listener = listener(safely(bookedOf), safely(this.#tell));
    const registers = [registry];
    this.#final = new Histogram({
      name: "pay_deposit_final_seconds",
      help: "From the time of a deposit's block until it was final and booked for the first time.",
      labelNames: ["chain_id"],
      buckets: finalBuckets,
      registers,
    });
    this.#booked = new Counter({
      name: "pay_deposits_booked_total",
      help: "Deposits that were booked for the first time: what was paid, by what it was paid in.",
      labelNames: ["deployment_id"],
      registers,
    });
    this.#reversed = new Counter({
      name: "pay_deposits_reversed_total",
      help: "Deposits of payments that were booked and that the chain has taken back.",
      labelNames: ["deployment_id"],
      registers,
    });
  }

  readonly #tell = ({ chainId: chain_id, deploymentId: deployment_id, seconds }: Booked): void => {
    if (seconds === undefined) return this.#reversed.inc({ deployment_id });
    this.#booked.inc({ deployment_id });
    this.#final.observe({ chain_id }, seconds);
  };
}

const bookings = new Set(["book_deposit", "book_unmatched"]);

const bookedOf: Finding<Booked> = ({ name }, values, rows) => {
  const isReversal = name === "reverse_deposit";
  // Of most statements there is no more to say.
  if (!isReversal && !bookings.has(name)) return undefined;
  // A later booking is of a person's decision, or of a block that came back.
  const isFirst = !isReversal && memberOf(rows[0], "bookings") === 1;
  const chainId = memberOf(values, "chainId");
  if (rows.length === 0 || (!isReversal && !isFirst) || typeof chainId !== "string") {
    return undefined;
  }
  const of = { chainId, deploymentId: deploymentOf(values) };
  if (isReversal) return { ...of, seconds: undefined };
  const [mined, booked] = ["ledgerOccurredAt", "now"].map((at) => memberOf(values, at));
  if (!(mined instanceof Date) || !(booked instanceof Date)) return undefined;
  // Clocks of chains may be ahead.
  return { ...of, seconds: Math.max(0, booked.getTime() - mined.getTime()) / 1000 };
};

/** All postings of a booking are of one. */
function deploymentOf(values: unknown): string {
  const postings: unknown = JSON.parse(String(memberOf(values, "ledgerPostings")));
  const [first] = Array.isArray(postings) ? (postings as readonly unknown[]) : [];
  return String(memberOf(first, "deployment_id"));
}
