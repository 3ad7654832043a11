// A JSON Schema as the generator would validate it: printed as zod source, evaluated, compiled.

import { z } from "zod";
import type { Json, JsonObject } from "../json.ts";
import type { Scope } from "../emit/printing.ts";
import { printSchema } from "../emit/zod.ts";
import * as checking from "../runtime/checking.ts";
import * as combinations from "../runtime/combinations.ts";
import * as keywords from "../runtime/keywords.ts";
import * as objects from "../runtime/objects.ts";
import * as unevaluated from "../runtime/unevaluated.ts";

export type Components = Readonly<Record<string, Json>>;

/** A schema may refer to components as `#/components/schemas/Name`. */
export interface Subject {
  readonly schema: Json;
  readonly components?: Components;
}

/** The same text as in a generated file: components in order, later ones behind a function. */
export function sourceOf({ schema, components = {} }: Subject): string {
  const names = Object.keys(components);
  const written = new Set<string>();
  const scope: Scope = {
    // the printer reads only; Json has no readonly form
    document: { components: { schemas: components as JsonObject } },
    reference(component) {
      const name = `component${names.indexOf(component)}`;
      return written.has(component) ? name : `keywords.later(() => ${name})`;
    },
  };
  const lines = names.map((name, index) => {
    const text = printSchema(components[name], scope);
    written.add(name);
    return `const component${index} = ${text};`;
  });
  return [...lines, `return ${printSchema(schema, scope)};`].join("\n");
}

export function compileSchema(subject: Subject): checking.Check {
  const source = sourceOf(subject);
  // oxlint-disable-next-line typescript/no-implied-eval -- generated source is what is tested
  const build = new Function("z", "keywords", "combinations", "objects", "unevaluated", source) as (
    ...scope: unknown[]
  ) => z.ZodType;
  return checking.check(build(z, keywords, combinations, objects, unevaluated));
}
