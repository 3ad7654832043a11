// How deep the values of a file may stand. Everything that reads, judges, writes and formats goes down by calls, and
// ends with the stack of the process where a document is made to be deep; those of people end before 50.

import type * as Yaml from "yaml";
import { isObject, type Json } from "../json.ts";
import type { Slip } from "./source.ts";

export const depthMax = 250;

type DepthSlip = ReturnType<typeof depthSlip>;

export function depthSlip(offset: number) {
  const message = `values stand in one another more than ${depthMax} deep`;
  const said = [message, "give names to parts of it, and refer to them"] as const;
  return { code: "OAG119", offset, said } as const satisfies Slip;
}

/** What is too deep in a text of JSON, right or wrong. */
export function depthSlipOfJson(text: string): DepthSlip | undefined {
  let depth = 0;
  for (const { 0: sign, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{\]}]/g)) {
    if (sign === "]" || sign === "}") depth -= 1;
    else if (sign === "[" || sign === "{") depth += 1;
    if (depth > depthMax) return depthSlip(index);
  }
  return undefined;
}

export function isTooDeep(data: Json): boolean {
  const isOpen = (value: Json): boolean => typeof value === "object" && value !== null;
  const below = (value: Json): readonly Json[] => valuesIn(value).filter(isOpen);
  return deepest(data, below) !== undefined;
}

function valuesIn(value: Json): readonly Json[] {
  if (Array.isArray(value)) return value;
  return isObject(value) ? Object.values(value) : [];
}

export function depthSlipOfYaml(root: unknown): DepthSlip | undefined {
  const node = deepest(root, membersOf);
  return node === undefined ? undefined : depthSlip((node as Yaml.Node).range?.[0] ?? 0);
}

/** The lists and maps in a node of YAML. */
function membersOf(node: unknown): readonly unknown[] {
  return isCollection(node) ? node.items.flatMap(valuesOf).filter(isCollection) : [];
}

function isCollection(node: unknown): node is { readonly items: readonly unknown[] } {
  return typeof node === "object" && node !== null && "items" in node && Array.isArray(node.items);
}

/** Of an entry of a map, or of a list. */
function valuesOf(item: unknown): readonly unknown[] {
  const isPair = typeof item === "object" && item !== null && "key" in item && "value" in item;
  return isPair ? [item.key, item.value] : [item];
}

/** The first that stands too deep, found without calls within calls. */
function deepest<T>(root: T, below: (one: T) => readonly T[]): T | undefined {
  let level: readonly T[] = [root];
  for (let depth = 0; depth < depthMax; depth += 1) {
    level = [...new Set(level.flatMap(below))]; // of aliases, what they stand for is there once
    if (level.length === 0) return undefined;
  }
  return level[0];
}
