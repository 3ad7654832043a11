// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import * as combinations from "./runtime/combinations.ts";
import * as keywords from "./runtime/keywords.ts";
import * as objects from "./runtime/objects.ts";
import type * as types from "./types.ts";

export const Cat: z.ZodType<types.Cat> = keywords.says<types.Cat>()(
  z.looseObject({
    kind: z.string(),
    lives: z.int(),
  }),
);

export const Dog: z.ZodType<types.Dog> = keywords.says<types.Dog>()(
  z.looseObject({
    kind: z.string(),
    bark: z.boolean().exactOptional(),
  }),
);

export const ByReference: z.ZodType<types.ByReference> = keywords.says<types.ByReference>()(
  combinations.tagged("kind", { cat: Cat, dog: Dog, puppy: Dog }),
);

export const ByName: z.ZodType<types.ByName> = keywords.says<types.ByName>()(
  combinations.tagged("kind", { feline: Cat, canine: Dog }),
);

export const Implicit: z.ZodType<types.Implicit> = keywords.says<types.Implicit>()(
  combinations.tagged("kind", { Cat: Cat, Dog: Dog }),
);

export const HalfMapped: z.ZodType<types.HalfMapped> = keywords.says<types.HalfMapped>()(
  combinations.tagged("kind", { tabby: Cat, Dog: Dog }),
);

export const Circle: z.ZodType<types.Circle> = keywords.says<types.Circle>()(
  z.looseObject({
    shape: z.literal("circle"),
    radius: z.number().exactOptional(),
  }),
);

export const Polygon: z.ZodType<types.Polygon> = keywords.says<types.Polygon>()(
  z.looseObject({
    shape: z.enum(["square", "triangle"]),
  }),
);

export const ByValues: z.ZodType<types.ByValues> = keywords.says<types.ByValues>()(
  combinations.tagged("shape", { circle: Circle, square: Polygon, triangle: Polygon }),
);

export const WithInline: z.ZodType<types.WithInline> = keywords.says<types.WithInline>()(
  combinations.oneOf(
    Circle,
    z.looseObject({
      shape: z.literal("line"),
    }),
  ),
);

export const Undecided: z.ZodType<types.Undecided> = keywords.says<types.Undecided>()(
  combinations.oneOf(Cat, Dog),
);

export const Hostile: z.ZodType<types.Hostile> = keywords.says<types.Hostile>()(
  combinations.tagged("kind", { constructor: Cat, ["__proto__"]: Dog }),
);

export const Animal: z.ZodType<types.Animal> = keywords.says<types.Animal>()(
  z.looseObject({
    species: z.string(),
  }),
);

export const Bird: z.ZodType<types.Bird> = keywords.says<types.Bird>()(
  combinations.allOf(
    Animal,
    keywords.byType(
      {
        object: z.looseObject({
          wings: z.int(),
        }),
      },
      "allowed",
    ),
  ),
);

export const Fish: z.ZodType<types.Fish> = keywords.says<types.Fish>()(
  combinations.allOf(
    Animal,
    keywords.byType(
      {
        object: z.looseObject({
          fins: z.int(),
        }),
      },
      "allowed",
    ),
  ),
);

export const AnyAnimal: z.ZodType<types.AnyAnimal> = keywords.says<types.AnyAnimal>()(
  combinations.tagged("species", { bird: Bird, fish: Fish }),
);

export const Plant: z.ZodType<types.Plant> = keywords.says<types.Plant>()(
  combinations.allOf(
    objects.members({}),
    keywords.byType(
      {
        object: z.looseObject({
          kind: keywords.anything(),
        }),
      },
      "allowed",
    ),
  ),
);
