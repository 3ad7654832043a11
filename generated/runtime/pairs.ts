// Written by "npm run generate" from spec/openapi.yaml; do not edit.

// Names and values joined by "=" and "&": queries and forms.

import type { FormField, ParameterKind, ParameterPlan, Tree, Violation } from "./runtime.ts";
import { addDefaults } from "./parameters.ts";
import { Misread, kindsOf, percentPlus, read, repeated, scalar } from "./text.ts";
import { readTree, treePath } from "./trees.ts";
import { put, type Values } from "./values.ts";
import { report, escapePointer } from "./violations.ts";

/** Where the value of one name goes: to a parameter, or to one property of it. */
interface Slot {
  readonly parameter: ParameterPlan;
  readonly property: string | undefined;
  /** what an empty text counts for where `allowEmptyValue` takes it */
  readonly empty: "text" | "absent" | "value";
}

/** Whether the schema of a parameter takes an empty text. */
type TakesEmpty = (name: string) => boolean;

export interface PairsPlan {
  readonly in: "query" | "body";
  /** whether the contract has any parameter here */
  readonly takes: boolean;
  readonly slots: ReadonlyMap<string, Slot>;
  /** parameters with values inside values, by name */
  readonly trees: ReadonlyMap<string, Tree>;
  /** objects that also take names the contract does not list */
  readonly open: readonly ParameterPlan[];
  readonly defaults: readonly ParameterPlan[];
  /** what is said of a name that has no place; undefined: its value is kept for the schema to judge */
  readonly unknown: string | undefined;
}

interface Pairs {
  readonly plan: PairsPlan;
  readonly values: Values;
  readonly violations: Violation[];
}

export function queryPlan(
  parameters: readonly ParameterPlan[],
  takesEmpty: TakesEmpty = () => true,
): PairsPlan {
  const slots = new Map<string, Slot>();
  const trees = new Map<string, Tree>();
  const spread: ParameterPlan[] = [];
  for (const parameter of parameters) {
    const { name, kind } = parameter;
    if (isSpread(parameter)) spread.push(parameter);
    else if (kind !== "json" && "tree" in kind) trees.set(name, kind.tree);
    else slots.set(name, { parameter, property: undefined, empty: emptyOf(parameter, takesEmpty) });
  }
  for (const parameter of spread) {
    for (const property of properties(parameter.kind)) {
      const name = nameOf(parameter, property);
      if (!slots.has(name)) slots.set(name, { parameter, property, empty: "value" });
    }
  }
  const known = [...slots.keys(), ...trees.keys()].join(", ");
  return {
    in: "query",
    takes: parameters.length > 0,
    slots,
    trees,
    open: spread.filter(({ kind }) => kindsOf(kind, "\0") !== undefined),
    defaults: parameters.filter((one) => one.default !== undefined),
    unknown:
      known === ""
        ? "is not known: this operation takes no query parameters"
        : `is not known: this operation takes ${known}`,
  };
}

/** A text that the schema takes is one; of anything else nothing was given. */
function emptyOf({ name, kind, allowEmptyValue }: ParameterPlan, takesEmpty: TakesEmpty) {
  if (allowEmptyValue !== true) return "value";
  const isText = kind !== "json" && "scalar" in kind && kind.scalar.includes("string");
  return isText && takesEmpty(name) ? "text" : "absent";
}

/** Names that the contract does not list are kept for the schema of the body to judge. */
export function formPlan(fields: Readonly<Record<string, FormField>>): PairsPlan {
  const parameters = Object.keys(fields).flatMap((name): ParameterPlan[] => {
    const kind = fields[name];
    if (kind === undefined) return [];
    if (typeof kind === "object" && "kind" in kind) return [{ in: "query", name, ...kind }];
    const style = typeof kind === "object" && "object" in kind ? "deepObject" : "form";
    return [{ in: "query", name, style, explode: true, kind }];
  });
  return { ...queryPlan(parameters), in: "body", unknown: undefined };
}

function isSpread({ style, explode, kind }: ParameterPlan): boolean {
  if (typeof kind !== "object" || !("object" in kind)) return false;
  return style === "deepObject" || (style === "form" && explode);
}

function properties(kind: ParameterKind): readonly string[] {
  return typeof kind === "object" && "object" in kind ? Object.keys(kind.object) : [];
}

function nameOf({ name, style }: ParameterPlan, property: string): string {
  return style === "deepObject" ? `${name}[${property}]` : property;
}

