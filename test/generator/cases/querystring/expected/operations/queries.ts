// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import { createRoute } from "@hono/zod-openapi";
import type { RouteConfig } from "@hono/zod-openapi";
import * as keywords from "../runtime/keywords.ts";
import * as methods from "../runtime/methods.ts";
import type * as runtime from "../runtime/runtime.ts";
import type * as answers from "../runtime/answers.ts";
import * as schemas from "../schemas.ts";
import type * as types from "../types.ts";

/** GET /forms: the request, checked */
export interface ByFormRequest {
  readonly query: NonNullable<types.operations["byForm"]["parameters"]["query"]>["all"];
}

/** GET /forms: every documented answer; the edge adds the headers named in `Edge` */
export type ByFormAnswer<Edge extends string = never> = answers.EmptyAnswer<204, unknown, Edge>;

export const byForm: runtime.Operation = {
  operationId: "byForm",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/forms",
    tags: ["queries"],
    operationId: "byForm",
    responses: {
      204: { description: "Fine." },
    },
  }),
  parameters: [],
  querystring: {
    required: true,
    mediaType: "application/x-www-form-urlencoded",
    fields: {
      limit: { scalar: ["integer"] },
      tags: { array: ["string"] },
      range: { object: { from: ["number"] }, others: ["string"] },
    },
    schema: z.strictObject({
      limit: z.int().max(50),
      tags: keywords.array(z.string()).exactOptional(),
      range: z
        .looseObject({
          from: z.number().exactOptional(),
        })
        .exactOptional(),
    }),
  },
};

/** GET /json: the request, checked */
export interface ByJsonRequest {
  readonly query: types.Filter | undefined;
}

/** GET /json: every documented answer; the edge adds the headers named in `Edge` */
export type ByJsonAnswer<Edge extends string = never> = answers.EmptyAnswer<204, unknown, Edge>;

export const byJson: runtime.Operation = {
  operationId: "byJson",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/json",
    tags: ["queries"],
    operationId: "byJson",
    responses: {
      204: { description: "Fine." },
    },
  }),
  parameters: [],
  querystring: { required: false, mediaType: "application/json", schema: schemas.Filter },
};

/** SEARCH /json: the request, checked */
export interface SearchByJsonRequest {
  readonly query:
    NonNullable<types.operations["searchByJson"]["parameters"]["query"]>["Filter"] | undefined;
}

/** SEARCH /json: every documented answer; the edge adds the headers named in `Edge` */
export type SearchByJsonAnswer<Edge extends string = never> = answers.EmptyAnswer<
  204,
  unknown,
  Edge
>;

export const searchByJson: runtime.Operation = {
  operationId: "searchByJson",
  route: createRoute<string, RouteConfig>({
    method: methods.other("SEARCH"),
    path: "/json",
    tags: ["queries"],
    operationId: "searchByJson",
    responses: {
      204: { description: "Fine." },
    },
  }),
  parameters: [],
  querystring: { required: false, mediaType: "application/json", schema: keywords.array(z.int()) },
};

/** GET /path: the request, checked */
export interface ByPathRequest {
  readonly cookies: answers.Present<types.operations["byPath"]["parameters"]["cookie"]>;
  readonly query: string | undefined;
}

/** GET /path: every documented answer; the edge adds the headers named in `Edge` */
export type ByPathAnswer<Edge extends string = never> = answers.EmptyAnswer<204, unknown, Edge>;

export const byPath: runtime.Operation = {
  operationId: "byPath",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/path",
    tags: ["queries"],
    operationId: "byPath",
    request: {
      cookies: z.looseObject({
        session: z.string().exactOptional(),
        colours: keywords.array(z.string()).exactOptional(),
      }),
    },
    responses: {
      204: { description: "Fine." },
    },
  }),
  parameters: [
    { in: "cookie", name: "session", style: "cookie", explode: true, kind: { scalar: ["string"] } },
    { in: "cookie", name: "colours", style: "cookie", explode: true, kind: { array: ["string"] } },
  ],
  querystring: {
    required: false,
    mediaType: "application/jsonpath",
    schema: z.string().check(keywords.maxLength(9)),
  },
};

/** GET /anything: the request, checked */
export interface ByAnythingRequest {
  readonly query: unknown | undefined;
}

/** GET /anything: every documented answer; the edge adds the headers named in `Edge` */
export type ByAnythingAnswer<Edge extends string = never> = answers.EmptyAnswer<204, unknown, Edge>;

export const byAnything: runtime.Operation = {
  operationId: "byAnything",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/anything",
    tags: ["queries"],
    operationId: "byAnything",
    responses: {
      204: { description: "Fine." },
    },
  }),
  parameters: [],
  querystring: { required: false, mediaType: "application/json", schema: z.unknown() },
};
