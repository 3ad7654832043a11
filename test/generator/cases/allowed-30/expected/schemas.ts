// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import * as keywords from "./runtime/keywords.ts";
import * as objects from "./runtime/objects.ts";
import type * as types from "./types.ts";

export const All: z.ZodType<types.All> = keywords.says<types.All>()(
  objects.members({
    properties: [
      [
        "either",
        keywords.byType({ string: z.string(), number: z.int(), null: z.null() }, "refused"),
        "optional",
      ],
      ["constant", z.literal(5), "optional"],
      ["above", z.number().gt(0), "optional"],
      ["named", keywords.later(() => Named), "optional"],
      ["tuple", keywords.tuple().check(keywords.prefixItems([z.string()], z.int())), "optional"],
    ],
    patterns: [[/^x-/u, z.int()]],
  }),
);

export const Named: z.ZodType<types.Named> = keywords.says<types.Named>()(z.string());
