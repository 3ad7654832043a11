// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import * as keywords from "./runtime/keywords.ts";
import type * as types from "./types.ts";

export const A: z.ZodType<types.A> = keywords.says<types.A>()(
  z.looseObject({
    $ref: z.string().exactOptional(),
    b: keywords
      .anything()
      .check(keywords.values({ $ref: "https://127.0.0.1:9/z" }))
      .exactOptional(),
    c: keywords
      .anything()
      .check(keywords.values({ $ref: "#/nothing" }, 1))
      .exactOptional(),
    d: z.looseObject({}).exactOptional(),
  }),
);

export const $ref: z.ZodType<types.$ref> = keywords.says<types.$ref>()(z.string());
