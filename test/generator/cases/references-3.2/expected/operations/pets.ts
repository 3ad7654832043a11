// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import { createRoute } from "@hono/zod-openapi";
import type { RouteConfig } from "@hono/zod-openapi";
import * as keywords from "../runtime/keywords.ts";
import type * as runtime from "../runtime/runtime.ts";
import type * as answers from "../runtime/answers.ts";
import * as schemas from "../schemas.ts";
import * as security from "../security.ts";
import type * as types from "../types.ts";

/** POST /pets: the request, checked */
export interface AddPetRequest {
  readonly body: types.PetRequest;
}

/** POST /pets: every documented answer; the edge adds the headers named in `Edge` */
export type AddPetAnswer<Edge extends string = never> =
  | answers.JsonAnswer<200, types.Pet, unknown, Edge>
  | answers.NamedJsonAnswer<
      200,
      "application/vnd.pet+json",
      types.operations["addPet"]["responses"][200]["content"]["application/vnd.pet+json"],
      unknown,
      Edge
    >;

export const addPet: runtime.Operation = {
  operationId: "addPet",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/pets",
    tags: ["pets"],
    operationId: "addPet",
    request: {
      body: { required: true, content: { "application/json": { schema: schemas.PetRequest } } },
    },
    responses: {
      200: {
        description: "Added.",
        content: {
          "application/json": { schema: schemas.Pet },
          "application/vnd.pet+json": { schema: keywords.array(schemas.Pet) },
        },
      },
    },
  }),
  parameters: [],
  security: [[{ scheme: security.key, scopes: [] }]],
};

/** QUERY /pets: the request, checked */
export interface FindPetsRequest {
  readonly query: answers.Present<types.operations["findPets"]["parameters"]["query"]>;
  readonly body: types.Home | undefined;
}

/** QUERY /pets: every documented answer; the edge adds the headers named in `Edge` */
export type FindPetsAnswer<Edge extends string = never> = answers.EmptyAnswer<204, unknown, Edge>;

export const findPets: runtime.Operation = {
  operationId: "findPets",
  route: createRoute<string, RouteConfig>({
    method: "query",
    path: "/pets",
    tags: ["pets"],
    operationId: "findPets",
    request: {
      query: z.looseObject({
        filter: schemas.Pet.exactOptional(),
      }),
      body: { required: false, content: { "application/json": { schema: schemas.Home } } },
    },
    responses: {
      204: { description: "Fine." },
    },
  }),
  parameters: [{ in: "query", name: "filter", style: "form", explode: true, kind: "json" }],
  security: [
    [{ scheme: security.local, scopes: [] }],
    [
      { scheme: security.key, scopes: ["read"] },
      { scheme: security.local, scopes: [] },
    ],
  ],
};
