// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import * as combinations from "./runtime/combinations.ts";
import * as keywords from "./runtime/keywords.ts";
import * as objects from "./runtime/objects.ts";
import * as unevaluated from "./runtime/unevaluated.ts";
import type * as types from "./types.ts";

export const Everything: z.ZodType<types.Everything> = keywords.says<types.Everything>()(
  z.looseObject({
    a: z.int().exactOptional(),
  }),
);

export const Conditional: z.ZodType<types.Conditional> = keywords.says<types.Conditional>()(
  combinations.also(
    z.looseObject({
      kind: z.string().exactOptional(),
      a: z.int().exactOptional(),
    }),
    combinations.conditional(
      keywords.byType(
        {
          object: z.looseObject({
            kind: z.literal("x"),
          }),
        },
        "allowed",
      ),
      {
        then: keywords.byType(
          {
            object: z.looseObject({
              a: keywords.anything(),
            }),
          },
          "allowed",
        ),
        else: keywords.anything().check(
          combinations.not(
            keywords.byType(
              {
                object: z.looseObject({
                  a: keywords.anything(),
                }),
              },
              "allowed",
            ),
          ),
        ),
      },
    ),
  ),
);

export const Dependent: z.ZodType<types.Dependent> = keywords.says<types.Dependent>()(
  combinations.also(
    z.looseObject({
      a: keywords.anything().exactOptional(),
      b: keywords.anything().exactOptional(),
      c: keywords.anything().exactOptional(),
    }),
    objects.dependentRequired({ a: ["b"] }),
    objects.dependentSchemas({
      b: keywords.byType(
        {
          object: z.looseObject({
            c: z.int(),
          }),
        },
        "allowed",
      ),
    }),
  ),
);

export const Tuple: z.ZodType<types.Tuple> = keywords.says<types.Tuple>()(
  keywords.tuple().check(keywords.prefixItems([z.string(), z.int()], z.never())),
);

export const OpenTuple: z.ZodType<types.OpenTuple> = keywords.says<types.OpenTuple>()(
  keywords.tuple().check(keywords.minItems(1), keywords.prefixItems([z.string()], z.boolean())),
);

export const Contains: z.ZodType<types.Contains> = keywords.says<types.Contains>()(
  keywords.array(z.unknown()).check(keywords.contains(z.literal(1), { min: 0, max: 2 })),
);

export const ClosedList: z.ZodType<types.ClosedList> = keywords.says<types.ClosedList>()(
  keywords.array(z.never()),
);

export const AnyList: z.ZodType<types.AnyList> = keywords.says<types.AnyList>()(
  keywords.array(z.unknown()).check(keywords.uniqueItems()),
);

export const Names: z.ZodType<types.Names> = keywords.says<types.Names>()(
  combinations.also(
    z.looseObject({}),
    objects.propertyNames(keywords.byType({ string: z.string().regex(/^[a-z]+$/u) }, "allowed")),
  ),
);

export const Patterns: z.ZodType<types.Patterns> = keywords.says<types.Patterns>()(
  objects.members({
    patterns: [
      [/^x-/u, z.string()],
      [/^n/u, z.int()],
    ],
    others: false,
  }),
);

export const Mixed: z.ZodType<types.Mixed> = keywords.says<types.Mixed>()(
  objects.members({
    properties: [["id", z.string(), "optional"]],
    patterns: [[/^x-/u, z.string()]],
    others: z.string(),
  }),
);

export const Unevaluated: z.ZodType<types.Unevaluated> = keywords.says<types.Unevaluated>()(
  combinations
    .allOf(
      Everything,
      keywords.anything().check(
        combinations.conditional(
          keywords.byType(
            {
              object: z.looseObject({
                b: keywords.anything(),
              }),
            },
            "allowed",
          ),
          {
            then: keywords.byType(
              {
                object: z.looseObject({
                  b: keywords.anything().exactOptional(),
                }),
              },
              "allowed",
            ),
          },
        ),
      ),
    )
    .check(
      unevaluated.properties(
        {
          parts: [
            { parts: [{ names: ["a"] }] },
            {
              parts: [
                {
                  when: keywords.byType(
                    {
                      object: z.looseObject({
                        b: keywords.anything(),
                      }),
                    },
                    "allowed",
                  ),
                },
                {
                  when: keywords.byType(
                    {
                      object: z.looseObject({
                        b: keywords.anything(),
                      }),
                    },
                    "allowed",
                  ),
                  names: ["b"],
                },
              ],
            },
          ],
        },
        z.string(),
      ),
    ),
);

export const ConstNull: z.ZodType<types.ConstNull> = keywords.says<types.ConstNull>()(z.null());

export const EnumNull: z.ZodType<types.EnumNull> = keywords.says<types.EnumNull>()(z.null());

