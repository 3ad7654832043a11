// The generated routes with an edge that does nothing.

import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { OpenAPIHono } from "@hono/zod-openapi";
import { operations } from "../../../generated/app.ts";
import { nodeListener } from "../../../generated/runtime/listener.ts";
import { register } from "../../../generated/runtime/register.ts";
import * as runtime from "../../../generated/runtime/runtime.ts";
import { samples } from "../requests.ts";

const none = {};

const edge: runtime.Edge<undefined, undefined> = {
  begin: () => undefined,
  authenticate: () => undefined,
  refuse: (error) => ({
    status: error instanceof runtime.RequestError ? error.status : 500,
    body: { message: String(error) },
  }),
  headers: () => none,
  bodyBytesMax: 65_536,
  depthMax: 32,
  checkAnswers: false,
};

export function start(): Server {
  const app = new OpenAPIHono();
  const handlers = Object.fromEntries(
    operations.map(({ operationId }): [string, runtime.Handler] => {
      const sample = samples.find((one) => one.operationId === operationId);
      const { status = 501, answer = null } = sample ?? {};
      return [operationId, () => ({ status, body: answer })];
    }),
  );
  register(app, operations, handlers, edge);
  return createServer(nodeListener(app, getRequestListener(app.fetch)));
}
