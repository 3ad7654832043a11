// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import { createRoute } from "@hono/zod-openapi";
import type { RouteConfig } from "@hono/zod-openapi";
import * as keywords from "../runtime/keywords.ts";
import type * as runtime from "../runtime/runtime.ts";
import type * as answers from "../runtime/answers.ts";
import * as schemas from "../schemas.ts";
import type * as types from "../types.ts";

/** POST /things: the request, checked */
export interface AddThingRequest {
  readonly query: answers.Present<types.operations["addThing"]["parameters"]["query"]>;
  readonly body: types.Thing;
}

/** POST /things: every documented answer; the edge adds the headers named in `Edge` */
export type AddThingAnswer<Edge extends string = never> = answers.EmptyAnswer<201, unknown, Edge>;

export const addThing: runtime.Operation = {
  operationId: "addThing",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/things",
    operationId: "addThing",
    request: {
      query: z.looseObject({
        after: z.string().check(keywords.format("date")).nullable().exactOptional(),
      }),
      body: { required: true, content: { "application/json": { schema: schemas.Thing } } },
    },
    responses: {
      201: { description: "Kept." },
    },
  }),
  parameters: [
    {
      in: "query",
      name: "after",
      style: "form",
      explode: true,
      kind: { scalar: ["null", "string"] },
    },
  ],
};
