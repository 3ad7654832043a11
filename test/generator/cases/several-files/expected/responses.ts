// Written by "npm run generate" from openapi.yaml; do not edit.

import type { RouteConfig } from "@hono/zod-openapi";
import * as schemas from "./schemas.ts";

export const Missing: RouteConfig["responses"][string] = {
  description: "There is no such thing.",
  content: { "application/json": { schema: schemas.Problem_2 } },
};

export const Failure: RouteConfig["responses"][string] = {
  description: "Anything that went wrong.",
  content: { "application/json": { schema: schemas.Problem_2 } },
};
