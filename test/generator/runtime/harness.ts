// A real server around hand-made operations, and a client that can send what no library would.
import { connect, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { createServer, type Server } from "node:http";
import { once } from "node:events";
import { getRequestListener } from "@hono/node-server";
import { OpenAPIHono, createRoute, z } from "@hono/zod-openapi";
import type { Env, Hono } from "hono";
import type { RouteConfig } from "@hono/zod-openapi";
import { onTestFinished } from "vitest";
import {
  AnswerError,
  NotImplementedError,
  RequestError,
  type Edge,
  type Handler,
  type Operation,
  type RawRequest,
  type RegisterOptions,
  type WireAnswer,
} from "../../../generator/runtime/runtime.ts";
import { nodeListener } from "../../../generator/runtime/listener.ts";
import { register } from "../../../generator/runtime/register.ts";

export { createRoute, z };

export interface State {
  readonly id: string;
}
export interface Caller {
  readonly name: string;
}

type RequestShape = NonNullable<RouteConfig["request"]>;

export interface OperationInput {
  readonly id: string;
  readonly method?: RouteConfig["method"];
  readonly path: string;
  readonly request?: RequestShape;
  readonly parameters?: Operation["parameters"];
  readonly forms?: Operation["forms"];
  readonly responses?: RouteConfig["responses"];
  readonly answerHeaders?: Operation["answerHeaders"];
  readonly parts?: Operation["parts"];
  readonly extra?: Record<string, unknown>;
}

export function operation(input: OperationInput): Operation {
  const { id, method = "get", path, request, parameters = [], forms, answerHeaders, parts } = input;
  return {
    operationId: id,
    route: createRoute({
      method,
      path,
      operationId: id,
      ...(request === undefined ? {} : { request }),
      responses: input.responses ?? { 200: { description: "fine" } },
      ...input.extra,
    }) as RouteConfig,
    parameters,
    ...(forms === undefined ? {} : { forms }),
    ...(answerHeaders === undefined ? {} : { answerHeaders }),
    ...(parts === undefined ? {} : { parts }),
  };
}

/** What the hooks saw and did, in order. */
export interface Log {
  readonly lines: string[];
  readonly raw: RawRequest[];
}

export function edgeOf(log: Log, changes: Partial<Edge<State, Caller>> = {}): Edge<State, Caller> {
  return {
    begin: () => {
      log.lines.push("begin");
      return { id: "request-1" };
    },
    authenticate: (raw) => {
      log.lines.push("authenticate");
      log.raw.push(raw);
      return { name: "someone" };
    },
    refuse: (error) => {
      log.lines.push(`refuse ${error instanceof Error ? error.name : String(error)}`);
      return refusal(error);
    },
    headers: (state) => ({ "X-Request-Id": state.id }),
    answered: (_, status) => void log.lines.push(`answered ${status}`),
    bodyBytesMax: 1000,
    depthMax: 5,
    checkAnswers: false,
    ...changes,
  };
}

function refusal(error: unknown): WireAnswer {
  if (error instanceof RequestError) {
    const { status, problem, message, violations, allow } = error;
    const headers = allow.length > 0 ? { Allow: allow.join(", ") } : {};
    return { status, body: { code: problem, message, violations }, headers };
  }
  if (error instanceof NotImplementedError)
    return { status: 501, body: { code: "not_implemented" } };
  if (error instanceof AnswerError)
    return { status: 500, body: { code: "answer", message: error.message } };
  return { status: 500, body: { code: "internal_error" } };
}

/** Answers with the request it was given. */
export const echo = ((request: unknown) => ({
  status: 200,
  body: { request },
})) as Handler;

export interface Setup {
  readonly operations: readonly Operation[];
  readonly handlers?: Readonly<Record<string, Handler>>;
  readonly edge?: Partial<Edge<State, Caller>>;
  readonly options?: RegisterOptions;
  readonly prepare?: (app: OpenAPIHono) => void;
}

export function appOf(setup: Setup): { app: OpenAPIHono; log: Log } {
  const log: Log = { lines: [], raw: [] };
  const app = new OpenAPIHono();
  setup.prepare?.(app);
  const echoes = Object.fromEntries(setup.operations.map((one) => [one.operationId, echo]));
  const handlers = { ...echoes, ...setup.handlers };
  register(app, setup.operations, handlers, edgeOf(log, setup.edge), setup.options);
  return { app, log };
}

export interface Running {
  readonly app: OpenAPIHono;
  readonly log: Log;
  readonly url: string;
  readonly port: number;
  readonly server: Server;
}

/** The two ways from Node to an operation: at once, or through Hono's fetch. */
export const ways = ["listener", "fetch"] as const;
export type Way = (typeof ways)[number];

export async function start(setup: Setup, way: Way = "listener"): Promise<Running> {
  const { app, log } = appOf(setup);
  return { ...(await listen(app, way)), app, log };
}

export async function listen<E extends Env>(
  app: Hono<E>,
  way: Way = "listener",
): Promise<Omit<Running, "app" | "log">> {
  const byFetch = getRequestListener(app.fetch, { hostname: "localhost" });
  const server = createServer(
    way === "listener" ? nodeListener(app, byFetch) : (...both) => void byFetch(...both),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  });
  const { port } = server.address() as AddressInfo; // a TCP server has no other kind
  return { url: `http://127.0.0.1:${port}`, port, server };
}

/** A socket that collects what comes back. */
export class Client {
  readonly socket: Socket;
  text = "";
  closed = false;
  #changed = Promise.withResolvers<void>();

  constructor(port: number) {
    this.socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    this.socket.setEncoding("latin1");
    this.socket.on("data", (text: string) => {
      this.text += text;
      this.#change();
    });
    this.socket.on("error", () => this.#end());
    this.socket.on("end", () => this.#end());
    this.socket.on("close", () => this.#end());
    onTestFinished(() => void this.socket.destroy());
  }

  #end(): void {
    this.closed = true;
    this.#change();
  }

  #change(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }

  send(...lines: string[]): void {
    this.socket.write(lines.join("\r\n"), "latin1");
  }

  /** Waits until the text that came back satisfies the condition. */
  async until(condition: (text: string) => boolean): Promise<string> {
    while (!condition(this.text)) {
      if (this.closed) throw new Error(`the connection ended after: ${this.text}`);
      await this.#changed.promise;
    }
    return this.text;
  }

  async end(): Promise<string> {
    while (!this.closed) await this.#changed.promise;
    return this.text;
  }
}

export const host = "Host: 127.0.0.1";

export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly violations: readonly { in: string; pointer: string; rule: string; message: string }[];
}

/** `in pointer rule` of each violation: the part that does not depend on wording. */
export function brief(refusal: unknown): readonly string[] {
  // only refusals of the edge above are handed in
  const { violations } = refusal as Refusal;
  return violations.map((one) => `${one.in} ${one.pointer} ${one.rule}`);
}
