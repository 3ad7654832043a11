// YAML in all its forms, read by the package yaml, and what is wrong in it or means nothing in JSON.

import { createRequire } from "node:module";
import type * as Yaml from "yaml";
import type { Code } from "../diagnostics/codes.ts";
import type { Json } from "../json.ts";
import { type Place, type Problem, problemAt, type Said } from "../problems.ts";
import { depthSlip, depthSlipOfYaml, isTooDeep } from "./depth.ts";
import { Lines, placeFinder, problemIn, type ReadResult, type Slip } from "./source.ts";
import { findYamlSlip } from "./yaml-syntax.ts";

const aliasCountMax = 1000;

const require = createRequire(import.meta.url);
let loaded: typeof Yaml | undefined;

/** Loaded when a text needs it: that takes longer than reading an everyday one. */
const yaml = (): typeof Yaml => (loaded ??= require("yaml") as typeof Yaml);

export function readWholeYaml(file: string, uri: string, text: string): ReadResult {
  const parsed = parseYaml(text);
  const wrong = (found: Slip): ReadResult => ({
    source: undefined,
    problems: [problemIn(file, parsed.lines, found)],
  });
  const { document } = parsed;
  const slip = depthSlipOfYaml(document.contents) ?? findYamlSlip(text, document.errors);
  if (slip !== undefined) return wrong(slip);
  const problems = [...doubts(file, parsed), ...foreignValues(file, parsed)];
  if (problems.some((problem) => problem.severity === "error"))
    return { source: undefined, problems };
  try {
    // nothing but JSON comes out, since nothing else is in it (foreignValues)
    const data = document.toJS({ maxAliasCount: aliasCountMax }) as Json;
    if (isTooDeep(data)) return wrong(depthSlip(0)); // by aliases in what aliases stand for
    return {
      source: {
        file,
        uri,
        data,
        language: "yaml",
        place: placeFinder(file, () => ({
          lines: parsed.lines,
          offsetOf: (tokens, what) => offsetOf(parsed, tokens, what),
        })),
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

interface Parsed {
  readonly document: Yaml.Document.Parsed;
  readonly lines: Lines;
  readonly targetOf: TargetOf;
}

/** What an alias stands for; undefined where nothing is called so before it. */
type TargetOf = (alias: Yaml.Alias) => Yaml.Node | undefined;

/** All at once: the parser's own way looks through the whole document for each of them. */
function aliasTargets(document: Yaml.Document.Parsed): TargetOf {
  let targets: Map<Yaml.Alias, Yaml.Node> | undefined;
  return (alias) => {
    if (targets === undefined) {
      const found = new Map<Yaml.Alias, Yaml.Node>();
      const named = new Map<string, Yaml.Node>();
      yaml().visit(document, {
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
  const lines = new Lines(text);
  const document = yaml().parseDocument(text, {
    version: "1.2",
    // of YAML 1.1, and in many documents
    merge: true,
    // looked for when values are; the parser compares each name with all the others
    uniqueKeys: false,
    prettyErrors: false,
  });
  return { document, lines, targetOf: aliasTargets(document) };
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
  yaml().visit(document, {
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
        if (!yaml().isScalar(key) || isMerge(key)) continue;
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
      if (yaml().isScalar(key) && key.value !== null) return;
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

/** The offset of the node, or of the closest ancestor that exists. */
function offsetOf(
  { document, targetOf }: Parsed,
  tokens: readonly string[],
  what: "value" | "key",
): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const [index, token] of tokens.entries()) {
    if (yaml().isAlias(node)) node = targetOf(node);
    if (yaml().isMap(node)) {
      const pair = pairOf(node, token, targetOf);
      if (pair === undefined) return offset;
      const last = index === tokens.length - 1;
      node = pair.value;
      offset =
        (last && what === "key" ? startOf(pair.key) : startOf(node)) ?? startOf(pair.key) ?? offset;
    } else if (yaml().isSeq(node)) {
      node = node.items[Number(token)];
      offset = startOf(node) ?? offset;
    } else {
      return offset;
    }
  }
  return offset;
}

/** A name of its own, else one that is merged in. */
function pairOf(map: Yaml.YAMLMap, token: string, targetOf: TargetOf): Yaml.Pair | undefined {
  const own = map.items.find(
    ({ key }) => yaml().isScalar(key) && !isMerge(key) && String(key.value) === token,
  );
  if (own !== undefined) return own;
  for (const { key, value } of map.items) {
    if (!isMerge(key)) continue;
    for (const source of yaml().isSeq(value) ? value.items : [value]) {
      const merged = yaml().isAlias(source) ? targetOf(source) : source;
      const found = yaml().isMap(merged) ? pairOf(merged, token, targetOf) : undefined;
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** `<<` as it is; in quotes it is a name like any other. */
function isMerge(key: unknown): boolean {
  if (!yaml().isScalar(key) || key.type !== "PLAIN") return false;
  return key.source === "<<" || String(key.value) === "<<";
}

function startOf(node: unknown): number | undefined {
  return yaml().isNode(node) ? (node.range?.[0] ?? undefined) : undefined;
}
