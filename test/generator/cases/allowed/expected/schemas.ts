// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import * as combinations from "./runtime/combinations.ts";
import * as keywords from "./runtime/keywords.ts";
import * as objects from "./runtime/objects.ts";
import type * as types from "./types.ts";

/** Anything */
export const Nothing: z.ZodType<types.Nothing> = keywords.says<types.Nothing>()(
  keywords.anything(),
);

export const NoAnchor: z.ZodType<types.NoAnchor> = keywords.says<types.NoAnchor>()(
  keywords.anything(),
);

export const Anchored: z.ZodType<types.Anchored> = keywords.says<types.Anchored>()(
  combinations.anyOf(z.string(), z.int()),
);

export const ByAnchor: z.ZodType<types.ByAnchor> = keywords.says<types.ByAnchor>()(
  keywords.later(() => Anchored_anyOf_0),
);

export const Kind: z.ZodType<types.Kind> = keywords.says<types.Kind>()(keywords.anything());

export const Ids: z.ZodType<types.Ids> = keywords.says<types.Ids>()(
  combinations.anyOf(z.string(), z.string(), z.boolean(), z.int()),
);

export const ById: z.ZodType<types.ById> = keywords.says<types.ById>()(
  keywords.later(() => Ids_anyOf_2),
);

export const Circle: z.ZodType<types.Circle> = keywords.says<types.Circle>()(
  combinations.allOf(
    keywords.anything(),
    z.looseObject({
      name: keywords.anything(),
    }),
  ),
);

export const One: z.ZodType<types.One> = keywords.says<types.One>()(
  combinations.oneOf(
    keywords.later(() => Other),
    z.string(),
  ),
);

export const Other: z.ZodType<types.Other> = keywords.says<types.Other>()(
  combinations.anyOf(keywords.anything(), z.int()),
);

export const Cat: z.ZodType<types.Cat> = keywords.says<types.Cat>()(
  z.looseObject({
    kind: z.string(),
  }),
);

export const Choice: z.ZodType<types.Choice> = keywords.says<types.Choice>()(
  combinations.tagged("kind", { cat: Cat }),
);

export const Misspelt: z.ZodType<types.Misspelt> = keywords.says<types.Misspelt>()(z.string());

export const Draft3: z.ZodType<types.Draft3> = keywords.says<types.Draft3>()(
  z.looseObject({
    name: z.string().exactOptional(),
  }),
);

export const Quoted: z.ZodType<types.Quoted> = keywords.says<types.Quoted>()(
  z.string().check(keywords.maxLength(3)),
);

export const NoType: z.ZodType<types.NoType> = keywords.says<types.NoType>()(keywords.anything());

export const NoTypes: z.ZodType<types.NoTypes> = keywords.says<types.NoTypes>()(
  keywords.anything(),
);

export const SameTypes: z.ZodType<types.SameTypes> = keywords.says<types.SameTypes>()(z.string());

export const NoMembers: z.ZodType<types.NoMembers> = keywords.says<types.NoMembers>()(z.string());

export const Pattern: z.ZodType<types.Pattern> = keywords.says<types.Pattern>()(z.string());

export const Patterns: z.ZodType<types.Patterns> = keywords.says<types.Patterns>()(
  objects.members({
    patterns: [[/^a/u, z.int()]],
  }),
);

export const Above: z.ZodType<types.Above> = keywords.says<types.Above>()(z.number().gt(0));

export const Step: z.ZodType<types.Step> = keywords.says<types.Step>()(z.number());

export const Draft4: z.ZodType<types.Draft4> = keywords.says<types.Draft4>()(z.string());

export const Depends: z.ZodType<types.Depends> = keywords.says<types.Depends>()(
  combinations.also(z.looseObject({}), objects.dependentRequired({ a: ["b"] })),
);

export const All: z.ZodType<types.All> = keywords.says<types.All>()(
  z.looseObject({
    nothing: Nothing.exactOptional(),
    noAnchor: NoAnchor.exactOptional(),
    byAnchor: ByAnchor.exactOptional(),
    kind: Kind.exactOptional(),
    byId: ById.exactOptional(),
    circle: Circle.exactOptional(),
    one: One.exactOptional(),
    choice: Choice.exactOptional(),
    misspelt: Misspelt.exactOptional(),
    draft3: Draft3.exactOptional(),
    quoted: Quoted.exactOptional(),
    noType: NoType.exactOptional(),
    noTypes: NoTypes.exactOptional(),
    sameTypes: SameTypes.exactOptional(),
    noMembers: NoMembers.exactOptional(),
    pattern: Pattern.exactOptional(),
    patterns: Patterns.exactOptional(),
    above: Above.exactOptional(),
    step: Step.exactOptional(),
    draft4: Draft4.exactOptional(),
    depends: Depends.exactOptional(),
  }),
);

export const Anchored_anyOf_0: z.ZodType<types.Anchored_anyOf_0> =
  keywords.says<types.Anchored_anyOf_0>()(z.string());

export const Ids_anyOf_2: z.ZodType<types.Ids_anyOf_2> = keywords.says<types.Ids_anyOf_2>()(
  z.boolean(),
);
