// Numbers that the parser would make others of are refused where they stand.

import fc from "fast-check";
import { expect, test } from "vitest";
import { isLost } from "../../../generator/runtime/json-numbers.ts";
import { maxItems } from "../../../generator/runtime/keywords.ts";
import { effortOf } from "../../support/patience.ts";
import { appOf, brief, operation, z } from "./harness.ts";

const schema = z.looseObject({ amount: z.number().optional(), count: z.int().optional() });

/** The status and what is said of a body, by a schema or by none. */
async function send(body: string, judgedBy: z.ZodType = z.unknown()): Promise<unknown> {
  const request = { body: { content: { "application/json": { schema: judgedBy } } } };
  const one = operation({ id: "one", method: "post", path: "/one", request });
  const headers = { "content-type": "application/json" };
  const response = await appOf({ operations: [one] }).app.request("/one", {
    method: "POST",
    headers,
    body,
  });
  return response.status === 200 ? 200 : brief(await response.json());
}

test.for([
  "9007199254740991",
  "9007199254740992",
  "-9007199254740992",
  "1152921504606846976",
  // as every JavaScript writes 2^60
  "1152921504606847000",
  "100000000000000000000000",
  "1e23",
  "1e308",
  "9007199254740993.5",
  "0.1000000000000000055511151231257827",
  "1e-400",
  '"9007199254740993"',
  '{"9007199254740993":"1e400"}',
])("takes %s", async (body) => {
  expect(await send(body)).toBe(200);
  expect(await send(`{"a":[${body}]}`)).toBe(200);
});

test.for<[string, string]>([
  ["9007199254740993", "precision"],
  ["-9007199254740993", "precision"],
  ["1152921504606847001", "precision"],
  ["9223372036854775807", "precision"],
  [`1${"0".repeat(29)}1`, "precision"],
  ["1e400", "finite"],
  ["-1e400", "finite"],
  ["9".repeat(400), "finite"],
])("refuses %s wherever it stands", async ([body, rule]) => {
  expect(await send(body)).toEqual([`body  ${rule}`]);
  expect(await send(`{"a/b":[1,{"1":"x","c":${body}}]}`)).toEqual([`body /a~1b/1/c ${rule}`]);
});

test("takes what JavaScript writes of any number, and every integer that is one", () => {
  const large = fc.double({ min: 2 ** 53, max: Number.MAX_VALUE, noNaN: true });
  fc.assert(
    fc.property(large, (value) => {
      for (const text of [JSON.stringify(value), JSON.stringify(-value), String(BigInt(value))]) {
        expect([text, isLost(text, Number(text))]).toEqual([text, false]);
      }
    }),
  );
});

test("refuses every integer between two doubles that neither is written as", () => {
  const exponent = fc.integer({ min: 54, max: 200 });
  fc.assert(
    fc.property(exponent, fc.bigInt({ min: 0n, max: 2n ** 52n - 1n }), (power, mantissa) => {
      const double = (2n ** 52n + mantissa) << BigInt(power - 52);
      // odd, which no double is from here on, and not what one is written as
      const text = String(double + 1n);
      expect([text, isLost(text, Number(text))]).toEqual([text, true]);
    }),
  );
});

test("says once what is wrong with a number, beside everything else", async () => {
  const lost = "9007199254740993";
  expect(await send(`{"amount":${lost},"count":"x","more":[${lost}]}`, schema)).toEqual([
    "body /count type",
    "body /amount precision",
    "body /more/0 precision",
  ]);
  expect(await send(`{"amount":1e400,"count":${lost}}`, schema)).toEqual([
    "body /amount type",
    "body /count maximum",
  ]);
  const closed = z.strictObject({ a: z.string() });
  expect(await send(`{"a":{"b":${lost}},"c":{"d":${lost}}}`, closed)).toEqual([
    "body /a type",
    "body /c additionalProperties",
  ]);
});

test("of a whole that breaks the contract, tells the numbers inside too", async () => {
  const few = z.array(z.unknown()).check(maxItems(1));
  expect(await send("[1,9007199254740993]", few)).toEqual(["body  maxItems", "body /1 precision"]);
  expect(await send("9007199254740993", z.string())).toEqual(["body  type"]);
});

test("what is judged besides has no such number in it", async () => {
  const given: unknown[] = [];
  const request = { body: { content: { "application/json": { schema } } } };
  const one = operation({ id: "one", method: "post", path: "/one", request });
  const judge = (parts: unknown) => {
    given.push(parts);
    return [];
  };
  const { app } = appOf({ operations: [one], edge: { judge } });
  await app.request("/one", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"amount":9007199254740993,"count":1}',
  });
  expect(given).toStrictEqual([{ amount: undefined, count: 1 }]);
});

test.for([
  ["json", "9007199254740993", ["query /p precision"]],
  ["json", '{"a":1e400}', ["query /p precision"]],
  ["json", "9007199254740992", { p: 9007199254740992 }],
  [{ scalar: ["number"] }, "9007199254740993", { p: "9007199254740993" }],
  [{ scalar: ["integer", "number"] }, "9007199254740993", { p: "9007199254740993" }],
  [{ scalar: ["number"] }, "1152921504606846976", { p: 2 ** 60 }],
  [{ scalar: ["number"] }, "0.1000000000000000055511151231257827", { p: 0.1 }],
] as const)("reads a parameter of kind %s: %s", async ([kind, text, expected]) => {
  const parameters = [{ in: "query", name: "p", style: "form", explode: true, kind }] as const;
  const { app } = appOf({ operations: [operation({ id: "one", path: "/one", parameters })] });
  const response = await app.request(`/one?p=${encodeURIComponent(text)}`);
  const body = (await response.json()) as { request?: { query?: unknown } }; // what echo sends
  expect(response.status === 200 ? body.request?.query : brief(body)).toEqual(expected);
});

test("many of them are told in no time, and not at length", async () => {
  const name = "n".repeat(300);
  const lost = `{"${name}":[${"9007199254740993,".repeat(500)}1]}`;
  const held = `[${"9007199254740992,".repeat(600)}1]`;
  const digits = `[${"9".repeat(300)},${"9".repeat(8000)}e-7800]`;
  const one = (body: string) => async (): Promise<void> => {
    expect(JSON.stringify(await send(body)).length).toBeLessThan(4 * body.length);
  };
  for (const body of [lost, held, digits]) expect(await effortOf(one(body))).toBeLessThan(60);
});
