// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import * as combinations from "./runtime/combinations.ts";
import * as keywords from "./runtime/keywords.ts";
import * as objects from "./runtime/objects.ts";
import * as unevaluated from "./runtime/unevaluated.ts";
import type * as types from "./types.ts";

export const A: z.ZodType<types.A> = keywords.says<types.A>()(
  combinations.allOf(
    z.string(),
    combinations.anyOf(
      keywords.byType({ string: z.string().check(keywords.format("ipv4")) }, "allowed"),
      keywords.byType({ string: z.string().check(keywords.format("ipv6")) }, "allowed"),
    ),
  ),
);

export const B: z.ZodType<types.B> = keywords.says<types.B>()(
  combinations.allOf(
    objects.members({}),
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

export const C: z.ZodType<types.C> = keywords.says<types.C>()(
  combinations.allOf(
    keywords.byType({ string: z.string(), number: z.int() }, "refused"),
    combinations.anyOf(z.string().check(keywords.minLength(2)), z.int().min(3)),
  ),
);

export const D: z.ZodType<types.D> = keywords.says<types.D>()(
  combinations.allOf(
    z.string(),
    combinations.anyOf(
      z.enum(["a", "b"]),
      keywords.byType({ string: z.string().regex(/^x/u) }, "allowed"),
    ),
  ),
);

export const E: z.ZodType<types.E> = keywords.says<types.E>()(
  combinations.allOf(
    z.string(),
    combinations.oneOf(
      z.enum(["a", "b"]),
      keywords.byType({ string: z.string().regex(/^x/u) }, "allowed"),
    ),
  ),
);

export const F: z.ZodType<types.F> = keywords.says<types.F>()(
  combinations.allOf(z.enum(["a", "b", "c"]), combinations.anyOf(z.literal("a"), z.literal("b"))),
);

export const G: z.ZodType<types.G> = keywords.says<types.G>()(
  combinations.allOf(
    keywords.array(z.unknown()),
    combinations.anyOf(
      keywords.byType(
        { array: keywords.array(z.unknown()).check(keywords.minItems(1)) },
        "allowed",
      ),
      keywords.byType({ array: keywords.array(z.string()) }, "allowed"),
    ),
  ),
);

export const H: z.ZodType<types.H> = keywords.says<types.H>()(
  combinations.allOf(
    objects.map(z.string()),
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

export const I: z.ZodType<types.I> = keywords.says<types.I>()(
  combinations.allOf(
    z.number(),
    combinations.anyOf(z.int(), keywords.byType({ number: z.number().min(3) }, "allowed")),
  ),
);

export const J: z.ZodType<types.J> = keywords.says<types.J>()(
  combinations.anyOf(
    z.looseObject({
      a: z.string().exactOptional(),
    }),
    H,
  ),
);

export const K: z.ZodType<types.K> = keywords.says<types.K>()(
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
            b: z.string().exactOptional(),
          }),
        },
        "allowed",
      ),
    ),
  ),
);

export const L: z.ZodType<types.L> = keywords.says<types.L>()(
  combinations.allOf(keywords.unchecked(z.boolean()), z.string()),
);

export const M: z.ZodType<types.M> = keywords.says<types.M>()(
  combinations.allOf(
    z.looseObject({}).nullable(),
    combinations.anyOf(
      keywords.byType(
        {
          object: z.looseObject({
            a: z.string().exactOptional(),
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
  ),
);

export const N: z.ZodType<types.N> = keywords.says<types.N>()(
  combinations.allOf(z.literal(["a", null]), z.literal("a")),
);

export const O: z.ZodType<types.O> = keywords.says<types.O>()(
  combinations.allOf(
    z.looseObject({}).nullable(),
    z.looseObject({
      a: z.string().exactOptional(),
    }),
    z.looseObject({
      b: z.string(),
    }),
  ),
);

export const P: z.ZodType<types.P> = keywords.says<types.P>()(
  combinations.allOf(
    keywords.unchecked(z.string()),
    keywords.byType({ string: z.string(), number: z.int() }, "refused"),
  ),
);

export const Q: z.ZodType<types.Q> = keywords.says<types.Q>()(
  combinations.also(z.looseObject({}), unevaluated.properties({}, z.string())),
);

export const R: z.ZodType<types.R> = keywords.says<types.R>()(
  combinations.also(
    z.looseObject({
      b: keywords.anything(),
    }),
    unevaluated.properties({}, z.string()),
  ),
);

export const S: z.ZodType<types.S> = keywords.says<types.S>()(
  objects.map(z.string()).check(objects.required("b")),
);

export const U: z.ZodType<types.U> = keywords.says<types.U>()(
  combinations.also(
    z.looseObject({
      b: keywords.anything(),
    }),
    objects.minProperties(1),
  ),
);

export const V: z.ZodType<types.V> = keywords.says<types.V>()(z.literal(false));

export const W: z.ZodType<types.W> = keywords.says<types.W>()(z.never());

export const X: z.ZodType<types.X> = keywords.says<types.X>()(
  combinations.allOf(
    z.looseObject({}).nullable(),
    keywords.byType(
      {
        object: z.looseObject({
          a: z.string().exactOptional(),
        }),
      },
      "allowed",
    ),
  ),
);

export const Y: z.ZodType<types.Y> = keywords.says<types.Y>()(
  combinations.allOf(keywords.unchecked(z.number()), z.boolean()),
);

export const Z: z.ZodType<types.Z> = keywords.says<types.Z>()(
  combinations.allOf(S, keywords.anything()),
);

export const AA: z.ZodType<types.AA> = keywords.says<types.AA>()(
  objects.members({}).check(objects.required("constructor")),
);

export const T: z.ZodType<types.T> = keywords.says<types.T>()(
  combinations.allOf(
    keywords.unchecked(keywords.byType({ string: z.string(), number: z.int() }, "refused")),
    keywords.byType({ string: z.string(), boolean: z.boolean() }, "refused"),
  ),
);
