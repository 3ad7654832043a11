// Once for the whole run of the tests: a real PostgreSQL server with a migrated template database,
// and a migrated embedded database as an archive and as a folder. Each test gets copies; see engines.ts.

import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { dumpPglite, openPglite } from "../../adapters/database/pglite.ts";
import { openPostgres } from "../../adapters/database/postgres.ts";
import { startPostgresServer } from "./postgres-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** of the template, on the server for the tests */
    readonly postgresTemplateUrl: string;
    /** the path of the archive */
    readonly pgliteArchive: string;
    /** the same as a folder whose database has ended: one to copy, for a program of its own */
    readonly pgliteFolder: string;
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
  const folder = await folderOf(archive, join(server.folder, "pglite"));
  await server.execute("create database template_migrated");
  const template = await openPostgres({ url: server.url("template_migrated") });
  await template.close();
  await server.execute("alter database template_migrated is_template true");
  project.provide("postgresTemplateUrl", server.url("template_migrated"));
  project.provide("pgliteArchive", archive);
  project.provide("pgliteFolder", folder);
  return server.remove;
}

/** What was archived had not ended: whoever opens it first reads its log and stores all its files anew. */
async function folderOf(archive: string, folder: string): Promise<string> {
  mkdirSync(folder, { mode: 0o700 });
  // tar says on its standard error that it leaves out the leading slashes
  execFileSync("tar", ["-xf", archive, "-C", folder], { stdio: "ignore" });
  const database = await openPglite({ folder });
  await database.close();
  return folder;
}
