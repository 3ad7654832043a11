// One public document on its way: generated, generated again, started on a port of its own, and every operation
// asked for over a socket.

import { once } from "node:events";
import { mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { Agent, createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { getRequestListener } from "@hono/node-server";
import { OpenAPIHono } from "@hono/zod-openapi";
import { emitFiles, readContract } from "../../generator/generate.ts";
import { DocumentError } from "../../generator/problems.ts";
import { nodeListener } from "../../generator/runtime/listener.ts";
import { methodOf } from "../../generator/runtime/methods.ts";
import type { Edge, Handler, Operation } from "../../generator/runtime/runtime.ts";

const runtimeFolder = join(import.meta.dirname, "..", "..", "generator", "runtime");

export interface Outcome {
  readonly kilobytes: number;
  /** of the generator alone, without formatting and writing */
  readonly milliseconds: number;
  readonly warnings: number;
  /** why nothing was generated, and what went wrong afterwards */
  readonly problems: readonly string[];
  readonly operations: number;
  readonly reached: number;
}

interface Application {
  readonly operations: readonly Operation[];
  readonly register: (
    app: OpenAPIHono,
    handlers: Readonly<Record<string, Handler>>,
    edge: Edge<null, null>,
  ) => void;
}

/** Writes what is generated into `folder`, which lies where packages are found. */
export async function tryDocument(path: string, folder: string): Promise<Outcome> {
  const startedAt = performance.now();
  const kilobytes = statSync(path).size / 1000;
  try {
    const reading = readContract(path);
    const files = emitFiles(reading, "document");
    const milliseconds = performance.now() - startedAt;
    const again = emitFiles(readContract(path), "document");
    const isSame = files.every(({ text }, index) => text === again[index]?.text);
    for (const { path: name, text } of files) {
      if (name.startsWith("runtime/")) continue;
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    symlinkSync(runtimeFolder, join(folder, "runtime"), "dir");
    const { operations, missed } = await reach(folder);
    const problems = [
      ...(isSame ? [] : ["another text the second time"]),
      ...missed.map((one) => `not reached: ${one}`),
    ];
    const reached = operations - missed.length;
    const warnings = reading.warnings.length;
    return { kilobytes, milliseconds, warnings, problems, operations, reached };
  } catch (error) {
    const isRefused = error instanceof DocumentError;
    const problems = isRefused
      ? error.problems.filter(({ severity }) => severity === "error").map(({ message }) => message)
      : [`crash: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`];
    const milliseconds = performance.now() - startedAt;
    return { kilobytes, milliseconds, warnings: 0, problems, operations: 0, reached: 0 };
  }
}

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

async function reach(folder: string) {
  // What a generated module exports is known by its name only.
  const application = (await import(pathToFileURL(join(folder, "app.ts")).href)) as Application;
  const app = new OpenAPIHono();
  const nobody: Handler = () => {
    throw new Error("nothing comes as far as this");
  };
  const { operations } = application;
  const handlers = Object.fromEntries(operations.map((one) => [one.operationId, nobody]));
  application.register(app, handlers, edge);
  const server = createServer(nodeListener(app, getRequestListener(app.fetch)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const missed: string[] = [];
    for (const { operationId, route } of operations) {
      const answer = await ask(server, agent, route);
      if (answer !== JSON.stringify(operationId)) missed.push(`${operationId} (${answer})`);
    }
    return { operations: operations.length, missed };
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
