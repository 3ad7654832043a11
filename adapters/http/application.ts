// The Hono application: the contract's routes, registered by generated code, and beside them the
// few that are about the service itself. All of them wear the same request id, log line and errors.

import type { HttpBindings } from "@hono/node-server";
import { OpenAPIHono } from "@hono/zod-openapi";
import { register } from "../../generated/app.ts";
import { documentText } from "../../generated/document.ts";
import type { Handlers } from "../../generated/handlers.ts";
import type { Edge, WireAnswer } from "../../generated/runtime/runtime.ts";
import { headerText } from "../../generated/runtime/writing.ts";
import { ServiceError } from "../../service/errors.ts";
import { docsRoutes } from "./docs-routes.ts";
import type { DocsSite } from "./docs-routes.ts";
import { buildStaticFile } from "./static-file.ts";
import type { FileAnswer } from "./static-file.ts";

export interface ApplicationParts<State, Caller, EdgeHeader extends string> {
  readonly handlers: Handlers<Caller, EdgeHeader>;
  readonly edge: Edge<State, Caller>;
  /** false from the moment the process begins to stop */
  readonly isReady: () => boolean;
  /** throws when what the answers depend on is not there */
  readonly checkHealth?: () => Promise<void>;
  /** what there has to be before a first payment can be taken: names only, since anybody may ask */
  readonly readMissing?: () => Promise<readonly { readonly need: string }[]>;
  /** counts a request for a route of our own, and throws when its sender has sent too many */
  readonly meet?: (state: State) => Promise<void>;
  /** further routes for GET, by path; a segment that can be anything is written as `{name}` */
  readonly moreRoutes?: ReadonlyMap<string, OwnRoute<State>>;
  /** undefined: a plain page says that it is not there */
  readonly docs?: DocsSite;
}

interface OwnRefusal {
  readonly status: number;
  readonly body?: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

interface OwnRoute<State> {
  readonly serve: (request: Request, state: State) => FileAnswer | Promise<FileAnswer>;
  /** what a refusal looks like, if not as everywhere */
  readonly refuse?: (refused: OwnRefusal, request: Request) => FileAnswer;
  /** always answers the same: asked once, then compressed, and not sent again to whoever has it */
  readonly isFile?: boolean;
  /** nobody is refused for having asked too often */
  readonly isFree?: boolean;
}

type PlainRoute = Omit<OwnRoute<unknown>, "refuse">;

export function buildApplication<State, Caller, EdgeHeader extends string>(
  parts: ApplicationParts<State, Caller, EdgeHeader>,
): OpenAPIHono {
  const app = new OpenAPIHono();
  const routes = new Map<string, OwnRoute<State>>(parts.moreRoutes);
  for (const [path, route] of ownRoutes(parts)) routes.set(path, route);
  for (const [path, route] of docsRoutes(parts.docs, routes)) routes.set(path, route);
  for (const [path, route] of routes) {
    const met = metRoute(route, parts.meet);
    app.get(path.replaceAll(/\{(\w+)\}/g, ":$1"), (c) => {
      // @hono/node-server is what calls this application, and these are its bindings.
      const { incoming } = c.env as HttpBindings;
      return serveOwn(parts.edge, met, { request: c.req.raw, incoming });
    });
  }
  const otherRoutes = Object.fromEntries(Array.from(routes.keys(), (path) => [path, ["GET"]]));
  register(app, parts.handlers, parts.edge, { otherRoutes });
  return app;
}

function metRoute<State>(
  route: OwnRoute<State>,
  meet: ((state: State) => Promise<void>) | undefined,
): OwnRoute<State> {
  const { isFile = false, isFree = false } = route;
  const serve = isFile ? buildStaticFile(route.serve) : route.serve;
  if (isFree || meet === undefined) return { ...route, serve };
  return {
    ...route,
    serve: async (request, state) => {
      await meet(state);
      return serve(request, state);
    },
  };
}

type Readiness = Pick<
  ApplicationParts<unknown, unknown, never>,
  "isReady" | "checkHealth" | "readMissing"
>;

function ownRoutes(parts: Readiness): ReadonlyMap<string, PlainRoute> {
  const { isReady, checkHealth, readMissing } = parts;
  const check = oneAtATime(async () => {
    await checkHealth?.();
    return (await readMissing?.())?.map(({ need }) => need);
  });
  const readiness = async (): Promise<FileAnswer> => {
    if (!isReady()) throw new ServiceError("service_unavailable", "stopping");
    // Our choice: who lacks a merchant or a chain is up, and hears what it lacks.
    const missing = await check();
    return jsonAnswer({ status: "ready", ...(missing === undefined ? {} : { missing }) });
  };
  const routes = new Map<string, PlainRoute>([
    ["/", { serve: () => ({ status: 302, content: null, headers: { Location: "docs" } }) }],
    ["/openapi.json", { serve: serveDocument, isFile: true }],
    // A balancer that shares its address with a flood must not take the server for dead.
    ["/healthz", { serve: () => jsonAnswer({ status: "alive" }), isFree: true }],
    ["/readyz", { serve: readiness, isFree: true }],
  ]);
  return routes;
}

/** Whoever asks while it runs gets the same answer, so that a flood of questions costs one. */
function oneAtATime<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let running: Promise<Answer> | undefined;
  return () => {
    running ??= ask().finally(() => {
      running = undefined;
    });
    return running;
  };
}

/** The contract as it was written, not as a library renders it: see the generator. */
function serveDocument(): FileAnswer {
  const headers = { "Content-Type": "application/json", "Cache-Control": "no-cache" };
  return { status: 200, content: documentText, headers };
}

function jsonAnswer(body: unknown): FileAnswer {
  const headers = { "Content-Type": "application/json", "Cache-Control": "no-store" };
  return { status: 200, content: JSON.stringify(body), headers };
}

interface Arrived {
  readonly request: Request;
  readonly incoming: HttpBindings["incoming"];
}

/** What the generated code does around its operations, for a route of our own. */
async function serveOwn<State, Caller>(
  edge: Edge<State, Caller>,
  route: OwnRoute<State>,
  { request, incoming }: Arrived,
): Promise<Response> {
  const [path = "", query = ""] = (incoming.url ?? "").split("?", 2);
  const { headers, socket } = incoming;
  const remoteAddress = socket.remoteAddress;
  const state = edge.begin(
    { method: request.method, path, query, headers, remoteAddress },
    undefined,
  );
  let answer: FileAnswer;
  try {
    answer = await route.serve(request, state);
  } catch (error) {
    const refused = refusalOf(edge.refuse(error, state, undefined));
    answer = route.refuse?.(refused, request) ?? jsonRefusal(refused);
  }
  edge.answered?.(state, answer.status, undefined);
  return new Response(answer.content, {
    status: answer.status,
    headers: { ...answer.headers, ...edge.headers(state, answer.status) },
  });
}

function refusalOf({ status, body, headers = {} }: WireAnswer): OwnRefusal {
  const given = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, headerText(value)] as const],
  );
  return { status, body, headers: Object.fromEntries(given) };
}

function jsonRefusal({ status, body, headers }: OwnRefusal): FileAnswer {
  const own = { "Content-Type": "application/json", "Cache-Control": "no-store" };
  return { status, content: JSON.stringify(body), headers: { ...own, ...headers } };
}
