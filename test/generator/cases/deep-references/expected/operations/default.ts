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

/** PUT /parts/{id}: the request, checked */
export interface PutPartRequest {
  readonly path: answers.Present<types.operations["putPart"]["parameters"]["path"]>;
  readonly headers: answers.Present<types.operations["putPart"]["parameters"]["header"]>;
  readonly body: NonNullable<
    types.operations["putPart"]["requestBody"]
  >["content"]["application/json"];
}

/** PUT /parts/{id}: every documented answer; the edge adds the headers named in `Edge` */
export type PutPartAnswer<Edge extends string = never> = answers.JsonAnswer<
  200,
  types.operations["putPart"]["responses"][200]["content"]["application/json"],
  { "X-Left"?: number },
  Edge
>;

export const putPart: runtime.Operation = {
  operationId: "putPart",
  route: createRoute<string, RouteConfig>({
    method: "put",
    path: "/parts/{id}",
    operationId: "putPart",
    request: {
      params: z.looseObject({
        id: z.int(),
      }),
      headers: z.looseObject({
        "x-trace": z.boolean(),
      }),
      body: { required: true, content: { "application/json": { schema: z.string() } } },
    },
    responses: {
      200: {
        description: "Fine.",
        headers: z.looseObject({
          "X-Left": z.int().exactOptional(),
        }),
        content: { "application/json": { schema: z.string() } },
      },
    },
  }),
  parameters: [
    { in: "path", name: "id", style: "simple", explode: false, kind: { scalar: ["integer"] } },
    {
      in: "header",
      name: "x-trace",
      style: "simple",
      explode: false,
      kind: { scalar: ["boolean"] },
    },
  ],
  answerHeaders: { 200: { "X-Left": { kind: { scalar: ["integer"] }, explode: false } } },
};

/** PUT /parts-elsewhere/{id}: the request, checked */
export interface PutPartElsewhereRequest {
  readonly path: answers.Present<types.operations["putPartElsewhere"]["parameters"]["path"]>;
  readonly query: answers.Present<types.operations["putPartElsewhere"]["parameters"]["query"]>;
  readonly headers: answers.Present<types.operations["putPartElsewhere"]["parameters"]["header"]>;
  readonly body: NonNullable<
    types.operations["putPartElsewhere"]["requestBody"]
  >["content"]["application/json"];
}

/** PUT /parts-elsewhere/{id}: every documented answer; the edge adds the headers named in `Edge` */
export type PutPartElsewhereAnswer<Edge extends string = never> =
  | answers.JsonAnswer<
      200,
      types.operations["putPartElsewhere"]["responses"][200]["content"]["application/json"],
      { "X-Left"?: number },
      Edge
    >
  | answers.EmptyAnswer<404, { "X-Left"?: number }, Edge>;

export const putPartElsewhere: runtime.Operation = {
  operationId: "putPartElsewhere",
  route: createRoute<string, RouteConfig>({
    method: "put",
    path: "/parts-elsewhere/{id}",
    operationId: "putPartElsewhere",
    request: {
      params: z.looseObject({
        id: z.int(),
      }),
      query: z.looseObject({
        q: z.number().exactOptional(),
      }),
      headers: z.looseObject({
        "X-Trace": z.int().exactOptional(),
      }),
      body: { required: true, content: { "application/json": { schema: z.string() } } },
    },
    responses: {
      200: {
        description: "Fine.",
        headers: z.looseObject({
          "X-Left": z.int().exactOptional(),
        }),
        content: { "application/json": { schema: z.string() } },
      },
      404: {
        description: "Not there.",
        headers: z.looseObject({
          "X-Left": z.int().exactOptional(),
        }),
      },
    },
  }),
  parameters: [
    { in: "path", name: "id", style: "simple", explode: false, kind: { scalar: ["integer"] } },
    {
      in: "header",
      name: "X-Trace",
      style: "simple",
      explode: false,
      kind: { scalar: ["integer"] },
    },
    { in: "query", name: "q", style: "form", explode: true, kind: { scalar: ["number"] } },
  ],
  answerHeaders: {
    200: { "X-Left": { kind: { scalar: ["integer"] }, explode: false } },
    404: { "X-Left": { kind: { scalar: ["integer"] }, explode: false } },
  },
};

/** GET /parts-elsewhere/{id}: the request, checked */
export interface GetPartElsewhereRequest {
  readonly path: answers.Present<types.operations["getPartElsewhere"]["parameters"]["path"]>;
  readonly query: answers.Present<types.operations["getPartElsewhere"]["parameters"]["query"]>;
}

/** GET /parts-elsewhere/{id}: every documented answer; the edge adds the headers named in `Edge` */
export type GetPartElsewhereAnswer<Edge extends string = never> = answers.JsonAnswer<
  200,
  types.operations["getPartElsewhere"]["responses"][200]["content"]["application/json"],
  { "X-Left"?: number },
  Edge
>;

export const getPartElsewhere: runtime.Operation = {
  operationId: "getPartElsewhere",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/parts-elsewhere/{id}",
    operationId: "getPartElsewhere",
    request: {
      params: z.looseObject({
        id: z.int(),
      }),
      query: z.looseObject({
        q: z.number().exactOptional(),
      }),
    },
    responses: {
      200: {
        description: "Fine.",
        headers: z.looseObject({
          "X-Left": z.int().exactOptional(),
        }),
        content: { "application/json": { schema: z.string() } },
      },
    },
  }),
  parameters: [
    { in: "path", name: "id", style: "simple", explode: false, kind: { scalar: ["integer"] } },
    { in: "query", name: "q", style: "form", explode: true, kind: { scalar: ["number"] } },
  ],
  answerHeaders: { 200: { "X-Left": { kind: { scalar: ["integer"] }, explode: false } } },
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
