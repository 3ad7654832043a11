// The text of a file, read as what it is.

import assert from "node:assert";
import type { Json } from "../json.ts";
import { depthSlipOfJson, isTooDeep } from "./depth.ts";
import { readEverydayYaml, withPlainEnds } from "./everyday-yaml.ts";
import { JsonPlaces } from "./json-places.ts";
import { findJsonSlip } from "./json-syntax.ts";
import { type Members, offsetOfMember } from "./places.ts";
import { Lines, type OffsetOf, placeFinder, problemIn, type ReadResult } from "./source.ts";
import { readWholeYaml } from "./whole-yaml.ts";

/** Reads YAML 1.2 or JSON text; of each file that is wrong the first slip is said, in its own language. */
export function readSource(file: string, uri: string, text: string): ReadResult {
  return isJsonFile(file, text) ? readJson(file, uri, text) : readYaml(file, uri, text);
}

/** By its name, and where that says nothing by its beginning. */
function isJsonFile(file: string, text: string): boolean {
  return /\.json$/i.test(file) || (!/\.ya?ml$/i.test(file) && /^\s*[{[]/.test(text));
}

function readJson(file: string, uri: string, text: string): ReadResult {
  const json = parseJson(text);
  if (json !== undefined) {
    const place = placeFinder(file, () => {
      const places = new JsonPlaces(text);
      return { lines: new Lines(text), offsetOf: (tokens, what) => places.offsetOf(tokens, what) };
    });
    return { source: { file, uri, data: json, language: "json", place }, problems: [] };
  }
  const lines = new Lines(text);
  const where = (offset: number): string => {
    const { line, column } = lines.placeOf(offset);
    return `${line}:${column}`;
  };
  const slip = depthSlipOfJson(text) ?? findJsonSlip(text, where);
  assert(slip !== undefined, `${file} is no JSON, and nobody can say why`);
  return { source: undefined, problems: [problemIn(file, lines, slip)] };
}

function readYaml(file: string, uri: string, text: string): ReadResult {
  const plain = withPlainEnds(text);
  const data = readEverydayYaml(plain);
  if (data === undefined) return readWholeYaml(file, uri, text);
  const place = placeFinder(file, () => ({ lines: new Lines(plain), offsetOf: offsetsIn(plain) }));
  return { source: { file, uri, data, language: "yaml", place }, problems: [] };
}

/** Of a text of everyday YAML: it is read once more, which takes less than writing everything down at once. */
function offsetsIn(text: string): OffsetOf {
  const places = new Map<number, Members>();
  readEverydayYaml(text, places);
  // what everything else is in begins first
  const [root = 0] = places.keys();
  return (tokens, what) => offsetOfMember([tokens, what], root, (offset) => places.get(offset));
}

/** Undefined where it is not strict JSON, or JSON.parse would lose something of it. */
function parseJson(text: string): Json | undefined {
  try {
    const data: Json = JSON.parse(text) as Json; // JSON.parse yields nothing else
    if (isTooDeep(data)) return undefined;
    return countKeys(data) === countWrittenKeys(text) ? data : undefined;
  } catch {
    return undefined;
  }
}

/** JSON.parse keeps the last of equal keys and says nothing, so the keys are counted. */
function countWrittenKeys(text: string): number {
  let count = 0;
  for (const [, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g))
    if (colon !== undefined) count += 1;
  return count;
}

/** No number at all where a number is too large for a double: it would be none in JSON. */
function countKeys(value: Json): number {
  if (typeof value === "number" && !Number.isFinite(value)) return NaN;
  if (typeof value !== "object" || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce<number>((count, item) => count + countKeys(item), own);
}
