// What a generated folder exports to whoever loads it, whatever document it was generated from.

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Edge, Handler, Operation } from "../../generator/runtime/runtime.ts";

export interface Application {
  readonly operations: readonly Operation[];
  readonly register: (
    app: OpenAPIHono,
    handlers: Readonly<Record<string, Handler>>,
    edge: Edge<null, null>,
  ) => void;
}

export async function loadApplication(folder: string): Promise<Application> {
  return load<Application>(folder, "app.ts");
}

export async function loadSchemas(folder: string): Promise<Readonly<Record<string, unknown>>> {
  return load<Readonly<Record<string, unknown>>>(folder, "schemas.ts");
}

/** What a generated module exports is known by its name only. */
async function load<T>(folder: string, name: string): Promise<T> {
  return (await import(pathToFileURL(join(folder, name)).href)) as T;
}
