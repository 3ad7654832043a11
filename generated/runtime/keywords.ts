// Written by "npm run generate" from spec/openapi.yaml; do not edit.

// JSON Schema 2020-12 keywords of single values and of arrays that zod cannot say exactly.

import { z } from "zod";
import * as checking from "./checking.ts";
import { formats, type Format } from "./formats.ts";

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
export function says<T>(): <S extends { readonly _zod: { readonly output: Checked<T> } }>(
  schema: S & ([T] extends [S["_zod"]["output"]] ? unknown : never),
) => z.ZodType<T> {
  // compared above through the output types alone; comparing whole schemas costs seconds
  return (schema) => schema as unknown as z.ZodType<T>;
}

/** The same schema, beside others that the contract's types leave out. */
export function unchecked(schema: z.ZodType): z.ZodType<Unchecked> {
  return schema;
}

/** Of a type that no value has there is nothing to check, and `any` is not one. */
type Checked<T> = [T] extends [never] ? unknown : T;

// ---------------------------------------------------------------------------------------------
// Strings and numbers

/** In code points (RFC 8259 section 7), of which each takes one or two UTF-16 units. */
function codePoints(text: string): number {
  let found = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    if (text.charCodeAt(index) >>> 10 !== 0x36 || text.charCodeAt(index + 1) >>> 10 !== 0x37)
      continue;
    found -= 1;
    index += 1;
  }
  return found;
}

export function minLength(limit: number): z.core.$ZodCheck<unknown> {
  return checking.simple(
    "minLength",
    `must have at least ${checking.count(limit, "character")}`,
    (value) =>
      typeof value === "string" && value.length < limit * 2
        ? value.length >= limit && codePoints(value) >= limit
        : true,
  );
}

export function maxLength(limit: number): z.core.$ZodCheck<unknown> {
  return checking.simple(
    "maxLength",
    `must have at most ${checking.count(limit, "character")}`,
    (value) => typeof value !== "string" || fits(value, limit),
  );
}

function fits(text: string, limit: number): boolean {
  return text.length <= limit || (text.length <= limit * 2 && codePoints(text) <= limit);
}

/**
 * Beside a `maxLength`: what is longer is refused for that, and never held against the expression. What an expression
 * costs may grow with the square of the text or worse, and the text is as long as a body may be.
 */
export function pattern(expression: RegExp, limit: number): z.core.$ZodCheck<unknown> {
  return checking.simple(
    "pattern",
    checking.patternMessage(expression.toString()),
    (value) => typeof value !== "string" || !fits(value, limit) || expression.test(value),
  );
}

export function format(name: Format): z.core.$ZodCheck<unknown> {
  const matches: (text: string) => boolean = formats[name];
  return checking.simple("format", `must be a valid ${name}`, (value) =>
    typeof value === "string" ? matches(value) : true,
  );
}

