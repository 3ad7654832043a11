// Bodies of every media type, each with values that it may have, and what the handler gets of them.

import fc from "fast-check";
import type { JsonObject } from "../../../generator/json.ts";
import { anyJson, form, formEncoding, integer, listOf, objectOf, scalars, text } from "./places.ts";

export interface DrawnBody {
  readonly title: string;
  readonly mediaType: string;
  readonly media: JsonObject;
  readonly value: fc.Arbitrary<unknown>;
  /** names of its members, which stand among the arguments; undefined: the argument is `body` */
  readonly members?: readonly string[];
  /** what the handler gets, where that is not the value */
  readonly got?: (value: unknown) => unknown;
}

const closed = objectOf({
  a: scalars.text,
  constructor: scalars.integer,
  ["__proto__"]: scalars.text,
  inner: objectOf({ list: { schema: { type: "array" }, value: fc.array(anyJson.value) } }),
});

/** FormData writes line ends as CR LF (RFC 7578, section 5.1.1 does not say so, and fetch does). */
const line = text.filter((one) => !/[\r\n]/.test(one));
/** A body without any byte is none. */
const bytes = fc.uint8Array({ minLength: 1 });
const file = fc.tuple(bytes, fc.constantFrom("a.txt", "ö.png")).map(([one, name]) => {
  return new File([new Uint8Array(one)], name, { type: "image/png" });
});
const untyped = bytes.map((one) => new File([new Uint8Array(one)], "b"));
const binary = { type: "string", format: "binary" };

const multipart = objectOf({
  text: { schema: { type: "string" }, value: line },
  integer: scalars.integer,
  maybe: { schema: { type: ["boolean", "null"] }, value: fc.option(fc.boolean()) },
  list: { schema: { type: "array", items: { type: "string" } }, value: listOf(line) },
  json: { schema: { type: "object" }, value: fc.dictionary(fc.string(), anyJson.value) },
  quoted: { schema: { type: "string" }, value: text },
  rows: {
    schema: { type: "array", items: { type: "array", items: { type: "integer" } } },
    value: fc.array(fc.array(integer), { minLength: 1 }),
  },
  either: {
    schema: { oneOf: [{ type: "array", items: {} }, { type: "object" }] },
    value: fc.oneof(fc.array(fc.integer()), fc.dictionary(fc.string(), fc.integer())),
  },
  file: { schema: binary, value: file },
  files: {
    schema: { type: "array", items: binary },
    value: fc.array(untyped, { minLength: 1, maxLength: 3 }),
  },
});
const multipartEncoding = {
  quoted: { contentType: "application/json" },
  json: { contentType: "application/vnd.own+json" },
  file: { contentType: "image/png, image/gif" },
  files: { contentType: "application/pdf" },
};

/** The type that the contract says. */
function withTypes(value: unknown): unknown {
  const { files, ...others } = value as { readonly files?: readonly File[] };
  const known = files?.map((one) => new File([one], one.name, { type: "application/pdf" }));
  return known === undefined ? others : { ...others, files: known };
}

const row = { type: "object", properties: { a: { type: "integer" } } };

const bare: readonly DrawnBody[] = [
  { title: "any", mediaType: "application/json", media: { schema: {} }, value: anyJson.value },
  {
    title: "nothing known",
    mediaType: "application/vnd.own+json; version=1",
    media: {},
    value: anyJson.value,
  },
  {
    title: "closed",
    mediaType: "application/json",
    media: { schema: closed.schema },
    value: closed.value,
    members: ["a", "constructor", "__proto__", "inner"],
  },
  {
    title: "open",
    mediaType: "application/json",
    media: { schema: { ...closed.schema, additionalProperties: {} } },
    value: closed.value,
  },
  {
    title: "or null",
    mediaType: "application/json",
    media: { schema: { ...closed.schema, type: ["object", "null"] } },
    value: fc.option(closed.value),
  },
  {
    title: "fields",
    mediaType: "application/x-www-form-urlencoded",
    media: { schema: form.schema, encoding: formEncoding },
    value: form.value,
    members: ["text", "list", "pipes", "json", "deep"],
  },
  {
    title: "parts",
    mediaType: "multipart/form-data",
    media: { schema: multipart.schema, encoding: multipartEncoding },
    value: multipart.value,
    members: Object.keys(multipart.schema["properties"] as object),
    got: withTypes,
  },
  {
    title: "a text",
    mediaType: "text/plain",
    media: { schema: { type: "string" } },
    value: text.filter((one) => one !== ""),
  },
  { title: "rows", mediaType: "application/x-ndjson", media: { itemSchema: row }, ...rowTexts() },
];

function rowTexts(): Pick<DrawnBody, "value" | "got"> {
  const rows = fc.array(fc.record({ a: fc.integer(), b: anyJson.value }), { minLength: 1 });
  return {
    value: rows.map((all) => all.map((one) => `${JSON.stringify(one)}\n`).join("")),
    got: (value) =>
      String(value)
        .trimEnd()
        .split("\n")
        .map((one): unknown => JSON.parse(one)),
  };
}

const forms: readonly (readonly [string, (value: Uint8Array<ArrayBuffer>) => unknown])[] = [
  ["bytes", (value) => value],
  ["a blob", (value) => new Blob([value], { type: "image/gif" })],
  ["a stream", (value) => new Blob([value]).stream()],
];

/** A stream can be read once: what is compared is made of the same bytes. */
const ofBytes: readonly DrawnBody[] = forms.map(([title, make]) => ({
  title,
  mediaType: "application/octet-stream",
  media: {},
  value: bytes.map((one) => {
    const own = new Uint8Array(one);
    return { given: make(own), own };
  }),
  got: (value) => (value as { own: Uint8Array }).own,
}));

export const bodies: readonly DrawnBody[] = [...bare, ...ofBytes];

/** Of bytes: what is given. */
export function givenOf(value: unknown): unknown {
  return typeof value === "object" && value !== null && "given" in value ? value.given : value;
}

/** Files as data, which tests can compare. */
export async function plainOf(value: unknown): Promise<unknown> {
  if (value instanceof File) {
    return { name: value.name, type: value.type, bytes: [...(await value.bytes())] };
  }
  if (value instanceof Uint8Array) return [...value];
  if (Array.isArray(value)) return Promise.all(value.map(plainOf));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(async ([name, one]) => [name, await plainOf(one)]);
  return Object.fromEntries(await Promise.all(entries)) as unknown;
}
