// JSON Schema 2020-12 keywords that zod cannot say exactly, and the one way schemas are checked.
//
// Every keyword here is a zod check with two faces: a predicate, which `z.compile` calls on the
// fast path, and a report, which zod's interpreter calls when a value was refused and the reader
// wants to know why. As in JSON Schema, a keyword says nothing of a value of another type.

import { z } from "zod";
import { formats, type Format } from "./formats.ts";

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
  /** Every problem, in the order of the schema; empty exactly when `valid`. */
  readonly problems: (value: unknown) => readonly Problem[];
}

type JsonObject = Record<string, unknown>;
type Predicate = (value: unknown) => boolean;
type Report = (value: unknown) => readonly Problem[];

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
  let compiled: Predicate | undefined;
  const made: Check = {
    valid: (value) => (compiled ??= compile(schema))(value),
    problems: (value) => problemsOf(schema, value),
  };
  checks.set(schema, made);
  return made;
}

function compile(schema: z.ZodType): Predicate {
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
  return result.success ? [] : result.error.issues.flatMap((issue) => describe(issue, value));
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
      return problem("pattern", `must match the pattern ${issue.pattern ?? issue.format}`);
    case "unrecognized_keys":
      return issue.keys.map((key) => ({
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

function article(type: string): string {
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

function count(number: number, noun: string): string {
  return number === 1 ? `1 ${noun}` : `${number} ${noun}s`;
}

function allowed(values: readonly unknown[]): [string, string] {
  const shown = values.map((value) => canonical(value)).join(", ");
  return values.length === 1 ? ["const", `must be ${shown}`] : ["enum", `must be one of ${shown}`];
}

// ---------------------------------------------------------------------------------------------
// Building keywords

function keyword(valid: Predicate, report: Report): z.core.$ZodCheck<unknown> {
  const made = new z.core.$ZodCheck({ check: "custom" });
  const definition = {
    check: "custom",
    fn: valid,
    get when() {
      return compiling ? undefined : always;
    },
  };
  // `def` is declared read-only data; the getter is the point (see `compiling`)
  made._zod.def = definition as unknown as typeof made._zod.def;
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
function simple(rule: string, message: string, valid: Predicate): z.core.$ZodCheck<unknown> {
  const problems: readonly Problem[] = [{ path: [], rule, message }];
  return keyword(valid, (value) => (valid(value) ? [] : problems));
}

/** A schema that is nothing but keywords. `T` is what the contract says of such a value. */
function schemaOf<T>(...keywords: readonly z.core.$ZodCheck<unknown>[]): z.ZodType<T> {
  // z.unknown() with checks accepts exactly what the checks accept; its type is the caller's word
  return z.unknown().check(...keywords) as unknown as z.ZodType<T>;
}

/**
 * The type of a value of which the contract's types may say more than a single schema can. `any`
 * is the one type that switches the comparison of `says` off at its place, and only there.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- see above
export type Unchecked = any;

/**
 * States that a schema describes `T`, and has the compiler check it: what the schema lets pass must
 * be a `T`, and every `T` must be something it could let pass.
 */
export function says<T>(): <S extends { readonly _zod: { readonly output: T } }>(
  schema: S & ([T] extends [S["_zod"]["output"]] ? unknown : never),
) => z.ZodType<T> {
  // compared above through the output types alone; comparing whole schemas costs seconds
  return (schema) => schema as unknown as z.ZodType<T>;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function within(step: string | number, problems: readonly Problem[]): readonly Problem[] {
  return problems.map((problem) => ({ ...problem, path: [step, ...problem.path] }));
}

/** The same text for values that JSON Schema calls equal: objects without regard to order. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "undefined";
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}

// ---------------------------------------------------------------------------------------------
// Strings and numbers

/** In code points (RFC 8259 section 7), of which each takes one or two UTF-16 units. */
function codePoints(text: string): number {
  let found = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    if (text.charCodeAt(index) >>> 10 !== 0x36 || text.charCodeAt(index + 1) >>> 10 !== 0x37) continue;
    found -= 1;
    index += 1;
  }
  return found;
}

export function minLength(limit: number): z.core.$ZodCheck<unknown> {
  return simple("minLength", `must have at least ${count(limit, "character")}`, (value) =>
    typeof value === "string" && value.length < limit * 2
      ? value.length >= limit && codePoints(value) >= limit
      : true,
  );
}

export function maxLength(limit: number): z.core.$ZodCheck<unknown> {
  return simple("maxLength", `must have at most ${count(limit, "character")}`, (value) =>
    typeof value === "string" && value.length > limit
      ? value.length <= limit * 2 && codePoints(value) <= limit
      : true,
  );
}

export function format(name: Format): z.core.$ZodCheck<unknown> {
  const matches: (text: string) => boolean = formats[name];
  return simple("format", `must be a valid ${name}`, (value) =>
    typeof value === "string" ? matches(value) : true,
  );
}

/** Exact on the decimal digits a number is written with, where division would round. */
export function multipleOf(divisor: number): z.core.$ZodCheck<unknown> {
  return simple("multipleOf", `must be a multiple of ${divisor}`, (value) =>
    typeof value === "number" ? isMultiple(value, divisor) : true,
  );
}

function isMultiple(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  if (!Number.isFinite(value)) return false;
  const [digits, exponent] = decimal(value);
  const [divisorDigits, divisorExponent] = decimal(divisor);
  const shift = exponent - divisorExponent;
  return shift >= 0
    ? (digits * 10n ** BigInt(shift)) % divisorDigits === 0n
    : digits % (divisorDigits * 10n ** BigInt(-shift)) === 0n;
}

/** The shortest decimal that reads back as this number: digits times ten to the exponent. */
function decimal(value: number): readonly [digits: bigint, exponent: number] {
  const [mantissa = "0", power = "0"] = value.toExponential().split("e");
  const fraction = mantissa.split(".")[1] ?? "";
  return [BigInt(mantissa.replace(".", "")), Number(power) - fraction.length];
}

// ---------------------------------------------------------------------------------------------
// Values of any type

/** `enum` and `const` with objects or arrays among the values, or beside other keywords. */
export function values<const T extends readonly unknown[]>(...list: T): z.core.$ZodCheck<unknown> {
  const texts = new Set(list.map(canonical));
  return simple(...allowed(list), (value) => texts.has(canonical(value)));
}

export type TypeName = "string" | "number" | "boolean" | "null" | "array" | "object";

function typeOf(value: unknown): TypeName {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  return type === "string" || type === "number" || type === "boolean" ? type : "object";
}

/** A schema for each JSON type; `others` says whether the types not named are welcome. */
export function byType<
  S extends Partial<Record<TypeName, z.ZodType>>,
  Others extends "allowed" | "refused",
>(
  schemas: S,
  others: Others,
): z.ZodType<Others extends "refused" ? z.output<NonNullable<S[keyof S]>> : Unchecked> {
  const byName: Partial<Record<TypeName, z.ZodType>> = schemas;
  const names = Object.keys(schemas).map(article).join(" or ");
  const wrongType: readonly Problem[] = [{ path: [], rule: "type", message: `must be ${names}` }];
  return schemaOf(
    keyword(
      (value) => {
        if (value === undefined) return false;
        const schema = byName[typeOf(value)];
        return schema === undefined ? others === "allowed" : check(schema).valid(value);
      },
      (value) => {
        if (value === undefined) return missing;
        const schema = byName[typeOf(value)];
        if (schema !== undefined) return check(schema).problems(value);
        return others === "allowed" ? [] : wrongType;
      },
    ),
  );
}

/** Anything JSON can say; unlike `z.unknown()`, an absent property is not a value. */
export function anything(): z.ZodType<Unchecked> {
  return schemaOf(simple("required", "is required", (value) => value !== undefined));
}

/** A schema that stands further down or refers to itself; compiled on its own. */
export function later<T>(schema: () => z.ZodType<T>): z.ZodType<T> {
  let known: Check | undefined;
  const get = (): Check => (known ??= check(schema()));
  return schemaOf<T>(
    keyword(
      (value) => get().valid(value),
      (value) => (value === undefined ? missing : get().problems(value)),
    ),
  );
}

const missing: readonly Problem[] = [{ path: [], rule: "required", message: "is required" }];

// ---------------------------------------------------------------------------------------------
// Combinations

type Outputs<S extends readonly z.ZodType[]> = z.output<S[number]>;
type Intersection<S extends readonly z.ZodType[]> = S extends readonly [
  infer Head extends z.ZodType,
  ...infer Tail extends readonly z.ZodType[],
]
  ? z.output<Head> & Intersection<Tail>
  : unknown;

/** Every schema must accept the whole value; each reports for itself. */
export function allOf<const S extends readonly z.ZodType[]>(...schemas: S): z.ZodType<Intersection<S>> {
  const parts = schemas.map(check);
  return schemaOf(
    keyword(
      (value) => parts.every((part) => part.valid(value)),
      (value) => (value === undefined ? missing : distinct(parts.flatMap((part) => part.problems(value)))),
    ),
  );
}

/**
 * Keywords beside a schema. Those of zod's own objects and arrays would be handed zod's copy of the
 * value, and the copy lacks "__proto__".
 */
export function also<T>(
  schema: z.ZodType<T>,
  ...keywords: readonly z.core.$ZodCheck<unknown>[]
): z.ZodType<T> {
  const base = check(schema);
  const rest = check(schemaOf(...keywords));
  return schemaOf(
    keyword(
      (value) => base.valid(value) && rest.valid(value),
      (value) => (value === undefined ? missing : [...base.problems(value), ...rest.problems(value)]),
    ),
  );
}

/** Two members may report the same problem of the same place. */
function distinct(problems: readonly Problem[]): readonly Problem[] {
  const seen = new Set<string>();
  return problems.filter((problem) => {
    const key = JSON.stringify([problem.path, problem.rule, problem.message]);
    return !seen.has(key) && seen.add(key);
  });
}

export function anyOf<const S extends readonly z.ZodType[]>(...schemas: S): z.ZodType<Outputs<S>> {
  const parts = schemas.map(check);
  return schemaOf(
    keyword(
      (value) => parts.some((part) => part.valid(value)),
      (value) => {
        if (value === undefined) return missing;
        return parts.some((part) => part.valid(value)) ? [] : noneFits("anyOf", parts, value);
      },
    ),
  );
}

/** Exactly one schema accepts the value. */
export function oneOf<const S extends readonly z.ZodType[]>(...schemas: S): z.ZodType<Outputs<S>> {
  const parts = schemas.map(check);
  const matches = (value: unknown): number => {
    let found = 0;
    for (const part of parts) if (part.valid(value) && ++found > 1) return found;
    return found;
  };
  return schemaOf(
    keyword(
      (value) => matches(value) === 1,
      (value) => {
        if (value === undefined) return missing;
        const found = matches(value);
        if (found === 1) return [];
        if (found === 0) return noneFits("oneOf", parts, value);
        const message = `must fit exactly one of ${parts.length} alternatives and fits more than one`;
        return [{ path: [], rule: "oneOf", message }];
      },
    ),
  );
}

/** The problems of the alternative that came closest, under one sentence that says so. */
function noneFits(rule: string, parts: readonly Check[], value: unknown): readonly Problem[] {
  const reports = parts.map((part) => part.problems(value));
  const depth = (report: readonly Problem[]): number => report.filter((one) => one.path.length > 0).length;
  // an alternative that already refuses the value as a whole was not meant
  const meant = reports.filter((report) => depth(report) === report.length);
  const closest = [...meant].sort((a, b) => a.length - b.length)[0] ?? [];
  const message = `must fit ${rule === "oneOf" ? "exactly one" : "at least one"} of ${parts.length} alternatives and fits none`;
  return [{ path: [], rule, message }, ...closest];
}

/** `oneOf` with a discriminator: the tag chooses the one schema that is asked. */
export function tagged<const M extends Readonly<Record<string, z.ZodType>>>(
  property: string,
  schemas: M,
): z.ZodType<z.output<M[keyof M]>> {
  const parts = new Map(Object.entries(schemas).map(([tag, schema]) => [tag, check(schema)]));
  const find = (value: unknown): Check | undefined => {
    if (!isObject(value) || !Object.hasOwn(value, property)) return undefined;
    const tag = value[property];
    return typeof tag === "string" ? parts.get(tag) : undefined;
  };
  const tags = [...parts.keys()].map((tag) => JSON.stringify(tag)).join(", ");
  return schemaOf(
    keyword(
      (value) => find(value)?.valid(value) ?? false,
      (value) => {
        if (value === undefined) return missing;
        if (!isObject(value)) return [{ path: [], rule: "type", message: "must be an object" }];
        const part = find(value);
        if (part !== undefined) return part.problems(value);
        if (!Object.hasOwn(value, property)) return within(property, missing);
        return [{ path: [property], rule: "discriminator", message: `must be one of ${tags}` }];
      },
    ),
  );
}

export function not(schema: z.ZodType): z.core.$ZodCheck<unknown> {
  const refused = check(schema);
  return simple("not", "has a form that is not allowed here", (value) => !refused.valid(value));
}

/** `if` / `then` / `else`. */
export function conditional(
  condition: z.ZodType,
  branches: { readonly then?: z.ZodType; readonly else?: z.ZodType },
): z.core.$ZodCheck<unknown> {
  const test = check(condition);
  const accepted = branches.then === undefined ? undefined : check(branches.then);
  const rejected = branches.else === undefined ? undefined : check(branches.else);
  const pick = (value: unknown): Check | undefined => (test.valid(value) ? accepted : rejected);
  return keyword(
    (value) => pick(value)?.valid(value) ?? true,
    (value) => pick(value)?.problems(value) ?? [],
  );
}

// ---------------------------------------------------------------------------------------------
// Arrays

export function minItems(limit: number): z.core.$ZodCheck<unknown> {
  return simple("minItems", `must have at least ${count(limit, "item")}`, (value) =>
    Array.isArray(value) ? value.length >= limit : true,
  );
}

export function maxItems(limit: number): z.core.$ZodCheck<unknown> {
  return simple("maxItems", `must have at most ${count(limit, "item")}`, (value) =>
    Array.isArray(value) ? value.length <= limit : true,
  );
}

/** No two items are equal by value (JSON Schema validation 6.4.3). */
export function uniqueItems(): z.core.$ZodCheck<unknown> {
  return simple("uniqueItems", "must not contain the same item twice", (value) => {
    if (!Array.isArray(value) || value.length < 2) return true;
    const primitive = value.every((item) => typeof item !== "object" || item === null);
    return new Set(primitive ? value : value.map(canonical)).size === value.length;
  });
}

/** An array of anything; its type is the contract's word. */
export function tuple(): z.ZodType<Unchecked> {
  return byType({ array: z.array(z.unknown()) }, "refused");
}

/** `prefixItems`, and `items` for what comes after; a shorter array is welcome. */
export function prefixItems(first: readonly z.ZodType[], rest?: z.ZodType): z.core.$ZodCheck<unknown> {
  const parts = first.map(check);
  const others = rest === undefined ? undefined : check(rest);
  const part = (index: number): Check | undefined => parts[index] ?? others;
  return keyword(
    (value) => !Array.isArray(value) || value.every((item, index) => part(index)?.valid(item) ?? true),
    (value) =>
      Array.isArray(value)
        ? value.flatMap((item, index) => within(index, part(index)?.problems(item) ?? []))
        : [],
  );
}

export function contains(
  schema: z.ZodType,
  limits: { readonly min: number; readonly max?: number },
): z.core.$ZodCheck<unknown> {
  const part = check(schema);
  const { min, max = Number.POSITIVE_INFINITY } = limits;
  const range = max === Number.POSITIVE_INFINITY ? `at least ${min}` : `${min} to ${max}`;
  return simple("contains", `must contain ${range} items of the wanted form`, (value) => {
    if (!Array.isArray(value)) return true;
    const found = value.filter((item) => part.valid(item)).length;
    return found >= min && found <= max;
  });
}

// ---------------------------------------------------------------------------------------------
// Objects

export function minProperties(limit: number): z.core.$ZodCheck<unknown> {
  return simple("minProperties", `must have at least ${limit} ${limit === 1 ? "property" : "properties"}`, (value) =>
    isObject(value) ? Object.keys(value).length >= limit : true,
  );
}

export function maxProperties(limit: number): z.core.$ZodCheck<unknown> {
  return simple("maxProperties", `must have at most ${limit} ${limit === 1 ? "property" : "properties"}`, (value) =>
    isObject(value) ? Object.keys(value).length <= limit : true,
  );
}

/** Required names, where the object's own shape cannot say it. */
export function required(...names: readonly string[]): z.core.$ZodCheck<unknown> {
  return keyword(
    (value) => !isObject(value) || names.every((name) => Object.hasOwn(value, name)),
    (value) =>
      isObject(value)
        ? names.filter((name) => !Object.hasOwn(value, name)).flatMap((name) => within(name, missing))
        : [],
  );
}

export function propertyNames(schema: z.ZodType): z.core.$ZodCheck<unknown> {
  const part = check(schema);
  return keyword(
    (value) => !isObject(value) || Object.keys(value).every((name) => part.valid(name)),
    (value) =>
      isObject(value)
        ? Object.keys(value).flatMap((name) =>
            part.problems(name).map((problem) => ({
              path: [name],
              rule: "propertyNames",
              message: `has a name that ${problem.message}`,
            })),
          )
        : [],
  );
}

export function dependentRequired(names: Readonly<Record<string, readonly string[]>>): z.core.$ZodCheck<unknown> {
  const entries = Object.entries(names);
  const report: Report = (value) => {
    if (!isObject(value)) return [];
    return entries
      .filter(([name]) => Object.hasOwn(value, name))
      .flatMap(([name, needed]) =>
        needed
          .filter((other) => !Object.hasOwn(value, other))
          .map((other) => ({
            path: [other],
            rule: "dependentRequired",
            message: `is required when ${JSON.stringify(name)} is present`,
          })),
      );
  };
  return keyword((value) => report(value).length === 0, report);
}

export function dependentSchemas(schemas: Readonly<Record<string, z.ZodType>>): z.core.$ZodCheck<unknown> {
  const entries = Object.entries(schemas).map(([name, schema]) => [name, check(schema)] as const);
  const active = (value: unknown): Check[] =>
    isObject(value) ? entries.filter(([name]) => Object.hasOwn(value, name)).map(([, part]) => part) : [];
  return keyword(
    (value) => active(value).every((part) => part.valid(value)),
    (value) => active(value).flatMap((part) => part.problems(value)),
  );
}

/** What an object says of its properties, where zod's own objects would be wrong. */
export interface Members {
  readonly properties?: readonly (readonly [name: string, schema: z.ZodType, presence: "required" | "optional"])[];
  readonly patterns?: readonly (readonly [pattern: RegExp, schema: z.ZodType])[];
  /** for names that neither of the two above covers; `false` refuses them */
  readonly others?: z.ZodType | false;
}

/**
 * `properties`, `patternProperties` and `additionalProperties` over own keys only, so that names
 * such as "constructor" and "__proto__" are names like any other.
 */
export function members(plan: Members): z.ZodType<Unchecked> {
  const declared = new Map((plan.properties ?? []).map(([name, schema, presence]) => [name, { part: check(schema), presence }]));
  const patterns = (plan.patterns ?? []).map(([pattern, schema]) => [pattern, check(schema)] as const);
  const others = plan.others === undefined || plan.others === false ? plan.others : check(plan.others);
  const needed = [...declared].filter(([, { presence }]) => presence === "required").map(([name]) => name);

  const validEntry = (name: string, item: unknown): boolean => {
    const property = declared.get(name);
    let covered = property !== undefined;
    if (property !== undefined && !property.part.valid(item)) return false;
    for (const [pattern, part] of patterns) {
      if (!pattern.test(name)) continue;
      covered = true;
      if (!part.valid(item)) return false;
    }
    if (covered || others === undefined) return true;
    return others !== false && others.valid(item);
  };
  const reportEntry = (name: string, item: unknown): readonly Problem[] => {
    const matched = patterns.filter(([pattern]) => pattern.test(name)).map(([, part]) => part);
    const property = declared.get(name);
    if (property !== undefined) matched.unshift(property.part);
    if (matched.length > 0) return matched.flatMap((part) => part.problems(item));
    if (others === undefined) return [];
    if (others !== false) return others.problems(item);
    return [{ path: [], rule: "additionalProperties", message: "is not a known property" }];
  };
  return schemaOf(
    keyword(
      (value) => {
        if (!isObject(value)) return false;
        for (const name of needed) if (!Object.hasOwn(value, name)) return false;
        for (const name of Object.keys(value)) if (!validEntry(name, value[name])) return false;
        return true;
      },
      (value) => {
        if (value === undefined) return missing;
        if (!isObject(value)) return [{ path: [], rule: "type", message: "must be an object" }];
        const absent = needed.filter((name) => !Object.hasOwn(value, name));
        return [
          ...absent.flatMap((name) => within(name, missing)),
          ...Object.keys(value).flatMap((name) => within(name, reportEntry(name, value[name]))),
        ];
      },
    ),
  );
}

/** Which properties a schema has looked at (JSON Schema 2020-12 section 11.3). */
export interface Evaluated {
  /** looked at only when this accepts the object */
  readonly when?: z.ZodType;
  readonly names?: readonly string[];
  readonly patterns?: readonly RegExp[];
  readonly all?: true;
  readonly parts?: readonly Evaluated[];
}

/** What holds of the properties that no part of the schema has looked at. */
export function unevaluatedProperties(plan: Evaluated, others: z.ZodType | false): z.core.$ZodCheck<unknown> {
  const part = others === false ? undefined : check(others);
  const report: Report = (value) => {
    if (!isObject(value)) return [];
    return Object.keys(value)
      .filter((name) => !isEvaluated(plan, name, value))
      .flatMap((name) =>
        within(
          name,
          part === undefined
            ? [{ path: [], rule: "unevaluatedProperties", message: "is not a known property" }]
            : part.problems(value[name]),
        ),
      );
  };
  return keyword((value) => report(value).length === 0, report);
}

function isEvaluated(plan: Evaluated, name: string, value: JsonObject): boolean {
  if (plan.when !== undefined && !check(plan.when).valid(value)) return false;
  return (
    plan.all === true ||
    plan.names?.includes(name) === true ||
    plan.patterns?.some((pattern) => pattern.test(name)) === true ||
    plan.parts?.some((part) => isEvaluated(part, name, value)) === true
  );
}

/** An object used as a map: every value has one form. */
export function map<T>(schema: z.ZodType<T>): z.ZodType<Record<string, T>> {
  return members({ others: schema });
}
