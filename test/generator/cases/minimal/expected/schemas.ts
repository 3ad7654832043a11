// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import * as keywords from "./runtime/keywords.ts";
import type * as types from "./types.ts";

/** What a ping gets. */
export const Pong: z.ZodType<types.Pong> = keywords.says<types.Pong>()(
  z.strictObject({
    time: z.string().check(keywords.format("date-time")),
    note: z.string().check(keywords.maxLength(80)).exactOptional(),
  }),
);
