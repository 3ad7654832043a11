// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import * as combinations from "./runtime/combinations.ts";
import * as keywords from "./runtime/keywords.ts";
import * as objects from "./runtime/objects.ts";
import type * as types from "./types.ts";

export const Tree: z.ZodType<types.Tree> = keywords.says<types.Tree>()(
  z.looseObject({
    children: keywords.array(keywords.later(() => Tree)),
  }),
);

export const Chain: z.ZodType<types.Chain> = keywords.says<types.Chain>()(
  z.looseObject({
    next: keywords
      .later(() => Chain)
      .nullable()
      .exactOptional(),
  }),
);

export const Egg: z.ZodType<types.Egg> = keywords.says<types.Egg>()(
  z.looseObject({
    hen: keywords.later(() => Hen).exactOptional(),
  }),
);

export const Hen: z.ZodType<types.Hen> = keywords.says<types.Hen>()(
  z.looseObject({
    eggs: keywords.array(Egg),
  }),
);

export const NestedMap: z.ZodType<types.NestedMap> = keywords.says<types.NestedMap>()(
  objects.map(keywords.later(() => NestedMap)),
);

export const Expression: z.ZodType<types.Expression> = keywords.says<types.Expression>()(
  combinations.oneOf(
    z.number(),
    z.strictObject({
      op: z.enum(["+", "-"]),
      left: keywords.later(() => Expression),
      right: keywords.later(() => Expression),
    }),
  ),
);

export const Extended: z.ZodType<types.Extended> = keywords.says<types.Extended>()(
  combinations.allOf(
    Tree,
    z.looseObject({
      twin: keywords.later(() => Extended).exactOptional(),
    }),
  ),
);

export const JsonValue: z.ZodType<types.JsonValue> = keywords.says<types.JsonValue>()(
  combinations.anyOf(
    keywords.byType(
      { string: z.string(), number: z.number(), boolean: z.boolean(), null: z.null() },
      "refused",
    ),
    keywords.array(keywords.later(() => JsonValue)),
    objects.map(keywords.later(() => JsonValue)),
  ),
);
