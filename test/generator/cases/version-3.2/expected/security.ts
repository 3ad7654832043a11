// Written by "npm run generate" from openapi.yaml; do not edit.

import type * as runtime from "./runtime/runtime.ts";

export const device: runtime.SecurityScheme = { name: "device", type: "oauth2" };
