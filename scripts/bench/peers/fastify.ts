// Fastify with its own Ajv, the contract's schemas without references, and compiled answers.

import Fastify from "fastify";
import type { Server } from "node:http";
import { at, inlined, parameterSchema, pointerOf, samples } from "../requests.ts";

export async function start(): Promise<Server> {
  const app = Fastify({
    // the schema is to refuse long parameters, not the router
    routerOptions: { maxParamLength: 1000 },
    // examples and formats of OpenAPI are no errors; unknown properties are, as in the contract
    ajv: { customOptions: { strict: false, removeAdditional: false, coerceTypes: false } },
  });
  for (const sample of samples) {
    const pointer = pointerOf(sample);
    const { method, template, status, answer } = sample;
    app.route({
      method,
      url: template.replace(/\{(\w+)\}/, ":$1"),
      schema: {
        headers: parameterSchema(pointer, "header"),
        querystring: parameterSchema(pointer, "query"),
        params: parameterSchema(pointer, "path"),
        ...(method === "POST"
          ? { body: inlined(at(`${pointer}/requestBody/content/application~1json/schema`)) }
          : {}),
      },
      handler: (_, reply) => reply.code(status).send(answer),
    });
  }
  await app.ready();
  return app.server;
}
