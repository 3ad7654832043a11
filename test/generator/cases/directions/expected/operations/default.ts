// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import { createRoute } from "@hono/zod-openapi";
import type { RouteConfig } from "@hono/zod-openapi";
import type * as runtime from "../runtime/runtime.ts";
import type * as answers from "../runtime/answers.ts";
import * as schemas from "../schemas.ts";
import type * as types from "../types.ts";

/** POST /accounts: the request, checked */
export interface AddAccountRequest {
  readonly body: types.AccountRequest;
}

/** POST /accounts: every documented answer; the edge adds the headers named in `Edge` */
export type AddAccountAnswer<Edge extends string = never> =
  | answers.JsonAnswer<
      200,
      types.operations["addAccount"]["responses"][200]["content"]["application/json"],
      unknown,
      Edge
    >
  | answers.JsonAnswer<201, types.AccountResponse, unknown, Edge>;

export const addAccount: runtime.Operation = {
  operationId: "addAccount",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/accounts",
    operationId: "addAccount",
    request: {
      body: { required: true, content: { "application/json": { schema: schemas.AccountRequest } } },
    },
    responses: {
      200: {
        description: "Written out here.",
        content: {
          "application/json": {
            schema: z.looseObject({
              secret: z.string().exactOptional(),
              id: z.string(),
            }),
          },
        },
      },
      201: {
        description: "The account.",
        content: { "application/json": { schema: schemas.AccountResponse } },
      },
    },
  }),
  parameters: [],
};
