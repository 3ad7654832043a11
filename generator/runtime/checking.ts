// The one way values are checked against schemas, and what keywords are built of.
//
// A keyword is a zod check with two faces: a predicate, which zod's compiler calls on the fast path,
// and a report, which zod's interpreter calls when a value was refused and the reader wants to know
// why. As in JSON Schema, a keyword says nothing of a value of another type.

import { z } from "zod";

/** One broken promise of a value, relative to the value checked. */
export interface Problem {
  readonly path: readonly (string | number)[];
  /** the JSON Schema keyword that is broken */
  readonly rule: string;
  readonly message: string;
}

export interface Check {
  /** Compiled and synchronous; the value is never copied or changed. */
  readonly valid: (value: unknown) => boolean;
  /**
   * Every problem, in the order of the schema, but of a text that is too long that it fits no pattern; empty exactly
   * when `valid`.
   */
  readonly problems: (value: unknown) => readonly Problem[];
}

export type JsonObject = Record<string, unknown>;
export type Predicate = (value: unknown) => boolean;
export type Report = (value: unknown) => readonly Problem[];

// ---------------------------------------------------------------------------------------------
// Checking a value against a schema

const checks = new WeakMap<z.ZodType, Check>();
// zod refuses to compile a check with a `when`, and without one its interpreter skips the check
// once another problem was found. So `when` shows only while nothing is being compiled: requests
// are compiled without it and problems are reported in full.
let compiling = false;
const always = (): boolean => true;

/** Compiles on first use, once a schema. */
export function check(schema: z.ZodType): Check {
  const known = checks.get(schema);
  if (known !== undefined) return known;
  const made = new CompiledCheck(schema);
  checks.set(schema, made);
  return made;
}

class CompiledCheck implements Check {
  valid: Predicate;
  readonly problems: Report;

  constructor(schema: z.ZodType) {
    let compiled: Predicate | undefined;
    // the first value finds the compiler; later ones find what it made
    this.valid = (value) => {
      compiled ??= compile(schema);
      this.valid = compiled;
      return compiled(value);
    };
    this.problems = (value) => problemsOf(schema, value);
  }
}

/** Of schemas that are one keyword and nothing else: the keyword's own predicate. */
const predicates = new WeakMap<z.ZodType, Predicate>();
const ofKeyword = new WeakMap<z.core.$ZodCheck<unknown>, Predicate>();

function compile(schema: z.ZodType): Predicate {
  const predicate = predicates.get(schema);
  if (predicate !== undefined) return predicate;
  const outer = compiling;
  compiling = true;
  try {
    const run = z.core.compileFn(schema, { assertOnly: true });
    return (value) => run(value) !== z.INVALID;
  } finally {
    compiling = outer;
  }
}

function problemsOf(schema: z.ZodType, value: unknown): readonly Problem[] {
  const result = schema.safeParse(value);
  if (result.success) return [];
  const { issues } = result.error;
  return issues
    .filter((issue, at) => !isWider(issue, issues[at - 1]) && !isWider(issue, issues[at + 1]))
    .flatMap((issue) => describe(issue, value));
}

/** Of an integer's own bound and the contract's, both broken, the narrower one says it all. */
function isWider(issue: z.core.$ZodIssue, neighbour: z.core.$ZodIssue | undefined): boolean {
  if (neighbour === undefined || issue.path.join("/") !== neighbour.path.join("/")) return false;
  if (issue.code === "too_big" && neighbour.code === "too_big") {
    return issue.maximum > neighbour.maximum;
  }
  if (issue.code !== "too_small" || neighbour.code !== "too_small") return false;
  return issue.minimum < neighbour.minimum;
}

/** Says a zod issue in the words of JSON Schema. */
function describe(issue: z.core.$ZodIssue, root: unknown): readonly Problem[] {
  const path = issue.path.map((step) => (typeof step === "symbol" ? String(step) : step));
  const problem = (rule: string, message: string): Problem[] => [{ path, rule, message }];
  switch (issue.code) {
    case "invalid_type":
      if (isAbsent(root, path)) return problem("required", "is required");
      return problem("type", `must be ${article(issue.expected)}`);
    case "too_small":
      return problem(...lowerBound(issue));
    case "too_big":
      return problem(...upperBound(issue));
    case "invalid_format":
      return problem("pattern", patternMessage(issue.pattern ?? issue.format));
    case "unrecognized_keys":
      return issue.keys.slice(0, problemsMax).map((key) => ({
        path: [...path, key],
        rule: "additionalProperties",
        message: "is not a known property",
      }));
    case "invalid_value":
      if (isAbsent(root, path)) return problem("required", "is required");
      return problem(...allowed(issue.values));
    case "custom":
      return problem(String(issue.params?.["rule"] ?? "custom"), issue.message);
    default:
      return problem(issue.code, issue.message);
  }
}

