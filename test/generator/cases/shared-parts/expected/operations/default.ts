// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import { createRoute } from "@hono/zod-openapi";
import type { RouteConfig } from "@hono/zod-openapi";
import * as keywords from "../runtime/keywords.ts";
import type * as runtime from "../runtime/runtime.ts";
import type * as answers from "../runtime/answers.ts";
import * as responses from "../responses.ts";
import * as schemas from "../schemas.ts";
import * as security from "../security.ts";
import type * as types from "../types.ts";

/** POST /callbacks: the request, checked */
export interface PostCallbackRequest {}

/** POST /callbacks: every documented answer; the edge adds the headers named in `Edge` */
export type PostCallbackAnswer<Edge extends string = never> = answers.EmptyAnswer<
  200,
  { "X-Json"?: string; "Set-Cookie": readonly string[] },
  Edge
>;

export const postCallback: runtime.Operation = {
  operationId: "postCallback",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/callbacks",
    operationId: "postCallback",
    responses: {
      200: {
        description: "Fine.",
        headers: z.looseObject({
          "X-Json": z.looseObject({}).exactOptional(),
          "Set-Cookie": keywords.array(z.string()),
        }),
      },
    },
  }),
  parameters: [],
  answerHeaders: {
    200: {
      "X-Json": { kind: "json", explode: false },
      "Set-Cookie": { kind: { array: ["string"] }, explode: false },
    },
  },
};

/** PUT /chain: the request, checked */
export interface PutChainRequest {
  readonly body: types.Everything | undefined;
}

/** PUT /chain: every documented answer; the edge adds the headers named in `Edge` */
export type PutChainAnswer<Edge extends string = never> =
  | answers.JsonAnswer<
      200,
      types.operations["putChain"]["responses"][200]["content"]["application/json"],
      responses.AHeaders,
      Edge
    >
  | answers.JsonAnswer<
      201,
      types.operations["putChain"]["responses"][201]["content"]["application/json"],
      responses.AHeaders,
      Edge
    >;

export const putChain: runtime.Operation = {
  operationId: "putChain",
  route: createRoute<string, RouteConfig>({
    method: "put",
    path: "/chain",
    operationId: "putChain",
    request: {
      body: { required: false, content: { "application/json": { schema: schemas.Everything } } },
    },
    responses: {
      200: responses.A,
      201: responses.A,
    },
  }),
  parameters: [],
  security: [[{ scheme: security.key, scopes: [] }]],
};

/** TRACE /chain: the request, checked */
export interface TraceChainRequest {}

/** TRACE /chain: every documented answer; the edge adds the headers named in `Edge` */
export type TraceChainAnswer<Edge extends string = never> = answers.EmptyAnswer<200, unknown, Edge>;

export const traceChain: runtime.Operation = {
  operationId: "traceChain",
  route: createRoute<string, RouteConfig>({
    method: "trace",
    path: "/chain",
    operationId: "traceChain",
    responses: {
      200: { description: "Fine." },
    },
  }),
  parameters: [],
  security: [
    [
      { scheme: security.oauth, scopes: ["a", "b"] },
      { scheme: security.basic, scopes: [] },
    ],
    [
      { scheme: security.open, scopes: [] },
      { scheme: security.bearer, scopes: [] },
    ],
    [],
  ],
  extensions: { "x-cache-seconds": 5, "x-audiences": ["a", null] },
};
