// What breaks clients on the way there breaks servers on the way back: by the table of rules, and by what is found
// between documents that are drawn.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { type Change, compareRevisions } from "../../../generator/changes/compare.ts";
import { parties, type Party } from "../../../generator/changes/judgement.ts";
import { readRevision, type Revision } from "../../../generator/changes/revision.ts";
import { rules } from "../../../generator/changes/rules.ts";
import type { Json, JsonObject } from "../../../generator/json.ts";
import { breaks, ofTime, pairs, uneven } from "./mirrors.ts";
import { contractOf } from "./schema-pairs.ts";

const notice = { today: "2026-07-01", months: 12 };

function revisionOf(text: string, name = "contract.json"): Revision {
  return readRevision(`/${name}`, { read: () => Buffer.from(text), shown: () => name });
}

function changes(base: JsonObject, head: JsonObject): readonly Change[] {
  const pair = { base: revisionOf(JSON.stringify(base)), head: revisionOf(JSON.stringify(head)) };
  return compareRevisions(pair, { extensions: [], notice });
}

const rulesOf = (found: readonly Change[]): readonly string[] =>
  found.map(({ rule }) => rule).toSorted();

describe("the table", () => {
  test("has a way back for every rule but those of time", () => {
    const named = new Set([...pairs.flat(), ...ofTime]);
    expect([...named].toSorted()).toEqual([...rules.keys()].toSorted());
  });

  test("breaks servers back where it breaks clients there, but where it says why not", () => {
    const both = pairs.flatMap(([there, back]): [string, string][] => [
      [there, back],
      [back, there],
    ]);
    const found = both
      .filter(([there, back]) => breaks(there, "clients") !== breaks(back, "servers"))
      .map(([there, back]) => `${there}, ${back}`);
    expect([...new Set(found)].toSorted()).toEqual(Object.keys(uneven).toSorted());
  });

  test.each(parties)("says what to do about everything that is no info to %s", (party) => {
    const silent = [...rules].filter(
      ([, { [party]: one }]) => (one.severity === "info") !== (one.advice === ""),
    );
    expect(silent).toEqual([]);
  });
});

const text: fc.Arbitrary<JsonObject> = fc.record(
  {
    type: fc.constant("string"),
    minLength: fc.integer({ min: 1, max: 3 }),
    maxLength: fc.integer({ min: 3, max: 5 }),
    pattern: fc.constantFrom("^a", "b$"),
    format: fc.constantFrom("date", "uuid"),
  },
  { requiredKeys: ["type"] },
);

const number: fc.Arbitrary<JsonObject> = fc.record(
  {
    type: fc.constantFrom<Json[]>("integer", "number", ["integer", "null"]),
    minimum: fc.integer({ min: -1, max: 1 }),
    exclusiveMaximum: fc.integer({ min: 2, max: 4 }),
    multipleOf: fc.constantFrom(2, 3, 6),
  },
  { requiredKeys: ["type"] },
);

const words: fc.Arbitrary<JsonObject> = fc
  .subarray<Json>(["a", "b", "c"], { minLength: 2 })
  .map((values) => ({ enum: values }));

const leaf = fc.oneof(text, number, words);

