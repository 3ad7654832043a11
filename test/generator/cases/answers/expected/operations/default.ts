// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import { createRoute } from "@hono/zod-openapi";
import type { RouteConfig } from "@hono/zod-openapi";
import * as keywords from "../runtime/keywords.ts";
import type * as runtime from "../runtime/runtime.ts";
import type * as answers from "../runtime/answers.ts";
import type * as statuses from "../runtime/statuses.ts";
import * as headers from "../headers.ts";
import * as responses from "../responses.ts";
import * as schemas from "../schemas.ts";
import type * as types from "../types.ts";

/** GET /range: the request, checked */
export interface GetRangeRequest {}

/** GET /range: every documented answer; the edge adds the headers named in `Edge` */
export type GetRangeAnswer<Edge extends string = never> =
  | answers.JsonAnswer<
      200,
      types.operations["getRange"]["responses"][200]["content"]["application/json"],
      unknown,
      Edge
    >
  | answers.JsonAnswer<404, types.Error, unknown, Edge>
  | answers.JsonAnswer<
      Exclude<statuses.ClientErrorStatus, 200 | 404>,
      types.Error,
      responses.FailureHeaders,
      Edge
    >
  | answers.EmptyAnswer<Exclude<statuses.ServerErrorStatus, 200 | 404>, unknown, Edge>;

export const getRange: runtime.Operation = {
  operationId: "getRange",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/range",
    operationId: "getRange",
    responses: {
      200: { description: "Fine.", content: { "application/json": { schema: z.string() } } },
      404: responses.Missing,
      "4XX": responses.Failure,
      "5XX": { description: "Ours." },
    },
  }),
  parameters: [],
  answerHeaders: { "4XX": { "Retry-After": { kind: { scalar: ["integer"] }, explode: false } } },
};

/** GET /default: the request, checked */
export interface GetDefaultRequest {}

/** GET /default: every documented answer; the edge adds the headers named in `Edge` */
export type GetDefaultAnswer<Edge extends string = never> =
  | answers.JsonAnswer<
      200,
      types.operations["getDefault"]["responses"][200]["content"]["application/json"],
      unknown,
      Edge
    >
  | answers.EmptyAnswer<Exclude<statuses.ClientErrorStatus, 200>, unknown, Edge>
  | answers.JsonAnswer<
      Exclude<statuses.AnyStatus, 200 | statuses.ClientErrorStatus>,
      types.Error,
      responses.FailureHeaders,
      Edge
    >;

export const getDefault: runtime.Operation = {
  operationId: "getDefault",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/default",
    operationId: "getDefault",
    responses: {
      200: { description: "Fine.", content: { "application/json": { schema: z.string() } } },
      "4XX": { description: "Yours." },
      default: responses.Failure,
    },
  }),
  parameters: [],
  answerHeaders: { default: { "Retry-After": { kind: { scalar: ["integer"] }, explode: false } } },
};

/** GET /listed: the request, checked */
export interface GetListedRequest {}

/** GET /listed: every documented answer; the edge adds the headers named in `Edge` */
export type GetListedAnswer<Edge extends string = never> =
  | answers.EmptyAnswer<204, unknown, Edge>
  | answers.JsonAnswer<429 | 500, types.Error, responses.FailureHeaders, Edge>;

export const getListed: runtime.Operation = {
  operationId: "getListed",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/listed",
    operationId: "getListed",
    "x-default-statuses": [429, 500],
    responses: {
      204: { description: "Nothing to say." },
      default: responses.Failure,
    },
  }),
  parameters: [],
  answerHeaders: { default: { "Retry-After": { kind: { scalar: ["integer"] }, explode: false } } },
};

/** DELETE /nothing: the request, checked */
export interface DeleteNothingRequest {}

/** DELETE /nothing: every documented answer; the edge adds the headers named in `Edge` */
export type DeleteNothingAnswer<Edge extends string = never> =
  answers.EmptyAnswer<204, unknown, Edge> | answers.EmptyAnswer<304, { ETag: string }, Edge>;

export const deleteNothing: runtime.Operation = {
  operationId: "deleteNothing",
  route: createRoute<string, RouteConfig>({
    method: "delete",
    path: "/nothing",
    operationId: "deleteNothing",
    responses: {
      204: { description: "Gone." },
      304: {
        description: "As before.",
        headers: z.looseObject({
          ETag: z.string(),
        }),
      },
    },
  }),
  parameters: [],
};

/** GET /headers: the request, checked */
export interface GetHeadersRequest {}

/** GET /headers: every documented answer; the edge adds the headers named in `Edge` */
export type GetHeadersAnswer<Edge extends string = never> = answers.JsonAnswer<
  201,
  types.Error,
  {
    Location: string;
    "X-Count"?: number;
    "X-Whole"?: null | boolean;
    "X-Either"?: number | string;
    "X-Names"?: readonly string[];
    "X-Place"?: string;
    "X-Document"?: string;
    "X-Note"?: string;
    "X-Shared": readonly number[];
  },
  Edge
>;

export const getHeaders: runtime.Operation = {
  operationId: "getHeaders",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/headers",
    operationId: "getHeaders",
    responses: {
      201: {
        description: "Made.",
        headers: z.looseObject({
          Location: z.string().check(keywords.format("uri-reference")),
          "X-Count": z.int().exactOptional(),
          "X-Whole": z.boolean().nullable().exactOptional(),
          "X-Either": z.literal([1, "many"]).exactOptional(),
          "X-Names": keywords.array(z.string()).exactOptional(),
          "X-Place": z
            .looseObject({
              line: z.int().exactOptional(),
            })
            .exactOptional(),
          "X-Document": keywords.array(z.unknown()).exactOptional(),
          "X-Note": z.string().check(keywords.maxLength(5)).exactOptional(),
          "X-Shared": headers.Shared,
        }),
        content: { "application/json": { schema: schemas.Error } },
      },
    },
  }),
  parameters: [],
  answerHeaders: {
    201: {
      "X-Count": { kind: { scalar: ["integer"] }, explode: false },
      "X-Whole": { kind: { scalar: ["null", "boolean"] }, explode: false },
      "X-Either": { kind: { scalar: ["number", "string"] }, explode: false },
      "X-Names": { kind: { array: ["string"] }, explode: false },
      "X-Place": { kind: { object: { line: ["integer"] }, others: ["string"] }, explode: true },
      "X-Document": { kind: "json", explode: false },
      "X-Shared": { kind: { array: ["integer"] }, explode: false },
    },
  },
};
