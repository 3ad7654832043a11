// handlers.ts: what the application has to write; app.ts: how it is put on a Hono app.

import { StructureKind } from "ts-morph";
import type { Group, Model } from "../model/model.ts";
import type { FileWriter, GeneratedFile, ImportPlan, Statement } from "./file.ts";
import { docComment, propertyKey } from "./literals.ts";

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
        leadingTrivia: docComment(`${operation.method.toUpperCase()} ${operation.path}`),
        name: propertyKey(operation.operationId),
        type: `answers.HandlerOf<${prefix}Request, ${prefix}Answer<Edge>, Caller>`,
        isReadonly: true,
      };
    }),
  );
  if (properties.length === 0) {
    const nothing =
      "export type Handlers<Caller, Edge extends string = never> = Record<never, [Caller, Edge]>;";
    return writer.write("handlers.ts", [], [nothing]);
  }
  const statement: Statement = {
    kind: StructureKind.Interface,
    leadingTrivia: `\n${docComment("One function for each operation. `Caller`: what authentication found out; `Edge`: names of headers\nthat the edge adds to every answer.")}`,
    isExported: true,
    name: "Handlers",
    typeParameters: [{ name: "Caller" }, { name: "Edge", constraint: "string", default: "never" }],
    properties,
  };
  return writer.write(
    "handlers.ts",
    [
      { module: "./runtime/answers.ts", namespace: "answers", typeOnly: true },
      ...groupImports(model, true),
    ],
    [statement],
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
  const statements: Statement[] = [
    `\n/** Every operation, in the order of the contract. */\nexport const operations: readonly runtime.Operation[] = [\n${ordered.join("\n")}\n];`,
    `\n/** Puts every operation on the app; a missing handler is refused here and by the compiler. */
export function register<E extends Env, State, Caller, Edge extends string>(
  app: OpenAPIHono<E>,
  handlers: Handlers<Caller, Edge>,
  edge: runtime.Edge<State, Caller>,
  options?: runtime.RegisterOptions,
): void {
  // the compiler has checked each handler against its operation; the runtime calls them by name
  const byName = handlers as unknown as Readonly<Record<string, runtime.Handler>>;
  registration.register(app, operations, byName, edge, options);
}`,
  ];
  return writer.write(
    "app.ts",
    [
      { module: "@hono/zod-openapi", named: ["OpenAPIHono"], typeOnly: true },
      { module: "hono", named: ["Env"], typeOnly: true },
      { module: "./handlers.ts", named: ["Handlers"], typeOnly: true },
      ...groupImports(model, false),
      { module: "./runtime/register.ts", namespace: "registration" },
      { module: "./runtime/runtime.ts", namespace: "runtime", typeOnly: true },
    ],
    statements,
  );
}
