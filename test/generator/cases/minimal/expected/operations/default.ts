// Written by "npm run generate" from openapi.yaml; do not edit.

import { createRoute } from "@hono/zod-openapi";
import type { RouteConfig } from "@hono/zod-openapi";
import type * as runtime from "../runtime/runtime.ts";
import type * as answers from "../runtime/answers.ts";
import * as schemas from "../schemas.ts";
import type * as types from "../types.ts";

/** GET /ping: the request, checked */
export interface PingRequest {}

/** GET /ping: every documented answer; the edge adds the headers named in `Edge` */
export type PingAnswer<Edge extends string = never> = answers.JsonAnswer<
  200,
  types.Pong,
  unknown,
  Edge
>;

export const ping: runtime.Operation = {
  operationId: "ping",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/ping",
    operationId: "ping",
    responses: {
      200: {
        description: "The service is up.",
        content: { "application/json": { schema: schemas.Pong } },
      },
    },
  }),
  parameters: [],
};
