// `unevaluatedProperties` and `unevaluatedItems` (JSON Schema 2020-12 core, section 11): what holds of the
// properties and items that no other part of a schema has looked at.

import type { z } from "zod";
import * as checking from "./checking.ts";

/** What a schema has looked at; only when `when` accepts the whole value. */
interface Evaluated {
  readonly when?: z.ZodType;
  readonly all?: true;
}

export interface EvaluatedProperties extends Evaluated {
  readonly names?: readonly string[];
  readonly patterns?: readonly RegExp[];
  readonly parts?: readonly EvaluatedProperties[];
}

export interface EvaluatedItems extends Evaluated {
  /** how many from the beginning */
  readonly first?: number;
  /** further items that this accepts */
  readonly contains?: z.ZodType;
  readonly parts?: readonly EvaluatedItems[];
}

export function properties(
  plan: EvaluatedProperties,
  others: z.ZodType | false,
): z.core.$ZodCheck<unknown> {
  const refused = problemOf("unevaluatedProperties", "is not a known property");
  return restOf(others, refused, (value) => {
    if (!checking.isObject(value)) return [];
    const parts = partsOf(plan, value);
    const isKnown = (name: string): boolean =>
      parts.some(
        ({ all, names, patterns }) =>
          all === true ||
          names?.includes(name) === true ||
          patterns?.some((pattern) => pattern.test(name)) === true,
      );
    return Object.keys(value)
      .filter((name) => !isKnown(name))
      .map((name) => [name, value[name]]);
  });
}

export function items(plan: EvaluatedItems, others: z.ZodType | false): z.core.$ZodCheck<unknown> {
  const refused = problemOf("unevaluatedItems", "is one item too many");
  return restOf(others, refused, (value) => {
    if (!Array.isArray(value)) return [];
    const list: readonly unknown[] = value;
    const parts = partsOf(plan, list);
    const isKnown = (index: number): boolean =>
      parts.some(
        ({ all, first = 0, contains }) =>
          all === true ||
          index < first ||
          (contains !== undefined && checking.check(contains).valid(list[index])),
      );
    return [...list.entries()].filter(([index]) => !isKnown(index));
  });
}

function problemOf(rule: string, message: string): readonly checking.Problem[] {
  return [{ path: [], rule, message }];
}

type Entries = readonly (readonly [key: string | number, item: unknown])[];

function restOf(
  others: z.ZodType | false,
  refused: readonly checking.Problem[],
  entriesOf: (value: unknown) => Entries,
): z.core.$ZodCheck<unknown> {
  const part = others === false ? undefined : checking.check(others);
  return checking.keyword(
    (value) => entriesOf(value).every(([, item]) => part?.valid(item) ?? false),
    (value) =>
      checking.collect(entriesOf(value), ([key, item]) =>
        checking.within(key, part === undefined ? refused : part.problems(item)),
      ),
  );
}

/** The plan and all of its parts that count for this value: each condition is asked once a value. */
function partsOf<Plan extends Evaluated & { readonly parts?: readonly Plan[] }>(
  plan: Plan,
  value: unknown,
): readonly Plan[] {
  if (plan.when !== undefined && !checking.check(plan.when).valid(value)) return [];
  return [plan, ...(plan.parts ?? []).flatMap((part) => partsOf(part, value))];
}
