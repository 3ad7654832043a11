// Schemas that lie deeper in each other than the stack is, or that have more ways through them than can be walked.

import { expect, test } from "vitest";
import { compareRevisions } from "../../../generator/changes/compare.ts";
import { readRevision } from "../../../generator/changes/revision.ts";

type Schemas = Readonly<Record<string, object>>;

const notice = { today: "2026-07-01", months: 12 };
const name = (index: number): string => `S${index}`;
const to = (index: number): object => ({ $ref: `#/components/schemas/${name(index)}` });

function revisionOf(schemas: Schemas) {
  const content = { "application/json": { schema: to(0) } };
  const post = { requestBody: { content }, responses: { "204": { description: "Fine." } } };
  const info = { title: "T", version: "1" };
  const document = { openapi: "3.1.0", info, paths: { "/a": { post } }, components: { schemas } };
  const text = JSON.stringify(document);
  return readRevision("/contract.json", {
    read: () => Buffer.from(text),
    shown: () => "contract.json",
  });
}

function changes(before: Schemas, after: Schemas): readonly string[] {
  const pair = { base: revisionOf(before), head: revisionOf(after) };
  const found = compareRevisions(pair, { extensions: [], notice });
  return found.map(({ rule, message }) => `${rule} ${message}`);
}

function chain(length: number, maxLength: number, link: (next: object) => object): Schemas {
  const links = Array.from({ length }, (_, index) => [name(index), link(to(index + 1))] as const);
  return { ...Object.fromEntries(links), [name(length)]: { type: "string", maxLength } };
}

function orNull(next: object, description: string): object {
  return { anyOf: [{ ...next, description }, { type: "null" }] };
}

const tightened = ["request-bound-tightened maxLength 6 became 5"];

test.each([
  ["five thousand references", 5_000, (next: object) => next],
  ["a hundred alternatives that are the only ones", 100, (next: object) => ({ oneOf: [next] })],
  [
    "forty schemas with two ways to the next",
    40,
    (next: object) => ({ allOf: [{ anyOf: [next] }, { anyOf: [next] }] }),
  ],
  [
    "forty schemas with two ways to the next that may be null, in words of their own",
    40,
    (next: object) => ({ allOf: [orNull(next, "One."), orNull(next, "Another one.")] }),
  ],
])("a change is found behind %s", (_, length, link) => {
  expect(changes(chain(length, 6, link), chain(length, 5, link))).toEqual(tightened);
  expect(changes(chain(length, 6, link), chain(length, 6, link))).toEqual([]);
});

test("a change is found behind three thousand properties, and alternatives with names", () => {
  const link = (next: object): object => ({ type: "object", properties: { next } });
  expect(changes(chain(3_000, 6, link), chain(3_000, 6, link))).toEqual([]);
  expect(changes(chain(3_000, 6, link), chain(3_000, 5, link))).toEqual(tightened);
  const named = (next: object): object =>
    link({ anyOf: [{ type: "null" }, { type: "boolean" }, next] });
  expect(changes(chain(1_000, 6, named), chain(1_000, 5, named))).toEqual(tightened);
});

test("a change is found behind four hundred alternatives without names", () => {
  const nameless = (next: object): object => {
    const way = (name: string) => ({ type: "object", properties: { [name]: next } });
    return { oneOf: [way("a"), way("b")] };
  };
  expect(changes(chain(400, 6, nameless), chain(400, 6, nameless))).toEqual([]);
  expect(changes(chain(400, 6, nameless), chain(400, 5, nameless))).toEqual(tightened);
});

test("alternatives without names that lead to each other end, whatever changes in them", () => {
  const all = (count: number, maxLength: number): Schemas => {
    const indices = Array.from({ length: count }, (_, index) => index);
    const schemas = indices.map((own) => {
      const ways = indices.map((index) => ({
        type: "object",
        properties: { next: to(index), [`k${own}`]: { type: "string", maxLength } },
      }));
      return [name(own), { type: "object", properties: { way: { oneOf: ways } } }];
    });
    return Object.fromEntries(schemas) as Schemas;
  };
  expect(changes(all(25, 6), all(25, 6))).toEqual([]);
  expect(changes(all(12, 6), all(12, 5))).toContain(
    "request-variant-removed a variant without a name is gone",
  );
});

test("changes behind many ways are told of once each, and all of them", () => {
  const web = (type: string): Schemas =>
    Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => {
        const properties = {
          id: { type },
          a: to((index + 1) % 60),
          b: to((index * 7 + 3) % 60),
          c: to((index * 13 + 5) % 60),
        };
        return [name(index), { type: "object", properties }];
      }),
    );
  const told = changes(web("string"), web("integer"));
  expect(told).toEqual(
    Array.from({ length: 60 }, () => "request-type-changed string became integer"),
  );
});
