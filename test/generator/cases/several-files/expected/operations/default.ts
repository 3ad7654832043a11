// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import { createRoute } from "@hono/zod-openapi";
import type { RouteConfig } from "@hono/zod-openapi";
import * as keywords from "../runtime/keywords.ts";
import type * as runtime from "../runtime/runtime.ts";
import type * as answers from "../runtime/answers.ts";
import type * as statuses from "../runtime/statuses.ts";
import * as headers from "../headers.ts";
import * as parameters from "../parameters.ts";
import * as responses from "../responses.ts";
import * as schemas from "../schemas.ts";
import type * as types from "../types.ts";

/** GET /pets: the request, checked */
export interface ListPetsRequest {
  readonly query: answers.Present<types.operations["listPets"]["parameters"]["query"], "limit">;
}

/** GET /pets: every documented answer; the edge adds the headers named in `Edge` */
export type ListPetsAnswer<Edge extends string = never> =
  | answers.JsonAnswer<
      200,
      types.operations["listPets"]["responses"][200]["content"]["application/json"],
      { "X-Total": number },
      Edge
    >
  | answers.JsonAnswer<Exclude<statuses.AnyStatus, 200>, types.Problem_2, unknown, Edge>;

export const listPets: runtime.Operation = {
  operationId: "listPets",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/pets",
    operationId: "listPets",
    request: {
      query: z.looseObject({
        limit: parameters.Limit.schema.exactOptional(),
      }),
    },
    responses: {
      200: {
        description: "The pets.",
        headers: z.looseObject({
          "X-Total": headers.Total,
        }),
        content: { "application/json": { schema: keywords.array(schemas.Pet) } },
      },
      default: responses.Failure,
    },
  }),
  parameters: [parameters.Limit],
  answerHeaders: { 200: { "X-Total": { kind: { scalar: ["integer"] }, explode: false } } },
};

/** POST /pets: the request, checked */
export interface AddPetRequest {
  readonly query: answers.Present<types.operations["addPet"]["parameters"]["query"], "limit">;
  readonly body: types.Pet;
}

/** POST /pets: every documented answer; the edge adds the headers named in `Edge` */
export type AddPetAnswer<Edge extends string = never> = answers.JsonAnswer<
  201,
  types.Pet,
  unknown,
  Edge
>;

export const addPet: runtime.Operation = {
  operationId: "addPet",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/pets",
    operationId: "addPet",
    request: {
      query: z.looseObject({
        limit: parameters.Limit.schema.exactOptional(),
      }),
      body: { required: true, content: { "application/json": { schema: schemas.Pet } } },
    },
    responses: {
      201: { description: "The pet.", content: { "application/json": { schema: schemas.Pet } } },
    },
  }),
  parameters: [parameters.Limit],
};

/** GET /pets/{id}: the request, checked */
export interface GetPetRequest {
  readonly path: answers.Present<types.operations["getPet"]["parameters"]["path"]>;
}

/** GET /pets/{id}: every documented answer; the edge adds the headers named in `Edge` */
export type GetPetAnswer<Edge extends string = never> =
  | answers.JsonAnswer<200, types.Pet, unknown, Edge>
  | answers.JsonAnswer<404, types.Problem_2, unknown, Edge>;

export const getPet: runtime.Operation = {
  operationId: "getPet",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/pets/{id}",
    operationId: "getPet",
    request: {
      params: z.looseObject({
        id: schemas.Identifier,
      }),
    },
    responses: {
      200: { description: "The pet.", content: { "application/json": { schema: schemas.Pet } } },
      404: responses.Missing,
    },
  }),
  parameters: [
    { in: "path", name: "id", style: "simple", explode: false, kind: { scalar: ["string"] } },
  ],
};
