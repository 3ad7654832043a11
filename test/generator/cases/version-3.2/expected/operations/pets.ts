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

/** GET /pets: the request, checked */
export interface ListPetsRequest {
  readonly query: answers.Present<types.operations["listPets"]["parameters"]["query"]>;
}

/** GET /pets: every documented answer; the edge adds the headers named in `Edge` */
export type ListPetsAnswer<Edge extends string = never> =
  | answers.JsonAnswer<
      200,
      types.operations["listPets"]["responses"][200]["content"]["application/json"],
      unknown,
      Edge
    >
  | answers.EmptyAnswer<204, unknown, Edge>;

export const listPets: runtime.Operation = {
  operationId: "listPets",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/pets",
    tags: ["pets"],
    operationId: "listPets",
    request: {
      query: z.looseObject({
        kind: z.string().exactOptional(),
      }),
    },
    responses: {
      200: {
        description: "Some pets",
        content: { "application/json": { schema: keywords.array(schemas.Pet) } },
      },
      204: { description: "" },
    },
  }),
  parameters: [
    { in: "query", name: "kind", style: "form", explode: true, kind: { scalar: ["string"] } },
  ],
  security: [[{ scheme: security.device, scopes: ["read"] }]],
};
