// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";

export const Shared: z.ZodType = z.array(z.int());
