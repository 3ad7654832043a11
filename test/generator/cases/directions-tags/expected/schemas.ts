// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import * as combinations from "./runtime/combinations.ts";
import * as keywords from "./runtime/keywords.ts";
import type * as types from "./types.ts";

export const Pet: z.ZodType<types.Pet> = keywords.says<types.Pet>()(
  combinations.tagged(
    "kind",
    {
      cat: keywords.later(() => Cat),
      kitten: keywords.later(() => Cat),
      Dog: keywords.later(() => Dog),
      fish: keywords.later(() => Fish),
    },
    keywords.later(() => Dog),
  ),
);

export const Cat: z.ZodType<types.Cat> = keywords.says<types.Cat>()(
  z.looseObject({
    kind: z.string(),
    id: z.int(),
  }),
);

export const Dog: z.ZodType<types.Dog> = keywords.says<types.Dog>()(
  z.looseObject({
    kind: z.string().exactOptional(),
    id: z.int(),
    young: Pet.exactOptional(),
  }),
);

export const Fish: z.ZodType<types.Fish> = keywords.says<types.Fish>()(
  z.looseObject({
    kind: z.string(),
  }),
);

export const PetRequest: z.ZodType<types.PetRequest> = keywords.says<types.PetRequest>()(
  combinations.tagged(
    "kind",
    {
      cat: keywords.later(() => CatRequest),
      kitten: keywords.later(() => CatRequest),
      Dog: keywords.later(() => DogRequest),
      fish: Fish,
    },
    keywords.later(() => DogRequest),
  ),
);

export const CatRequest: z.ZodType<types.CatRequest> = keywords.says<types.CatRequest>()(
  z.looseObject({
    kind: z.string(),
    id: z.int().exactOptional(),
  }),
);

export const DogRequest: z.ZodType<types.DogRequest> = keywords.says<types.DogRequest>()(
  z.looseObject({
    kind: z.string().exactOptional(),
    id: z.int().exactOptional(),
    young: PetRequest.exactOptional(),
  }),
);
