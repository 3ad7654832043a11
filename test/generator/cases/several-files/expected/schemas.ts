// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import * as keywords from "./runtime/keywords.ts";
import type * as types from "./types.ts";

export const PetName: z.ZodType<types.PetName> = keywords.says<types.PetName>()(
  z.string().check(keywords.maxLength(40)),
);

export const Problem: z.ZodType<types.Problem> = keywords.says<types.Problem>()(z.string());

export const Pet: z.ZodType<types.Pet> = keywords.says<types.Pet>()(
  z.looseObject({
    id: keywords.later(() => Identifier),
    name: PetName,
    parent: keywords.later(() => Pet).exactOptional(),
    owner: keywords.later(() => Owner).exactOptional(),
  }),
);

export const Identifier: z.ZodType<types.Identifier> = keywords.says<types.Identifier>()(
  z.string().regex(/^[a-z]{4}$/u),
);

export const Owner: z.ZodType<types.Owner> = keywords.says<types.Owner>()(
  z.looseObject({
    pets: keywords.array(Pet).exactOptional(),
  }),
);

export const Problem_2: z.ZodType<types.Problem_2> = keywords.says<types.Problem_2>()(
  z.looseObject({
    message: z.string(),
  }),
);
