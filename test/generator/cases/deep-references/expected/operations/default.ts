// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import { createRoute } from "@hono/zod-openapi";
import type { RouteConfig } from "@hono/zod-openapi";
import type * as runtime from "../runtime/runtime.ts";
import type * as answers from "../runtime/answers.ts";
import * as schemas from "../schemas.ts";
import type * as types from "../types.ts";

/** GET /orders/{order id}: the request, checked */
export interface GetOrderRequest {
  readonly path: answers.Present<types.operations["getOrder"]["parameters"]["path"]>;
}

/** GET /orders/{order id}: every documented answer; the edge adds the headers named in `Edge` */
export type GetOrderAnswer<Edge extends string = never> = answers.JsonAnswer<
  200,
  types.operations["getOrder"]["responses"][200]["content"]["application/json"],
  unknown,
  Edge
>;

export const getOrder: runtime.Operation = {
  operationId: "getOrder",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/orders/{order id}",
    operationId: "getOrder",
    request: {
      params: z.looseObject({
        "order id": schemas.Order_id_2,
      }),
    },
    responses: {
      200: {
        description: "The order.",
        content: {
          "application/json": {
            schema: z.looseObject({
              id: schemas.Order_id_2,
            }),
          },
        },
      },
    },
  }),
  parameters: [
    { in: "path", name: "order id", style: "simple", explode: false, kind: { scalar: ["string"] } },
  ],
};

/** GET /copies: the request, checked */
export interface GetCopyRequest {}

/** GET /copies: every documented answer; the edge adds the headers named in `Edge` */
export type GetCopyAnswer<Edge extends string = never> =
  | answers.JsonAnswer<200, types.content_application_json_schema, unknown, Edge>
  | answers.JsonAnswer<404, types.content_application_json_schema, unknown, Edge>;

export const getCopy: runtime.Operation = {
  operationId: "getCopy",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/copies",
    operationId: "getCopy",
    responses: {
      200: {
        description: "The same as elsewhere.",
        content: { "application/json": { schema: schemas.content_application_json_schema } },
      },
      404: {
        description: "The same as elsewhere.",
        content: { "application/json": { schema: schemas.content_application_json_schema } },
      },
    },
  }),
  parameters: [],
};

/** POST /same-item: the request, checked */
export interface PostSameItemRequest {
  readonly body: types.With_space | undefined;
}

/** POST /same-item: every documented answer; the edge adds the headers named in `Edge` */
export type PostSameItemAnswer<Edge extends string = never> = answers.EmptyAnswer<
  204,
  unknown,
  Edge
>;

export const postSameItem: runtime.Operation = {
  operationId: "postSameItem",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/same-item",
    operationId: "postSameItem",
    request: {
      body: { required: false, content: { "application/json": { schema: schemas.With_space } } },
    },
    responses: {
      204: { description: "Fine." },
    },
  }),
  parameters: [],
};

/** POST /copies-of-item: the request, checked */
export interface PostCopiesOfItemRequest {
  readonly body: types.With_space | undefined;
}

/** POST /copies-of-item: every documented answer; the edge adds the headers named in `Edge` */
export type PostCopiesOfItemAnswer<Edge extends string = never> = answers.EmptyAnswer<
  204,
  unknown,
  Edge
>;

export const postCopiesOfItem: runtime.Operation = {
  operationId: "postCopiesOfItem",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/copies-of-item",
    operationId: "postCopiesOfItem",
    request: {
      body: { required: false, content: { "application/json": { schema: schemas.With_space } } },
    },
    responses: {
      204: { description: "Fine." },
    },
  }),
  parameters: [],
};
