// Whatever a contract is made of, what is made of it compiles; and what a schema accepts, its type lets pass.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { literalType } from "../../../generator/emit/type-text.ts";
import type { GeneratedFile } from "../../../generator/emit/file.ts";
import { emitFiles, readContract } from "../../../generator/generate.ts";
import { isObject, type Json } from "../../../generator/json.ts";
import type { Model } from "../../../generator/model/model.ts";
import { readAllowing } from "../../../scripts/corpus/allowing.ts";
import { compileOracle } from "../validation/oracle.ts";
import { projectSubfolder, typeCheck, writeFile, writeGenerated } from "../work-folder.ts";
import { contracts } from "./drawn-contracts.ts";

const folder = projectSubfolder();

/** Of every type, and such as schemas are made of. */
const scalars: readonly Json[] = [null, true, 0, 1.5, 1, "a", "b", "1", "ö"];
const lists: readonly Json[] = [[], ["a"], [1], [null], ["a", 1], [{}]];
const objects: readonly Json[] = [
  {},
  { id: "a" },
  { id: 1 },
  { id: "a", kind: "b", constructor: "a" },
  { x1: "a", y: null },
];
const values = [...scalars, ...lists, ...objects];

/** A rule of TypeScript that no type gets around: an object without one name of a type of optional ones is a mistake. */
const noName = /TS2559/;

/**
 * Another one: every object has an inherited member of such a name, of which the message does not always speak. So a
 * value is held against the type with other names for them.
 */
const inherited = /\b(constructor|toString|__proto__)\b/g;
const withoutInherited = (text: string): string => text.replaceAll(inherited, "own_$1");

type Fits = (value: Json) => boolean | undefined;

/** Of each schema its values, as a program writes them. */
function programOf(model: Model, valuesOf: (name: string, fits: Fits) => readonly Json[]): string {
  const components = Object.fromEntries(model.schemas.map(({ name, schema }) => [name, schema]));
  const lines = model.schemas.flatMap(({ name, schema, identifier }) => {
    const fits = compileOracle({ schema, components });
    return valuesOf(name, fits).map((value) => {
      // An empty list is that, and none whose length nobody knows: it fits where there are only so many places.
      const text = literalType(value).text.replaceAll("never[]", "[]");
      return `pass<types.${identifier}>(null! as ${text});`;
    });
  });
  const pass =
    "/** Of types of which every member is optional, too. */\nfunction pass<T>(value: T): void { void value; }";
  const program = ['import type * as types from "./types-of-values.ts";', pass, ...lines];
  return withoutInherited(program.join("\n"));
}

function writeValues(own: string, files: readonly GeneratedFile[], program: string): void {
  const types = files.find(({ path }) => path === "types.ts");
  if (types === undefined) throw new Error("no types were generated");
  writeFile(join(own, "types-of-values.ts"), withoutInherited(types.text));
  writeFile(join(own, "values.ts"), program);
}