/** `text` is a query as on the request line, or a form body. */
export function readPairs(plan: PairsPlan, text: string, violations: Violation[]): Values {
  const values: Values = {};
  const pairs: Pairs = { plan, values, violations };
  for (let start = 0; start < text.length;) {
    const ampersand = text.indexOf("&", start);
    const end = ampersand === -1 ? text.length : ampersand;
    if (end > start) readPair(pairs, text.slice(start, end));
    start = end + 1;
  }
  if (plan.defaults.length > 0) addDefaults(plan.defaults, values);
  return values;
}

function readPair(pairs: Pairs, pair: string): void {
  const equals = pair.indexOf("=");
  const name = percentPlus(equals === -1 ? pair : pair.slice(0, equals));
  if (name instanceof Misread) {
    refusePair(pairs, "", name);
    return;
  }
  const text = equals === -1 ? "" : pair.slice(equals + 1);
  const slot = pairs.plan.slots.get(name) ?? openSlot(pairs.plan, name);
  if (slot === undefined && pairs.plan.trees.size > 0 && readBranch(pairs, name, text)) return;
  const problem = slot === undefined ? readUnknown(pairs, name, text) : readSlot(pairs, slot, text);
  if (problem !== undefined) refusePair(pairs, pointerOf(name, slot), problem);
}

/** False: it belongs to no tree. */
function readBranch(pairs: Pairs, name: string, text: string): boolean {
  const path = treePath(name);
  const tree = path === undefined ? undefined : pairs.plan.trees.get(path.root);
  if (path === undefined || tree === undefined) return false;
  const value = percentPlus(text);
  const problem = value instanceof Misread ? value : readTree(pairs.values, { path, tree }, value);
  if (problem === undefined) return true;
  const pointer = [path.root, ...path.tokens].map((token) => `/${escapePointer(token)}`).join("");
  refusePair(pairs, pointer, problem);
  return true;
}

/** Where the value would stand, however its name is spelled in the style of the parameter. */
function pointerOf(name: string, slot: Slot | undefined): string {
  if (slot?.property === undefined) return `/${escapePointer(name)}`;
  return `/${escapePointer(slot.parameter.name)}/${escapePointer(slot.property)}`;
}

function refusePair({ plan, violations }: Pairs, pointer: string, problem: Misread): void {
  report(violations, { in: plan.in, pointer, rule: problem.rule, message: problem.message });
}

const bracketed = /^([^[\]]*)\[([^[\]]*)\]$/;

function openSlot(plan: PairsPlan, name: string): Slot | undefined {
  for (const parameter of plan.open) {
    if (parameter.style !== "deepObject") return { parameter, property: name, empty: "value" };
    const match = bracketed.exec(name);
    if (match?.[1] === parameter.name) return { parameter, property: match[2], empty: "value" };
  }
  return undefined;
}

function readUnknown({ plan, values }: Pairs, name: string, text: string): Misread | undefined {
  if (plan.unknown !== undefined) return new Misread("unknown", plan.unknown);
  const value = percentPlus(text);
  if (value instanceof Misread) return value;
  const before = Object.hasOwn(values, name) ? values[name] : undefined;
  if (Array.isArray(before)) before.push(value);
  else put(values, name, before === undefined ? value : [before, value]);
  return undefined;
}

function readSlot({ values }: Pairs, slot: Slot, text: string): Misread | undefined {
  const { parameter, property, empty } = slot;
  if (text === "" && empty === "absent") return undefined;
  const before = Object.hasOwn(values, parameter.name) ? values[parameter.name] : undefined;
  if (property !== undefined) return readProperty(values, slot, text);
  const isList =
    typeof parameter.kind === "object" && "array" in parameter.kind && parameter.explode;
  if (before !== undefined && !isList) return repeated;
  const plain = isList ? percentPlus(text) : read(parameter, text, percentPlus);
  if (plain instanceof Misread) return plain;
  const value = isList ? scalar(String(plain), parameter.kind.array) : plain;
  if (isList && Array.isArray(before)) before.push(value);
  else put(values, parameter.name, isList ? [value] : value);
  return undefined;
}

function readProperty(
  values: Values,
  { parameter, property = "" }: Slot,
  text: string,
): Misread | undefined {
  const value = percentPlus(text);
  if (value instanceof Misread) return value;
  const before = Object.hasOwn(values, parameter.name) ? values[parameter.name] : undefined;
  // only this function writes the value of a spread parameter
  const object = before === undefined ? {} : (before as Values);
  if (Object.hasOwn(object, property)) return repeated;
  put(object, property, scalar(value, kindsOf(parameter.kind, property) ?? ["string"]));
  put(values, parameter.name, object);
  return undefined;
}