export const ConstTrue: z.ZodType<types.ConstTrue> = keywords.says<types.ConstTrue>()(
  z.literal(true),
);

export const ConstArray: z.ZodType<types.ConstArray> = keywords.says<types.ConstArray>()(
  keywords.anything().check(keywords.values([1, [2, { a: "b" }]])),
);

export const ConstEmpty: z.ZodType<types.ConstEmpty> = keywords.says<types.ConstEmpty>()(
  keywords.anything().check(keywords.values({})),
);

export const WrongConst: z.ZodType<types.WrongConst> = keywords.says<types.WrongConst>()(z.never());

export const NoEnumFits: z.ZodType<types.NoEnumFits> = keywords.says<types.NoEnumFits>()(z.never());

export const RequiredOnly: z.ZodType<types.RequiredOnly> = keywords.says<types.RequiredOnly>()(
  keywords.byType(
    {
      object: z.looseObject({
        a: keywords.anything(),
      }),
    },
    "allowed",
  ),
);

export const RequiredTyped: z.ZodType<types.RequiredTyped> = keywords.says<types.RequiredTyped>()(
  z.looseObject({
    a: keywords.anything(),
    b: keywords.anything(),
  }),
);

export const RequiredMap: z.ZodType<types.RequiredMap> = keywords.says<types.RequiredMap>()(
  objects.map(z.int()).check(objects.required("a")),
);

export const OptionalRequired: z.ZodType<types.OptionalRequired> =
  keywords.says<types.OptionalRequired>()(
    objects
      .members({
        properties: [["a", z.string(), "optional"]],
        others: z.string(),
      })
      .check(objects.required("b")),
  );

export const NullableObject: z.ZodType<types.NullableObject> =
  keywords.says<types.NullableObject>()(
    z
      .looseObject({
        a: z.string(),
      })
      .nullable(),
  );

export const NullableArray: z.ZodType<types.NullableArray> = keywords.says<types.NullableArray>()(
  keywords.array(z.string().nullable()).nullable(),
);

export const ManyTypes: z.ZodType<types.ManyTypes> = keywords.says<types.ManyTypes>()(
  keywords.byType(
    {
      string: z.string(),
      number: z.int(),
      boolean: z.boolean(),
      array: keywords.array(z.unknown()),
      object: z.looseObject({}),
      null: z.null(),
    },
    "refused",
  ),
);

export const ManyConstrained: z.ZodType<types.ManyConstrained> =
  keywords.says<types.ManyConstrained>()(
    keywords.byType(
      {
        string: z.string().check(keywords.minLength(1)),
        array: keywords.array(z.string()),
        object: z.looseObject({
          a: z.int().exactOptional(),
        }),
      },
      "refused",
    ),
  );

export const Untyped: z.ZodType<types.Untyped> = keywords.says<types.Untyped>()(
  keywords.byType(
    {
      string: z.string().check(keywords.minLength(1)),
      number: z.number().min(1),
      array: keywords.array(z.string()),
      object: z.looseObject({
        a: z.int(),
      }),
    },
    "allowed",
  ),
);

export const SingleAnyOf: z.ZodType<types.SingleAnyOf> = keywords.says<types.SingleAnyOf>()(
  z.string(),
);

export const NestedUnions: z.ZodType<types.NestedUnions> = keywords.says<types.NestedUnions>()(
  combinations.anyOf(
    combinations.oneOf(z.string(), z.int()),
    z.null(),
    keywords.array(z.string().nullable()),
  ),
);

export const ThreeWithNull: z.ZodType<types.ThreeWithNull> = keywords.says<types.ThreeWithNull>()(
  combinations.oneOf(z.string(), z.int(), z.null()),
);

export const AnyOfReferences: z.ZodType<types.AnyOfReferences> =
  keywords.says<types.AnyOfReferences>()(
    combinations.allOf(
      z.looseObject({
        kind: z.enum(["a", "b"]).exactOptional(),
      }),
      combinations.anyOf(
        keywords.later(() => AnyOfAndProperties),
        keywords.later(() => ClosedAllOf),
      ),
    ),
  );

export const AnyOfAndProperties: z.ZodType<types.AnyOfAndProperties> =
  keywords.says<types.AnyOfAndProperties>()(
    combinations.allOf(
      z.looseObject({
        a: z.string().exactOptional(),
      }),
      combinations.anyOf(
        keywords.byType(
          {
            object: z.looseObject({
              a: keywords.anything(),
            }),
          },
          "allowed",
        ),
        keywords.byType(
          {
            object: z.looseObject({
              b: keywords.anything(),
            }),
          },
          "allowed",
        ),
      ),
    ),
  );

