// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import * as combinations from "./runtime/combinations.ts";
import * as keywords from "./runtime/keywords.ts";
import type * as types from "./types.ts";

export const Base: z.ZodType<types.Base> = keywords.says<types.Base>()(
  z.looseObject({
    label: z.string().check(keywords.maxLength(9)).nullable().exactOptional(),
  }),
);

export const Thing: z.ZodType<types.Thing> = keywords.says<types.Thing>()(
  z.looseObject({
    amount: z.number().gt(0).max(10),
    label: z.string().nullable().exactOptional(),
    state: z.enum(["on", "off"]).exactOptional(),
    mode: z.literal(["on", "off", null]).exactOptional(),
    base: Base.exactOptional(),
    maybe: combinations.anyOf(Base, z.null()).exactOptional(),
    notNull: z.string().exactOptional(),
    bytes: z.string().check(keywords.format("byte")).exactOptional(),
  }),
);

export const Untyped: z.ZodType<types.Untyped> = keywords.says<types.Untyped>()(
  keywords.byType({ string: z.string().check(keywords.minLength(2)) }, "allowed"),
);

export const Either: z.ZodType<types.Either> = keywords.says<types.Either>()(
  combinations.oneOf(z.string(), z.int()),
);

export const EitherWithNull: z.ZodType<types.EitherWithNull> =
  keywords.says<types.EitherWithNull>()(combinations.oneOf(z.string().nullable(), z.int()));

export const Narrow: z.ZodType<types.Narrow> = keywords.says<types.Narrow>()(
  combinations.allOf(z.looseObject({}).nullable(), Base),
);

export const Alias: z.ZodType<types.Alias> = keywords.says<types.Alias>()(Base);

export const ThroughAlias: z.ZodType<types.ThroughAlias> =
  keywords.says<types.ThroughAlias>()(Alias);

export const Around: z.ZodType<types.Around> = keywords.says<types.Around>()(
  z
    .looseObject({
      next: keywords.later(() => Around).exactOptional(),
    })
    .nullable(),
);