function objectOf(member: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> {
  const properties = fc.record({ a: member, b: member, c: member }, { requiredKeys: [] });
  const required = fc.subarray(["a", "b"]);
  const closed = fc.boolean();
  return fc.tuple(properties, required, closed).map(([own, needed, isClosed]): JsonObject => {
    const names = needed.filter((name) => Object.hasOwn(own, name));
    return {
      type: "object",
      properties: own,
      required: names,
      ...(isClosed && { additionalProperties: false }),
    };
  });
}

const schema = fc.oneof(
  leaf,
  objectOf(fc.oneof(leaf, objectOf(leaf))),
  leaf.map((items): JsonObject => ({ type: "array", items })),
);

const mediaTypes = ["text/csv", "text/*", "application/json", "application/json;v=2", "*/*"];

/** What stands around values, without them. */
const operation: fc.Arbitrary<JsonObject> = fc
  .record({
    parameters: fc.subarray(["q", "X-A", "X-B"]),
    required: fc.subarray(["q", "X-A"]),
    sent: fc.subarray(mediaTypes),
    isBodyRequired: fc.option(fc.boolean()),
    answers: fc.subarray(["200", "201", "4XX", "404", "default"], { minLength: 1 }),
    got: fc.subarray(mediaTypes),
    headers: fc.subarray(["X-A", "X-B"]),
    isHeaderRequired: fc.boolean(),
    security: fc.subarray<Json>([{ Key: [] }, { Token: [] }, { Key: [], Token: [] }, {}]),
    callback: fc.option(fc.subarray(["200", "4XX", "404"], { minLength: 1 })),
    signed: fc.subarray<Json>([{ Key: [] }, { Token: [] }, { Key: [], Token: [] }, {}]),
  })
  .map((drawn): JsonObject => {
    const contentOf = (names: readonly string[]): JsonObject =>
      Object.fromEntries(names.map((name) => [name, {}]));
    const parameters = drawn.parameters.map((name): JsonObject => {
      const place = name === "q" ? "query" : "header";
      return { name, in: place, required: drawn.required.includes(name), schema: {} };
    });
    const headers = Object.fromEntries(
      drawn.headers.map((name) => [name, { required: drawn.isHeaderRequired, schema: {} }]),
    );
    const answer = { description: "", headers, content: contentOf(drawn.got) };
    const requestBody = { content: contentOf(drawn.sent) };
    const heard = (drawn.callback ?? []).map((status) => [status, { description: "" }] as const);
    const told = {
      parameters,
      requestBody,
      security: drawn.signed,
      responses: Object.fromEntries(heard),
    };
    return {
      parameters,
      security: drawn.security,
      responses: Object.fromEntries(drawn.answers.map((status) => [status, answer])),
      ...(drawn.isBodyRequired !== null && {
        requestBody: { ...requestBody, required: drawn.isBodyRequired },
      }),
      ...(drawn.callback !== null && { callbacks: { told: { "{$url}": { post: told } } } }),
    };
  });

function around(drawn: JsonObject): JsonObject {
  const securitySchemes = {
    Key: { type: "apiKey", in: "header", name: "X-Key" },
    Token: { type: "http", scheme: "bearer" },
  };
  const info = { title: "One", version: "1.0.0" };
  const paths = { "/one": { post: { operationId: "one", ...drawn } } };
  return { openapi: "3.1.0", info, paths, components: { securitySchemes } };
}

/** Of a rule, those that may be told of what takes it back. */
function backOf(rule: string): ReadonlySet<string> {
  const found = pairs.flatMap(([there, back]) =>
    there === rule ? [back] : back === rule ? [there] : [],
  );
  return new Set(found);
}

/** Nothing of the one is left over when each is paired with what takes it back. */
function areMirrors(there: readonly string[], back: readonly string[]): boolean {
  const left = [...back];
  for (const rule of there) {
    const wanted = backOf(rule);
    const index = left.findIndex((one) => wanted.has(one));
    if (index === -1) return false;
    left.splice(index, 1);
  }
  return left.length === 0;
}

describe("documents that are drawn", () => {
  test("have the same changes there and back, each by the rule that takes the other back", () => {
    fc.assert(
      fc.property(schema, schema, (one, other) => {
        const there = rulesOf(changes(contractOf(one), contractOf(other)));
        const back = rulesOf(changes(contractOf(other), contractOf(one)));
        if (!areMirrors(there, back)) throw new Error(`${there.join()}\nand\n${back.join()}`);
      }),
    );
  });

  test("have the same around values, too", () => {
    fc.assert(
      fc.property(operation, operation, (one, other) => {
        const there = rulesOf(changes(around(one), around(other)));
        const back = rulesOf(changes(around(other), around(one)));
        // one answer may stand for several, so that they are not counted
        const isMet = (rules: readonly string[], others: readonly string[]): boolean =>
          rules.every((rule) => others.some((found) => backOf(rule).has(found)));
        if (!isMet(there, back) || !isMet(back, there))
          throw new Error(`${there.join()}\nand\n${back.join()}`);
      }),
      { numRuns: 300 },
    );
  });

  test("break whoever they break in whichever order they say it", () => {
    const broken = (found: readonly Change[], party: Party): readonly string[] =>
      rulesOf(found.filter((change) => change[party].severity === "breaking"));
    fc.assert(
      fc.property(schema, schema, (one, other) => {
        const plain = changes(contractOf(one), contractOf(other));
        const turned = changes(reversed(contractOf(one)), reversed(contractOf(other)));
        for (const party of parties) expect(broken(turned, party)).toEqual(broken(plain, party));
      }),
    );
  });
});

/** The same, with the names of every object in the other order. */
function reversed<T extends Json>(value: T): T;
function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map((item) => reversed(item));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toReversed();
  return Object.fromEntries(entries.map(([name, item]) => [name, reversed(item)]));
}

/** The same, with every schema of a property or of a list's items in a component of its own. */
function referred(document: JsonObject): JsonObject {
  const parts: JsonObject = {};
  const walk = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => {
        if (name === "items") return [name, moved(walk(item))];
        if (name !== "properties") return [name, walk(item)];
        const own = Object.entries(item as JsonObject); // of properties
        return [name, Object.fromEntries(own.map(([key, one]) => [key, moved(walk(one))]))];
      }),
    );
  };
  const moved = (schema: Json): Json => {
    const name = `Part${Object.keys(parts).length}`;
    parts[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  };
  const whole = walk(document) as JsonObject; // an object stays one
  const components = whole["components"] as JsonObject; // of contractOf
  const schemas = components["schemas"] as JsonObject;
  return { ...whole, components: { ...components, schemas: { ...schemas, ...parts } } };
}

test("what is the same in other words is no change", () => {
  fc.assert(
    fc.property(schema, (one) => {
      const document = contractOf(one);
      const plain = revisionOf(JSON.stringify(document));
      const others = [
        plain,
        revisionOf(JSON.stringify(reversed(document))),
        revisionOf(stringify(document), "contract.yaml"),
        revisionOf(stringify(document, { collectionStyle: "flow" }), "flow.yaml"),
        revisionOf(JSON.stringify(referred(document))),
        revisionOf(JSON.stringify({ ...document, openapi: "3.2.0" })),
      ];
      for (const other of others) {
        expect(compareRevisions({ base: plain, head: other }, { extensions: [], notice })).toEqual(
          [],
        );
        expect(compareRevisions({ base: other, head: plain }, { extensions: [], notice })).toEqual(
          [],
        );
      }
    }),
  );
});
