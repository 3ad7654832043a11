// Parameters of every place, style and shape, each with values that it may have.

import fc from "fast-check";
import type { JsonObject } from "../../../generator/json.ts";

/** A parameter, and what it is given. */
export interface Place {
  readonly title: string;
  readonly node: JsonObject;
  readonly value: fc.Arbitrary<unknown>;
}

/** Whatever could be mistaken for a sign of some style. */
const strange = fc.constantFrom(
  ..."a/b|..|.|%2e%2e|?|#|a&b=c|a,b|a;b=c|a b|+|%|%2F|{id}|$&|ö|€|😀|'()*!|~|null|true|1|\\|\"|[0]|a=|=".split(
    "|",
  ),
  "|",
  "",
  " a",
  "a\nb",
);

export const text = fc.oneof(
  strange,
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
);

export const integer = fc.maxSafeInteger();

/** JSON and texts know one zero. */
export const number = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .map((value) => (value === 0 ? 0 : value));

/** An empty list is written as one empty text is. */
export function listOf(items: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .array(items, { minLength: 1, maxLength: 4 })
    .filter((list) => list.length > 1 || list[0] !== "");
}

interface Shape {
  readonly schema: JsonObject;
  readonly value: fc.Arbitrary<unknown>;
}

const scalars = {
  text: { schema: { type: "string" }, value: text },
  integer: { schema: { type: "integer" }, value: integer },
  number: { schema: { type: "number" }, value: number },
  flag: { schema: { type: "boolean" }, value: fc.boolean() },
} as const;

const lists: Readonly<Record<string, Shape>> = {
  "list of texts": {
    schema: { type: "array", items: { type: "string" } },
    value: listOf(text),
  },
  "list of integers or null": {
    schema: { type: "array", items: { type: ["integer", "null"] } },
    value: listOf(fc.option(integer)).filter((list) => JSON.stringify(list) !== "[null]"),
  },
};

const members = { R: scalars.text, "G ö": scalars.integer, constructor: scalars.flag } as const;

/** @param names of its members, which stand among other names where it is exploded */
function objectOf(all: Readonly<Record<string, Shape>>): Shape {
  const entries = Object.entries(all);
  const properties = Object.fromEntries(entries.map(([name, { schema }]) => [name, schema]));
  const values = Object.fromEntries(entries.map(([name, { value }]) => [name, value]));
  return {
    schema: { type: "object", additionalProperties: false, properties },
    value: fc.record(values, { requiredKeys: [] }).filter((value) => Object.keys(value).length > 0),
  };
}

const tokens = { R: scalars.text, "G.": scalars.integer, constructor: scalars.flag } as const;

const usual: Readonly<Record<string, Shape>> = { ...scalars, ...lists, object: objectOf(members) };
const plain: Readonly<Record<string, Shape>> = { ...scalars, ...lists, object: objectOf(tokens) };

const inner = objectOf({ list: lists["list of texts"] ?? scalars.text, flag: scalars.flag });

const deep: Readonly<Record<string, Shape>> = {
  object: objectOf(members),
  "list of texts": lists["list of texts"] ?? scalars.text,
  "list of objects": {
    schema: { type: "array", items: inner.schema },
    value: fc.array(inner.value, { minLength: 1, maxLength: 3 }),
  },
  "object of objects": objectOf({
    a: inner,
    "b c": objectOf({ a: inner, rows: { ...inner, ...listOfLists() } }),
    d: scalars.number,
  }),
};

function listOfLists(): Shape {
  return {
    schema: { type: "array", items: { type: "array", items: { type: "integer" } } },
    value: fc.array(fc.array(integer, { minLength: 1, maxLength: 3 }), {
      minLength: 1,
      maxLength: 3,
    }),
  };
}

export const anyJson: Shape = {
  schema: {},
  value: fc.jsonValue({ maxDepth: 3 }).map((value): unknown => JSON.parse(JSON.stringify(value))),
};

const names: Readonly<Record<string, readonly string[]>> = {
  path: ["id", "x-y", "constructor", "__proto__"],
  query: ["q", "a b", "ö", "$filter", "toString", "x.y", "__proto__"],
  header: ["X-A", "constructor", "x.y", "__proto__"],
  cookie: ["c", "a*b", "constructor", "__proto__"],
};

interface Way {
  readonly in: string;
  readonly style?: string;
  readonly shapes: Readonly<Record<string, Shape>>;
  /** of both kinds where it is left out */
  readonly explode?: boolean;
}

const ways: readonly Way[] = [
  { in: "path", shapes: usual },
  { in: "path", style: "label", shapes: usual },
  { in: "path", style: "matrix", shapes: usual },
  { in: "query", shapes: usual },
  { in: "query", style: "spaceDelimited", shapes: lists },
  { in: "query", style: "pipeDelimited", shapes: lists },
  { in: "query", style: "deepObject", shapes: deep, explode: true },
  { in: "header", shapes: usual },
  { in: "cookie", shapes: usual },
  { in: "cookie", style: "cookie", shapes: plain },
];

function styled(): Place[] {
  return ways.flatMap(({ in: place, style, shapes, explode: only }) =>
    (only === undefined ? [false, true] : [only]).flatMap((explode) =>
      Object.entries(shapes).map(([shape, { schema, value }], at) => {
        const own = names[place] ?? [];
        const name = style === "deepObject" ? "filter" : (own[at % own.length] ?? "");
        const written = style === undefined ? {} : { style };
        const node = { name, in: place, required: true, ...written, explode, schema };
        const title = `${place} ${style ?? ""} ${explode ? "exploded" : ""} ${shape}`;
        return { title: title.replaceAll(/ +/g, " "), node, value };
      }),
    ),
  );
}

function ofContent(): Place[] {
  return Object.keys(names).flatMap((place) =>
    (
      [
        ["application/json", anyJson],
        ["text/plain", scalars.text],
      ] as const
    ).map(([mediaType, { schema, value }]) => ({
      title: `${place} ${mediaType}`,
      node: {
        name: "c",
        in: place,
        required: true,
        content: { [mediaType]: { schema } },
      },
      value,
    })),
  );
}

const form = objectOf({
  text: scalars.text,
  list: lists["list of integers or null"] ?? scalars.text,
  pipes: lists["list of texts"] ?? scalars.text,
  json: { ...inner },
  deep: inner,
});
const formEncoding = {
  pipes: { style: "pipeDelimited", explode: false },
  json: { contentType: "application/json" },
};

/** The whole query (OpenAPI 3.2). */
function wholes(): Place[] {
  const whole = (mediaType: string, { schema, value }: Shape, more = {}): Place => ({
    title: `querystring ${mediaType}`,
    node: {
      name: "all",
      in: "querystring",
      required: true,
      content: { [mediaType]: { schema, ...more } },
    },
    value,
  });
  return [
    whole("application/x-www-form-urlencoded", form, { encoding: formEncoding }),
    whole("application/json", anyJson),
    whole("text/plain", scalars.text),
  ];
}

export const places: readonly Place[] = [...styled(), ...ofContent(), ...wholes()];

export { form, formEncoding, inner, scalars, lists, objectOf };