/** Longer ones say nothing to people; whoever wants all of it finds it in the document. */
const patternCharactersMax = 120;

export function patternMessage(pattern: string): string {
  const isShort = pattern.length <= patternCharactersMax;
  const shown = isShort ? pattern : `${pattern.slice(0, patternCharactersMax)}... of the contract`;
  return `must match the pattern ${shown}`;
}

function isAbsent(root: unknown, path: readonly (string | number)[]): boolean {
  let value = root;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return true;
    value = Reflect.get(value, step);
  }
  return value === undefined;
}

const typeNames: Readonly<Record<string, string>> = {
  int: "an integer",
  object: "an object",
  array: "an array",
  null: "null",
  never: "absent",
};

export function article(type: string): string {
  return typeNames[type] ?? `a ${type}`;
}

interface Bound {
  readonly inclusive?: boolean | undefined;
}

function lowerBound(issue: Bound & { readonly minimum: number | bigint }): [string, string] {
  const limit = String(issue.minimum);
  return issue.inclusive === false
    ? ["exclusiveMinimum", `must be greater than ${limit}`]
    : ["minimum", `must be at least ${limit}`];
}

function upperBound(issue: Bound & { readonly maximum: number | bigint }): [string, string] {
  const limit = String(issue.maximum);
  return issue.inclusive === false
    ? ["exclusiveMaximum", `must be less than ${limit}`]
    : ["maximum", `must be at most ${limit}`];
}

export function count(number: number, noun: string): string {
  return number === 1 ? `1 ${noun}` : `${number} ${noun}s`;
}

export function allowed(values: readonly unknown[]): [string, string] {
  const shown = values.map((value) => canonical(value)).join(", ");
  return values.length === 1 ? ["const", `must be ${shown}`] : ["enum", `must be one of ${shown}`];
}

// ---------------------------------------------------------------------------------------------
// Building keywords

export function keyword(valid: Predicate, report: Report): z.core.$ZodCheck<unknown> {
  const made = new z.core.$ZodCheck({ check: "custom" });
  const definition = {
    check: "custom",
    fn: valid,
    get when() {
      return compiling ? undefined : always;
    },
  };
  ofKeyword.set(made, valid);
  // the getter is the point (see `compiling`)
  made._zod.def = definition;
  made._zod.check = (payload) => {
    for (const problem of report(payload.value)) {
      payload.issues.push({
        code: "custom",
        input: payload.value,
        path: [...problem.path],
        message: problem.message,
        params: { rule: problem.rule },
      });
    }
  };
  return made;
}

/** A keyword with one message, about the value itself. */
export function simple(rule: string, message: string, valid: Predicate): z.core.$ZodCheck<unknown> {
  const problems: readonly Problem[] = [{ path: [], rule, message }];
  return keyword(valid, (value) => (valid(value) ? [] : problems));
}

/** A schema that is nothing but keywords. `T` is what the contract says of such a value. */
export function schemaOf<T>(...keywords: readonly z.core.$ZodCheck<unknown>[]): z.ZodType<T> {
  // z.unknown() with checks accepts exactly what the checks accept; its type is the caller's word
  const schema = z.unknown().check(...keywords) as unknown as z.ZodType<T>;
  const [only] = keywords;
  const predicate = only === undefined ? undefined : ofKeyword.get(only);
  if (predicate !== undefined && keywords.length === 1) predicates.set(schema, predicate);
  return schema;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Nobody reads more; finding them all would cost as much as the attacker likes. */
export const problemsMax = 100;

/** The problems of one item after another, until there are enough. */
export function collect<Item>(
  items: Iterable<Item>,
  report: (item: Item) => readonly Problem[],
): readonly Problem[] {
  const found: Problem[] = [];
  for (const item of items) {
    found.push(...report(item));
    if (found.length >= problemsMax) break;
  }
  return found;
}

export function within(step: string | number, problems: readonly Problem[]): readonly Problem[] {
  return problems.map((problem) => ({ ...problem, path: [step, ...problem.path] }));
}

/** The same text for values that JSON Schema calls equal: objects without regard to order. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const names = Object.keys(value).toSorted();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}

export const missing: readonly Problem[] = [{ path: [], rule: "required", message: "is required" }];
