// A client and a server of one contract: what the client is given, and what the handler gets.

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { emitFiles, type Reading } from "../../../generator/generate.ts";
import type { JsonObject } from "../../../generator/json.ts";
import { readAllowing } from "../../../scripts/corpus/allowing.ts";
import { projectSubfolder, writeFile, writeGenerated } from "../work-folder.ts";

/** A call as it is known by its name only. */
export interface LooseCall {
  (given?: object, options?: object): Promise<unknown>;
  readonly answer: (given?: object, options?: object) => Promise<LooseAnswer>;
  readonly isError: (error: unknown) => boolean;
  readonly pages: (given?: object, options?: object) => AsyncIterable<unknown>;
  readonly items: (given?: object, options?: object) => AsyncIterable<unknown>;
}

export interface LooseAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

export type LooseClient = Readonly<Record<string, Readonly<Record<string, LooseCall>>>>;

export interface Options {
  readonly baseUrl: string;
  readonly fetch?: (request: Request) => Promise<Response>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a generated module exports is known by its name only. */
export interface ClientModule {
  readonly createClient: (options: Options) => LooseClient;
  readonly ResponseError: new (operationId: string, answer: LooseAnswer) => Error;
  readonly UnexpectedResponseError: abstract new (...parts: readonly never[]) => Error;
}

export interface Generated {
  readonly folder: string;
  readonly reading: Reading;
}

export const documentOf = (paths: object, more: object = {}): JsonObject =>
  // what is written here is JSON
  ({ openapi: "3.1.0", info: { title: "T", version: "1" }, paths, ...more }) as JsonObject;

/** Writes server and client. */
export function generate(
  document: JsonObject,
  addedHeaders: readonly string[] = [],
  folder: string = projectSubfolder(),
): Generated {
  const path = join(folder, "openapi.json");
  writeFile(path, JSON.stringify(document));
  const { reading } = readAllowing(path);
  writeGenerated(folder, emitFiles(reading, "openapi.json", { addedHeaders }));
  return { folder, reading };
}

export async function loadClient({ folder }: Generated): Promise<ClientModule> {
  const module: unknown = await import(pathToFileURL(join(folder, "client/client.ts")).href);
  return module as ClientModule;
}

/** By names that say what is meant. */
export interface Received {
  readonly path?: object;
  readonly query?: unknown;
  readonly headers?: object;
  readonly cookies?: object;
  readonly body?: unknown;
}

interface App {
  readonly fetch: (request: Request) => Response | Promise<Response>;
}

export interface Sides {
  readonly calls: LooseClient;
  /** what handlers have got, and how it was asked for */
  readonly received: readonly { readonly by: string; readonly request: Received }[];
  /** requests that were sent */
  readonly sent: readonly Request[];
  /** what else the server said */
  readonly refusals: readonly string[];
}

/** Handlers answer 204. */
export async function bothSides(document: JsonObject): Promise<Sides> {
  const generated = generate(document);
  const [{ createClient }, server] = await Promise.all([
    loadClient(generated),
    import(pathToFileURL(join(generated.folder, "app.ts")).href) as Promise<{
      readonly createApp: (handlers: object) => App;
    }>,
  ]);
  const received: { by: string; request: Received }[] = [];
  const sent: Request[] = [];
  const refusals: string[] = [];
  const handlers = generated.reading.model.operations.map(({ identifier }) => [
    identifier,
    (request: Received) => {
      received.push({ by: identifier, request });
      return { status: 204 };
    },
  ]);
  const app = server.createApp(Object.fromEntries(handlers) as object);
  const calls = createClient({
    baseUrl: "http://localhost",
    fetch: async (request) => {
      sent.push(request.clone());
      const response = await app.fetch(request);
      if (response.status !== 204) refusals.push(await response.clone().text());
      return response;
    },
  });
  return { calls, received, sent, refusals };
}
