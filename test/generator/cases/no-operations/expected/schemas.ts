// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import * as keywords from "./runtime/keywords.ts";
import type * as types from "./types.ts";

export const Order: z.ZodType<types.Order> = keywords.says<types.Order>()(
  z.looseObject({
    id: z.string().exactOptional(),
  }),
);
