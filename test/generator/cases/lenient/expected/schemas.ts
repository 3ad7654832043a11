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

export const Merged: z.ZodType<types.Merged> = keywords.says<types.Merged>()(
  z.looseObject({
    a: z.string(),
  }),
);

export const MergedAgain: z.ZodType<types.MergedAgain> = keywords.says<types.MergedAgain>()(
  z.looseObject({
    b: z.int().exactOptional(),
    a: keywords.anything(),
  }),
);

export const MergedTwice: z.ZodType<types.MergedTwice> = keywords.says<types.MergedTwice>()(
  z.looseObject({
    a: z.string(),
  }),
);

export const Quoted: z.ZodType<types.Quoted> = keywords.says<types.Quoted>()(
  z.looseObject({
    "<<": z.string().exactOptional(),
  }),
);

export const Folded: z.ZodType<types.Folded> = keywords.says<types.Folded>()(
  keywords
    .tuple()
    .check(
      keywords.prefixItems([
        z.string(),
        z.string(),
        z.string(),
        z.string(),
        z.string(),
        z.string(),
        z.string(),
        z.string(),
        z.string(),
        z.string(),
        z.string(),
        z.string(),
        z.string(),
        z.string(),
        z.string(),
        z.string(),
      ]),
    ),
);
