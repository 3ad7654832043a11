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

const tightened = ["request-bound-tightened maxLength 6 became 5"];

test.each([
  ["five thousand references", 5_000, (next: object) => next],
  ["a hundred alternatives that are the only ones", 100, (next: object) => ({ oneOf: [next] })],
  [
    "forty schemas with two ways to the next",
    40,
    (next: object) => ({ allOf: [{ anyOf: [next] }, { anyOf: [next] }] }),
  ],
])("a change is found behind %s", (_, length, link) => {
  expect(changes(chain(length, 6, link), chain(length, 5, link))).toEqual(tightened);
  expect(changes(chain(length, 6, link), chain(length, 6, link))).toEqual([]);
});

test("what lies too deep to be compared is told of when it is not the same", () => {
  const link = (next: object): object => ({ type: "object", properties: { next } });
  expect(changes(chain(80, 6, link), chain(80, 5, link))).toEqual(tightened);
  expect(changes(chain(3_000, 6, link), chain(3_000, 6, link))).toEqual([]);
  expect(changes(chain(3_000, 6, link), chain(3_000, 5, link))).toEqual([
    "request-composition-changed these lie too deep in others to be compared, and they are not the same",
  ]);
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
