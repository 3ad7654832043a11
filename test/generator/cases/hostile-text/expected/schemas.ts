// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import * as combinations from "./runtime/combinations.ts";
import * as keywords from "./runtime/keywords.ts";
import * as objects from "./runtime/objects.ts";
import type * as types from "./types.ts";

export const Name_globalThis_pwned_1_: z.ZodType<types.Name_globalThis_pwned_1_> =
  keywords.says<types.Name_globalThis_pwned_1_>()(z.string());

/** First *\/ globalThis.pwned = 1; /* sentence. */
export const Text: z.ZodType<types.Text> = keywords.says<types.Text>()(
  z.looseObject({
    '"; globalThis.pwned = 1; //': z.string(),
    "new\nline": z.string(),
    "line separator": z.string().exactOptional(),
    "`${globalThis.pwned = 1}`": z.string().exactOptional(),
    "'": z.literal("'; globalThis.pwned = 1; //").exactOptional(),
  }),
);

export const Values: z.ZodType<types.Values> = keywords.says<types.Values>()(
  z.literal([
    '"; globalThis.pwned = 1; //',
    "'; globalThis.pwned = 1; //",
    "`${globalThis.pwned = 1}`",
    "\\",
    "\n",
    " ",
    "*/ globalThis.pwned = 1; /*",
    "</script>",
    "__proto__",
  ]),
);

export const Patterns: z.ZodType<types.Patterns> = keywords.says<types.Patterns>()(
  objects.members({
    properties: [
      ["slash", z.string().regex(/\/; globalThis.pwned = 1; \/\//u), "optional"],
      ["template", z.string().regex(/^`\$\{globalThis.pwned = 1\}`$/u), "optional"],
      ["newline", z.string().regex(/a\nb/u), "optional"],
      ["separator", z.string().regex(/^\u2028+$/u), "optional"],
      ["class", z.string().regex(/^[/*]+\/$/u), "optional"],
      ["empty", z.string().regex(/(?:)/u), "optional"],
      ["unicode", z.string().regex(/^\p{L}{1,3}$/u), "optional"],
    ],
    patterns: [[/^\/\*\n/u, z.string()]],
  }),
);

export const Objects: z.ZodType<types.Objects> = keywords.says<types.Objects>()(
  keywords
    .anything()
    .check(
      keywords.values(
        { ["__proto__"]: 1, constructor: [null] },
        { '"; globalThis.pwned = 1; //': "`${globalThis.pwned = 1}`" },
      ),
    ),
);

export const Tagged: z.ZodType<types.Tagged> = keywords.says<types.Tagged>()(
  combinations.tagged('"; globalThis.pwned = 1; //', {
    '"}; globalThis.pwned = 1; //': keywords.later(() => TagA),
    "`${globalThis.pwned = 1}`": keywords.later(() => TagB),
  }),
);

export const TagA: z.ZodType<types.TagA> = keywords.says<types.TagA>()(
  z.looseObject({
    '"; globalThis.pwned = 1; //': z.literal('"}; globalThis.pwned = 1; //'),
  }),
);

export const TagB: z.ZodType<types.TagB> = keywords.says<types.TagB>()(
  z.looseObject({
    '"; globalThis.pwned = 1; //': z.literal("`${globalThis.pwned = 1}`"),
  }),
);

export const Name_with_new_line: z.ZodType<types.Name_with_new_line> =
  keywords.says<types.Name_with_new_line>()(z.string());
