// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import { createRoute } from "@hono/zod-openapi";
import type { RouteConfig } from "@hono/zod-openapi";
import * as keywords from "../runtime/keywords.ts";
import type * as runtime from "../runtime/runtime.ts";
import type * as answers from "../runtime/answers.ts";
import * as schemas from "../schemas.ts";
import type * as types from "../types.ts";

/** GET /pets: the request, checked */
export interface ListPetsRequest {}

/** GET /pets: every documented answer; the edge adds the headers named in `Edge` */
export type ListPetsAnswer<Edge extends string = never> = answers.JsonAnswer<
  200,
  types.operations["listPets"]["responses"][200]["content"]["application/json"],
  unknown,
  Edge
>;

export const listPets: runtime.Operation = {
  operationId: "listPets",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/pets",
    operationId: "listPets",
    responses: {
      200: {
        description: "Fine.",
        content: { "application/json": { schema: keywords.array(schemas.Pet) } },
      },
    },
  }),
  parameters: [],
};

/** POST /pets: the request, checked */
export interface CreatePetRequest {
  readonly body: types.PetRequest;
}

/** POST /pets: every documented answer; the edge adds the headers named in `Edge` */
export type CreatePetAnswer<Edge extends string = never> = answers.EmptyAnswer<204, unknown, Edge>;

export const createPet: runtime.Operation = {
  operationId: "createPet",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/pets",
    operationId: "createPet",
    request: {
      body: { required: true, content: { "application/json": { schema: schemas.PetRequest } } },
    },
    responses: {
      204: { description: "Fine." },
    },
  }),
  parameters: [],
};

/** GET /pets/{id}: the request, checked */
export interface GetPetRequest {
  readonly path: answers.Present<types.operations["getPet"]["parameters"]["path"]>;
}

/** GET /pets/{id}: every documented answer; the edge adds the headers named in `Edge` */
export type GetPetAnswer<Edge extends string = never> = answers.JsonAnswer<
  200,
  types.operations["getPet"]["responses"][200]["content"]["application/json"],
  unknown,
  Edge
>;

export const getPet: runtime.Operation = {
  operationId: "getPet",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/pets/{id}",
    operationId: "getPet",
    request: {
      params: z.looseObject({
        id: z.int(),
      }),
    },
    responses: {
      200: {
        description: "Fine.",
        content: { "application/json": { schema: keywords.array(schemas.Pet) } },
      },
    },
  }),
  parameters: [
    { in: "path", name: "id", style: "simple", explode: false, kind: { scalar: ["integer"] } },
  ],
};
