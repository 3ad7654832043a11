// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import type * as runtime from "./runtime/runtime.ts";

interface Parameter extends runtime.ParameterPlan {
  readonly schema: z.ZodType;
}

export const Page: Parameter = {
  in: "query",
  name: "page",
  style: "form",
  explode: true,
  kind: { scalar: ["integer"] },
  default: 1,
  schema: z.int().min(1),
};