export const OneOfAndAllOf: z.ZodType<types.OneOfAndAllOf> = keywords.says<types.OneOfAndAllOf>()(
  combinations.allOf(
    Everything,
    combinations.oneOf(
      keywords.byType(
        {
          object: z.looseObject({
            a: keywords.anything(),
          }),
        },
        "allowed",
      ),
      keywords.byType(
        {
          object: z.looseObject({
            b: keywords.anything(),
          }),
        },
        "allowed",
      ),
    ),
  ),
);

export const ClosedAllOf: z.ZodType<types.ClosedAllOf> = keywords.says<types.ClosedAllOf>()(
  combinations.allOf(
    z.strictObject({
      a: keywords.anything(),
      b: keywords.anything().exactOptional(),
    }),
    keywords.byType(
      {
        object: z.looseObject({
          a: keywords.anything(),
        }),
      },
      "allowed",
    ),
    keywords.byType(
      {
        object: z.looseObject({
          b: z.string().exactOptional(),
        }),
      },
      "allowed",
    ),
  ),
);

export const AllOfEnum: z.ZodType<types.AllOfEnum> = keywords.says<types.AllOfEnum>()(
  combinations.allOf(z.string(), z.enum(["a", "b"])),
);

export const RefNullable: z.ZodType<types.RefNullable> = keywords.says<types.RefNullable>()(
  Tuple.nullable(),
);

export const Binary: z.ZodType<types.Binary> = keywords.says<types.Binary>()(z.string());

export const Bytes: z.ZodType<types.Bytes> = keywords.says<types.Bytes>()(
  z.string().check(keywords.format("byte")),
);

export const Int64: z.ZodType<types.Int64> = keywords.says<types.Int64>()(z.int());

export const Double: z.ZodType<types.Double> = keywords.says<types.Double>()(
  z.number().gt(0).lt(1).check(keywords.multipleOf(0.01)),
);

export const Dates: z.ZodType<types.Dates> = keywords.says<types.Dates>()(
  z.looseObject({
    a: z.string().check(keywords.format("date-time")).exactOptional(),
    b: z.string().check(keywords.format("uri")).exactOptional(),
    c: z.string().check(keywords.format("email")).exactOptional(),
  }),
);

export const WithDefaults: z.ZodType<types.WithDefaults> = keywords.says<types.WithDefaults>()(
  z.looseObject({
    a: z.string().exactOptional(),
    b: keywords.array(z.int()).exactOptional(),
    c: z.looseObject({}).exactOptional(),
  }),
);

export const EmptyObject: z.ZodType<types.EmptyObject> = keywords.says<types.EmptyObject>()(
  z.strictObject({}),
);

export const EmptyProperties: z.ZodType<types.EmptyProperties> =
  keywords.says<types.EmptyProperties>()(z.looseObject({}));

export const Deep: z.ZodType<types.Deep> = keywords.says<types.Deep>()(
  z.looseObject({
    a: z
      .looseObject({
        b: z
          .looseObject({
            c: keywords.array(objects.map(keywords.array(keywords.later(() => Deep)))),
          })
          .exactOptional(),
      })
      .exactOptional(),
  }),
);

export const AliasOfAlias: z.ZodType<types.AliasOfAlias> = keywords.says<types.AliasOfAlias>()(
  keywords.later(() => AliasOf),
);

export const AliasOf: z.ZodType<types.AliasOf> = keywords.says<types.AliasOf>()(Deep);

/** An alias. */
export const RefWithDescription: z.ZodType<types.RefWithDescription> =
  keywords.says<types.RefWithDescription>()(Deep);

export const RefMap: z.ZodType<types.RefMap> = keywords.says<types.RefMap>()(
  objects.map(keywords.later(() => RefMap)),
);

export const UnionLoop: z.ZodType<types.UnionLoop> = keywords.says<types.UnionLoop>()(
  combinations.anyOf(
    z.string(),
    z.looseObject({
      a: keywords.later(() => UnionLoop).exactOptional(),
    }),
  ),
);

export const TupleLoop: z.ZodType<types.TupleLoop> = keywords.says<types.TupleLoop>()(
  keywords.tuple().check(keywords.prefixItems([keywords.later(() => TupleLoop)])),
);

export const ArrayLoop: z.ZodType<types.ArrayLoop> = keywords.says<types.ArrayLoop>()(
  keywords.array(keywords.later(() => ArrayLoop)),
);

export const NotLoop: z.ZodType<types.NotLoop> = keywords.says<types.NotLoop>()(
  keywords.anything().check(
    combinations.not(
      z.looseObject({
        a: keywords.later(() => NotLoop).exactOptional(),
      }),
    ),
  ),
);

export const Deprecated: z.ZodType<types.Deprecated> = keywords.says<types.Deprecated>()(
  z.string(),
);

export const Dialect: z.ZodType<types.Dialect> = keywords.says<types.Dialect>()(z.int());

export const DialectOfOpenApi: z.ZodType<types.DialectOfOpenApi> =
  keywords.says<types.DialectOfOpenApi>()(Dialect);
