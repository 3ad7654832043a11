// A server that the generator makes of a document, with handlers that answer by it, in this process.

import { OpenAPIHono } from "@hono/zod-openapi";
import { readContract } from "../../generator/generate.ts";
import { loadApplication } from "../../generator/mock/load.ts";
import { methodOf } from "../../generator/runtime/methods.ts";
import {
  type Edge,
  type Handler,
  RequestError,
  type WireAnswer,
} from "../../generator/runtime/runtime.ts";
import { type Made, Mock, wireOf } from "./mock.ts";
import type { JsonObject } from "../../generator/suite/json.ts";

export interface MadeServer {
  /** the document in one piece */
  readonly document: JsonObject;
  readonly send: (request: Request) => Promise<Response>;
}

export interface ServerWish {
  readonly path: string;
  /** what the handlers answer by: a server that reads another document still does its work */
  readonly mock: Mock | undefined;
  /** what becomes of an answer on its way */
  readonly change: (made: Made) => Made;
}

const bodyBytesMax = 1_000_000;
const depthMax = 64;

const edge: Edge<null, null> = {
  begin: () => null,
  authenticate: () => null,
  refuse: (error): WireAnswer => {
    if (!(error instanceof RequestError)) return { status: 500, body: { code: "internal" } };
    const { status, problem, violations, allow } = error;
    const headers = allow.length === 0 ? {} : { Allow: allow.join(", ") };
    return { status, headers, body: { code: problem, violations } };
  },
  headers: () => ({}),
  bodyBytesMax,
  depthMax,
  checkAnswers: false,
};

/** Throws `DocumentError` where the generator refuses the document. */
export async function makeServer({ path, mock, change }: ServerWish): Promise<MadeServer> {
  const reading = readContract(path);
  const application = await loadApplication(reading);
  const own = mock ?? new Mock(reading.bundled);
  const answers = application.operations.map(
    ({ operationId, route }): readonly [string, Handler] => [
      operationId,
      () => wireOf(change(own.answer(methodOf(route), route.path))),
    ],
  );
  const app = new OpenAPIHono();
  application.register(app, Object.fromEntries(answers), edge);
  return { document: reading.bundled, send: async (request) => app.fetch(request) };
}
