// The tables of keywords. A schema stands there as a contract would write it.

import type { Json } from "../../../generator/json.ts";
import type { Subject } from "../../../generator/conformance/compile.ts";

export interface Row extends Subject {
  readonly name: string;
  /** values that fit, where drawing one by chance takes long */
  readonly fits?: readonly Json[];
  /** no value can fit, or none can break it */
  readonly always?: "valid" | "invalid";
}

export const text: Json = { type: "string" };
export const whole: Json = { type: "integer" };

export function reference(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

type More = Omit<Row, "name" | "schema">;

/** Rows by their names; of a few there is more to say. */
export function rows(
  schemas: Readonly<Record<string, Json>>,
  more: Readonly<Record<string, More>> = {},
): readonly Row[] {
  const strays = Object.keys(more).filter((name) => !Object.hasOwn(schemas, name));
  if (strays.length > 0) throw new Error(`no schemas: ${strays.join(", ")}`);
  return Object.entries(schemas).map(([name, schema]) => ({ name, schema, ...more[name] }));
}
