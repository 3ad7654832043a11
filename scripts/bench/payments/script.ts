// The script in which pgbench does what a request does, made from a recording of two requests.
//
// The texts are the service's. Only in place of a value, `$1`, stands what pgbench puts there: a
// variable with the recorded value, or for what must be new each time a short text with a number in
// it, since numbers are all that pgbench can make. Of the same length as the real ones.

import assert from "node:assert";
import { sql } from "kysely";
import { acceptanceStamp } from "../../../service/catalog/acceptance.sql.ts";
import { queries } from "../../../service/database/statement.ts";
import type { RecordedStatement } from "./recording.ts";
import type { Shop } from "../service/shops.ts";

export interface PgbenchScript {
  readonly text: string;
  /** for people: which statements, in their order */
  readonly statements: readonly string[];
  /** for --define, as they are at this moment */
  readonly variables: () => ReadonlyMap<string, string>;
}

/** The numbers have 19 digits, the most that fits into pgbench's. */
const unique: Readonly<Record<string, string>> = {
  id: "('pay_01BENCH' || :n)",
  eventResourceId: "('pay_01BENCH' || :n)",
  eventId: "('evt_01BENCH' || :n)",
  // The first is the one that is used: the merchants have one endpoint.
  eventDeliveryIds: "('{dlv_01BENCH' || :n || :deliveries_more)",
  merchantOrderNo: "('order-' || :n)",
  idempotencyKey: "('order-' || :random_key)",
  fenceKey: "('order-' || :random_key)",
  nonce: "('n-0000000000000' || :random_nonce)",
  checkoutToken: "('abc' || :random_token)",
};
/** Each of pgbench's clients is one merchant. */
const ofClient: Readonly<Record<string, string>> = {
  merchantId: ":merchant",
  fenceMerchantId: ":merchant",
  eventMerchantId: ":merchant",
  keyId: ":api_key",
  knownAcceptance: ":acceptance",
};
/** They differ from request to request, but nothing demands it. */
const mayStay: ReadonlySet<string> = new Set(["fenceFingerprint", "answerBody", "eventData"]);

const randoms = ["key", "nonce", "token"].map(
  (name) => String.raw`\set random_${name} random(1000000000000000000, 9000000000000000000)`,
);

/** `one` and `other` are two requests of which only the order number differs. */
export function buildScript(
  one: readonly RecordedStatement[],
  other: readonly RecordedStatement[],
  shops: readonly Shop[],
): PgbenchScript {
  assert.deepEqual(
    one.map(({ text }) => text),
    other.map(({ text }) => text),
    "two equal requests ran other statements",
  );
  const values = new Map<string, unknown>();
  const lines = one.flatMap(({ text, isDurable, parameters }, index) => {
    const inPlace = parameters.map(({ name, value }, position) => {
      const made = name === undefined ? undefined : (unique[name] ?? ofClient[name]);
      if (made !== undefined) return made;
      assertStays(name, [value, other[index]?.parameters[position]?.value]);
      const variable = `s${index}_${name ?? position}`;
      values.set(variable, value);
      return `:${variable}`;
    });
    const line = text
      .replaceAll(/\$(\d+)/g, (_, digits: string) => inPlace[Number(digits) - 1] ?? "")
      .replaceAll(/\s*\n\s*/g, " ");
    return isDurable ? [`${line};`] : relaxed(line);
  });
  values.set("deliveries_more", restOfDeliveries(one));
  const text = [...beginning(shops), ...lines].join("\n");
  const recordedAt = Date.now();
  return {
    text: `${text}\n`,
    statements: one.map(({ name, isDurable }) => (isDurable ? name : `${name} (not durable)`)),
    variables: () => encodeAll(values, Date.now() - recordedAt),
  };
}

function assertStays(name: string | undefined, [value, other]: readonly unknown[]): void {
  if (name === undefined || mayStay.has(name) || value instanceof Date) return;
  const message = `${name} differs from request to request: the script has to say what pgbench puts there`;
  assert.deepEqual(value, other, message);
}

/**
 * A client of pgbench has one connection, and the service two kinds. So this tells it for the one
 * transaction that it need not wait for the disk: in the same round trip, but a statement more.
 */
function relaxed(line: string): readonly string[] {
  const toggle = "select set_config('synchronous_commit', 'off', true);";
  return [String.raw`\startpipeline`, toggle, `${line};`, String.raw`\endpipeline`];
}

/** Once for each client: which merchant it is. */
function beginning(shops: readonly Shop[]): readonly string[] {
  const arrayOf = (texts: readonly string[]): string =>
    `(array[${texts.map((text) => `'${text}'`).join(",")}])[:client_id % ${shops.length} + 1]`;
  const merchants = arrayOf(shops.map(({ merchantId }) => merchantId));
  const keys = arrayOf(shops.map(({ key }) => key));
  return [
    String.raw`\set i :i + 1`,
    String.raw`\set n 1000000000000000000 + :round * 1000000000000000 + :client_id * 1000000000000 + :i`,
    ...randoms,
    String.raw`\if :i = 1`,
    String.raw`select ${merchants} as merchant, ${keys} as api_key \gset`,
    String.raw`${acceptanceText} \gset`,
    String.raw`\endif`,
  ];
}

/** What the service has in memory of each merchant. */
const acceptanceText = queries
  .selectFrom("currency_acceptances")
  .select(acceptanceStamp.as("acceptance"))
  .where("merchant_id", "=", sql.raw<string>(":merchant"))
  .where("environment", "=", sql.lit("test"))
  .compile()
  .sql.replaceAll(/\s+/g, " ");

function restOfDeliveries(statements: readonly RecordedStatement[]): string {
  const found = statements
    .flatMap(({ parameters }) => parameters)
    .find(({ name }) => name === "eventDeliveryIds");
  const ids = found?.value;
  assert(Array.isArray(ids), "no statement records an event");
  return `,${ids.slice(1).map(String).join(",")}}`;
}

/** Null is left out: pgbench sends null for a variable that it does not know. */
function encodeAll(
  values: ReadonlyMap<string, unknown>,
  laterMilliseconds: number,
): ReadonlyMap<string, string> {
  const encoded = new Map<string, string>();
  for (const [name, value] of values) {
    if (value === null) continue;
    const isDate = value instanceof Date;
    const now = isDate ? new Date(value.getTime() + laterMilliseconds) : value;
    encoded.set(name, encode(now));
  }
  return encoded;
}

/** As the driver writes a value. */
function encode(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString("hex")}`;
  if (Array.isArray(value)) return `{${value.map((one) => JSON.stringify(one)).join(",")}}`;
  if (typeof value === "string") return value;
  if (typeof value === "bigint") return value.toString();
  assert(typeof value !== "object", "a value of a kind that no statement had");
  return JSON.stringify(value);
}
