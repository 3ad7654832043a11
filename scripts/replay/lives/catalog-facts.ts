// What the catalog says that a merchant can ask for.

import { isObject, type JsonObject, listAt, textOf } from "../../../generator/suite/json.ts";

export interface DeploymentFact {
  readonly id: string;
  readonly chainId: string;
  readonly decimals: number;
  readonly takesDeposits: boolean;
  readonly takesWithdrawals: boolean;
  readonly node: JsonObject;
}

export interface CurrencyFact {
  readonly id: string;
  readonly isActive: boolean;
  readonly deployments: readonly DeploymentFact[];
  readonly node: JsonObject;
}

export function factsOf(catalog: readonly JsonObject[]): readonly CurrencyFact[] {
  return catalog.map((node) => ({
    id: textOf(node["id"]),
    isActive: node["status"] === "active",
    deployments: listAt(node, "deployments")
      .filter(isObject)
      .filter((one) => one["listing_status"] === "listed")
      .map((one) => ({
        id: textOf(one["id"]),
        chainId: textOf(one["chain_id"]),
        decimals: Number(one["decimals"]),
        takesDeposits: one["deposit_enabled"] === true,
        takesWithdrawals: one["withdrawal_enabled"] === true,
        node: one,
      })),
    node,
  }));
}

/** Where deposits are on. */
export function openIn({ deployments }: CurrencyFact): readonly DeploymentFact[] {
  return deployments.filter(({ takesDeposits }) => takesDeposits);
}

/** In the smallest units; the amount has no more fraction digits than the asset. */
export function rawOf(amount: string, decimals: number): string {
  const [whole = "", fraction = ""] = amount.split(".");
  return BigInt(whole + fraction.padEnd(decimals, "0")).toString();
}
