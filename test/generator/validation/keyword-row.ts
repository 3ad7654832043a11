// One line of the tables of keywords. A schema stands there as a contract would write it.

import type { Json } from "../../../generator/json.ts";
import type { Subject } from "./compile-schema.ts";

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
