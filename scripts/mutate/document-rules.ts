// Which faults are made of an OpenAPI document: a rule of a schema that is looser, tighter or gone, a response,
// a header, a code or a parameter that is gone, what must be there and need not, another name.

import { isMap, isPair, isScalar, isSeq, parseDocument, type Pair, type YAMLMap } from "yaml";
import type { Edit } from "./mutant.ts";

type Path = readonly string[];

/** A map of the document, in its place. */
interface Spot {
  readonly path: Path;
  readonly map: YAMLMap;
}

/** Greatest and least: one more or one less lets something in, or keeps something out. */
const bounds: ReadonlySet<string> = new Set(
  (
    "minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems " +
    "minProperties maxProperties multipleOf"
  ).split(" "),
);
/** Rules that are only there or not. */
const looser: ReadonlySet<string> = new Set([
  ...bounds,
  ...(
    "pattern format enum const type uniqueItems propertyNames additionalProperties dependentRequired " +
    "required not if"
  ).split(" "),
]);
const lists: ReadonlySet<string> = new Set(["enum", "required", "oneOf", "anyOf", "allOf"]);
/** Words for people, and what shows values rather than ruling them. */
const shown: ReadonlySet<string> = new Set(
  (
    "description summary title example examples default value externalDocs x-open-reason " +
    "x-known-values"
  ).split(" "),
);
const methods: ReadonlySet<string> = new Set(["get", "put", "post", "delete", "patch"]);

export function documentEdits(source: string): readonly Edit[] {
  const { contents } = parseDocument(source, { keepSourceTokens: true });
  if (!isMap(contents)) return [];
  return [...spotsIn({ path: [], map: contents })].flatMap((spot) => editsOf(source, spot));
}

/** Where an offset is, as JSON Pointers have it. */
export function placeOf(source: string): (offset: number) => string {
  const { contents } = parseDocument(source);
  const starts = isMap(contents)
    ? [...spotsIn({ path: [], map: contents })].map(({ path, map }) => ({ path, range: map.range }))
    : [];
  return (offset) => {
    const around = starts.filter(({ range }) => range && range[0] <= offset && offset <= range[1]);
    return (around.at(-1)?.path ?? [])
      .map((token) => `/${token.replaceAll("~", "~0").replaceAll("/", "~1")}`)
      .join("");
  };
}

function* spotsIn(spot: Spot): Generator<Spot> {
  yield spot;
  for (const pair of spot.map.items) {
    const name = nameOf(pair);
    if (shown.has(name) && !isNameOfOwn(spot.path)) continue;
    yield* below(pair.value, [...spot.path, name]);
  }
}

function* below(node: unknown, path: Path): Generator<Spot> {
  if (isMap(node)) yield* spotsIn({ path, map: node });
  if (!isSeq(node)) return;
  for (const [at, item] of node.items.entries()) yield* below(item, [...path, String(at)]);
}

/** Members of these are called what people like: a property may be called `description`. */
function isNameOfOwn(path: Path): boolean {
  return ["properties", "schemas", "headers", "parameters", "responses"].includes(
    path.at(-1) ?? "",
  );
}

function editsOf(source: string, { path, map }: Spot): readonly Edit[] {
  const last = path.at(-1) ?? "";
  const isSchema = isSchemaAt(path, map);
  return map.items.flatMap((pair) => {
    const name = nameOf(pair);
    const drop = (rule: string): readonly Edit[] => droppedPair(source, map, { pair, rule });
    if (isSchema) return schemaEdits(source, { path, name, pair, drop });
    switch (last) {
      case "properties":
        return isInSchema(path) ? drop("property") : [];
      case "responses":
        return path[0] === "paths" ? drop("response") : [];
      case "x-default-responses":
      case "x-server-responses":
        return drop("response");
      case "headers":
        return path[0] === "components" && path.length === 2 ? [] : drop("header");
      case "content":
        return renamed(pair, "media type", "text/plain");
      default:
        return otherEdits(source, { path, name, pair, drop });
    }
  });
}

interface Member {
  readonly path: Path;
  readonly name: string;
  readonly pair: Pair;
  readonly drop: (rule: string) => readonly Edit[];
}

function otherEdits(source: string, { path, name, pair, drop }: Member): readonly Edit[] {
  if (path.length === 1 && path[0] === "paths") return renamed(pair, "path", `${name}-other`);
  if (path.length === 2 && path[0] === "paths" && methods.has(name)) {
    return renamed(pair, "method", name === "post" ? "put" : "post");
  }
  switch (name) {
    case "operationId":
      return valueText(pair, "operation name", `${textOf(pair)}Other`);
    case "required":
      return isScalar(pair.value)
        ? valueText(pair, "required", textOf(pair) === "true" ? "false" : "true")
        : [];
    case "in":
      return valueText(pair, "part", textOf(pair) === "query" ? "header" : "query");
    case "name":
      return path.includes("parameters") ? valueText(pair, "name", `${textOf(pair)}-other`) : [];
    case "parameters":
    case "x-error-codes":
    case "x-default-statuses":
    case "security":
      return droppedItems(source, pair, name);
    case "requestBody":
      return drop("request body");
    default:
      return name.startsWith("x-") ? drop("extension") : [];
  }
}

