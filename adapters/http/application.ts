// The Hono application: the contract's routes, registered by generated code, and beside them the
// few that are about the service itself. All of them wear the same request id, log line and errors.

import type { HttpBindings } from "@hono/node-server";
import { OpenAPIHono } from "@hono/zod-openapi";
import { register } from "../../generated/app.ts";
import { documentEtag, documentText } from "../../generated/document.ts";
import type { Handlers } from "../../generated/handlers.ts";
import type { Edge, WireAnswer } from "../../generated/runtime/runtime.ts";
import { ServiceError } from "../../service/errors.ts";
import { buildAssets, pageFile, pagePolicy } from "./reference-page.ts";
import type { PageFile } from "./reference-page.ts";

export interface ApplicationParts<State, Caller, EdgeHeader extends string> {
  readonly handlers: Handlers<Caller, EdgeHeader>;
  readonly edge: Edge<State, Caller>;
  /** false from the moment the process begins to stop */
  readonly isReady: () => boolean;
  /** throws when what the answers depend on is not there */
  readonly checkHealth?: () => Promise<void>;
  /** further routes for GET, by path; a segment that can be anything is written as `{name}` */
  readonly moreRoutes?: ReadonlyMap<string, OwnRoute<State>>;
}

interface OwnAnswer {
  readonly status: number;
  readonly content: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
  readonly headers: Readonly<Record<string, string>>;
}

interface OwnRefusal {
  readonly status: number;
  readonly body?: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

interface OwnRoute<State> {
  readonly serve: (request: Request, state: State) => OwnAnswer | Promise<OwnAnswer>;
  /** what a refusal looks like, if not as everywhere */
  readonly refuse?: (refused: OwnRefusal, request: Request) => OwnAnswer;
}

type PlainRoute = (request: Request) => OwnAnswer | Promise<OwnAnswer>;

export function buildApplication<State, Caller, EdgeHeader extends string>(
  parts: ApplicationParts<State, Caller, EdgeHeader>,
): OpenAPIHono {
  const app = new OpenAPIHono();
  const routes = new Map<string, OwnRoute<State>>(parts.moreRoutes);
  for (const [path, serve] of ownRoutes(parts)) routes.set(path, { serve });
  for (const [path, route] of routes) {
    app.get(path.replaceAll(/\{(\w+)\}/g, ":$1"), (c) => {
      // @hono/node-server is what calls this application, and these are its bindings.
      const { incoming } = c.env as HttpBindings;
      return serveOwn(parts.edge, route, { request: c.req.raw, incoming });
    });
  }
  const otherRoutes = Object.fromEntries(Array.from(routes.keys(), (path) => [path, ["GET"]]));
  register(app, parts.handlers, parts.edge, { otherRoutes });
  return app;
}

type Readiness = Pick<ApplicationParts<unknown, unknown, never>, "isReady" | "checkHealth">;

function ownRoutes({ isReady, checkHealth }: Readiness): ReadonlyMap<string, PlainRoute> {
  const routes = new Map<string, PlainRoute>([
    ["/openapi.json", serveDocument],
    ["/docs", () => pageAnswer(pageFile, { "Content-Security-Policy": pagePolicy })],
    ["/healthz", () => jsonAnswer({ status: "alive" })],
    [
      "/readyz",
      async () => {
        if (!isReady()) throw new ServiceError("service_unavailable", "stopping");
        await checkHealth?.();
        return jsonAnswer({ status: "ready" });
      },
    ],
  ]);
  for (const [name, load] of buildAssets()) {
    // The files change with the package only, and then they are fetched anew within the hour.
    const headers = { "Cache-Control": "max-age=3600" };
    routes.set(`/docs/assets/${name}`, async () => pageAnswer(await load(), headers));
  }
  return routes;
}

/** The contract as it was written, not as a library renders it: see the generator. */
function serveDocument(request: Request): OwnAnswer {
  const headers = { ETag: documentEtag, "Cache-Control": "no-cache" };
  if (matchesEtag(request.headers.get("If-None-Match"), documentEtag)) {
    return { status: 304, content: null, headers };
  }
  const contentType = { "Content-Type": "application/json" };
  return { status: 200, content: documentText, headers: { ...contentType, ...headers } };
}

/** RFC 9110 section 13.1.2: a list or "*", compared weakly, so `W/` makes no difference. */
function matchesEtag(field: string | null, etag: string): boolean {
  if (field === null) return false;
  const listed = new Set(field.split(",").map((one) => one.trim().replace(/^W\//, "")));
  return listed.has("*") || listed.has(etag);
}

function jsonAnswer(body: unknown): OwnAnswer {
  const headers = { "Content-Type": "application/json", "Cache-Control": "no-store" };
  return { status: 200, content: JSON.stringify(body), headers };
}

function pageAnswer(file: PageFile, more: Readonly<Record<string, string>>): OwnAnswer {
  const headers = { "Content-Type": file.contentType, "X-Content-Type-Options": "nosniff" };
  return { status: 200, content: file.content, headers: { ...headers, ...more } };
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
  let answer: OwnAnswer;
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
    value === undefined ? [] : [[name, value] as const],
  );
  return { status, body, headers: Object.fromEntries(given) };
}

function jsonRefusal({ status, body, headers }: OwnRefusal): OwnAnswer {
  const own = { "Content-Type": "application/json", "Cache-Control": "no-store" };
  return { status, content: JSON.stringify(body), headers: { ...own, ...headers } };
}
