// Written by "npm run generate" from openapi.yaml; do not edit.

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
        description: "All pets",
        content: { "application/json": { schema: keywords.array(schemas.Pet) } },
      },
    },
  }),
  parameters: [],
};

/** POST /pets: the request, checked */
export interface AddPetRequest {
  readonly body: types.Pet | undefined;
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
      body: { required: false, content: { "application/json": { schema: schemas.Pet } } },
    },
    responses: {
      201: { description: "Done", content: { "application/json": { schema: schemas.Pet } } },
    },
  }),
  parameters: [],
};
