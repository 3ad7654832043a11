// Written by "npm run generate" from spec/openapi.yaml; do not edit.

// The check of a schema, wherever it stands in a route.

import type { z } from "zod";
import * as checking from "./checking.ts";

export type Checked = checking.Check | undefined;

/** The route may also hold schemas as plain JSON Schema or references: those are not checked. */
export function checkOf(schema: unknown): Checked {
  if (typeof schema !== "object" || schema === null || !("_zod" in schema)) return undefined;
  return checking.check(schema as z.ZodType); // only zod's schemas have `_zod`
}
