// Once for the whole run of the tests: a real PostgreSQL server with a migrated template database,
// and an archive of a migrated embedded database. Each test gets copies; see engines.ts.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { dumpPglite } from "../../adapters/database/pglite.ts";
import { openPostgres } from "../../adapters/database/postgres.ts";
import { startPostgresServer } from "./postgres-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** of the template, on the server for the tests */
    readonly postgresTemplateUrl: string;
    /** the path of the archive */
    readonly pgliteArchive: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [server, dump] = await Promise.all([
    startPostgresServer({ isDurable: false }),
    dumpPglite(),
  ]);
  // In the server's folder, which is removed whatever happens to us.
  const archive = join(server.folder, "pglite.tar");
  writeFileSync(archive, new Uint8Array(await dump.arrayBuffer()));
  await server.execute("create database template_migrated");
  const template = await openPostgres({ url: server.url("template_migrated") });
  await template.close();
  await server.execute("alter database template_migrated is_template true");
  project.provide("postgresTemplateUrl", server.url("template_migrated"));
  project.provide("pgliteArchive", archive);
  return server.remove;
}
