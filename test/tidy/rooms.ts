// Who may import whom: one list. The linter's patterns (oxlint.config.ts) and the test of the import
// graph are made from it, each in its own way, so that a slip in one is seen by the other.

/** service/ from the ground up: a room may use any room below it, none beside it or above it. */
export const floors: readonly (readonly string[])[] = [
  ["ports"],
  ["database"],
  ["audit", "events", "jobs"],
  ["ledger", "secrets"],
  ["idempotency"],
  ["catalog", "merchants", "webhooks"],
  ["addresses", "sending"],
  ["chains", "sweeps", "withdrawals"],
  ["payments", "payouts"],
  ["checkout", "subscriptions", "suspense", "x402"],
  ["monitoring"],
];

/** Below all rooms: words and errors that everybody uses. Nothing else lies loose in service/. */
export const looseFiles: readonly string[] = [
  "service/amounts.ts",
  "service/bounded-cache.ts",
  "service/canonical-json.ts",
  "service/cell.ts",
  "service/cursor.ts",
  "service/errors.ts",
  "service/evm-address.ts",
  "service/operator-error.ts",
  "service/owner.ts",
  "service/taken-size.ts",
];

/** Where rules are decided, of which statements know nothing but types. */
export const roomsWithRules: readonly string[] = floors
  .flat()
  .filter((room) => room !== "ports" && room !== "database");

export interface Row {
  /** a folder with all that is in it, or one file; of several that fit, the longest counts */
  readonly place: string;
  /** "statements": only its *.sql.ts; "rules": all but those; left out: everything */
  readonly part?: "rules" | "statements";
  /** folders and files that it may import from, beside its own */
  readonly may: readonly string[];
  /** of service/, what it may import as types only, beside its own and the schema */
  readonly onlyTypes?: "rules" | "statements";
  /** packages and modules of Node; `x/**` is all below x; left out: any */
  readonly packages?: readonly string[];
}

const pure = ["@noble/hashes/sha3.js", "node:assert", "node:assert/strict", "node:crypto"];
const withSql = ["kysely", "kysely/helpers/postgres", ...pure];

function roomRows(room: string, below: readonly string[]): readonly Row[] {
  const place = `service/${room}`;
  if (room === "ports") return [{ place, may: looseFiles, packages: pure }];
  if (room === "database") {
    return [{ place, may: ["service/owner.ts", "service/ports"], packages: withSql }];
  }
  const lower = below.map((one) => `service/${one}`);
  return [
    { place, part: "rules", may: [...looseFiles, ...lower], packages: pure },
    {
      // What other rooms decide is no business of a statement: it is joined to their statements.
      place,
      part: "statements",
      may: ["service/owner.ts", ...lower],
      onlyTypes: "rules",
      packages: withSql,
    },
  ];
}

const serviceRows = floors.flatMap((floor, height) =>
  floor.flatMap((room) => roomRows(room, floors.slice(0, height).flat())),
);

const ground = ["service/ports", ...looseFiles];
const adapters = ["catalog", "checkout-page", "configuration", "database", "evm", "http"]
  .concat(["local-chain", "metrics", "operator", "signer-client", "system", "tracing", "webhooks"])
  .map((room) => `adapters/${room}`);

/** What the rooms of adapters/ may use beside ports, loose files, clock, log and configuration. */
/** All that the process with the keys shares with those who ask it. */
const signerProtocol = ["message-line.ts", "protocol.ts"].map(
  (file) => `adapters/signer-client/${file}`,
);

const adapterRoom = (room: string, ...more: readonly string[]): Row => ({
  place: `adapters/${room}`,
  may: [...ground, "adapters/system", "adapters/configuration", ...more],
});

const adapterRows: readonly Row[] = [
  { place: "adapters/system", may: [...ground, "service/secrets"] },
  { place: "adapters/configuration", may: [...ground, "adapters/system", "service/secrets"] },
  adapterRoom("database"),
  adapterRoom("evm"),
  adapterRoom("local-chain", "adapters/evm"),
  adapterRoom("webhooks", "service/webhooks"),
  adapterRoom("http", "adapters/checkout-page", "generated"),
  { ...adapterRoom("operator", "service"), onlyTypes: "statements" },
  adapterRoom("signer-client"),
  adapterRoom("metrics", "adapters/database", "adapters/evm", "service/jobs", "service/monitoring"),
  adapterRoom("tracing", "adapters/evm", "service/jobs", "service/webhooks", "package.json"),
  // No other row has this folder: the keys stay in one process by that.
  adapterRoom("signer", "adapters/evm", ...signerProtocol, "service/catalog"),
  { place: "adapters/assembly", may: [...adapters, "service"] },
  { place: "adapters/admin.ts", may: [...adapters, "adapters/assembly", "service"] },
  {
    place: "adapters/migrate.ts",
    may: ["adapters/assembly", "adapters/configuration", "adapters/database", "adapters/system"],
  },
  {
    place: "adapters/main.ts",
    may: [...adapters, "adapters/assembly", "handlers", "generated", "service"],
  },
];

/** Of several that fit a file, the one with the longest place counts. */
export const rows: readonly Row[] = [
  {
    place: "generator",
    may: ["generator/suite"],
    packages: [
      "@hono/**",
      "@scalar/openapi-upgrader/**",
      "ajv-formats",
      "ajv/**",
      "diff",
      "hono",
      "hono/**",
      "node:*",
      "openapi-fetch",
      "oxfmt",
      "prettier",
      "ts-morph",
      "typescript",
      "yaml",
      "zod",
    ],
  },
  {
    place: "generated",
    may: [],
    packages: [
      "@hono/node-server",
      "@hono/zod-openapi",
      "hono",
      "hono/**",
      "node:*",
      "openapi-fetch",
      "zod",
    ],
  },
  // What the contract suite of any service has: it is copied to others, and judges what the rest has made.
  {
    place: "generator/suite",
    may: [],
    packages: ["ajv-formats", "ajv/**", "fast-check", "node:*", "vitest", "vitest/*"],
  },
  { place: "service", may: [], packages: pure },
  ...serviceRows,
  {
    place: "handlers",
    may: ["generated", "service"],
    onlyTypes: "statements",
    packages: ["node:assert", "node:assert/strict", "node:crypto"],
  },
  ...adapterRows,
];
