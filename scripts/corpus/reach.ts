// Every operation of a generated application, asked for over a socket.

import { once } from "node:events";
import { Agent, createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { OpenAPIHono } from "@hono/zod-openapi";
import { nodeListener } from "../../generator/runtime/listener.ts";
import { methodOf } from "../../generator/runtime/methods.ts";
import {
  type Edge,
  type Handler,
  NotImplementedError,
  type Operation,
} from "../../generator/runtime/runtime.ts";
import type { Application } from "./application.ts";

class Reached extends Error {
  readonly operationId: string;
  constructor(operationId: string) {
    super(operationId);
    this.operationId = operationId;
  }
}

/** Every request ends at the hook that is asked first, and says whose it is. */
const edge: Edge<null, null> = {
  begin: () => null,
  authenticate: (_raw, operation) => {
    throw new Reached(operation.operationId);
  },
  refuse: (error) => ({
    status: 200,
    body: error instanceof Reached ? error.operationId : String(error),
  }),
  headers: () => ({}),
  bodyBytesMax: 1000,
  depthMax: 10,
  checkAnswers: false,
};

/** @returns operations that others than they themselves have answered, and what was answered */
export async function missedOf({ operations, register }: Application): Promise<readonly string[]> {
  const app = new OpenAPIHono();
  const nobody: Handler = () => {
    throw new Error("nothing comes as far as this");
  };
  const handlers = Object.fromEntries(operations.map((one) => [one.operationId, nobody]));
  register(app, handlers, edge);
  const server = createServer(nodeListener(app, getRequestListener(app.fetch)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const missed: string[] = [];
    for (const { operationId, route, security } of operations) {
      const answer = await ask(server, agent, route);
      // what nobody can be allowed to ask for says so itself, before anybody is asked who it is
      const own = security?.length === 0 ? `${new NotImplementedError(operationId)}` : operationId;
      if (answer !== JSON.stringify(own)) missed.push(`${operationId} (${answer})`);
    }
    return missed;
  } finally {
    agent.destroy();
    server.close();
  }
}

async function ask(server: Server, agent: Agent, route: Operation["route"]): Promise<string> {
  // a server that listens has an address with a port
  const { port } = server.address() as AddressInfo;
  const path = encodeURI(route.path.replaceAll(/\{[^}]*\}/g, "value-7"))
    .replaceAll(/%25(?=[0-9a-f]{2})/gi, "%")
    .replaceAll("#", "%23")
    .replaceAll("?", "%3F");
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: "127.0.0.1", port, method: methodOf(route), path, agent },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (part: string) => (text += part));
        answer.on("end", () => {
          resolve(route.method === "head" ? JSON.stringify(route.operationId) : text);
        });
      },
    );
    sent.on("error", reject);
    sent.end();
  });
}
