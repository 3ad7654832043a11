// What an operator sets about money on chains: how much of it the hot account keeps (threat 67), and
// what the settlements of x402 may cost in a day (threat 49). Whoever goes by it asks each time, so
// that a change counts from the next run on, in every process.

import { amountOf, rawOf } from "../amounts.ts";
import { auditValues } from "../audit/audit.ts";
import type { AuditDraft } from "../audit/audit.ts";
import { OperatorError } from "../operator-error.ts";
import { findDeploymentDecimals } from "../catalog/catalog.sql.ts";
import {
  countDeploymentFloats,
  findDeploymentFloat,
  findGasBudget,
  listDeploymentFloats,
  listGasBudgets,
  removeDeploymentFloat,
  setDeploymentFloat,
  setGasBudget,
} from "./settings.sql.ts";
import type { StoragePorts } from "../ports/recording.ts";

/** Of every EVM chain whose coin the catalog does not have. */
const coinDecimals = 18;
/**
 * Our choice: on main networks a twentieth of a coin, hundreds of settlements where a coin is dear;
 * where it is not, an operator soon hears that it is used up, and sets another. On test networks
 * coins cost nothing.
 */
const budgetPartOfCoin = 20n;

export interface ShownBudget {
  readonly chainId: string;
  /** null: none */
  readonly perDay: string | null;
  /** of that, for one merchant; null: none */
  readonly perMerchant: string | null;
  readonly isDefault: boolean;
}

export interface ShownFloat {
  readonly deploymentId: string;
  /** null: none */
  readonly max: string | null;
  /** what the ledger has on the hot account */
  readonly onHot: string;
}

type BudgetRow = NonNullable<(typeof findGasBudget)["row"]>;

export class ChainSettings {
  readonly #ports: StoragePorts;

  constructor(ports: StoragePorts) {
    this.#ports = ports;
  }

  /** Null: the hot account keeps all that arrives. */
  async floatRawMax(deploymentId: string): Promise<bigint | null> {
    const [row] = await this.#ports.database.run(findDeploymentFloat, { deploymentId });
    return row === undefined ? null : BigInt(row.max_raw);
  }

  async hasFloats(): Promise<boolean> {
    const [row] = await this.#ports.database.run(countDeploymentFloats, {});
    return (row?.count ?? 0) > 0;
  }

  /** Null: no limit. */
  async gasBudgetRaw(chainId: string): Promise<bigint | null> {
    const [row] = await this.#ports.database.run(findGasBudget, { chainId });
    return row === undefined ? defaultBudgetRaw(coinDecimals) : budgetRawOf(row);
  }

  /** Of one merchant; null: no limit. */
  async merchantGasRaw(chainId: string): Promise<bigint | null> {
    const [row] = await this.#ports.database.run(findGasBudget, { chainId });
    if (row === undefined) return merchantPartOf(defaultBudgetRaw(coinDecimals));
    return merchantRawOf(row);
  }

  /** In units of the asset; null: none. Throws `OperatorError`, like the next one. */
  async setFloat(deploymentId: string, max: string | null): Promise<void> {
    const { database } = this.#ports;
    const [found] = await database.run(findDeploymentDecimals, { id: deploymentId });
    if (found === undefined) throw new OperatorError(`There is no deployment ${deploymentId}.`);
    const maxRaw = max === null ? null : rawOf(max, found.decimals, "float");
    const now = this.#ports.clock.now();
    const audit = auditValues({
      occurredAt: now,
      actor: "operator",
      action: "float.set",
      subject: { type: "deployment", id: deploymentId },
      details: { max_raw: maxRaw?.toString() ?? null },
    });
    const rows =
      maxRaw === null
        ? await database.run(removeDeploymentFloat, { deploymentId, ...audit })
        : await database.run(setDeploymentFloat, { deploymentId, maxRaw, now, ...audit });
    if (rows.length === 0) throw new OperatorError(`${deploymentId} has no float.`);
  }

  /**
   * In units of the chain's own coin; null: no limit.
   * @param perMerchant of that; a quarter when left out
   */
  async setGasBudget(
    chainId: string,
    perDay: string | null,
    perMerchant: string | null = null,
  ): Promise<void> {
    const { database } = this.#ports;
    const [found] = await database.run(findGasBudget, { chainId });
    if (found === undefined) throw new OperatorError(`The catalog has nothing on ${chainId}.`);
    const decimals = found.decimals ?? coinDecimals;
    const perDayRaw = perDay === null ? null : rawOf(perDay, decimals, "budget");
    const perMerchantRaw = perMerchant === null ? null : rawOf(perMerchant, decimals, "budget");
    const now = this.#ports.clock.now();
    const draft: AuditDraft = {
      occurredAt: now,
      actor: "operator",
      action: "gas_budget.set",
      subject: { type: "chain", id: chainId },
      details: {
        per_day_raw: perDayRaw?.toString() ?? null,
        per_merchant_raw: perMerchantRaw?.toString() ?? null,
      },
    };
    const values = { chainId, perDayRaw, perMerchantRaw, now };
    await database.run(setGasBudget, { ...values, ...auditValues(draft) });
  }

  async budgets(): Promise<readonly ShownBudget[]> {
    const rows = await this.#ports.database.run(listGasBudgets, {});
    return rows.map((row) => {
      const raw = budgetRawOf(row);
      const merchantRaw = merchantRawOf(row);
      const shown = (one: bigint | null) =>
        one === null ? null : amountOf(one, row.decimals ?? coinDecimals);
      const perDay = shown(raw);
      return {
        chainId: row.chain_id,
        perDay,
        perMerchant: shown(merchantRaw),
        isDefault: !row.is_set,
      };
    });
  }

  async floats(): Promise<readonly ShownFloat[]> {
    const rows = await this.#ports.database.run(listDeploymentFloats, {});
    return rows.map(({ deployment_id: deploymentId, decimals, max_raw: max, hot_raw: hot }) => ({
      deploymentId,
      max: max === null ? null : amountOf(BigInt(max), decimals),
      onHot: amountOf(BigInt(hot), decimals),
    }));
  }
}

function budgetRawOf({ is_set: isSet, per_day_raw: raw, ...chain }: BudgetRow): bigint | null {
  if (isSet) return raw === null ? null : BigInt(raw);
  return chain.is_test_network ? null : defaultBudgetRaw(chain.decimals ?? coinDecimals);
}

function merchantRawOf(row: BudgetRow): bigint | null {
  if (row.per_merchant_raw !== null) return BigInt(row.per_merchant_raw);
  const budgetRaw = budgetRawOf(row);
  return budgetRaw === null ? null : merchantPartOf(budgetRaw);
}

/** Our choice: a quarter, so that it takes four of them to use up what is everybody's. */
function merchantPartOf(budgetRaw: bigint): bigint {
  return budgetRaw / 4n;
}

function defaultBudgetRaw(decimals: number): bigint {
  return 10n ** BigInt(decimals) / budgetPartOfCoin;
}
