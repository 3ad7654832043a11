// How statements are named, and who writes which table.

import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { readSourceFiles } from "./source-files.ts";
import { readStatements } from "./statements.ts";
import type { FoundStatement } from "./statements.ts";
import { namedElsewhere, tablesWritten, writersOf } from "./table-rules.ts";

/** What a room is called in the names of its statements; its code need not repeat it. */
const roomWords: Readonly<Record<string, RegExp>> = {
  addresses: /^deposit$/,
  audit: /^audit$/,
  catalog: /^catalog$/,
  chains: /^chain$/,
  checkout: /^checkout$/,
  events: /^event$/,
  idempotency: /^idempotency$/,
  jobs: /^job$/,
  ledger: /^ledger$/,
  merchants: /^(?:api|merchant)$/,
  payments: /^payment$/,
  payouts: /^payout$/,
  sending: /^(?:outgoing|sender)$/,
  subscriptions: /^subscriptions?$/,
  sweeps: /^sweeps?$/,
  webhooks: /^webhook$/,
  withdrawals: /^(?:withdraw|withdrawals?)$/,
  x402: /^x402$/,
};

const verbs = new Set(
  [
    "abandon add admit advance announce approve book broadcast cancel change charge claim close confirm",
    "count create decide defer delete disable empty end extend fail finalize find finish forget free freeze",
    "fulfil hold insert list lock mark match move note order orphan pause ping plan post put queue",
    "read record register reject release remove replace request reserve resume retire reverse revive",
    "revoke rotate set start stop store sum sweep switch take unclaim unfreeze use withdraw",
  ]
    .join(" ")
    .split(" "),
);

function nameProblem({ path, name, exported }: FoundStatement): string | undefined {
  const words = name.split("_");
  if (!verbs.has(words[0] ?? "")) return `${path}: ${name} does not begin with a verb of the list`;
  if (exported === undefined) return undefined;
  const [, room = ""] = path.split("/");
  const rest = words.filter((word) => roomWords[room]?.test(word) !== true);
  const fits = [words, rest].map(camelCase).includes(exported);
  return fits ? undefined : `${path}: ${exported} is ${name}`;
}

function camelCase(words: readonly string[]): string {
  const [first = "", ...others] = words;
  return first + others.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("");
}

const inOrder = (one: string, other: string): number => (one < other ? -1 : 1);

describe("a statement", () => {
  test("is named by verb and subject, and exported so, with or without the room's word", async () => {
    const statements = await readStatements();
    expect(statements.length).toBeGreaterThan(200);
    expect(statements.map(nameProblem).filter((one) => one !== undefined)).toEqual([]);
  });

  test("has its name alone", async () => {
    const names = new Map<string, string>();
    const twice: string[] = [];
    for (const { name, text } of await readStatements()) {
      if ((names.get(name) ?? text) !== text) twice.push(name);
      names.set(name, text);
    }
    expect(twice).toEqual([]);
  });

  test("hides how long a list is that it compares with: else a plan is made for each", async () => {
    const found = (await readStatements()).filter(({ text }) => /\bany\s*\(\s*\$\d/i.test(text));
    expect(found.map(({ name }) => name)).toEqual([]);
  });

  // For whoever looks, and decides nothing by it; the second of two names is for whoever does.
  test("may be stale where nobody decides by it, and writes nothing", async () => {
    const stale = (await readStatements()).filter(({ mayBeStale }) => mayBeStale);
    expect(stale.map(({ name }) => name).toSorted(inOrder)).toEqual([
      "list_newest_deliveries",
      "list_payout_schedules",
      "read_catalog_to_show",
      "read_checkouts_again",
    ]);
    expect(stale.flatMap(({ text }) => tablesWritten(text))).toEqual([]);
  });

  test("has the text that it was reviewed with", async () => {
    const lines = (await readStatements()).map(({ path, name, text }) => {
      const digits = createHash("sha256").update(text).digest("hex").slice(0, 16);
      return `${name} ${digits} ${path}`;
    });
    // Shows in a change which statements it touches: `npm test -- test/tidy/statements.test.ts -u`.
    const listed = `${Array.from(new Set(lines)).toSorted(inOrder).join("\n")}\n`;
    await expect(listed).toMatchFileSnapshot("statement-texts.txt");
  });

  test.each([
    ["oldest_nonce", "readOldestNonce", "service/merchants/nonces.sql.ts"],
    ["finish_idempotency_key", "finishOnly", "service/idempotency/idempotency.sql.ts"],
    ["find_x402_claim", "findClaim", "service/payments/charging.sql.ts"],
  ])("with another name is seen: %s as %s", (name, exported, path) => {
    expect(
      nameProblem({ name, exported, path, text: "", list: () => [], mayBeStale: false }),
    ).toContain(name);
  });
});

interface Shared {
  readonly owner: string;
  /** the rooms that write it too, each with the reason */
  readonly others: Readonly<Record<string, string>>;
}

/** Where one row tells of several subjects, each writes its own columns. */
const shared: Readonly<Record<string, Shared>> = {
  deposits: {
    owner: "chains",
    others: {
      payments: "its columns of the ledger: bookings, reversals, and how the amount was divided",
      sweeps: "its column of the sweep that takes it away",
      suspense: "what an operator decided about it",
    },
  },
  x402_settlements: {
    owner: "x402",
    others: { payments: "its columns of the money: charged, final, released" },
  },
  events: {
    owner: "events",
    others: { webhooks: "an event goes when its last delivery goes, in one statement" },
  },
  webhook_deliveries: {
    owner: "webhooks",
    others: { events: "an event is recorded with its deliveries, in one statement" },
  },
  withdrawal_stops: {
    owner: "withdrawals",
    others: { sending: "an account that others use is stopped with the note that says so" },
  },
};

describe("a table", () => {
  const writers = writersOf(readSourceFiles("service/**/*.sql.ts"));

  test("is written by the statements of one room", () => {
    expect(writers.size).toBeGreaterThan(40);
    const open = Array.from(writers).flatMap(([table, rooms]) => {
      const { owner, others } = shared[table] ?? { owner: [...rooms][0], others: {} };
      const known = new Set([owner, ...Object.keys(others)]);
      const isKnown = known.size === rooms.size && [...rooms].every((room) => known.has(room));
      return isKnown ? [] : [`${table}: ${[...rooms].join(", ")}`];
    });
    expect(open).toEqual([]);
    expect(Object.keys(shared).filter((table) => !writers.has(table))).toEqual([]);
  });

  test("whose name is no word of the text is written where sealed values are sealed anew", () => {
    expect([...(writers.get(namedElsewhere) ?? [])]).toEqual(["secrets"]);
  });

  test.each([
    ["insert into nonces (key_id) values (1)"],
    ["with a as (update nonces n set x = 1 returning 1) select 1 from a"],
    ["delete from nonces as n using keys"],
    ['queries.insertInto("nonces").values(p)'],
    ['queries.updateTable("nonces").set(p)'],
    ['creator.deleteFrom("nonces").where("x", "=", 1)'],
  ])("that another room writes is seen: %s", (text) => {
    const files = new Map([
      ["service/merchants/nonces.sql.ts", "insert into nonces (key_id) values (1)"],
      ["service/jobs/jobs.sql.ts", text],
    ]);
    expect([...(writersOf(files).get("nonces") ?? [])]).toEqual(["merchants", "jobs"]);
  });

  test("that is only read, or named in a comment, is written by nobody", () => {
    const text = "// delete from nonces\nselect 1 from nonces n for update of n skip locked";
    expect(writersOf(new Map([["service/jobs/jobs.sql.ts", text]])).size).toBe(0);
  });
});
