// Loads generated code as an application would: node load-generated.ts FOLDER...
// Each folder holds generated/ and handlers/. Every schema is compiled, every operation registered.

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { OpenAPIHono } from "@hono/zod-openapi";
import type { z } from "zod";
import { check } from "../../generator/runtime/checking.ts";
import type { Edge, Handler } from "../../generator/runtime/runtime.ts";
import { loadApplication } from "../../scripts/corpus/application.ts";

const edge: Edge<null, null> = {
  begin: () => null,
  authenticate: () => null,
  refuse: (error) => ({ status: 501, body: String(error) }),
  headers: () => ({}),
  bodyBytesMax: 1000,
  depthMax: 10,
  checkAnswers: false,
};

/** What a generated module exports is known by its name only. */
async function load<T>(folder: string, file: string): Promise<T> {
  return (await import(pathToFileURL(join(folder, file)).href)) as T;
}

for (const folder of process.argv.slice(2)) {
  const application = await loadApplication(join(folder, "generated"));
  const { handlers } = await load<{ handlers: Readonly<Record<string, Handler>> }>(
    folder,
    "handlers/handlers.ts",
  );
  application.register(new OpenAPIHono(), handlers, edge);
  const schemas = await load<Readonly<Record<string, z.ZodType>>>(folder, "generated/schemas.ts");
  for (const [name, schema] of Object.entries(schemas)) {
    const { valid, problems } = check(schema);
    for (const value of [null, true, 0, "text", [], {}, { __proto__: null, constructor: 1 }]) {
      if (valid(value) !== (problems(value).length === 0)) {
        throw new Error(`${folder}: ${name} disagrees with itself about ${JSON.stringify(value)}`);
      }
    }
  }
}
process.stdout.write(JSON.stringify({ isPwned: "pwned" in globalThis }));
