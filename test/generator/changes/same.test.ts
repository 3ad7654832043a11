// What says the same in two revisions.

import { expect, test } from "vitest";
import { compareRevisions } from "../../../generator/changes/compare.ts";
import { readRevision } from "../../../generator/changes/revision.ts";
import type { JsonObject } from "../../../generator/json.ts";

const depth = 60;

/** Each schema leads to the next one by two ways: as many ways as there are numbers of `depth` bits. */
function ways(type: string): JsonObject {
  const schemas: JsonObject = { [`Way${depth}`]: { type } };
  for (let index = 0; index < depth; index += 1) {
    const next = { $ref: `#/components/schemas/Way${index + 1}` };
    schemas[`Way${index}`] = { type: "object", properties: { a: next, b: next } };
  }
  const schema = { not: { $ref: "#/components/schemas/Way0" } };
  const requestBody = { content: { "application/json": { schema } } };
  const paths = { "/ways": { post: { requestBody, responses: {} } } };
  return {
    openapi: "3.1.0",
    info: { title: "Ways", version: "1" },
    paths,
    components: { schemas },
  };
}

test("each two schemas in a condition are compared once, however many ways lead to them", () => {
  const [base, head] = ["string", "integer"].map((type) => {
    const text = JSON.stringify(ways(type));
    return readRevision("/ways.json", { read: () => Buffer.from(text), shown: () => "ways.json" });
  });
  if (base === undefined || head === undefined) throw new Error("there are two");
  const rules = (pair: { base: typeof base; head: typeof head }) =>
    compareRevisions(pair, { extensions: [], notice: { today: "2026-07-01", months: 0 } }).map(
      ({ rule }) => rule,
    );
  expect(rules({ base, head: base })).toEqual([]);
  expect(rules({ base, head })).toEqual(["request-condition-changed"]);
});
