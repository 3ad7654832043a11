// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import * as combinations from "./runtime/combinations.ts";
import * as keywords from "./runtime/keywords.ts";
import * as unevaluated from "./runtime/unevaluated.ts";
import type * as types from "./types.ts";

export const Page: z.ZodType<types.Page> = keywords.says<types.Page>()(
  z.looseObject({
    data: keywords.array(keywords.later(() => Page_item)),
    next: keywords.later(() => Page_cursor).exactOptional(),
  }),
);

export const Pet: z.ZodType<types.Pet> = keywords.says<types.Pet>()(
  z.looseObject({
    name: z.string(),
    owner: keywords.later(() => Person).exactOptional(),
  }),
);

export const Person: z.ZodType<types.Person> = keywords.says<types.Person>()(
  z.looseObject({
    name: keywords.later(() => Person_name),
    friends: keywords.array(keywords.later(() => Person)).exactOptional(),
  }),
);

export const PetPage: z.ZodType<types.PetPage> = keywords.says<types.PetPage>()(
  keywords.later(() => Page_of_PetPage),
);

export const NamedPet: z.ZodType<types.NamedPet> = keywords.says<types.NamedPet>()(
  z.looseObject({
    name: z.string(),
    kind: z.literal("pet").exactOptional(),
  }),
);

export const Pair: z.ZodType<types.Pair> = keywords.says<types.Pair>()(
  combinations
    .allOf(
      keywords.tuple().check(keywords.prefixItems([z.string()])),
      combinations.anyOf(
        keywords.byType(
          { array: keywords.tuple().check(keywords.prefixItems([keywords.anything(), z.int()])) },
          "allowed",
        ),
        keywords.byType(
          { array: keywords.array(z.unknown()).check(keywords.contains(z.boolean(), { min: 1 })) },
          "allowed",
        ),
      ),
    )
    .check(
      unevaluated.items(
        {
          first: 1,
          parts: [
            {
              when: keywords.byType(
                {
                  array: keywords
                    .tuple()
                    .check(keywords.prefixItems([keywords.anything(), z.int()])),
                },
                "allowed",
              ),
              first: 2,
            },
            {
              when: keywords.byType(
                {
                  array: keywords
                    .array(z.unknown())
                    .check(keywords.contains(z.boolean(), { min: 1 })),
                },
                "allowed",
              ),
              contains: z.boolean(),
            },
          ],
        },
        false,
      ),
    ),
);

export const tree: z.ZodType<types.tree> = keywords.says<types.tree>()(
  keywords
    .later(() => tree_2_of_tree)
    .check(unevaluated.properties({ parts: [{ names: ["value", "children"] }] }, false)),
);

export const tree_2: z.ZodType<types.tree_2> = keywords.says<types.tree_2>()(
  z.looseObject({
    value: z.int().exactOptional(),
    children: keywords.array(keywords.later(() => tree_2)).exactOptional(),
  }),
);

export const Page_2: z.ZodType<types.Page_2> = keywords.says<types.Page_2>()(
  z.looseObject({
    data: keywords.array(keywords.later(() => application_json_schema_item)),
    next: keywords.later(() => Page_cursor).exactOptional(),
  }),
);

export const Page_of_PetPage: z.ZodType<types.Page_of_PetPage> =
  keywords.says<types.Page_of_PetPage>()(
    z.looseObject({
      data: keywords.array(keywords.later(() => PetPage_item)),
      next: keywords.later(() => Page_cursor).exactOptional(),
    }),
  );

export const tree_2_of_tree: z.ZodType<types.tree_2_of_tree> =
  keywords.says<types.tree_2_of_tree>()(
    z.looseObject({
      value: z.int().exactOptional(),
      children: keywords.array(tree).exactOptional(),
    }),
  );

export const Page_item: z.ZodType<types.Page_item> = keywords.says<types.Page_item>()(
  keywords.anything(),
);

export const Page_cursor: z.ZodType<types.Page_cursor> = keywords.says<types.Page_cursor>()(
  z.string().check(keywords.maxLength(100)),
);

export const Person_name: z.ZodType<types.Person_name> = keywords.says<types.Person_name>()(
  z.string().check(keywords.minLength(1)),
);

export const application_json_schema_item: z.ZodType<types.application_json_schema_item> =
  keywords.says<types.application_json_schema_item>()(Person);

export const PetPage_item: z.ZodType<types.PetPage_item> =
  keywords.says<types.PetPage_item>()(NamedPet);
