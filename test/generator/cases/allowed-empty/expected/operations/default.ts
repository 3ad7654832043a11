// Written by "npm run generate" from openapi.yaml; do not edit.

import { createRoute } from "@hono/zod-openapi";
import type { RouteConfig } from "@hono/zod-openapi";
import type * as runtime from "../runtime/runtime.ts";
import type * as answers from "../runtime/answers.ts";
import * as schemas from "../schemas.ts";
import * as security from "../security.ts";
import type * as types from "../types.ts";

/** GET /pets: the request, checked */
export interface ListPetsRequest {}

/** GET /pets: every documented answer; the edge adds the headers named in `Edge` */
export type ListPetsAnswer<Edge extends string = never> = answers.JsonAnswer<
  200,
  types.Pet,
  unknown,
  Edge
>;

export const listPets: runtime.Operation = {
  operationId: "listPets",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/pets",
    operationId: "listPets",
    responses: {
      200: { description: "All pets", content: { "application/json": { schema: schemas.Pet } } },
    },
  }),
  parameters: [],
  security: [[{ scheme: security.login, scopes: [] }]],
};
