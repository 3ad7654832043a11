// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import type { RouteConfig } from "@hono/zod-openapi";
import * as schemas from "./schemas.ts";

export const Missing: RouteConfig["responses"][string] = {
  description: "There is no such thing.",
  content: { "application/json": { schema: schemas.Error } },
};

export const Failure: RouteConfig["responses"][string] = {
  description: "Something went wrong.\n\nIn two paragraphs.\n",
  headers: z.looseObject({
    "Retry-After": z.int().exactOptional(),
  }),
  content: { "application/json": { schema: schemas.Error } },
};

export type FailureHeaders = { "Retry-After"?: number };
