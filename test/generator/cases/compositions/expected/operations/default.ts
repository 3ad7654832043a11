// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import { createRoute } from "@hono/zod-openapi";
import type { RouteConfig } from "@hono/zod-openapi";
import * as keywords from "../runtime/keywords.ts";
import * as objects from "../runtime/objects.ts";
import type * as runtime from "../runtime/runtime.ts";
import type * as answers from "../runtime/answers.ts";
import type * as types from "../types.ts";

/** GET /teams: the request, checked */
export interface ListTeamsRequest {
  readonly query: answers.Present<types.operations["listTeams"]["parameters"]["query"]>;
}

/** GET /teams: every documented answer; the edge adds the headers named in `Edge` */
export type ListTeamsAnswer<Edge extends string = never> = answers.EmptyAnswer<
  200,
  { "X-Team"?: string },
  Edge
>;

export const listTeams: runtime.Operation = {
  operationId: "listTeams",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/teams",
    operationId: "listTeams",
    request: {
      query: z.looseObject({
        filter: objects
          .members({
            properties: [
              ["constructor", z.int(), "optional"],
              ["toString", keywords.array(z.number()), "optional"],
            ],
          })
          .exactOptional(),
      }),
    },
    responses: {
      200: {
        description: "All teams",
        headers: z.looseObject({
          "X-Team": objects
            .members({
              properties: [["constructor", z.int(), "optional"]],
            })
            .exactOptional(),
        }),
      },
    },
  }),
  parameters: [
    {
      in: "query",
      name: "filter",
      style: "deepObject",
      explode: false,
      kind: {
        tree: {
          object: {
            constructor: { scalar: ["integer"] } as const,
            toString: { items: { scalar: ["number"] } } as const,
          },
          others: { scalar: ["string"] },
        },
      },
    },
  ],
  answerHeaders: {
    200: {
      "X-Team": {
        kind: { object: { constructor: ["integer"] as const }, others: ["string"] },
        explode: false,
      },
    },
  },
};

/** POST /teams: the request, checked */
export interface AddTeamRequest {
  readonly body:
    | {
        readonly contentType: "application/x-www-form-urlencoded";
        readonly value: NonNullable<
          types.operations["addTeam"]["requestBody"]
        >["content"]["application/x-www-form-urlencoded"];
      }
    | {
        readonly contentType: "multipart/form-data";
        readonly value: NonNullable<
          types.operations["addTeam"]["requestBody"]
        >["content"]["multipart/form-data"];
      }
    | undefined;
}

/** POST /teams: every documented answer; the edge adds the headers named in `Edge` */
export type AddTeamAnswer<Edge extends string = never> = answers.EmptyAnswer<204, unknown, Edge>;

export const addTeam: runtime.Operation = {
  operationId: "addTeam",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/teams",
    operationId: "addTeam",
    request: {
      body: {
        required: false,
        content: {
          "application/x-www-form-urlencoded": {
            schema: objects.members({
              properties: [
                ["constructor", keywords.array(z.int()), "optional"],
                ["valueOf", z.boolean(), "optional"],
              ],
            }),
          },
          "multipart/form-data": {
            schema: objects.members({
              properties: [
                ["constructor", z.int(), "optional"],
                ["file", keywords.anything(), "optional"],
              ],
            }),
          },
        },
      },
    },
    responses: {
      204: { description: "Added" },
    },
  }),
  parameters: [],
  forms: {
    "application/x-www-form-urlencoded": {
      constructor: { array: ["integer"] } as const,
      valueOf: { scalar: ["boolean"] } as const,
    },
  },
  parts: {
    "multipart/form-data": {
      constructor: { kind: { text: ["integer"] }, isList: false } as const,
      file: { kind: { file: {} }, isList: false },
    },
  },
};
