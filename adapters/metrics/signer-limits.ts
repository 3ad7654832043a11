// How much of the limits of the signer is used: who looks at it in time raises one before payouts stand still.

import { Gauge } from "prom-client";
import type { Registry } from "prom-client";
import type { LimitUse } from "../../service/ports/signer.ts";
import type { Clock } from "../system/clock.ts";
import { Recent } from "./recent.ts";

/** It is asked every minute. */
const keptMilliseconds = 300_000;

/** With the asset that the limit is for, by its deployment. */
export interface NamedLimitUse extends LimitUse {
  /** null: none; or one that the catalog does not have */
  readonly deploymentId: string | null;
}

/** Hears how much of the signer's limits is used on a chain. */
export type OnLimitUses = (chainId: string, uses: readonly NamedLimitUse[]) => void;

type Told = Parameters<OnLimitUses>;

export class SignerLimitMetrics {
  readonly onLimitUses: OnLimitUses;

  constructor(registry: Registry, clock: Pick<Clock, "nowMilliseconds">) {
    const uses = new Recent<Told>(clock, keptMilliseconds);
    this.onLimitUses = (chainId, told) => uses.set(chainId, [chainId, told]);
    void new Gauge({
      name: "pay_signer_limit_used_ratio",
      help: "Of a limit of 24 hours of the signer, how much is used. limit: gas, numbers or amount. account: none is all.",
      labelNames: ["chain_id", "limit", "account", "deployment_id"],
      registers: [registry],
      collect() {
        this.reset();
        for (const [chain_id, all] of uses.all()) {
          // Several tokens may have no deployment: the one that is nearest to its end is shown, so it is set last.
          for (const use of all.toSorted((one, other) => ratioOf(one) - ratioOf(other))) {
            const of = { chain_id, limit: use.limit, account: use.role ?? "none" };
            this.set({ ...of, deployment_id: use.deploymentId ?? "none" }, ratioOf(use));
          }
        }
      },
    });
  }
}

/** To a millionth; above 1 where a limit was lowered. Of a limit of nothing none is told. */
function ratioOf({ usedRaw, mostRaw }: NamedLimitUse): number {
  return Number((usedRaw * 1_000_000n) / mostRaw) / 1_000_000;
}
