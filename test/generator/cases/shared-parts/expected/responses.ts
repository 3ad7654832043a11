// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import type { RouteConfig } from "@hono/zod-openapi";
import * as keywords from "./runtime/keywords.ts";
import * as headers from "./headers.ts";
import * as schemas from "./schemas.ts";

export const A: RouteConfig["responses"][string] = {
  description: "B.",
  headers: z.looseObject({
    "X-A": headers.A,
  }),
  content: { "application/json": { schema: keywords.array(schemas.Everything) } },
};

export type AHeaders = { "X-A": string };
