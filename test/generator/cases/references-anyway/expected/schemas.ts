// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import * as keywords from "./runtime/keywords.ts";
import type * as types from "./types.ts";

export const Pet: z.ZodType<types.Pet> = keywords.says<types.Pet>()(
  z.looseObject({
    name: z.string().check(keywords.maxLength(40)),
    age: z.int().min(0).exactOptional(),
  }),
);

export const Odd: z.ZodType<types.Odd> = keywords.says<types.Odd>()(
  z.looseObject({
    $ref: z.string().exactOptional(),
  }),
);
