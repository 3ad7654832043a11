// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";

export const Total: z.ZodType = z.int();
