// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import { createRoute } from "@hono/zod-openapi";
import type { RouteConfig } from "@hono/zod-openapi";
import type * as runtime from "../runtime/runtime.ts";
import type * as answers from "../runtime/answers.ts";
import * as schemas from "../schemas.ts";
import type * as types from "../types.ts";

/** GET /things/{id}: the request, checked */
export interface ThingsGetRequest {
  readonly path: answers.Present<types.operations["things#get"]["parameters"]["path"]>;
}

/** GET /things/{id}: every documented answer; the edge adds the headers named in `Edge` */
export type ThingsGetAnswer<Edge extends string = never> =
  | answers.JsonAnswer<200, types.Either, unknown, Edge>
  | answers.EmptyAnswer<204, unknown, Edge>
  | answers.EmptyAnswer<304, unknown, Edge>;

export const things_get: runtime.Operation = {
  operationId: "things#get",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/things/{id}",
    operationId: "things#get",
    request: {
      params: z.looseObject({
        id: z.string().nullable(),
      }),
    },
    responses: {
      200: {
        description: "One of them.",
        content: { "application/json": { schema: schemas.Either } },
      },
      204: { description: "Nothing." },
      304: { description: "As before." },
    },
  }),
  parameters: [
    {
      in: "path",
      name: "id",
      style: "simple",
      explode: false,
      kind: { scalar: ["null", "string"] },
    },
  ],
};

/** DELETE /things/{thing}: the request, checked */
export interface DeleteThingRequest {
  readonly path: answers.Present<types.operations["deleteThing"]["parameters"]["path"]>;
}

/** DELETE /things/{thing}: every documented answer; the edge adds the headers named in `Edge` */
export type DeleteThingAnswer<Edge extends string = never> = answers.EmptyAnswer<
  204,
  unknown,
  Edge
>;

export const deleteThing: runtime.Operation = {
  operationId: "deleteThing",
  route: createRoute<string, RouteConfig>({
    method: "delete",
    path: "/things/{thing}",
    operationId: "deleteThing",
    request: {
      params: z.looseObject({
        thing: z.string(),
      }),
    },
    responses: {
      204: { description: "Gone." },
    },
  }),
  parameters: [
    { in: "path", name: "thing", style: "simple", explode: false, kind: { scalar: ["string"] } },
  ],
};