function schemaEdits(source: string, { name, pair, drop }: Member): readonly Edit[] {
  const found = looser.has(name) ? [...drop("rule left out")] : [];
  if (bounds.has(name)) found.push(...oneMore(pair));
  if (lists.has(name)) found.push(...droppedItems(source, pair, `${name} without one`));
  if (name === "const") found.push(...valueText(pair, "other constant", '"other"'));
  if (name === "additionalProperties" && textOf(pair) === "true") {
    found.push(...valueText(pair, "closed", "false"));
  }
  return found;
}

function oneMore(pair: Pair): readonly Edit[] {
  const text = textOf(pair);
  if (!/^-?\d+$/.test(text)) return [];
  return [1n, -1n].flatMap((step) =>
    valueText(pair, step > 0n ? "one more" : "one less", String(BigInt(text) + step)),
  );
}

const words: ReadonlySet<string> = new Set([
  "type",
  "$ref",
  "oneOf",
  "anyOf",
  "allOf",
  "enum",
  "const",
]);

/** By what is in it: an object that says a type, or what another schema says. */
function isSchemaAt(path: Path, map: YAMLMap): boolean {
  if (!isInSchema(path) || isNameOfOwn(path)) return false;
  return map.items.some((pair) => words.has(nameOf(pair)) || looser.has(nameOf(pair)));
}

function isInSchema(path: Path): boolean {
  return path.includes("schema") || (path[0] === "components" && path[1] === "schemas");
}

function nameOf({ key }: Pair): string {
  return isScalar(key) ? String(key.value) : "";
}

function textOf({ value }: Pair): string {
  return isScalar(value) ? String(value.value) : "";
}

function valueText({ value }: Pair, rule: string, text: string): readonly Edit[] {
  if (!isScalar(value) || !value.range) return [];
  return [{ rule, start: value.range[0], end: value.range[1], text }];
}

function renamed({ key }: Pair, rule: string, text: string): readonly Edit[] {
  if (!isScalar(key) || !key.range) return [];
  return [{ rule, start: key.range[0], end: key.range[1], text }];
}

function droppedPair(
  source: string,
  map: YAMLMap,
  { pair, rule }: { readonly pair: Pair; readonly rule: string },
): readonly Edit[] {
  const { key } = pair;
  if (!isScalar(key) || !key.range || map.items.length < 2) return [];
  const place = map.items.indexOf(pair);
  const range = (one: Pair): readonly [number, number] => [startOf(one), endOf(one)];
  return dropped(source, { ranges: map.items.map(range), place, isFlow: map.flow === true }, rule);
}

function droppedItems(source: string, { value }: Pair, rule: string): readonly Edit[] {
  if (!isSeq(value) || value.items.length < 2) return [];
  const ranges = value.items.map((item): readonly [number, number] => {
    const range = isPair(item) || !hasRange(item) ? [0, 0] : item.range;
    return [range[0] ?? 0, range[1] ?? 0];
  });
  const isFlow = value.flow === true;
  return ranges.flatMap((_, place) => dropped(source, { ranges, place, isFlow }, rule));
}

function hasRange(node: unknown): node is { readonly range: readonly number[] } {
  return typeof node === "object" && node !== null && "range" in node && Array.isArray(node.range);
}

interface Among {
  readonly ranges: readonly (readonly [number, number])[];
  readonly place: number;
  readonly isFlow: boolean;
}

/** In a block whole lines, else up to the next one or from the one before. */
function dropped(source: string, { ranges, place, isFlow }: Among, rule: string): readonly Edit[] {
  const own = ranges[place];
  if (own === undefined) return [];
  const [start, end] = own;
  const [next, before] = [ranges[place + 1], ranges[place - 1]];
  if (isFlow) {
    if (next !== undefined) return [{ rule, start, end: next[0], text: "" }];
    return before === undefined ? [] : [{ rule, start: before[1], end, text: "" }];
  }
  const lineStart = source.lastIndexOf("\n", start - 1) + 1;
  // The first of a list's item stands behind its dash.
  const isAlone = /^ *(?:- )?$/.test(source.slice(lineStart, start));
  if (!isAlone) return [];
  if (next !== undefined) return [{ rule, start, end: next[0], text: "" }];
  const lineEnd = source.indexOf("\n", Math.max(start, end - 1));
  return [{ rule, start: lineStart, end: lineEnd < 0 ? source.length : lineEnd + 1, text: "" }];
}

function startOf({ key }: Pair): number {
  return isScalar(key) ? (key.range?.[0] ?? 0) : 0;
}

function endOf({ key, value }: Pair): number {
  if (hasRange(value)) return value.range[1] ?? 0;
  return isScalar(key) ? (key.range?.[1] ?? 0) : 0;
}