/** As the components of a contract, with values that fit. */
const rows: Readonly<Record<string, readonly [schema: Json, ...values: Json[]]>> = {
  Obj: [{ type: "object", properties: { z: { type: "boolean" }, y: { type: "string" } } }, {}],
  Arr: [{ type: "array", items: { type: "string" } }, ["a"]],
  Maybe: [{ type: ["object", "null"], properties: { z: { type: "integer" } } }, null, { z: 1 }],
  readonly: [{ type: "string" }, "a"],
  infer: [{ type: "string" }, "a"],
  Impossible: [
    {
      type: "object",
      properties: { kind: { type: "string" } },
      required: ["id"],
      additionalProperties: false,
    },
  ],
  ImpossibleInside: [
    {
      type: ["object", "null"],
      properties: {
        a: {
          type: "object",
          properties: { b: { $ref: reference("Impossible") } },
          required: ["b", "c"],
          additionalProperties: false,
        },
      },
    },
    null,
    {},
  ],
  keyof: [{ type: "string" }, "a"],
  unique: [{ type: "array", items: { $ref: reference("readonly") } }, ["a"]],
  EnumOfTexts: [{ type: "string", enum: ["a", "b"], additionalProperties: false }, "a"],
  EnumWithoutType: [{ enum: ["a", "b"], additionalProperties: false }, "a"],
  EnumOfAll: [{ enum: ["a", { a: "x" }], properties: { a: { type: "string" } } }, "a", { a: "x" }],
  ConstInEnum: [
    { enum: [{ a: 1, b: 2 }], const: { b: 2, a: 1 } },
    { a: 1, b: 2 },
  ],
  Places: [{ type: "array", prefixItems: [{ type: "string" }, { type: "integer" }] }, [], ["a"]],
  MorePlaces: [
    { type: "array", prefixItems: [{ type: "string" }], items: { type: "integer" }, minItems: 1 },
    ["a"],
    ["a", 1, 2],
  ],
  // In a circle, which TypeScript takes where nothing stands beside it.
  PlacesOfThemselves: [
    {
      type: "array",
      allOf: [{ type: "array", minItems: 0 }],
      prefixItems: [{ type: ["array", "null"] }],
      items: { type: "array", prefixItems: [{ $ref: reference("PlacesOfThemselves") }] },
    },
    [null],
    [null, [[]]],
  ],
  Others: [
    { properties: { a: { type: "string" } }, additionalProperties: { type: "number" } },
    { a: "x", b: 1 },
  ],
  Patterns: [
    { type: "object", patternProperties: { "^x": { type: "number" } } },
    { x: 1, a: "b" },
  ],
  NullBesideNames: [
    { $ref: reference("Maybe"), required: ["z"], properties: { y: { type: "string" } } },
    null,
    { z: 1, y: "a" },
  ],
  NullInMembers: [
    { allOf: [{ $ref: reference("Maybe") }, { properties: { b: { type: "string" } } }] },
    null,
    { b: "a" },
  ],
  NoLists: [
    {
      type: "object",
      required: ["z"],
      oneOf: [{ $ref: reference("Arr") }, { $ref: reference("Obj") }],
    },
    { z: true },
  ],
  KnownBeside: [
    {
      type: "object",
      properties: { "a b": { type: ["number", "null"] }, c: { type: "string" } },
      oneOf: [{ type: ["object", "null"], required: ["a b"] }],
    },
    { "a b": 1, c: "a" },
  ],
  KnownBesideMembers: [
    {
      type: "object",
      properties: { a: { type: "number" } },
      allOf: [{ type: "object", required: ["a"], properties: { a: { description: "Any." } } }],
    },
    { a: 1 },
  ],
  NoTexts: [
    {
      type: "object",
      properties: { q: { type: "integer" } },
      anyOf: [{ type: "string" }, { $ref: reference("Obj") }],
    },
    { q: 1, y: "a" },
  ],
  NoObjects: [
    {
      type: "array",
      oneOf: [
        { type: ["array", "null"], items: { type: "string" } },
        { type: "object", required: ["a"] },
      ],
    },
    ["a"],
  ],
  Nothing: [{ type: "object", properties: { q: {} }, allOf: [{ $ref: reference("EnumOfTexts") }] }],
  NothingEither: [{ type: "string", anyOf: [{ type: "object" }, { type: "null" }] }],
  Required: [
    {
      type: ["object", "null"],
      required: ["x"],
      oneOf: [
        { type: "object", properties: { x: { type: "boolean" } } },
        { type: "object", properties: { x: { type: "string" } }, additionalProperties: false },
      ],
    },
    { x: true, y: 1 },
  ],
};

function reference(name: string): string {
  return `#/components/schemas/${name}`;
}

/** What a handler gets, and what it answers. */
const handler = `import type * as types from "./types.ts";
import type { ReadRequest } from "./operations/default.ts";
type Answer = types.operations["read"]["responses"][200]["content"]["application/json"];
export const bytes: Answer[] = [{ bytes: null }, { bytes: "a" }];
export function read({ query, headers }: ReadRequest): [number | undefined, number | undefined] {
  return [query?.filter?.a, headers?.["x-a"]];
}
// @ts-expect-error -- the operation has it in another case
export type None = NonNullable<ReadRequest["headers"]>["X-A"];
`;

