// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import { createRoute } from "@hono/zod-openapi";
import type { RouteConfig } from "@hono/zod-openapi";
import type * as runtime from "../runtime/runtime.ts";
import type * as answers from "../runtime/answers.ts";
import * as schemas from "../schemas.ts";
import type * as types from "../types.ts";

/** GET /a*\/globalThis.pwned=1: the request, checked */
export interface XGlobalThisPwned1Request {
  readonly query: answers.Present<
    types.operations['x"]; globalThis.pwned = 1; //']["parameters"]["query"],
    'q"}; globalThis.pwned = 1; //'
  >;
}

/** GET /a*\/globalThis.pwned=1: every documented answer; the edge adds the headers named in `Edge` */
export type XGlobalThisPwned1Answer<Edge extends string = never> =
  | answers.JsonAnswer<200, types.Text, { "X-A": string }, Edge>
  | answers.RawAnswer<200, 'text/plain;a="b', { "X-A": string }, Edge>;

export const x_globalThis_pwned_1_: runtime.Operation = {
  operationId: 'x"]; globalThis.pwned = 1; //',
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/a*/globalThis.pwned=1",
    tags: ["a*/ globalThis.pwned = 1; /*\nglobalThis.pwned = 1;"],
    operationId: 'x"]; globalThis.pwned = 1; //',
    summary: '"; globalThis.pwned = 1; //',
    request: {
      query: z.looseObject({
        'q"}; globalThis.pwned = 1; //': z.string().exactOptional(),
      }),
    },
    responses: {
      200: {
        description: '`${globalThis.pwned = 1}` "; globalThis.pwned = 1; //',
        headers: z.looseObject({
          "X-A": z.string(),
        }),
        content: {
          "application/json": { schema: schemas.Text },
          'text/plain;a="b': { schema: z.string() },
        },
      },
    },
  }),
  parameters: [
    {
      in: "query",
      name: 'q"}; globalThis.pwned = 1; //',
      style: "form",
      explode: true,
      kind: { scalar: ["string"] },
      default: '"; globalThis.pwned = 1; //',
    },
  ],
};
