// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import type * as runtime from "./runtime/runtime.ts";

interface Parameter extends runtime.ParameterPlan {
  readonly schema: z.ZodType;
}

export const Limit: Parameter = {
  in: "query",
  name: "limit",
  style: "form",
  explode: true,
  kind: { scalar: ["integer"] },
  default: 20,
  schema: z.int().min(1).max(100),
};
