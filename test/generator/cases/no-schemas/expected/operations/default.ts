// Written by "npm run generate" from openapi.yaml; do not edit.

import { createRoute } from "@hono/zod-openapi";
import type { RouteConfig } from "@hono/zod-openapi";
import type * as runtime from "../runtime/runtime.ts";
import type * as answers from "../runtime/answers.ts";

/** GET /ping: the request, checked */
export interface PingRequest {}

/** GET /ping: every documented answer; the edge adds the headers named in `Edge` */
export type PingAnswer<Edge extends string = never> = answers.UndocumentedAnswer<Edge>;

export const ping: runtime.Operation = {
  operationId: "ping",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/ping",
    operationId: "ping",
    responses: {},
  }),
  parameters: [],
};

/** PUT /ping: the request, checked */
export interface PongRequest {}

/** PUT /ping: every documented answer; the edge adds the headers named in `Edge` */
export type PongAnswer<Edge extends string = never> = answers.UndocumentedAnswer<Edge>;

export const pong: runtime.Operation = {
  operationId: "pong",
  route: createRoute<string, RouteConfig>({
    method: "put",
    path: "/ping",
    operationId: "pong",
    responses: {},
  }),
  parameters: [],
};
