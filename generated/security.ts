// Written by "npm run generate" from spec/openapi.yaml; do not edit.

import type * as runtime from "./runtime/runtime.ts";

export const ApiKey: runtime.SecurityScheme = {
  name: "ApiKey",
  type: "apiKey",
  in: "header",
  parameter: "X-Api-Key",
};
