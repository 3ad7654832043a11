// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import { createRoute } from "@hono/zod-openapi";
import type { RouteConfig } from "@hono/zod-openapi";
import * as keywords from "../runtime/keywords.ts";
import * as methods from "../runtime/methods.ts";
import type * as runtime from "../runtime/runtime.ts";
import type * as answers from "../runtime/answers.ts";
import * as responses from "../responses.ts";
import * as schemas from "../schemas.ts";
import type * as types from "../types.ts";

/** QUERY /pages/{id}: the request, checked */
export interface SearchPageRequest {
  readonly path: answers.Present<types.operations["searchPage"]["parameters"]["path"]>;
  readonly body: types.SearchRequest;
}

/** QUERY /pages/{id}: every documented answer; the edge adds the headers named in `Edge` */
export type SearchPageAnswer<Edge extends string = never> = answers.JsonAnswer<
  200,
  types.operations["searchPage"]["responses"][200]["content"]["application/json"],
  unknown,
  Edge
>;

export const searchPage: runtime.Operation = {
  operationId: "searchPage",
  route: createRoute<string, RouteConfig>({
    method: "query",
    path: "/pages/{id}",
    tags: ["pages"],
    operationId: "searchPage",
    request: {
      params: z.looseObject({
        id: z.int(),
      }),
      body: { required: true, content: { "application/json": { schema: schemas.SearchRequest } } },
    },
    responses: {
      200: {
        description: "What was found.",
        content: { "application/json": { schema: keywords.array(z.string()) } },
      },
    },
  }),
  parameters: [
    { in: "path", name: "id", style: "simple", explode: false, kind: { scalar: ["integer"] } },
  ],
};

/** PURGE /pages/{id}: the request, checked */
export interface PurgePageRequest {
  readonly path: answers.Present<types.operations["purgePage"]["parameters"]["path"]>;
}

/** PURGE /pages/{id}: every documented answer; the edge adds the headers named in `Edge` */
export type PurgePageAnswer<Edge extends string = never> = answers.EmptyAnswer<204, unknown, Edge>;

export const purgePage: runtime.Operation = {
  operationId: "purgePage",
  route: createRoute<string, RouteConfig>({
    method: methods.other("PURGE"),
    path: "/pages/{id}",
    tags: ["pages"],
    operationId: "purgePage",
    request: {
      params: z.looseObject({
        id: z.int(),
      }),
    },
    responses: {
      204: { description: "Gone from every cache." },
    },
  }),
  parameters: [
    { in: "path", name: "id", style: "simple", explode: false, kind: { scalar: ["integer"] } },
  ],
};

/** M-SEARCH /pages/{id}: the request, checked */
export interface MSearchPagesByIdRequest {
  readonly path: answers.Present<types.operations["mSearchPagesById"]["parameters"]["path"]>;
  readonly headers: answers.Present<types.operations["mSearchPagesById"]["parameters"]["header"]>;
  readonly body:
    | NonNullable<
        types.operations["mSearchPagesById"]["requestBody"]
      >["content"]["application/json"]
    | undefined;
}

/** M-SEARCH /pages/{id}: every documented answer; the edge adds the headers named in `Edge` */
export type MSearchPagesByIdAnswer<Edge extends string = never> = answers.JsonAnswer<
  200,
  types.Search,
  unknown,
  Edge
>;

export const mSearchPagesById: runtime.Operation = {
  operationId: "mSearchPagesById",
  route: createRoute<string, RouteConfig>({
    method: methods.other("M-SEARCH"),
    path: "/pages/{id}",
    tags: ["pages"],
    operationId: "mSearchPagesById",
    request: {
      params: z.looseObject({
        id: z.int(),
      }),
      headers: z.looseObject({
        depth: schemas.Depth.exactOptional(),
      }),
      body: {
        required: false,
        content: {
          "application/json": {
            schema: z.looseObject({
              deep: z.boolean().exactOptional(),
            }),
          },
        },
      },
    },
    responses: {
      200: responses.Found,
    },
  }),
  parameters: [
    { in: "path", name: "id", style: "simple", explode: false, kind: { scalar: ["integer"] } },
    { in: "header", name: "depth", style: "simple", explode: false, kind: { scalar: ["string"] } },
  ],
};

/** GET /pages/{id}: the request, checked */
export interface GetPageRequest {
  readonly path: answers.Present<types.operations["getPage"]["parameters"]["path"]>;
}

/** GET /pages/{id}: every documented answer; the edge adds the headers named in `Edge` */
export type GetPageAnswer<Edge extends string = never> = answers.EmptyAnswer<204, unknown, Edge>;

export const getPage: runtime.Operation = {
  operationId: "getPage",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/pages/{id}",
    tags: ["pages"],
    operationId: "getPage",
    request: {
      params: z.looseObject({
        id: z.int(),
      }),
    },
    responses: {
      204: { description: "It is there." },
    },
  }),
  parameters: [
    { in: "path", name: "id", style: "simple", explode: false, kind: { scalar: ["integer"] } },
  ],
};

/** BREW /again: the request, checked */
export interface BrewAgainRequest {}

/** BREW /again: every documented answer; the edge adds the headers named in `Edge` */
export type BrewAgainAnswer<Edge extends string = never> = answers.EmptyAnswer<204, unknown, Edge>;

export const brewAgain: runtime.Operation = {
  operationId: "brewAgain",
  route: createRoute<string, RouteConfig>({
    method: methods.other("BREW"),
    path: "/again",
    tags: ["pages"],
    operationId: "brewAgain",
    responses: {
      204: { description: "Coffee." },
    },
  }),
  parameters: [],
};

/** purge /again: the request, checked */
export interface PurgeAgainRequest {}

/** purge /again: every documented answer; the edge adds the headers named in `Edge` */
export type PurgeAgainAnswer<Edge extends string = never> = answers.EmptyAnswer<204, unknown, Edge>;

export const purgeAgain: runtime.Operation = {
  operationId: "purgeAgain",
  route: createRoute<string, RouteConfig>({
    method: methods.other("purge"),
    path: "/again",
    tags: ["pages"],
    operationId: "purgeAgain",
    responses: {
      204: { description: "Nothing." },
    },
  }),
  parameters: [],
};
