// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import * as keywords from "./runtime/keywords.ts";

export const Shared: z.ZodType = keywords.array(z.int());
