// What the clients for other languages sign, and which webhooks they take, held against the client for TypeScript and
// against the official library.

import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { canonicalQuery } from "../../../scripts/client/canonical.ts";
import { signSync } from "../../../scripts/client/sign-sync.ts";
import { endChildren } from "../../programs/child.ts";
import { query } from "../queries.ts";
import { vectorKey as key, vectors, vectorSecret as secret } from "../vectors.ts";
import { describeLanguages, languages, openShop, programs, type Shop } from "./language.ts";

afterAll(endChildren);

test("the page has programs for each language, and no other", () => {
  const names = languages.flatMap(({ source }) =>
    ["create_payment", "receive_webhooks"].map(source),
  );
  expect([...programs.keys()]).toEqual(names);
});

const base64 = (text: string | Uint8Array): string => Buffer.from(text).toString("base64");

/** Undefined where there is none. */
function canonicalOf(text: string): string | undefined {
  try {
    return canonicalQuery(text);
  } catch {
    return undefined;
  }
}

const signed = fc.record({
  key: fc.stringMatching(/^mk_(?:live|test)_[A-Za-z0-9]{16,64}$/),
  secret: fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 90 })
    .filter((text) => !/\s/.test(text)),
  method: fc.constantFrom("GET", "POST", "PUT"),
  path: fc.webPath({ size: "small" }).map((path) => `/v1${path}`),
  query: fc.webQueryParameters({ size: "small" }),
  body: fc.uint8Array({ maxLength: 300 }),
  idempotencyKey: fc.option(fc.stringMatching(/^[!-~]{1,128}$/), { nil: undefined }),
  timestamp: fc.integer({ min: 1_000_000_000, max: 9_999_999_999 }).map(String),
  nonce: fc.stringMatching(/^[A-Za-z0-9_-]{16,64}$/),
});

describeLanguages("what it signs", (language) => {
  let shop: Shop;
  beforeAll(() => {
    shop = openShop(language);
  });

  test("is to the liking of its own tools, with the programs of the page", () => {
    expect(shop.problems).toEqual([]);
  });

  test("signs the published vectors, and what is drawn, byte for byte", async () => {
    const given = vectors.map((one) => ({ ...one, key, secret, body: one.body ?? "" }));
    const hard = {
      key,
      secret,
      method: "PUT",
      path: "/v1/x-y_z.~/1",
      query: String.raw`b=2&a=x+y%2b&a-=1&&a=%c3%a9&n&e=%7e!*'()%5c&%25=v&a=1`,
      body: '{"text":"é 😀"}\n',
      idempotencyKey: "~!'$x",
      timestamp: "1767225600",
      nonce: "n-0123456789abcdef",
    };
    const drawn = fc.sample(signed, 300);
    const all = [...given, hard, ...drawn];
    const questions = all.map((one) => ({
      ...one,
      op: "sign",
      target: one.query === "" ? one.path : `${one.path}?${one.query}`,
      body: base64(one.body),
    }));
    const said = (await shop.ask(questions)).map(({ ok }) =>
      // Its headers: each is a list, of Go.
      Object.fromEntries(
        Object.entries(ok as Readonly<Record<string, unknown>>).map(([name, value]) => [
          name,
          String(value),
        ]),
      ),
    );
    expect(said).toEqual(all.map((one) => ({ ...signSync(one) })));
    expect(said.slice(0, vectors.length)).toMatchObject(
      vectors.map(({ signature }) => ({ "X-Signature": signature })),
    );
  });

  test("makes the same canonical query of whatever may come, and refuses what has none", async () => {
    const texts = ["", "&&", "a", "=", "=b", "a=b=c", "a==", "a&a=", "A=1&a=1&_=1&~=1&-=1"].concat(
      ["a-=1&a=2", "a=1&a%2d=1", "10=&9=&1e1=", "%", "%4", "%zz", "%ff", "%ed%a0%80", "%00=%00"],
      fc.sample(query, 2_000),
    );
    const said = await shop.ask(texts.map((text) => ({ op: "query", query: text })));
    const outcomes = said.map(({ ok, error }) => ok ?? error);
    expect(outcomes).toEqual(texts.map((text) => canonicalOf(text) ?? "mistake"));
  });
});

const right = `whsec_${base64("a secret of 32 bytes, or nearly so")}`;
const other = `whsec_${base64("another secret, before a rotation")}`;
const event = (text: string): string =>
  JSON.stringify({ id: "evt_1", type: "payment.paid", data: { text } });

interface Delivery {
  readonly op: "verify";
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
  readonly secrets: readonly string[];
}

