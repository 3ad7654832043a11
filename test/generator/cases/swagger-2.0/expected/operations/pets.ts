// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import { createRoute } from "@hono/zod-openapi";
import type { RouteConfig } from "@hono/zod-openapi";
import * as keywords from "../runtime/keywords.ts";
import type * as runtime from "../runtime/runtime.ts";
import type * as answers from "../runtime/answers.ts";
import type * as statuses from "../runtime/statuses.ts";
import * as parameters from "../parameters.ts";
import * as responses from "../responses.ts";
import * as schemas from "../schemas.ts";
import * as security from "../security.ts";
import type * as types from "../types.ts";

/** GET /pets/{id}: the request, checked */
export interface GetPetRequest {
  readonly path: answers.Present<types.operations["getPet"]["parameters"]["path"]>;
  readonly query: answers.Present<types.operations["getPet"]["parameters"]["query"], "maybe">;
  readonly body: types.Pet;
}

/** GET /pets/{id}: every documented answer; the edge adds the headers named in `Edge` */
export type GetPetAnswer<Edge extends string = never> =
  | answers.JsonAnswer<200, types.Pet, { "X-Ids"?: readonly number[] }, Edge>
  | answers.JsonAnswer<
      404,
      types.operations["getPet"]["responses"][404]["content"]["application/json"],
      unknown,
      Edge
    >;

export const getPet: runtime.Operation = {
  operationId: "getPet",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/pets/{id}",
    tags: ["pets"],
    operationId: "getPet",
    request: {
      params: z.looseObject({
        id: z.int().gt(0),
      }),
      query: z.looseObject({
        limit: parameters.Limit.schema.exactOptional(),
        multi: keywords.array(z.int()).exactOptional(),
        csv: keywords.array(z.string().check(keywords.maxLength(3))).exactOptional(),
        pipes: keywords.array(z.string()).exactOptional(),
        ssv: keywords.array(z.string()).exactOptional(),
        tsv: keywords.array(z.string()).exactOptional(),
        maybe: z.string().nullable().exactOptional(),
      }),
      body: { required: true, content: { "application/json": { schema: schemas.Pet } } },
    },
    responses: {
      200: {
        description: "The pet.",
        headers: z.looseObject({
          "X-Ids": keywords.array(z.int()).exactOptional(),
        }),
        content: { "application/json": { schema: schemas.Pet } },
      },
      404: responses.Missing,
    },
  }),
  parameters: [
    { in: "path", name: "id", style: "simple", explode: false, kind: { scalar: ["integer"] } },
    parameters.Limit,
    { in: "query", name: "multi", style: "form", explode: true, kind: { array: ["integer"] } },
    { in: "query", name: "csv", style: "form", explode: false, kind: { array: ["string"] } },
    {
      in: "query",
      name: "pipes",
      style: "pipeDelimited",
      explode: false,
      kind: { array: ["string"] },
    },
    {
      in: "query",
      name: "ssv",
      style: "spaceDelimited",
      explode: false,
      kind: { array: ["string"] },
    },
    { in: "query", name: "tsv", style: "form", explode: false, kind: { array: ["string"] } },
    {
      in: "query",
      name: "maybe",
      style: "form",
      explode: true,
      kind: { scalar: ["null", "string"] },
      allowEmptyValue: true,
      default: "a",
    },
  ],
  answerHeaders: { 200: { "X-Ids": { kind: { array: ["integer"] }, explode: false } } },
  security: [
    [{ scheme: security.code, scopes: ["read"] }],
    [{ scheme: security.basic, scopes: [] }],
  ],
};

/** PUT /pets/{id}: the request, checked */
export interface PutPetRequest {
  readonly path: answers.Present<types.operations["putPet"]["parameters"]["path"]>;
  readonly body:
    | { readonly contentType: "application/json"; readonly value: types.Pet }
    | { readonly contentType: "application/merge-patch+json"; readonly value: types.Pet };
}

/** PUT /pets/{id}: every documented answer; the edge adds the headers named in `Edge` */
export type PutPetAnswer<Edge extends string = never> = answers.EmptyAnswer<204, unknown, Edge>;

export const putPet: runtime.Operation = {
  operationId: "putPet",
  route: createRoute<string, RouteConfig>({
    method: "put",
    path: "/pets/{id}",
    tags: ["pets"],
    operationId: "putPet",
    request: {
      params: z.looseObject({
        id: z.string(),
      }),
      body: {
        required: true,
        content: {
          "application/json": { schema: schemas.Pet },
          "application/merge-patch+json": { schema: schemas.Pet },
        },
      },
    },
    responses: {
      204: { description: "Put." },
    },
  }),
  parameters: [
    { in: "path", name: "id", style: "simple", explode: false, kind: { scalar: ["string"] } },
  ],
  security: [[{ scheme: security.key, scopes: [] }]],
};

