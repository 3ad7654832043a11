// Written by "npm run generate" from spec/openapi.yaml; do not edit.

// Schemas made of schemas: allOf, anyOf, oneOf, discriminator, not, if.

import type { z } from "zod";
import * as checking from "./checking.ts";

type Outputs<S extends readonly z.ZodType[]> = z.output<S[number]>;
type Intersection<S extends readonly z.ZodType[]> = S extends readonly [
  infer Head extends z.ZodType,
  ...infer Tail extends readonly z.ZodType[],
]
  ? z.output<Head> & Intersection<Tail>
  : unknown;

/** Every schema must accept the whole value; each reports for itself. */
export function allOf<const S extends readonly z.ZodType[]>(
  ...schemas: S
): z.ZodType<Intersection<S>> {
  const parts = schemas.map(checking.check);
  return checking.schemaOf(
    checking.keyword(
      (value) => parts.every((part) => part.valid(value)),
      (value) =>
        value === undefined
          ? checking.missing
          : distinct(parts.flatMap((part) => part.problems(value))),
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
  const base = checking.check(schema);
  const rest = checking.check(checking.schemaOf(...keywords));
  return checking.schemaOf(
    checking.keyword(
      (value) => base.valid(value) && rest.valid(value),
      (value) =>
        value === undefined ? checking.missing : [...base.problems(value), ...rest.problems(value)],
    ),
  );
}

/** Two members may report the same problem of the same place. */
function distinct(problems: readonly checking.Problem[]): readonly checking.Problem[] {
  const seen = new Set<string>();
  return problems.filter((problem) => {
    const key = JSON.stringify([problem.path, problem.rule, problem.message]);
    return !seen.has(key) && seen.add(key);
  });
}

export function anyOf<const S extends readonly z.ZodType[]>(...schemas: S): z.ZodType<Outputs<S>> {
  const parts = schemas.map(checking.check);
  return checking.schemaOf(
    checking.keyword(
      (value) => parts.some((part) => part.valid(value)),
      (value) => {
        if (value === undefined) return checking.missing;
        return parts.some((part) => part.valid(value)) ? [] : noneFits("anyOf", parts, value);
      },
    ),
  );
}

/** Exactly one schema accepts the value. */
export function oneOf<const S extends readonly z.ZodType[]>(...schemas: S): z.ZodType<Outputs<S>> {
  const parts = schemas.map(checking.check);
  const matches = (value: unknown): number => {
    let found = 0;
    for (const part of parts) if (part.valid(value) && ++found > 1) return found;
    return found;
  };
  return checking.schemaOf(
    checking.keyword(
      (value) => matches(value) === 1,
      (value) => {
        if (value === undefined) return checking.missing;
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
function noneFits(
  rule: string,
  parts: readonly checking.Check[],
  value: unknown,
): readonly checking.Problem[] {
  const reports = parts.map((part) => part.problems(value));
  const depth = (report: readonly checking.Problem[]): number =>
    report.filter((one) => one.path.length > 0).length;
  // an alternative that already refuses the value as a whole was not meant
  const meant = reports.filter((report) => depth(report) === report.length);
  const closest = meant.toSorted((a, b) => a.length - b.length)[0] ?? [];
  const message = `must fit ${rule === "oneOf" ? "exactly one" : "at least one"} of ${parts.length} alternatives and fits none`;
  return [{ path: [], rule, message }, ...closest];
}

/** `oneOf` with a discriminator: the tag chooses the one schema that is asked; `fallback` where it chooses none. */
export function tagged<const M extends Readonly<Record<string, z.ZodType>>>(
  property: string,
  schemas: M,
  fallback?: M[keyof M],
): z.ZodType<z.output<M[keyof M]>> {
  const parts = new Map(
    Object.entries(schemas).map(([tag, schema]) => [tag, checking.check(schema)]),
  );
  const otherwise = fallback === undefined ? undefined : checking.check(fallback);
  const find = (value: unknown): checking.Check | undefined => {
    if (!checking.isObject(value) || !Object.hasOwn(value, property)) return otherwise;
    const tag = value[property];
    return (typeof tag === "string" ? parts.get(tag) : undefined) ?? otherwise;
  };
  const tags = [...parts.keys()].map((tag) => JSON.stringify(tag)).join(", ");
  return checking.schemaOf(
    checking.keyword(
      (value) => find(value)?.valid(value) ?? false,
      (value) => {
        if (value === undefined) return checking.missing;
        const part = find(value);
        if (part !== undefined) return part.problems(value);
        if (!checking.isObject(value))
          return [{ path: [], rule: "type", message: "must be an object" }];
        if (!Object.hasOwn(value, property)) return checking.within(property, checking.missing);
        return [{ path: [property], rule: "discriminator", message: `must be one of ${tags}` }];
      },
    ),
  );
}

export function not(schema: z.ZodType): z.core.$ZodCheck<unknown> {
  const refused = checking.check(schema);
  return checking.simple(
    "not",
    "has a form that is not allowed here",
    (value) => !refused.valid(value),
  );
}

/** `if` / `then` / `else`. */
export function conditional(
  condition: z.ZodType,
  branches: { readonly then?: z.ZodType; readonly else?: z.ZodType },
): z.core.$ZodCheck<unknown> {
  const test = checking.check(condition);
  const accepted = branches.then === undefined ? undefined : checking.check(branches.then);
  const rejected = branches.else === undefined ? undefined : checking.check(branches.else);
  const pick = (value: unknown): checking.Check | undefined =>
    test.valid(value) ? accepted : rejected;
  return checking.keyword(
    (value) => pick(value)?.valid(value) ?? true,
    (value) => pick(value)?.problems(value) ?? [],
  );
}