const content = { "application/json": { schema: { properties: { a: { type: "integer" } } } } };
const read = {
  operationId: "read",
  parameters: [
    { in: "header", name: "x-a", schema: { type: "integer" } },
    { in: "query", name: "filter", content },
  ],
  responses: {
    200: {
      description: "Fine.",
      content: {
        "application/json": {
          schema: {
            type: "object",
            description: "No WithRequired<x> in here.",
            required: ["bytes"],
            properties: { bytes: { type: ["string", "null"], format: "binary" } },
          },
        },
      },
    },
  },
};

test("values that a type has once refused, and types that were none", async () => {
  const schemas = Object.fromEntries(
    Object.entries(rows).map(([name, [schema]]) => [name, schema]),
  );
  const header = { in: "header", name: "X-A", required: true, schema: { type: "string" } };
  const contract = {
    openapi: "3.1.0",
    info: { title: "T", version: "1" },
    paths: { "/a": { parameters: [header], get: read } },
    components: { schemas },
  };
  const own = join(folder, "rows");
  mkdirSync(own);
  const path = join(own, "openapi.json");
  writeFile(path, JSON.stringify(contract));
  const { model } = readContract(path);
  const files = emitFiles(readContract(path), "openapi.json");
  writeGenerated(own, files);
  writeFile(join(own, "handler.ts"), handler);
  writeValues(
    own,
    files,
    programOf(model, (name) => rows[name]?.slice(1) ?? []),
  );
  const names = ["app", "schemas", "handlers", "handler", "values"].map(
    (name) => `rows/${name}.ts`,
  );
  expect(await typeCheck(folder, names)).toEqual([]);
});

/** By name, as the schema or what it is made of has them; undefined: others may come, of a type that it says. */
function membersOf(schema: Json | undefined, contract: Json): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  const seen = new Set<string>();
  const isClosed = (one: Json | undefined): boolean => {
    if (!isObject(one)) return true;
    if ("additionalProperties" in one || "patternProperties" in one) return false;
    for (const name of Object.keys(isObject(one["properties"]) ? one["properties"] : {}))
      names.add(name);
    const parts = ["allOf", "anyOf", "oneOf"].flatMap((keyword) => {
      const list = one[keyword];
      return Array.isArray(list) ? list : [];
    });
    const target = typeof one["$ref"] === "string" ? one["$ref"] : undefined;
    if (target === undefined || seen.has(target)) return parts.every(isClosed);
    seen.add(target);
    const found = target
      .split("/")
      .slice(1)
      .reduce<Json | undefined>((at, name) => (isObject(at) ? at[name] : undefined), contract);
    return [...parts, found].every(isClosed);
  };
  return isClosed(schema) ? names : undefined;
}

/**
 * An object without any member of a type of which every member is optional: TypeScript refuses it, whatever else it has,
 * and inside of an intersection it does not say that this is why.
 */
function isStrange(value: Json, known: ReadonlySet<string> | undefined): boolean {
  if (!isObject(value) || known === undefined || known.size === 0) return false;
  const own = Object.keys(value);
  return own.length > 0 && !own.some((name) => known.has(name));
}

test("contracts that are drawn", async () => {
  const seed = Number(process.env["SEED"] ?? 1);
  const numRuns = Number(process.env["RUNS"] ?? 40);
  const drawn = fc.sample(contracts, { seed, numRuns });
  const files = drawn.flatMap((contract, at) => {
    const own = join(folder, `drawn-${at}`);
    mkdirSync(own);
    const path = join(own, "openapi.json");
    writeFile(path, JSON.stringify(contract));
    const { reading } = readAllowing(path);
    const files = emitFiles(reading, "openapi.json");
    writeGenerated(own, files);
    writeValues(
      own,
      files,
      programOf(reading.model, (name, fits) => {
        const known = membersOf({ $ref: reference(name) }, contract);
        return values.filter((value) => fits(value) === true && !isStrange(value, known));
      }),
    );
    return ["app", "schemas", "handlers", "values"].map((name) => `drawn-${at}/${name}.ts`);
  });
  const wrong = (await typeCheck(folder, files)).filter(({ text }) => !noName.test(text));
  const shown = wrong.map(({ file, text }) => {
    const at = Number(/\d+/.exec(file)?.[0]);
    return `${file}: ${text}\n${JSON.stringify(drawn[at])}`;
  });
  expect(shown).toEqual([]);
});