/** POST /pets/{id}: the request, checked */
export interface PostPetRequest {
  readonly path: answers.Present<types.operations["postPet"]["parameters"]["path"]>;
  readonly body: types.Dog | undefined;
}

/** POST /pets/{id}: every documented answer; the edge adds the headers named in `Edge` */
export type PostPetAnswer<Edge extends string = never> = answers.RawAnswer<
  201,
  "application/octet-stream",
  unknown,
  Edge
>;

export const postPet: runtime.Operation = {
  operationId: "postPet",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/pets/{id}",
    tags: ["pets"],
    operationId: "postPet",
    request: {
      params: z.looseObject({
        id: z.int().gt(0),
      }),
      body: { required: false, content: { "application/json": { schema: schemas.Dog } } },
    },
    responses: {
      201: {
        description: "Made.",
        content: { "application/octet-stream": { schema: z.string() } },
      },
    },
  }),
  parameters: [
    { in: "path", name: "id", style: "simple", explode: false, kind: { scalar: ["integer"] } },
  ],
  security: [[{ scheme: security.key, scopes: [] }]],
};

/** POST /photos: the request, checked */
export interface AddPhotoRequest {
  readonly body: NonNullable<
    types.operations["addPhoto"]["requestBody"]
  >["content"]["multipart/form-data"];
}

/** POST /photos: every documented answer; the edge adds the headers named in `Edge` */
export type AddPhotoAnswer<Edge extends string = never> = answers.EmptyAnswer<204, unknown, Edge>;

export const addPhoto: runtime.Operation = {
  operationId: "addPhoto",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/photos",
    tags: ["pets"],
    operationId: "addPhoto",
    request: {
      body: {
        required: true,
        content: {
          "multipart/form-data": {
            schema: z.looseObject({
              photo: keywords.anything(),
              title: z.string().check(keywords.maxLength(20)).exactOptional(),
              sizes: keywords.array(z.int()).exactOptional(),
            }),
          },
        },
      },
    },
    responses: {
      204: { description: "Added." },
    },
  }),
  parameters: [],
  parts: {
    "multipart/form-data": {
      photo: { kind: { file: {} }, isList: false },
      title: { kind: { text: ["string"] }, isList: false },
      sizes: { kind: { text: ["integer"] }, isList: true },
    },
  },
  security: [[{ scheme: security.key, scopes: [] }]],
};

/** POST /logins: the request, checked */
export interface LoginRequest {
  readonly body: NonNullable<
    types.operations["login"]["requestBody"]
  >["content"]["application/x-www-form-urlencoded"];
}

/** POST /logins: every documented answer; the edge adds the headers named in `Edge` */
export type LoginAnswer<Edge extends string = never> = answers.EmptyAnswer<
  statuses.AnyStatus,
  unknown,
  Edge
>;

export const login: runtime.Operation = {
  operationId: "login",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/logins",
    tags: ["pets"],
    operationId: "login",
    request: {
      body: {
        required: true,
        content: {
          "application/x-www-form-urlencoded": {
            schema: z.looseObject({
              user: z.string(),
              roles: keywords.array(z.string()).exactOptional(),
            }),
          },
        },
      },
    },
    responses: {
      default: { description: "Whatever." },
    },
  }),
  parameters: [],
  forms: {
    "application/x-www-form-urlencoded": {
      user: { scalar: ["string"] },
      roles: { kind: { array: ["string"] }, style: "form", explode: false },
    },
  },
  security: [[{ scheme: security.key, scopes: [] }]],
};

/** GET /shared: the request, checked */
export interface GetSharedRequest {
  readonly query: answers.Present<types.operations["getShared"]["parameters"]["query"], "page">;
}

/** GET /shared: every documented answer; the edge adds the headers named in `Edge` */
export type GetSharedAnswer<Edge extends string = never> =
  | answers.JsonAnswer<
      200,
      types.operations["getShared"]["responses"][200]["content"]["application/json"],
      unknown,
      Edge
    >
  | answers.JsonAnswer<
      404,
      types.operations["getShared"]["responses"][404]["content"]["application/json"],
      unknown,
      Edge
    >;

export const getShared: runtime.Operation = {
  operationId: "getShared",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/shared",
    tags: ["pets"],
    operationId: "getShared",
    request: {
      query: z.looseObject({
        page: z.int().exactOptional(),
      }),
    },
    responses: {
      200: {
        description: "Dogs.",
        content: { "application/json": { schema: keywords.array(schemas.Dog) } },
      },
      404: {
        description: "There is none.",
        content: {
          "application/json": {
            schema: z.looseObject({
              code: z.string().exactOptional(),
            }),
          },
        },
      },
    },
  }),
  parameters: [
    {
      in: "query",
      name: "page",
      style: "form",
      explode: true,
      kind: { scalar: ["integer"] },
      default: 1,
    },
  ],
  security: [[{ scheme: security.key, scopes: [] }]],
};
