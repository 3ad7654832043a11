// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import * as combinations from "./runtime/combinations.ts";
import * as keywords from "./runtime/keywords.ts";
import * as objects from "./runtime/objects.ts";
import type * as types from "./types.ts";

export const x_schema: z.ZodType<types.x_schema> = keywords.says<types.x_schema>()(z.int());

export const _41_: z.ZodType<types._41_> = keywords.says<types._41_>()(
  z.looseObject({
    "a%": z.string(),
    "#": z.string().exactOptional(),
  }),
);

/** inherited$toString$ and sign$25$ are told. */
export const marks: z.ZodType<types.marks> = keywords.says<types.marks>()(
  z.enum(["inherited$a$", " sign$25$ ", "inherited1$b$"]),
);

export const combinations_: z.ZodType<types.combinations_> = keywords.says<types.combinations_>()(
  z.string(),
);

export const objects_: z.ZodType<types.objects_> = keywords.says<types.objects_>()(
  objects
    .members({
      properties: [["constructor", z.string(), "optional"]],
    })
    .check(objects.minProperties(1)),
);

export const answers_: z.ZodType<types.answers_> = keywords.says<types.answers_>()(
  combinations.oneOf(z.string(), z.int()),
);

export const Blob_2: z.ZodType<types.Blob_2> = keywords.says<types.Blob_2>()(z.string());

export const WithRequired_2: z.ZodType<types.WithRequired_2> =
  keywords.says<types.WithRequired_2>()(
    combinations.allOf(
      keywords.later(() => Members),
      keywords.byType(
        {
          object: z.looseObject({
            class: keywords.anything(),
          }),
        },
        "allowed",
      ),
    ),
  );

export const foo_bar_baz: z.ZodType<types.foo_bar_baz> = keywords.says<types.foo_bar_baz>()(
  z.looseObject({
    next: keywords.later(() => foo_bar_baz_2).exactOptional(),
  }),
);

export const foo_bar_baz_2: z.ZodType<types.foo_bar_baz_2> = keywords.says<types.foo_bar_baz_2>()(
  z.string(),
);

export const _1st: z.ZodType<types._1st> = keywords.says<types._1st>()(z.int());

export const Error: z.ZodType<types.Error> = keywords.says<types.Error>()(
  z.looseObject({
    record: keywords.later(() => Record_2),
  }),
);

export const Record_2: z.ZodType<types.Record_2> = keywords.says<types.Record_2>()(
  objects.map(keywords.later(() => Promise)),
);

export const Promise: z.ZodType<types.Promise> = keywords.says<types.Promise>()(
  keywords.array(keywords.later(() => Array)),
);

export const Array: z.ZodType<types.Array> = keywords.says<types.Array>()(z.string());

export const Omit_2: z.ZodType<types.Omit_2> = keywords.says<types.Omit_2>()(z.string());

export const Readonly: z.ZodType<types.Readonly> = keywords.says<types.Readonly>()(z.string());

export const NonNullable_2: z.ZodType<types.NonNullable_2> = keywords.says<types.NonNullable_2>()(
  z.string(),
);

export const z_: z.ZodType<types.z_> = keywords.says<types.z_>()(z.string());

export const types_: z.ZodType<types.types_> = keywords.says<types.types_>()(z.string());

export const keywords_: z.ZodType<types.keywords_> = keywords.says<types.keywords_>()(z.string());

export const schemas_: z.ZodType<types.schemas_> = keywords.says<types.schemas_>()(z.string());

export const operations_2: z.ZodType<types.operations_2> = keywords.says<types.operations_2>()(
  z.string(),
);

export const components_2: z.ZodType<types.components_2> = keywords.says<types.components_2>()(
  z.string(),
);

export const paths_2: z.ZodType<types.paths_2> = keywords.says<types.paths_2>()(z.string());

export const webhooks_2: z.ZodType<types.webhooks_2> = keywords.says<types.webhooks_2>()(
  z.string(),
);

export const $defs_2: z.ZodType<types.$defs_2> = keywords.says<types.$defs_2>()(z.string());

export const class_: z.ZodType<types.class_> = keywords.says<types.class_>()(z.string());

export const undefined_: z.ZodType<types.undefined_> = keywords.says<types.undefined_>()(
  z.string(),
);

export const NaN: z.ZodType<types.NaN> = keywords.says<types.NaN>()(z.string());

export const constructor_: z.ZodType<types.constructor_> = keywords.says<types.constructor_>()(
  z.string(),
);

export const __proto__: z.ZodType<types.__proto__> = keywords.says<types.__proto__>()(z.string());

export const toString: z.ZodType<types.toString> = keywords.says<types.toString>()(z.string());

export const Pet: z.ZodType<types.Pet> = keywords.says<types.Pet>()(z.string());

export const pet: z.ZodType<types.pet> = keywords.says<types.pet>()(z.int());

export const PET: z.ZodType<types.PET> = keywords.says<types.PET>()(z.boolean());

export const Ünïcode: z.ZodType<types.Ünïcode> = keywords.says<types.Ünïcode>()(z.string());

export const 名前: z.ZodType<types.名前> = keywords.says<types.名前>()(z.string());

export const _: z.ZodType<types._> = keywords.says<types._>()(z.string());

export const a_b: z.ZodType<types.a_b> = keywords.says<types.a_b>()(z.string());

export const Members: z.ZodType<types.Members> = keywords.says<types.Members>()(
  objects
    .members({
      properties: [
        ["1", z.string(), "optional"],
        ["constructor", z.string(), "required"],
        ["__proto__", z.int(), "required"],
        ["toString", z.string(), "optional"],
        ["valueOf", z.string(), "optional"],
        ["first name", z.string(), "optional"],
        ["", z.string(), "optional"],
        ["class", z.string(), "optional"],
        ["a.b/c~d", z.string(), "optional"],
      ],
    })
    .check(objects.required("not-declared")),
);
