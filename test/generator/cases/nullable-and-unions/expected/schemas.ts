// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import * as combinations from "./runtime/combinations.ts";
import * as keywords from "./runtime/keywords.ts";
import * as objects from "./runtime/objects.ts";
import type * as types from "./types.ts";

export const Name: z.ZodType<types.Name> = keywords.says<types.Name>()(
  z.string().check(keywords.minLength(1)),
);

export const NullableName: z.ZodType<types.NullableName> = keywords.says<types.NullableName>()(
  z.string().check(keywords.maxLength(5)).nullable(),
);

export const NamedNull: z.ZodType<types.NamedNull> = keywords.says<types.NamedNull>()(
  Name.nullable(),
);

export const OneOfNull: z.ZodType<types.OneOfNull> = keywords.says<types.OneOfNull>()(
  Name.nullable(),
);

export const OneOfTwoNulls: z.ZodType<types.OneOfTwoNulls> = keywords.says<types.OneOfTwoNulls>()(
  combinations.oneOf(NullableName, z.null()),
);

export const OnlyNull: z.ZodType<types.OnlyNull> = keywords.says<types.OnlyNull>()(z.null());

export const EnumWithoutNull: z.ZodType<types.EnumWithoutNull> =
  keywords.says<types.EnumWithoutNull>()(z.enum(["a", "b"]));

export const EnumWithNull: z.ZodType<types.EnumWithNull> = keywords.says<types.EnumWithNull>()(
  z.literal(["a", "b", null]),
);

export const EnumOfStrings: z.ZodType<types.EnumOfStrings> = keywords.says<types.EnumOfStrings>()(
  z.enum(["a", "b"]),
);

export const MixedEnum: z.ZodType<types.MixedEnum> = keywords.says<types.MixedEnum>()(
  z.literal(["a", 1, 2.5, true, null]),
);

export const ObjectEnum: z.ZodType<types.ObjectEnum> = keywords.says<types.ObjectEnum>()(
  keywords.anything().check(keywords.values({ a: 1 }, [1, 2], "x")),
);

export const Constant: z.ZodType<types.Constant> = keywords.says<types.Constant>()(z.literal(7));

export const ConstantObject: z.ZodType<types.ConstantObject> =
  keywords.says<types.ConstantObject>()(
    keywords.anything().check(keywords.values({ b: [1], a: null })),
  );

export const TextOrWhole: z.ZodType<types.TextOrWhole> = keywords.says<types.TextOrWhole>()(
  keywords.byType(
    { string: z.string().check(keywords.minLength(2)), number: z.int().min(10).max(99) },
    "refused",
  ),
);

export const WholeOrNumber: z.ZodType<types.WholeOrNumber> = keywords.says<types.WholeOrNumber>()(
  z.number().min(0),
);

export const AnyOf: z.ZodType<types.AnyOf> = keywords.says<types.AnyOf>()(
  combinations.anyOf(
    z.looseObject({
      a: z.string(),
    }),
    z.looseObject({
      b: z.int(),
    }),
  ),
);

export const ExactlyOne: z.ZodType<types.ExactlyOne> = keywords.says<types.ExactlyOne>()(
  combinations.oneOf(z.int().check(keywords.multipleOf(2)), z.int().check(keywords.multipleOf(3))),
);

export const AlmostAnything: z.ZodType<types.AlmostAnything> =
  keywords.says<types.AlmostAnything>()(keywords.anything().check(combinations.not(z.string())));

export const Anything: z.ZodType<types.Anything> = keywords.says<types.Anything>()(
  keywords.anything(),
);

export const Everything: z.ZodType<types.Everything> = keywords.says<types.Everything>()(
  keywords.anything(),
);

export const Nothing: z.ZodType<types.Nothing> = keywords.says<types.Nothing>()(z.never());

export const Holder: z.ZodType<types.Holder> = keywords.says<types.Holder>()(
  z.looseObject({
    name: NullableName,
    anything: Anything,
    maybe: z.int32().nullable().exactOptional(),
    never: z.never().exactOptional(),
  }),
);

export const NeverNull: z.ZodType<types.NeverNull> = keywords.says<types.NeverNull>()(
  combinations.allOf(
    objects.members({}),
    combinations.oneOf(
      keywords.later(() => MaybeNamed),
      keywords.later(() => MaybeAged),
    ),
  ),
);

export const MaybeNamed: z.ZodType<types.MaybeNamed> = keywords.says<types.MaybeNamed>()(
  z
    .looseObject({
      name: z.string(),
    })
    .nullable(),
);

export const MaybeAged: z.ZodType<types.MaybeAged> = keywords.says<types.MaybeAged>()(
  z
    .looseObject({
      age: z.int(),
    })
    .nullable(),
);

export const RequiredOutside: z.ZodType<types.RequiredOutside> =
  keywords.says<types.RequiredOutside>()(
    combinations.allOf(
      keywords.byType(
        {
          object: z.looseObject({
            name: keywords.anything(),
            age: keywords.anything(),
          }),
        },
        "allowed",
      ),
      keywords.later(() => MaybeBoth),
      z.looseObject({
        age: z.int(),
      }),
    ),
  );

export const MaybeBoth: z.ZodType<types.MaybeBoth> = keywords.says<types.MaybeBoth>()(
  z
    .looseObject({
      name: z.string().exactOptional(),
    })
    .nullable(),
);
