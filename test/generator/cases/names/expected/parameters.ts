// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import type * as runtime from "./runtime/runtime.ts";
import * as schemas from "./schemas.ts";

interface Parameter extends runtime.ParameterPlan {
  readonly schema: z.ZodType;
}

export const Parameter: Parameter = {
  in: "query",
  name: "Parameter",
  style: "form",
  explode: true,
  kind: { scalar: ["string"] },
  schema: z.string(),
};

export const runtime_: Parameter = {
  in: "query",
  name: "runtime",
  style: "form",
  explode: true,
  kind: { scalar: ["string"] },
  schema: z.string(),
};

export const _5_: Parameter = {
  in: "query",
  name: "5%",
  style: "form",
  explode: true,
  kind: { object: { "a%": ["string"], "#": ["string"] }, others: ["string"] },
  schema: schemas._41_,
};

export const z_: Parameter = {
  in: "query",
  name: "z",
  style: "form",
  explode: true,
  kind: { scalar: ["string"] },
  schema: z.string(),
};

export const schemas_: Parameter = {
  in: "query",
  name: "schemas",
  style: "form",
  explode: true,
  kind: { scalar: ["string"] },
  schema: schemas.z_,
};

export const x_parameter: Parameter = {
  in: "query",
  name: "x-parameter",
  style: "form",
  explode: true,
  kind: { scalar: ["integer"] },
  schema: schemas.x_schema,
};