interface Change {
  readonly body?: string;
  /** what is signed */
  readonly signedBody?: string;
  readonly by?: string;
  readonly secrets?: readonly string[];
  readonly offSeconds?: number;
  /** in place of those that are right; undefined: left out */
  readonly headers?: (
    signature: string,
    now: number,
  ) => Readonly<Record<string, string | undefined>>;
  /** beside them */
  readonly more?: readonly (readonly [string, string])[];
}

function delivery(change: Change): Delivery {
  const { body = event("é 😀"), by = right, secrets = [right], offSeconds = 0 } = change;
  const now = Math.floor(Date.now() / 1000);
  const at = new Date((now + offSeconds) * 1000);
  const signature = new Webhook(by).sign("evt_1", at, change.signedBody ?? body);
  const headers: Readonly<Record<string, string | undefined>> = {
    "webhook-id": "evt_1",
    "webhook-timestamp": String(now + offSeconds),
    "webhook-signature": signature,
    ...change.headers?.(signature, now),
  };
  const named = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return { op: "verify", headers: [...named, ...(change.more ?? [])], body: base64(body), secrets };
}

const signature = (change: (right: string) => string | undefined): Change => ({
  headers: (right) => ({ "webhook-signature": change(right) }),
});
const timestamp = (change: (now: number) => string | undefined): Change => ({
  headers: (_, now) => ({ "webhook-timestamp": change(now) }),
});
const id = (value: string | undefined): Change => ({ headers: () => ({ "webhook-id": value }) });

const taken: Readonly<Record<string, Change>> = {
  "what is right": {},
  "the second of two secrets": { secrets: [other, right] },
  "the first of two secrets": { secrets: [right, other] },
  "a second signature": signature((right) => `v1,AAAA ${right}`),
  "a first signature, beside one of another version": signature((right) => `${right} v1a,AAAA`),
  "what is nearly too old": { offSeconds: -280 },
  "what is nearly to come": { offSeconds: 280 },
};

const refused: Readonly<Record<string, Change>> = {
  "a body that was changed": { signedBody: event("e") },
  "a body with a blank more": { body: `${event("e")} `, signedBody: event("e") },
  "another secret": { by: other },
  "another id": id("evt_2"),
  "another time": timestamp((now) => String(now - 1)),
  "what is too old": { offSeconds: -310 },
  "what is to come": { offSeconds: 400 },
  "no id": id(undefined),
  "no time": timestamp(() => undefined),
  "no signature": signature(() => undefined),
  "an id twice": { more: [["webhook-id", "evt_1"]] },
  "a time twice": { more: [["webhook-timestamp", "1767225600"]] },
  "a wrong signature twice": { ...signature(() => "v1,A"), more: [["webhook-signature", "v1,B"]] },
  "an empty signature": signature(() => ""),
  "a version alone": signature(() => "v1,"),
  "another version": signature((right) => right.replace("v1,", "v2,")),
  "a signature without its version": signature((right) => right.slice(3)),
  "half a signature": signature((right) => right.slice(0, 24)),
  "a signature in other letters": signature(() => "v1,é"),
  "no time at all": timestamp(() => ""),
  "a time as a float": timestamp((now) => `${now}.0`),
  "a time with a sign": timestamp((now) => `+${now}`),
  "a time below zero": timestamp((now) => `-${now}`),
  "a time with an exponent": timestamp(() => "1e9"),
  "a time behind a blank": timestamp((now) => ` ${now}`),
  "a time in other digits": timestamp(() => "９９"),
  "a time of forty digits": timestamp(() => "9".repeat(40)),
  "a body that is no JSON": { body: "{" },
  "a body that is no object": { body: '["evt_1"]' },
};

const mistakes: Readonly<Record<string, Change>> = {
  "no secret": { secrets: [] },
  ...Object.fromEntries(
    ["", "whsec_", "whsec_====", "whsec_%%%%", "whsec_QU!FB", base64("no prefix")].map((text) => [
      `the secret ${JSON.stringify(text)}`,
      { secrets: [right, text] },
    ]),
  ),
};

describeLanguages("its webhooks", (language) => {
  let shop: Shop;
  beforeAll(() => {
    shop = openShop(language);
  });

  test.each([
    ["takes", taken, "ok"],
    ["refuses", refused, "webhook"],
    ["does not go on with, as a mistake of the shop,", mistakes, "mistake"],
  ] as const)("%s what is in the list", async (_, cases, expected) => {
    const said = await shop.ask(Object.values(cases).map(delivery));
    const names = Object.keys(cases);
    expect(said.map(({ error = "ok" }, at) => [names[at], error])).toEqual(
      names.map((name) => [name, expected]),
    );
  });

  test("gives the event as it was sent", async () => {
    const [said] = await shop.ask([delivery({})]);
    expect(said).toEqual({ ok: { id: "evt_1", type: "payment.paid", data: { text: "é 😀" } } });
  });
});