/** Exact on the decimal digits a number is written with, where division would round. */
export function multipleOf(divisor: number): z.core.$ZodCheck<unknown> {
  return checking.simple("multipleOf", `must be a multiple of ${divisor}`, (value) =>
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
export function values(...list: readonly unknown[]): z.core.$ZodCheck<unknown> {
  const texts = new Set(list.map(checking.canonical));
  return checking.simple(...checking.allowed(list), (value) =>
    texts.has(checking.canonical(value)),
  );
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
  const names = Object.keys(schemas).map(checking.article).join(" or ");
  const wrongType: readonly checking.Problem[] = [
    { path: [], rule: "type", message: `must be ${names}` },
  ];
  return checking.schemaOf(
    checking.keyword(
      (value) => {
        if (value === undefined) return false;
        const schema = byName[typeOf(value)];
        return schema === undefined ? others === "allowed" : checking.check(schema).valid(value);
      },
      (value) => {
        if (value === undefined) return checking.missing;
        const schema = byName[typeOf(value)];
        if (schema !== undefined) return checking.check(schema).problems(value);
        return others === "allowed" ? [] : wrongType;
      },
    ),
  );
}

/** Anything JSON can say; unlike `z.unknown()`, an absent property is not a value. */
export function anything(): z.ZodType<Unchecked> {
  return checking.schemaOf(
    checking.simple("required", "is required", (value) => value !== undefined),
  );
}

/** A schema that stands further down or refers to itself; compiled on its own. */
export function later<T>(schema: () => z.ZodType<T>): z.ZodType<T> {
  let known: checking.Check | undefined;
  const get = (): checking.Check => (known ??= checking.check(schema()));
  return checking.schemaOf<T>(
    checking.keyword(
      (value) => get().valid(value),
      (value) => (value === undefined ? checking.missing : get().problems(value)),
    ),
  );
}

// ---------------------------------------------------------------------------------------------
// Arrays

/**
 * Every item has one form. Unlike zod's own array it looks at the items where they are, and stops
 * reporting when nobody would read on: a body of 64 kB has room for 30,000 wrong items.
 */
export function array<T>(schema: z.ZodType<T>): z.ZodType<T[]> {
  const part = checking.check(schema);
  const notAnArray: readonly checking.Problem[] = [
    { path: [], rule: "type", message: "must be an array" },
  ];
  return checking.schemaOf(
    checking.keyword(
      (value) => Array.isArray(value) && value.every((item) => part.valid(item)),
      (value) => {
        if (value === undefined) return checking.missing;
        if (!Array.isArray(value)) return notAnArray;
        return checking.collect(value.keys(), (index) =>
          checking.within(index, part.problems(value[index])),
        );
      },
    ),
  );
}

export function minItems(limit: number): z.core.$ZodCheck<unknown> {
  return checking.simple(
    "minItems",
    `must have at least ${checking.count(limit, "item")}`,
    (value) => (Array.isArray(value) ? value.length >= limit : true),
  );
}

export function maxItems(limit: number): z.core.$ZodCheck<unknown> {
  return checking.simple(
    "maxItems",
    `must have at most ${checking.count(limit, "item")}`,
    (value) => (Array.isArray(value) ? value.length <= limit : true),
  );
}

/** No two items are equal by value (JSON Schema validation 6.4.3). */
export function uniqueItems(): z.core.$ZodCheck<unknown> {
  return checking.simple("uniqueItems", "must not contain the same item twice", (value) => {
    if (!Array.isArray(value) || value.length < 2) return true;
    const primitive = value.every((item) => typeof item !== "object" || item === null);
    return new Set(primitive ? value : value.map(checking.canonical)).size === value.length;
  });
}

/** An array of anything; its type is the contract's word. */
export function tuple(): z.ZodType<Unchecked> {
  return byType({ array: z.array(z.unknown()) }, "refused");
}

/** `prefixItems`, and `items` for what comes after; a shorter array is welcome. */
export function prefixItems(
  first: readonly z.ZodType[],
  rest?: z.ZodType,
): z.core.$ZodCheck<unknown> {
  const parts = first.map(checking.check);
  const others = rest === undefined ? undefined : checking.check(rest);
  const part = (index: number): checking.Check | undefined => parts[index] ?? others;
  return checking.keyword(
    (value) =>
      !Array.isArray(value) || value.every((item, index) => part(index)?.valid(item) ?? true),
    (value) =>
      Array.isArray(value)
        ? checking.collect(value.keys(), (index) =>
            checking.within(index, part(index)?.problems(value[index]) ?? []),
          )
        : [],
  );
}

export function contains(
  schema: z.ZodType,
  limits: { readonly min: number; readonly max?: number },
): z.core.$ZodCheck<unknown> {
  const part = checking.check(schema);
  const { min, max = Number.POSITIVE_INFINITY } = limits;
  const range = max === Number.POSITIVE_INFINITY ? `at least ${min}` : `${min} to ${max}`;
  return checking.simple("contains", `must contain ${range} items of the wanted form`, (value) => {
    if (!Array.isArray(value)) return true;
    const found = value.filter((item) => part.valid(item)).length;
    return found >= min && found <= max;
  });
}
