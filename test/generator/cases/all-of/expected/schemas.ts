// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import * as combinations from "./runtime/combinations.ts";
import * as keywords from "./runtime/keywords.ts";
import * as objects from "./runtime/objects.ts";
import * as unevaluated from "./runtime/unevaluated.ts";
import type * as types from "./types.ts";

export const Pet: z.ZodType<types.Pet> = keywords.says<types.Pet>()(
  z.looseObject({
    name: z.string().check(keywords.maxLength(20)),
    age: z.int().exactOptional(),
  }),
);

export const Dog: z.ZodType<types.Dog> = keywords.says<types.Dog>()(
  combinations.allOf(
    Pet,
    z.looseObject({
      name: z.string().check(keywords.minLength(2)),
      bark: z.boolean(),
    }),
  ),
);

export const StoredDog: z.ZodType<types.StoredDog> = keywords.says<types.StoredDog>()(
  combinations.allOf(
    z.looseObject({
      id: z.string().check(keywords.format("uuid")),
    }),
    Dog,
    keywords.byType(
      {
        object: z.looseObject({
          age: keywords.anything(),
        }),
      },
      "allowed",
    ),
  ),
);

export const Impossible: z.ZodType<types.Impossible> = keywords.says<types.Impossible>()(
  combinations.allOf(
    z.strictObject({
      a: z.string().exactOptional(),
    }),
    z.strictObject({
      b: z.string().exactOptional(),
    }),
  ),
);

export const LongName: z.ZodType<types.LongName> = keywords.says<types.LongName>()(
  combinations.allOf(
    keywords.later(() => Name),
    keywords.byType({ string: z.string().check(keywords.minLength(10)) }, "allowed"),
  ),
);

export const Name: z.ZodType<types.Name> = keywords.says<types.Name>()(
  z.string().check(keywords.maxLength(20)),
);

export const OneMember: z.ZodType<types.OneMember> = keywords.says<types.OneMember>()(Pet);

export const Bounded: z.ZodType<types.Bounded> = keywords.says<types.Bounded>()(
  combinations.allOf(
    z.number(),
    keywords.byType({ number: z.number().min(0) }, "allowed"),
    keywords.byType({ number: z.number().max(10) }, "allowed"),
  ),
);

export const ClosedDog: z.ZodType<types.ClosedDog> = keywords.says<types.ClosedDog>()(
  combinations
    .allOf(
      keywords.byType(
        {
          object: z.looseObject({
            chip: z.string().exactOptional(),
          }),
        },
        "allowed",
      ),
      Dog,
    )
    .check(
      unevaluated.properties(
        {
          names: ["chip"],
          parts: [
            {
              parts: [
                { parts: [{ parts: [{ names: ["name", "age"] }] }, { names: ["name", "bark"] }] },
              ],
            },
          ],
        },
        false,
      ),
    ),
);

export const OpenMap: z.ZodType<types.OpenMap> = keywords.says<types.OpenMap>()(
  objects.members({
    properties: [["id", z.int(), "required"]],
    others: z.string(),
  }),
);

export const PlainMap: z.ZodType<types.PlainMap> = keywords.says<types.PlainMap>()(
  objects.map(z.int()).check(objects.minProperties(1), objects.maxProperties(3)),
);

export const RequiredOnly: z.ZodType<types.RequiredOnly> = keywords.says<types.RequiredOnly>()(
  z.looseObject({
    a: z.string(),
    b: keywords.anything(),
  }),
);

/** A pet with a tag. */
export const Tagged: z.ZodType<types.Tagged> = keywords.says<types.Tagged>()(
  combinations.allOf(
    Pet,
    keywords.byType(
      {
        object: z.looseObject({
          tag: z.string(),
        }),
      },
      "allowed",
    ),
  ),
);

export const Conditional: z.ZodType<types.Conditional> = keywords.says<types.Conditional>()(
  combinations.allOf(
    z.looseObject({
      kind: z.enum(["small", "large"]),
      size: z.int().exactOptional(),
    }),
    keywords.anything().check(
      combinations.conditional(
        keywords.byType(
          {
            object: z.looseObject({
              kind: z.literal("large").exactOptional(),
            }),
          },
          "allowed",
        ),
        {
          then: keywords.byType(
            {
              object: z.looseObject({
                size: keywords.anything(),
              }),
            },
            "allowed",
          ),
        },
      ),
    ),
    keywords.anything().check(
      combinations.conditional(
        keywords.byType(
          {
            object: z.looseObject({
              kind: z.literal("small").exactOptional(),
            }),
          },
          "allowed",
        ),
        {
          then: keywords.byType(
            {
              object: z.looseObject({
                size: keywords.byType({ number: z.number().max(9) }, "allowed").exactOptional(),
              }),
            },
            "allowed",
          ),
        },
      ),
    ),
  ),
);

export const Page: z.ZodType<types.Page> = keywords.says<types.Page>()(
  z.looseObject({
    next: z.string().nullable(),
    items: keywords.anything(),
  }),
);

export const PetPage: z.ZodType<types.PetPage> = keywords.says<types.PetPage>()(
  combinations.allOf(
    Page,
    z.looseObject({
      items: keywords.array(Pet),
    }),
  ),
);

export const Named: z.ZodType<types.Named> = keywords.says<types.Named>()(
  combinations.allOf(
    z.looseObject({
      name: z.string(),
    }),
    keywords.byType(
      {
        object: z.looseObject({
          name: keywords.anything(),
        }),
      },
      "allowed",
    ),
  ),
);

export const Nameless: z.ZodType<types.Nameless> = keywords.says<types.Nameless>()(
  keywords.later(() => Named_allOf_0),
);

export const Named_allOf_0: z.ZodType<types.Named_allOf_0> = keywords.says<types.Named_allOf_0>()(
  z.looseObject({
    name: z.string().exactOptional(),
  }),
);
