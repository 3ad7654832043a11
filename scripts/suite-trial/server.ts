// A server that the generator makes of a document, with handlers that answer by it, in this process.

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { OpenAPIHono } from "@hono/zod-openapi";
import { emitFiles, readContract } from "../../generator/generate.ts";
import {
  type Edge,
  type Handler,
  type Operation,
  RequestError,
  type WireAnswer,
} from "../../generator/runtime/runtime.ts";
import { type Made, Mock, wireOf } from "./mock.ts";
import type { JsonObject } from "../../generator/suite/json.ts";

const root = join(import.meta.dirname, "..", "..");
const runtimeFolder = join(root, "generator", "runtime");

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

interface Application {
  readonly operations: readonly Operation[];
  readonly register: (
    app: OpenAPIHono,
    handlers: Readonly<Record<string, Handler>>,
    edge: Edge<null, null>,
  ) => void;
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
  // Below the project, where packages are found.
  mkdirSync(join(root, "test-results"), { recursive: true });
  const folder = mkdtempSync(join(root, "test-results", "suite-trial-"));
  try {
    const reading = readContract(path);
    for (const { path: name, text } of await emitFiles(reading, "document")) {
      if (name.startsWith("runtime/")) continue;
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    symlinkSync(runtimeFolder, join(folder, "runtime"), "dir");
    // What a generated module exports is known by its name only.
    const application = (await import(pathToFileURL(join(folder, "app.ts")).href)) as Application;
    const own = mock ?? new Mock(reading.bundled);
    const answers = application.operations.map(({ operationId }): readonly [string, Handler] => [
      operationId,
      () => wireOf(change(own.answer(nameIn(own, operationId)))),
    ]);
    const app = new OpenAPIHono();
    application.register(app, Object.fromEntries(answers), edge);
    return {
      document: reading.bundled,
      send: async (request) => app.fetch(request),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The generator names operations that have no name after their method and path. */
function nameIn({ contract }: Mock, operationId: string): string {
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  const found = contract.operations.find((one) => plain(one.operationId) === plain(operationId));
  return found?.operationId ?? operationId;
}
