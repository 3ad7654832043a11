// Express with express-openapi-validator, which reads the contract itself.

import express from "express";
import type { ErrorRequestHandler } from "express";
import { createServer } from "node:http";
import type { Server } from "node:http";
import { fileURLToPath } from "node:url";
import * as validator from "express-openapi-validator";
import { samples, specification } from "../requests.ts";

export function start(): Server {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.use(express.json());
  app.use(
    validator.middleware({
      apiSpec: fileURLToPath(specification),
      validateRequests: true,
      validateResponses: false,
      validateSecurity: false,
      validateApiSpec: false,
    }),
  );
  for (const { method, template, status, answer } of samples) {
    const path = template.replace(/\{(\w+)\}/, ":$1");
    app[method === "POST" ? "post" : "get"](path, (_, response) => {
      response.status(status).json(answer);
    });
  }
  // oxlint-disable-next-line max-params -- express knows error handlers by their four parameters
  const refuse: ErrorRequestHandler = (error: unknown, _, response, _next) => {
    const status: unknown = Reflect.get(Object(error) as object, "status");
    response.status(typeof status === "number" ? status : 500).json({ message: String(error) });
  };
  app.use(refuse);
  // express is declared as a function of any; it is a request listener
  return createServer(app as Parameters<typeof createServer>[1]);
}
