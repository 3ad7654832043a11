// Written by "npm run generate" from openapi.yaml; do not edit.

import type * as runtime from "./runtime/runtime.ts";

export const local: runtime.SecurityScheme = { name: "local", type: "http", scheme: "bearer" };

export const key: runtime.SecurityScheme = {
  name: "key",
  type: "apiKey",
  in: "header",
  parameter: "X-Key",
};
