// One file of a document: its data, and where in its text each value stands.

import assert from "node:assert";
import * as yaml from "yaml";
import type { Json } from "../json.ts";
import { pointerTokens } from "../json.ts";
import type { Code } from "../diagnostics/codes.ts";
import { type Place, type Problem, problemAt, type Said } from "../problems.ts";
import { JsonPlaces } from "./json-places.ts";
import { findJsonSlip } from "./json-syntax.ts";
import { findYamlSlip } from "./yaml-syntax.ts";

export interface Source {
  /** as the user knows it */
  readonly file: string;
  /** absolute: what references in it are relative to */
  readonly uri: string;
  readonly data: Json;
  readonly language: "yaml" | "json";
  /** the place of a value; `key` points at the property's name rather than its value */
  readonly place: (pointer: string, what?: "value" | "key") => Place;
}

export type ReadResult =
  | { readonly source: Source; readonly problems: readonly Problem[] }
  | { readonly source: undefined; readonly problems: readonly Problem[] };

const aliasCountMax = 1000;

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
      return { lines: linesOf(text), offsetOf: (tokens, what) => places.offsetOf(tokens, what) };
    });
    return { source: { file, uri, data: json, language: "json", place }, problems: [] };
  }
  const lines = linesOf(text);
  const slip = findJsonSlip(text, (offset) => {
    const { line, col } = lines.linePos(offset);
    return `${line}:${col}`;
  });
  assert(slip !== undefined, `${file} is no JSON, and nobody can say why`);
  return { source: undefined, problems: [problemIn(file, lines, slip)] };
}

function readYaml(file: string, uri: string, text: string): ReadResult {
  const parsed = parseYaml(text);
  const slip = findYamlSlip(text, parsed.document.errors);
  if (slip !== undefined)
    return { source: undefined, problems: [problemIn(file, parsed.lines, slip)] };
  const problems = [...doubts(file, parsed), ...foreignValues(file, parsed)];
  if (problems.some((problem) => problem.severity === "error"))
    return { source: undefined, problems };
  try {
    // nothing but JSON comes out, since nothing else is in it (foreignValues)
    const data = parsed.document.toJS({ maxAliasCount: aliasCountMax }) as Json;
    return {
      source: {
        file,
        uri,
        data,
        language: "yaml",
        place: placeFinder(file, () => placesOf(parsed)),
      },
      problems,
    };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const place: Place = { file, pointer: "", line: 1, column: 1 };
    const advice = "write the repeated part once under components and refer to it with $ref";
    return {
      source: undefined,
      problems: [...problems, problemAt("OAG108", place, [message, advice])],
    };
  }
}

interface Slip {
  readonly code: Code;
  readonly offset: number;
  readonly said: Said;
}

function problemIn(file: string, lines: yaml.LineCounter, { code, offset, said }: Slip): Problem {
  const { line, col } = lines.linePos(offset);
  return problemAt(code, { file, pointer: "", line, column: col }, said);
}

/** Without reading what is in them. */
function linesOf(text: string): yaml.LineCounter {
  const lines = new yaml.LineCounter();
  lines.addNewLine(0);
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1))
    lines.addNewLine(at + 1);
  return lines;
}

interface Parsed {
  readonly document: yaml.Document.Parsed;
  readonly lines: yaml.LineCounter;
  readonly targetOf: TargetOf;
}

/** What an alias stands for; undefined where nothing is called so before it. */
type TargetOf = (alias: yaml.Alias) => yaml.Node | undefined;

/** All at once: the parser's own way looks through the whole document for each of them. */
function aliasTargets(document: yaml.Document.Parsed): TargetOf {
  let targets: Map<yaml.Alias, yaml.Node> | undefined;
  return (alias) => {
    if (targets === undefined) {
      const found = new Map<yaml.Alias, yaml.Node>();
      const named = new Map<string, yaml.Node>();
      yaml.visit(document, {
        Value(_, node) {
          if (node.anchor !== undefined) named.set(node.anchor, node);
        },
        Alias(_, node) {
          const target = named.get(node.source);
          if (target !== undefined) found.set(node, target);
        },
      });
      targets = found;
    }
    return targets.get(alias);
  };
}

function parseYaml(text: string): Parsed {
  // behind an error the parser's own count leaves out line breaks
  const lines = linesOf(text);
  const document = yaml.parseDocument(text, {
    version: "1.2",
    // of YAML 1.1, and in many documents
    merge: true,
    // looked for when values are; the parser compares each name with all the others
    uniqueKeys: false,
    prettyErrors: false,
  });
  return { document, lines, targetOf: aliasTargets(document) };
}

