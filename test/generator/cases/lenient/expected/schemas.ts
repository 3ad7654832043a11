// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import * as combinations from "./runtime/combinations.ts";
import * as keywords from "./runtime/keywords.ts";
import type * as types from "./types.ts";

export const Nothing: z.ZodType<types.Nothing> = keywords.says<types.Nothing>()(z.never());

export const Word: z.ZodType<types.Word> = keywords.says<types.Word>()(z.string());

export const Either: z.ZodType<types.Either> = keywords.says<types.Either>()(
  combinations.oneOf(
    keywords.later(() => A),
    keywords.later(() => B),
  ),
);

export const A: z.ZodType<types.A> = keywords.says<types.A>()(
  z.looseObject({
    a: z.int(),
  }),
);

export const B: z.ZodType<types.B> = keywords.says<types.B>()(
  z.looseObject({
    b: Word,
  }),
);
