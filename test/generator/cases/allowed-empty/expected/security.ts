// Written by "npm run generate" from openapi.yaml; do not edit.

import type * as runtime from "./runtime/runtime.ts";

export const login: runtime.SecurityScheme = { name: "login", type: "oauth2" };