/** Undefined where it is not strict JSON, or JSON.parse would lose something of it. */
function parseJson(text: string): Json | undefined {
  try {
    const data: Json = JSON.parse(text) as Json; // JSON.parse yields nothing else
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

function doubts(file: string, { document, lines }: Parsed): Problem[] {
  return document.warnings.map(({ code, pos, message }) => {
    const advice =
      code === "TAG_RESOLVE_FAILED"
        ? "remove the tag; it is ignored"
        : "write it so that every program reads the same";
    const said = [message.split("\n")[0] ?? message, advice] as const;
    return problemIn(file, lines, { code: "OAG106", offset: pos[0], said });
  });
}

/** YAML has values that JSON has not; the served document could not hold them. */
function foreignValues(file: string, { document, lines, targetOf }: Parsed): Problem[] {
  const problems: Problem[] = [];
  const say = (code: Code, node: unknown, said: Said): void => {
    problems.push(problemIn(file, lines, { code, offset: startOf(node) ?? 0, said }));
  };
  yaml.visit(document, {
    Alias(_, node, path) {
      const target = targetOf(node);
      if (target === undefined) {
        const message = `nothing is called "&${node.source}" before this`;
        say("OAG116", node, [message, 'put the text in quotes, if it is one: "*" begins an alias']);
      } else if (path.includes(target)) {
        const message = `"*${node.source}" stands inside what it stands for`;
        say("OAG108", node, [message, 'refer to it with "$ref"']);
      }
    },
    Map(_, { items }) {
      const seen = new Set<string>();
      for (const { key } of items) {
        // several may be merged in
        if (!yaml.isScalar(key) || isMerge(key)) continue;
        const name = String(key.value);
        const isNew = !seen.has(name);
        seen.add(name);
        if (isNew) continue;
        const advice = "keep one of the two, or indent the one that belongs elsewhere";
        say("OAG105", key, [`${JSON.stringify(name)} stands twice in this object`, advice]);
        break; // a whole block that has slipped brings all of its names
      }
    },
    Pair(_, { key }) {
      if (isMerge(key)) {
        const message = '"<<" belongs to YAML 1.1: what it names is merged in here';
        const advice = 'write it out, or refer to it with "$ref"';
        say("OAG111", key, [message, advice]);
        return;
      }
      if (yaml.isScalar(key) && key.value !== null) return;
      say("OAG109", key, ["the name of a property must be text", "write a text; put it in quotes"]);
    },
    Scalar(role, node) {
      if (role === "key" && isMerge(node)) return;
      const { value } = node;
      const isPlain = value === null || ["string", "boolean"].includes(typeof value);
      if (isPlain || (typeof value === "number" && Number.isFinite(value))) return;
      say("OAG110", node, [
        `JSON has no value for "${String(node.source)}"`,
        "write a number or a text",
      ]);
    },
  });
  return problems;
}

interface Places {
  readonly lines: yaml.LineCounter;
  /** of the value, or of the closest one around it that is there */
  readonly offsetOf: (tokens: readonly string[], what: "value" | "key") => number;
}

function placesOf(parsed: Parsed): Places {
  return { lines: parsed.lines, offsetOf: (tokens, what) => offsetOf(parsed, tokens, what) };
}

/** Positions are looked up only when something has to be said about a place. */
function placeFinder(file: string, open: () => Places): Source["place"] {
  let places: Places | undefined;
  return (pointer, what = "value") => {
    places ??= open();
    const offset = places.offsetOf(pointerTokens(pointer), what);
    const { line, col } = places.lines.linePos(offset);
    return { file, pointer, line, column: col };
  };
}

/** The offset of the node, or of the closest ancestor that exists. */
function offsetOf(
  { document, targetOf }: Parsed,
  tokens: readonly string[],
  what: "value" | "key",
): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const [index, token] of tokens.entries()) {
    if (yaml.isAlias(node)) node = targetOf(node);
    if (yaml.isMap(node)) {
      const pair = pairOf(node, token, targetOf);
      if (pair === undefined) return offset;
      const last = index === tokens.length - 1;
      node = pair.value;
      offset =
        (last && what === "key" ? startOf(pair.key) : startOf(node)) ?? startOf(pair.key) ?? offset;
    } else if (yaml.isSeq(node)) {
      node = node.items[Number(token)];
      offset = startOf(node) ?? offset;
    } else {
      return offset;
    }
  }
  return offset;
}

/** A name of its own, else one that is merged in. */
function pairOf(map: yaml.YAMLMap, token: string, targetOf: TargetOf): yaml.Pair | undefined {
  const own = map.items.find(
    ({ key }) => yaml.isScalar(key) && !isMerge(key) && String(key.value) === token,
  );
  if (own !== undefined) return own;
  for (const { key, value } of map.items) {
    if (!isMerge(key)) continue;
    for (const source of yaml.isSeq(value) ? value.items : [value]) {
      const merged = yaml.isAlias(source) ? targetOf(source) : source;
      const found = yaml.isMap(merged) ? pairOf(merged, token, targetOf) : undefined;
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** `<<` as it is; in quotes it is a name like any other. */
function isMerge(key: unknown): boolean {
  if (!yaml.isScalar(key) || key.type !== "PLAIN") return false;
  return key.source === "<<" || String(key.value) === "<<";
}

function startOf(node: unknown): number | undefined {
  return yaml.isNode(node) ? (node.range?.[0] ?? undefined) : undefined;
}
