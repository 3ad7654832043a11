// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import * as combinations from "./runtime/combinations.ts";
import * as keywords from "./runtime/keywords.ts";
import type * as types from "./types.ts";

export const Order: z.ZodType<types.Order> = keywords.says<types.Order>()(
  z.looseObject({
    id: z.string().check(keywords.format("uuid")).exactOptional(),
    lines: keywords.array(keywords.later(() => Order_Line)).exactOptional(),
    first: keywords.later(() => Order_lines_items).exactOptional(),
    "a/b~c": z.int().exactOptional(),
  }),
);

export const Order_id: z.ZodType<types.Order_id> = keywords.says<types.Order_id>()(z.int());

export const Escaped: z.ZodType<types.Escaped> = keywords.says<types.Escaped>()(
  keywords.later(() => Order_a_b_c),
);

export const With_space: z.ZodType<types.With_space> = keywords.says<types.With_space>()(
  z.string(),
);

export const _50_: z.ZodType<types._50_> = keywords.says<types._50_>()(z.number());

export const Percent: z.ZodType<types.Percent> = keywords.says<types.Percent>()(_50_);

export const Chain: z.ZodType<types.Chain> = keywords.says<types.Chain>()(
  keywords.later(() => Link),
);

export const Link: z.ZodType<types.Link> = keywords.says<types.Link>()(With_space);

export const AllOfMember: z.ZodType<types.AllOfMember> = keywords.says<types.AllOfMember>()(
  keywords.later(() => Either_oneOf_1),
);

export const Either: z.ZodType<types.Either> = keywords.says<types.Either>()(
  combinations.oneOf(z.string(), z.int().max(9)),
);

export const Order_id_2: z.ZodType<types.Order_id_2> = keywords.says<types.Order_id_2>()(
  z.string().check(keywords.format("uuid")),
);

export const content_application_json_schema: z.ZodType<types.content_application_json_schema> =
  keywords.says<types.content_application_json_schema>()(
    z.looseObject({
      id: Order_id_2,
    }),
  );

export const Order_Line: z.ZodType<types.Order_Line> = keywords.says<types.Order_Line>()(
  z.looseObject({
    sku: z.string().check(keywords.minLength(3)),
    parts: keywords.array(keywords.later(() => Order_Line)).exactOptional(),
  }),
);

export const Order_lines_items: z.ZodType<types.Order_lines_items> =
  keywords.says<types.Order_lines_items>()(Order_Line);

export const Order_a_b_c: z.ZodType<types.Order_a_b_c> = keywords.says<types.Order_a_b_c>()(
  z.int(),
);

export const Either_oneOf_1: z.ZodType<types.Either_oneOf_1> =
  keywords.says<types.Either_oneOf_1>()(z.int().max(9));
