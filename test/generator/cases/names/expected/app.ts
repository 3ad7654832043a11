// Written by "npm run generate" from openapi.yaml; do not edit.

import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context, Env, Hono } from "hono";
import type { Handlers } from "./handlers.ts";
import * as petsFriendsOperations from "./operations/pets-friends.ts";
import * as petsFriends_2Operations from "./operations/pets-friends_2.ts";
import * as petsFRIENDSOperations from "./operations/pets-friends_3.ts";
import * as überAllesOperations from "./operations/über-alles.ts";
import * as types_Operations from "./operations/types.ts";
import * as runtime_Operations from "./operations/runtime.ts";
import * as _1Operations from "./operations/1.ts";
import * as _Operations from "./operations/default.ts";
import * as handlers_2Operations from "./operations/handlers_2.ts";
import * as default_Operations from "./operations/default_2.ts";
import * as application from "./runtime/application.ts";
import * as edges from "./runtime/edge.ts";
import * as registration from "./runtime/register.ts";
import type * as runtime from "./runtime/runtime.ts";

/** Every operation, in the order of the contract. */
export const operations: readonly runtime.Operation[] = [
  petsFriendsOperations.pets_list,
  petsFriends_2Operations.pets_list_2,
  petsFRIENDSOperations.deletePets,
  überAllesOperations._1st,
  types_Operations.delete_,
  runtime_Operations.types_,
  _1Operations.constructor_,
  _Operations.toString,
  handlers_2Operations.Error,
  default_Operations.listpets,
  default_Operations.listPets,
  default_Operations.ListPets,
  default_Operations.Handlers,
  default_Operations.a_b,
  default_Operations.aB,
  default_Operations.a_b_2,
  default_Operations._100_1,
  default_Operations.a_41,
  default_Operations.headers_,
  default_Operations.answers_,
  default_Operations.createRoute_,
  default_Operations.RouteConfig_,
  default_Operations.objects_,
  default_Operations.combinations_,
  default_Operations.register,
  default_Operations.operations,
  default_Operations.handlers,
  default_Operations.NotImplementedError_,
  default_Operations.AllHandlers_,
];

/** Puts every operation on the app; a missing handler is refused here and by the compiler. */
export function register<E extends Env, State, Caller, Edge extends string>(
  app: Hono<E>,
  handlers: Handlers<Caller, Edge>,
  edge: runtime.Edge<State, Caller>,
  options?: runtime.RegisterOptions,
): void {
  registration.register(app, operations, byName(handlers), edge, options);
}

/**
 * Every operation as an app of its own: serve it, ask it with `app.request`, or put it into another one with
 * `app.route("/api", createApp(handlers))`. Without an edge handlers get Hono's context as their second argument.
 */
export function createApp<E extends Env, Edge extends string>(
  handlers: Handlers<Context<E>, Edge>,
): OpenAPIHono<E>;
export function createApp<E extends Env, State, Caller, Edge extends string>(
  handlers: Handlers<Caller, Edge>,
  edge: runtime.Edge<State, Caller>,
): OpenAPIHono<E>;
export function createApp<E extends Env, State, Caller, Edge extends string>(
  handlers: Handlers<Caller, Edge>,
  edge?: runtime.Edge<State, Caller>,
): OpenAPIHono<E> {
  const all = byName(handlers);
  return edge === undefined
    ? application.createApp(operations, all, edges.defaultEdge())
    : application.createApp(operations, all, edge);
}

/** The compiler has checked each handler against its operation; the runtime calls them by name. */
function byName<Caller, Edge extends string>(
  handlers: Handlers<Caller, Edge>,
): Readonly<Record<string, runtime.Handler>> {
  return handlers as unknown as Readonly<Record<string, runtime.Handler>>;
}
