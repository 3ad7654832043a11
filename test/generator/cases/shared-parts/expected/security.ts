// Written by "npm run generate" from openapi.yaml; do not edit.

import type * as runtime from "./runtime/runtime.ts";

export const key: runtime.SecurityScheme = {
  name: "key",
  type: "apiKey",
  in: "header",
  parameter: "X-Key",
};

export const oauth: runtime.SecurityScheme = { name: "oauth", type: "oauth2" };

export const open: runtime.SecurityScheme = {
  name: "open",
  type: "openIdConnect",
  openIdConnectUrl: "https://x",
};

export const basic: runtime.SecurityScheme = { name: "basic", type: "http", scheme: "basic" };

export const bearer: runtime.SecurityScheme = {
  name: "bearer",
  type: "http",
  scheme: "bearer",
  bearerFormat: "JWT",
};
