// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import * as combinations from "./runtime/combinations.ts";
import * as keywords from "./runtime/keywords.ts";
import type * as types from "./types.ts";

export const Pet: z.ZodType<types.Pet> = keywords.says<types.Pet>()(
  z.looseObject({
    id: z.string(),
    name: z.string(),
  }),
);

export const Home: z.ZodType<types.Home> = keywords.says<types.Home>()(
  combinations.tagged(
    "kind",
    {
      house: keywords.later(() => House),
      shelter: keywords.later(() => Shelter),
      Other: keywords.later(() => Other),
    },
    keywords.later(() => Other),
  ),
);

export const Far: z.ZodType<types.Far> = keywords.says<types.Far>()(
  combinations.tagged(
    "kind",
    { House: keywords.later(() => House), Shelter: keywords.later(() => Shelter) },
    keywords.later(() => Shelter),
  ),
);

export const House: z.ZodType<types.House> = keywords.says<types.House>()(
  z.looseObject({
    rooms: z.int().exactOptional(),
    kind: z.string(),
  }),
);

export const Other: z.ZodType<types.Other> = keywords.says<types.Other>()(
  z.looseObject({
    kind: z.string().exactOptional(),
  }),
);

export const Shelter: z.ZodType<types.Shelter> = keywords.says<types.Shelter>()(
  z.looseObject({
    beds: z.int().exactOptional(),
  }),
);

export const PetRequest: z.ZodType<types.PetRequest> = keywords.says<types.PetRequest>()(
  z.looseObject({
    id: z.string().exactOptional(),
    name: z.string(),
  }),
);
