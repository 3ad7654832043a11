// What OpenAPI 3.2 adds, in the eyes of the clients of two revisions.

import { expect, test } from "vitest";
import { compareRevisions } from "../../../generator/changes/compare.ts";
import { readRevision } from "../../../generator/changes/revision.ts";

const notice = { today: "2026-07-01", months: 12 };

/** Of a document with one path item and what it needs: `rule pointer message` of each change. */
function changes(before: object, after: object, components: object = {}): readonly string[] {
  const [base, head] = [before, after].map((item) => {
    const info = { title: "T", version: "1" };
    const document = { openapi: "3.2.0", info, paths: { "/pages": item }, components };
    const text = JSON.stringify(document);
    return readRevision("/contract.json", {
      read: () => Buffer.from(text),
      shown: () => "contract.json",
    });
  });
  if (base === undefined || head === undefined) throw new Error("there are two");
  return compareRevisions({ base, head }, { extensions: [], notice }).map(
    ({ rule, place, message }) =>
      `${rule} ${place.pointer.replace("/paths/~1pages/", "")} ${message}`,
  );
}

const responses = { "204": { description: "Fine." } };

test("the whole query is one parameter, whatever its name", () => {
  const item = (name: string, schema: object, mediaType = "application/json") => {
    const parameters = [{ name, in: "querystring", content: { [mediaType]: { schema } } }];
    return { get: { responses, parameters } };
  };
  const text = { type: "string", maxLength: 9 };
  expect(changes(item("a", text), item("b", text))).toEqual([]);
  expect(changes(item("a", text), item("a", { ...text, maxLength: 8 }))).toEqual([
    "request-bound-tightened get/parameters/0/content/application~1json/schema/maxLength maxLength 9 became 8",
  ]);
  expect(changes(item("a", text), item("a", text, "text/plain"))).toEqual([
    "request-media-type-removed get/parameters/0/content/application~1json application/json is gone",
    "request-media-type-added get/parameters/0/content/text~1plain text/plain is new",
  ]);
  const query = { name: "a", in: "query", schema: text };
  expect(changes(item("a", text), { get: { responses, parameters: [query] } })).toEqual([
    "request-parameter-removed get/parameters/0 querystring parameter a is gone",
    "request-parameter-added get/parameters/0 query parameter a is new",
  ]);
});

test("rows of items are compared by the item, also with a document that has no word for it", () => {
  const item = (media: object) => ({
    get: { responses: { "200": { description: "A.", content: { "application/jsonl": media } } } },
  });
  const [text, whole] = [{ type: "string" }, { type: "integer" }];
  const place = "get/responses/200/content/application~1jsonl";
  const changed = "string became integer";
  expect(changes(item({ itemSchema: text }), item({ itemSchema: whole }))).toEqual([
    `response-type-changed ${place}/itemSchema/type ${changed}`,
  ]);
  const list = { type: "array", items: text };
  expect(changes(item({ schema: list }), item({ itemSchema: text }))).toEqual([]);
  expect(changes(item({ schema: text }), item({ itemSchema: text }))).toEqual([]);
  expect(changes(item({ schema: list }), item({ itemSchema: whole }))).toEqual([
    `response-type-changed ${place}/itemSchema/type ${changed}`,
  ]);
  expect(changes(item({ itemSchema: text }), item({}))).toEqual([
    `response-type-widened ${place}/itemSchema/type string became any type`,
  ]);
  const both = (maxItems: number) => ({ schema: { ...list, maxItems }, itemSchema: text });
  expect(changes(item(both(2)), item(both(3)))).toEqual([
    `response-bound-widened ${place}/schema/maxItems maxItems 2 became 3`,
  ]);
  const parts = (headers: object) => item({ itemSchema: text, itemEncoding: { headers } });
  expect(changes(parts({}), parts({ a: {} }))).toEqual([
    `response-encoding-changed ${place} how parts of application/jsonl are written has changed`,
  ]);
});

test("cookies are taken apart in both styles where nothing else is said", () => {
  const item = (more: object) => {
    const cookie = { name: "a", in: "cookie", schema: { type: "array" }, ...more };
    return { get: { responses, parameters: [cookie] } };
  };
  expect(changes(item({}), item({ style: "cookie" }))).toEqual([
    'request-parameter-style-changed get/parameters/0/style style "form" became "cookie"',
  ]);
  expect(changes(item({ style: "cookie" }), item({ style: "cookie", explode: true }))).toEqual([]);
});

test("media types that are written once for several places", () => {
  const answer = (media: object) => {
    const content = { "application/json": media };
    return { get: { responses: { "200": { description: "Fine.", content } } } };
  };
  const schema = { type: "string", maxLength: 9 };
  const components = { mediaTypes: { Text: { schema } } };
  const reference = answer({ $ref: "#/components/mediaTypes/Text" });
  expect(changes(reference, answer({ schema }), components)).toEqual([]);
  const longer = answer({ schema: { type: "string", maxLength: 10 } });
  expect(changes(reference, longer, components)).toEqual([
    "response-bound-widened get/responses/200/content/application~1json/schema/maxLength maxLength 9 became 10",
  ]);
});

test("a discriminator may learn what to do without a tag, and not forget it", () => {
  const answer = (more: object) => {
    const oneOf = [{ $ref: "#/components/schemas/A" }, { $ref: "#/components/schemas/B" }];
    const schema = { oneOf, discriminator: { propertyName: "is", ...more } };
    const requestBody = { content: { "application/json": { schema } } };
    return { post: { responses, requestBody } };
  };
  const part = (is: string) => ({ type: "object", properties: { is: { const: is } } });
  const components = { schemas: { A: part("A"), B: part("B") } };
  const fallback = { defaultMapping: "A" };
  expect(changes(answer({}), answer(fallback), components)).toEqual([]);
  const rule = "request-discriminator-changed";
  const found = (more: object) =>
    changes(answer(fallback), answer(more), components).map((one) => one.split(" ")[0]);
  expect(found({})).toEqual([rule]);
  expect(found({ defaultMapping: "B" })).toEqual([rule]);
});

test("a security requirement is the same by name and by reference", () => {
  const item = (name: string) => ({ get: { responses, security: [{ [name]: [] }] } });
  const components = { securitySchemes: { key: { type: "apiKey", in: "header", name: "X" } } };
  const reference = "#/components/securitySchemes/key";
  expect(changes(item("key"), item(reference), components)).toEqual([]);
});

test("operations of other methods come and go like any other", () => {
  const before = { query: { responses }, additionalOperations: { PURGE: { responses } } };
  const after = { get: { responses }, additionalOperations: { purge: { responses } } };
  expect(changes(before, after)).toEqual([
    "operation-removed query QUERY /pages is gone",
    "operation-removed additionalOperations/PURGE PURGE /pages is gone",
    "operation-added get GET /pages is new",
    "operation-added additionalOperations/purge purge /pages is new",
  ]);
  const needy = { query: { responses, requestBody: { required: true, content: {} } } };
  expect(changes({ query: { responses } }, needy)).toEqual([
    "request-required-body-added query/requestBody a body is new",
  ]);
});
