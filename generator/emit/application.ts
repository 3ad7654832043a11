// handlers.ts: what the application has to write; app.ts: how it is put on a Hono app.

import type { Group, Model } from "../model/model.ts";
import type { FileWriter, GeneratedFile, ImportPlan } from "./file.ts";
import { docComment, propertyKey } from "./literals.ts";
import { documented, interfaceOf } from "./statements.ts";

function groupImports(model: Model, typeOnly: boolean): ImportPlan[] {
  return model.groups.map((group: Group): ImportPlan => {
    const plan = {
      module: `./operations/${group.file}.ts`,
      namespace: `${group.identifier}Operations`,
    };
    return typeOnly ? { ...plan, typeOnly } : plan;
  });
}

export function emitHandlers(model: Model, writer: FileWriter): GeneratedFile {
  const properties = model.groups.flatMap((group) =>
    group.operations.map((operation) => {
      const prefix = `${group.identifier}Operations.${operation.typeName}`;
      return {
        doc: docComment(`${operation.method} ${operation.path}`),
        key: propertyKey(operation.operationId),
        type: `answers.HandlerOf<${prefix}Request, ${prefix}Answer<Edge>, Caller>`,
      };
    }),
  );
  if (properties.length === 0) {
    const nothing =
      "export type Handlers<Caller, Edge extends string = never> = Record<never, [Caller, Edge]>;";
    return writer.write("handlers.ts", [], [nothing]);
  }
  const doc = docComment(
    "One function for each operation. `Caller`: what authentication found out; `Edge`: names of headers\nthat the edge adds to every answer.",
  );
  return writer.write(
    "handlers.ts",
    [
      { module: "./runtime/answers.ts", namespace: "answers", typeOnly: true },
      ...groupImports(model, true),
    ],
    [documented(doc, interfaceOf("Handlers<Caller, Edge extends string = never>", properties))],
  );
}

export function emitApplication(model: Model, writer: FileWriter): GeneratedFile {
  const list = model.groups.flatMap((group) =>
    group.operations.map((operation) => ({
      operation,
      text: `${group.identifier}Operations.${operation.identifier},`,
    })),
  );
  // the contract's order, whatever the tags
  const ordered = model.operations.map(
    (operation) => list.find((one) => one.operation === operation)?.text ?? "",
  );
  const statements = [
    `\n/** Every operation, in the order of the contract. */\nexport const operations: readonly runtime.Operation[] = [\n${ordered.join("\n")}\n];`,
    `\n/** Puts every operation on the app; a missing handler is refused here and by the compiler. */
export function register<E extends Env, State, Caller, Edge extends string>(
  app: Hono<E>,
  handlers: Handlers<Caller, Edge>,
  edge: runtime.Edge<State, Caller>,
  options?: runtime.RegisterOptions,
): void {
  registration.register(app, operations, byName(handlers), edge, options);
}

/**
 * Every operation as an app of its own: serve it, ask it with \`app.request\`, or put it into another one with
 * \`app.route("/api", createApp(handlers))\`. Without an edge handlers get Hono's context as their second argument.
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
}`,
  ];
  return writer.write(
    "app.ts",
    [
      { module: "@hono/zod-openapi", named: ["OpenAPIHono"], typeOnly: true },
      { module: "hono", named: ["Context", "Env", "Hono"], typeOnly: true },
      { module: "./handlers.ts", named: ["Handlers"], typeOnly: true },
      ...groupImports(model, false),
      { module: "./runtime/application.ts", namespace: "application" },
      { module: "./runtime/edge.ts", namespace: "edges" },
      { module: "./runtime/register.ts", namespace: "registration" },
      { module: "./runtime/runtime.ts", namespace: "runtime", typeOnly: true },
    ],
    statements,
  );
}
