// What comes in: how long it takes until it is final, and what the chains take back.

import { Counter, Histogram } from "prom-client";
import type { Registry } from "prom-client";
import type { Database } from "../../service/ports/database.ts";
import { memberOf, tellingCommitted } from "./committed.ts";
import type { Finding } from "./committed.ts";

const finalBuckets = [1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1200, 3600, 14_400];

interface Booked {
  readonly chainId: string;
  /** undefined: it was taken back */
  readonly seconds: number | undefined;
}

export class DepositMetrics {
  readonly #final: Histogram<"chain_id">;
  readonly #reversed: Counter<"chain_id">;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#final = new Histogram({
      name: "pay_deposit_final_seconds",
      help: "From the time of a deposit's block until it was final and booked for the first time.",
      labelNames: ["chain_id"],
      buckets: finalBuckets,
      registers,
    });
    this.#reversed = new Counter({
      name: "pay_deposits_reversed_total",
      help: "Deposits of payments that were booked and that the chain has taken back.",
      labelNames: ["chain_id"],
      registers,
    });
  }

  readonly observe = (database: Database): Database =>
    tellingCommitted(database, bookedOf, ({ chainId: chain_id, seconds }) => {
      if (seconds === undefined) this.#reversed.inc({ chain_id });
      else this.#final.observe({ chain_id }, seconds);
    });
}

const bookings = new Set(["book_deposit", "book_unmatched"]);

const bookedOf: Finding<Booked> = ({ name }, values, rows) => {
  const chainId = memberOf(values, "chainId");
  if (rows.length === 0 || typeof chainId !== "string") return undefined;
  if (name === "reverse_deposit") return { chainId, seconds: undefined };
  // A later one is of a person's decision, or of a block that came back.
  if (!bookings.has(name) || memberOf(rows[0], "bookings") !== 1) return undefined;
  const [mined, booked] = ["ledgerOccurredAt", "now"].map((at) => memberOf(values, at));
  if (!(mined instanceof Date) || !(booked instanceof Date)) return undefined;
  // Clocks of chains may be ahead.
  return { chainId, seconds: Math.max(0, booked.getTime() - mined.getTime()) / 1000 };
};
