// What the chains hold against what is owed, as the process that compares it last found it.

import { Gauge } from "prom-client";
import type { Registry } from "prom-client";
import type { Clock } from "../system/clock.ts";
import { Recent } from "./recent.ts";

/** In smallest units of the deployment. */
interface Reserve {
  readonly deploymentId: string;
  readonly heldRaw: bigint;
  readonly inFlightRaw: bigint;
  readonly owedRaw: bigint;
}

/** It is compared every hour; who has not for two does not do it any more. */
const keptMilliseconds = 7_200_000;

interface Measured {
  readonly reserve: Reserve;
  readonly at: number;
}

export class ReserveMetrics {
  readonly #clock: Pick<Clock, "nowMilliseconds">;
  readonly #found: Recent<Measured>;

  constructor(registry: Registry, clock: Pick<Clock, "nowMilliseconds">) {
    this.#clock = clock;
    this.#found = new Recent(clock, keptMilliseconds);
    const found = (): readonly Measured[] => this.#found.all();
    const shown = [
      [
        "pay_reserve_held_raw",
        "What the chain holds, in smallest units.",
        (one: Measured) => Number(one.reserve.heldRaw),
      ],
      [
        "pay_reserve_in_flight_raw",
        "What is on its way out and not final, in smallest units.",
        (one: Measured) => Number(one.reserve.inFlightRaw),
      ],
      [
        "pay_reserve_owed_raw",
        "What is owed to merchants and payers, in smallest units.",
        (one: Measured) => Number(one.reserve.owedRaw),
      ],
      [
        "pay_reserve_missing_raw",
        "How much less that is than what is owed, in smallest units.",
        ({ reserve: { owedRaw, heldRaw, inFlightRaw } }: Measured) =>
          Number(most(0n, owedRaw - heldRaw - inFlightRaw)),
      ],
      [
        "pay_reserve_compared_timestamp_seconds",
        "When these were compared by this process, if in the last two hours.",
        (one: Measured) => one.at / 1000,
      ],
    ] as const;
    for (const [name, help, valueOf] of shown) {
      void new Gauge({
        name,
        help,
        labelNames: ["deployment_id"],
        registers: [registry],
        collect() {
          this.reset();
          for (const one of found())
            this.set({ deployment_id: one.reserve.deploymentId }, valueOf(one));
        },
      });
    }
  }

  readonly onMeasured = (reserve: Reserve): void => {
    this.#found.set(reserve.deploymentId, { reserve, at: this.#clock.nowMilliseconds() });
  };
}

function most(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
