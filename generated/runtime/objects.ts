// Written by "npm run generate" from spec/openapi.yaml; do not edit.

// JSON Schema 2020-12 keywords of objects that zod cannot say exactly.

import type { z } from "zod";
import * as checking from "./checking.ts";
import type { Unchecked } from "./keywords.ts";

const notAnObject: readonly checking.Problem[] = [
  { path: [], rule: "type", message: "must be an object" },
];

export function minProperties(limit: number): z.core.$ZodCheck<unknown> {
  return checking.simple(
    "minProperties",
    `must have at least ${limit} ${limit === 1 ? "property" : "properties"}`,
    (value) => (checking.isObject(value) ? Object.keys(value).length >= limit : true),
  );
}

export function maxProperties(limit: number): z.core.$ZodCheck<unknown> {
  return checking.simple(
    "maxProperties",
    `must have at most ${limit} ${limit === 1 ? "property" : "properties"}`,
    (value) => (checking.isObject(value) ? Object.keys(value).length <= limit : true),
  );
}

/** Required names, where the object's own shape cannot say it. */
export function required(...names: readonly string[]): z.core.$ZodCheck<unknown> {
  return checking.keyword(
    (value) => !checking.isObject(value) || names.every((name) => Object.hasOwn(value, name)),
    (value) =>
      checking.isObject(value)
        ? names
            .filter((name) => !Object.hasOwn(value, name))
            .flatMap((name) => checking.within(name, checking.missing))
        : [],
  );
}

export function propertyNames(schema: z.ZodType): z.core.$ZodCheck<unknown> {
  const part = checking.check(schema);
  return checking.keyword(
    (value) => !checking.isObject(value) || Object.keys(value).every((name) => part.valid(name)),
    (value) =>
      checking.isObject(value)
        ? checking.collect(Object.keys(value), (name) =>
            part.problems(name).map((problem) => ({
              path: [name],
              rule: "propertyNames",
              message: `has a name that ${problem.message}`,
            })),
          )
        : [],
  );
}

export function dependentRequired(
  names: Readonly<Record<string, readonly string[]>>,
): z.core.$ZodCheck<unknown> {
  const entries = Object.entries(names);
  const report: checking.Report = (value) => {
    if (!checking.isObject(value)) return [];
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
  return checking.keyword((value) => report(value).length === 0, report);
}

export function dependentSchemas(
  schemas: Readonly<Record<string, z.ZodType>>,
): z.core.$ZodCheck<unknown> {
  const entries = Object.entries(schemas).map(
    ([name, schema]) => [name, checking.check(schema)] as const,
  );
  const active = (value: unknown): checking.Check[] =>
    checking.isObject(value)
      ? entries.filter(([name]) => Object.hasOwn(value, name)).map(([, part]) => part)
      : [];
  return checking.keyword(
    (value) => active(value).every((part) => part.valid(value)),
    (value) => active(value).flatMap((part) => part.problems(value)),
  );
}

type Property = readonly [name: string, schema: z.ZodType, presence: "required" | "optional"];

/** What an object says of its properties, where zod's own objects would be wrong. */
export interface Members {
  readonly properties?: readonly Property[];
  readonly patterns?: readonly (readonly [pattern: RegExp, schema: z.ZodType])[];
  /** for names that neither of the two above covers; `false` refuses them */
  readonly others?: z.ZodType | false;
}

/**
 * `properties`, `patternProperties` and `additionalProperties` over own keys only, so that names
 * such as "constructor" and "__proto__" are names like any other.
 */
export function members(plan: Members): z.ZodType<Unchecked> {
  const declared = new Map(
    (plan.properties ?? []).map(([name, schema, presence]) => [
      name,
      { part: checking.check(schema), presence },
    ]),
  );
  const patterns = (plan.patterns ?? []).map(
    ([pattern, schema]) => [pattern, checking.check(schema)] as const,
  );
  const others =
    plan.others === undefined || plan.others === false ? plan.others : checking.check(plan.others);
  const needed = [...declared]
    .filter(([, { presence }]) => presence === "required")
    .map(([name]) => name);

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
  const reportEntry = (name: string, item: unknown): readonly checking.Problem[] => {
    const matched = patterns.filter(([pattern]) => pattern.test(name)).map(([, part]) => part);
    const property = declared.get(name);
    if (property !== undefined) matched.unshift(property.part);
    if (matched.length > 0) return matched.flatMap((part) => part.problems(item));
    if (others === undefined) return [];
    if (others !== false) return others.problems(item);
    return [{ path: [], rule: "additionalProperties", message: "is not a known property" }];
  };
  return checking.schemaOf(
    checking.keyword(
      (value) => {
        if (!checking.isObject(value)) return false;
        for (const name of needed) if (!Object.hasOwn(value, name)) return false;
        for (const name of Object.keys(value)) if (!validEntry(name, value[name])) return false;
        return true;
      },
      (value) => {
        if (value === undefined) return checking.missing;
        if (!checking.isObject(value)) return notAnObject;
        const absent = needed.filter((name) => !Object.hasOwn(value, name));
        return [
          ...absent.flatMap((name) => checking.within(name, checking.missing)),
          ...checking.collect(Object.keys(value), (name) =>
            checking.within(name, reportEntry(name, value[name])),
          ),
        ];
      },
    ),
  );
}

/** The same for the parameters of one place, or for headers: a route looks into them by `shape`. */
export function named(properties: readonly Property[]): z.ZodObject {
  const shape = Object.fromEntries(properties.map(([name, schema]) => [name, schema]));
  // What reads a route takes of an object of zod its checks and its shape.
  return Object.assign(members({ properties }), { shape }) as unknown as z.ZodObject;
}

/** An object used as a map: every value has one form. */
export function map<T>(schema: z.ZodType<T>): z.ZodType<Record<string, T>> {
  const part = checking.check(schema);
  return checking.schemaOf(
    checking.keyword(
      (value) => {
        if (!checking.isObject(value)) return false;
        for (const name of Object.keys(value)) if (!part.valid(value[name])) return false;
        return true;
      },
      (value) => {
        if (value === undefined) return checking.missing;
        if (!checking.isObject(value)) return notAnObject;
        return checking.collect(Object.keys(value), (name) =>
          checking.within(name, part.problems(value[name])),
        );
      },
    ),
  );
}
