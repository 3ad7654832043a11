// What is looked at, in areas that have a goal each. Where a slip costs money or a key, it is higher.

export interface Area {
  readonly name: string;
  /** folders and files below the root; of several that fit, the longest counts */
  readonly places: readonly string[];
  /** percent of the mutants that must be noticed, of those that are not equivalent */
  readonly goal: 95 | 98;
}

export const areas: readonly Area[] = [
  {
    name: "money",
    places: [
      "service/amounts.ts",
      "service/ledger",
      "service/payments",
      "service/suspense",
      "service/subscriptions",
      "service/x402",
    ],
    goal: 98,
  },
  { name: "signer", places: ["adapters/signer", "adapters/signer-client"], goal: 98 },
  { name: "chain", places: ["service/chains", "service/sweeps", "service/addresses"], goal: 98 },
  {
    name: "evm",
    places: ["adapters/evm", "service/evm-address.ts", "service/taken-size.ts"],
    goal: 98,
  },
  {
    name: "auth",
    places: [
      "service/merchants",
      "service/idempotency",
      "service/secrets",
      "service/canonical-json.ts",
      "handlers/caller.ts",
      "handlers/idempotent.ts",
      "handlers/operation-access.ts",
      "handlers/signed-request.ts",
    ],
    goal: 98,
  },
  {
    name: "sending",
    places: ["service/sending", "service/withdrawals", "service/payouts"],
    goal: 98,
  },
  {
    name: "webhooks",
    places: ["service/webhooks", "service/events", "adapters/webhooks"],
    goal: 95,
  },
  { name: "handlers", places: ["handlers", "adapters/http"], goal: 95 },
  {
    name: "catalog",
    places: [
      "service/catalog",
      "service/checkout",
      "service/cursor.ts",
      "service/bounded-cache.ts",
    ],
    goal: 95,
  },
  {
    name: "operation",
    places: [
      "service/audit",
      "service/jobs",
      "service/database",
      "adapters/assembly",
      "adapters/configuration",
      "adapters/database",
      "adapters/operator",
      "adapters/system",
    ],
    goal: 95,
  },
  { name: "generator", places: ["generator"], goal: 95 },
  { name: "document", places: ["spec/openapi.yaml"], goal: 95 },
];

/** Undefined: nothing of it is looked at. */
export function areaOf(path: string): Area | undefined {
  let best: { readonly area: Area; readonly length: number } | undefined;
  for (const area of areas) {
    for (const place of area.places) {
      const isIn = path === place || path.startsWith(`${place}/`);
      if (isIn && place.length > (best?.length ?? 0)) best = { area, length: place.length };
    }
  }
  return best?.area;
}
