// @hono/zod-openapi as its documentation shows it, with the very route objects of the contract.

import { createAdaptorServer } from "@hono/node-server";
import type { ServerType } from "@hono/node-server";
import { OpenAPIHono } from "@hono/zod-openapi";
import { operations } from "../../../generated/app.ts";
import { samples } from "../requests.ts";

export function start(): ServerType {
  const app = new OpenAPIHono();
  for (const { operationId, status, answer } of samples) {
    const operation = operations.find((one) => one.operationId === operationId);
    if (operation === undefined) throw new Error(`the contract has no ${operationId}`);
    const text = JSON.stringify;
    // the routes are typed as data, so the types of the answers are not known here
    app.openapi(operation.route, (c) => {
      return c.body(text(answer), status as 200, { "Content-Type": "application/json" });
    });
  }
  return createAdaptorServer({ fetch: app.fetch });
}
