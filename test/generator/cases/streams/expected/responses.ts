// Written by "npm run generate" from openapi.yaml; do not edit.

import type { RouteConfig } from "@hono/zod-openapi";
import * as schemas from "./schemas.ts";

export const Lines: RouteConfig["responses"][string] = {
  description: "Shared.",
  content: { "application/x-ndjson": { schema: schemas.Thing } },
};
