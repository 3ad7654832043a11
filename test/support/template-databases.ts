// Migrated empty databases for tests to copy: a template on a PostgreSQL server, and an embedded one as an
// archive and as a folder. The embedded ones are kept in node_modules/.cache, under a name that says what
// they were made of: making them takes five seconds.

import { execFileSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { utimesSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dumpPglite, openPglite } from "../../adapters/database/pglite.ts";
import { openPostgres } from "../../adapters/database/postgres.ts";
import { startPostgresServer } from "./postgres-server.ts";

const root = join(import.meta.dirname, "..", "..");
const cacheFolder = join(root, "node_modules", ".cache", "test-databases");
/** Other checkouts may share the folder. */
const keptUnusedMilliseconds = 24 * 3_600_000;

export interface TemplateServer {
  /** of the template */
  readonly url: string;
  readonly remove: () => Promise<void>;
}

export async function startTemplateServer(): Promise<TemplateServer> {
  // Nobody counts statistics in the middle of a test, or works beside it.
  const server = await startPostgresServer({ isDurable: false, settings: { autovacuum: "off" } });
  await server.execute("create database template_migrated");
  const url = server.url("template_migrated");
  const template = await openPostgres({ url });
  await template.close();
  await server.execute("alter database template_migrated is_template true");
  return { url, remove: server.remove };
}

/** @returns its path */
export function makePgliteArchive(): Promise<string> {
  return kept("pglite.tar", async (path) => {
    const dump = await dumpPglite();
    writeFileSync(path, new Uint8Array(await dump.arrayBuffer()));
  });
}

/** What was archived had not ended: whoever opens it first reads its log and stores all its files anew. */
export async function makePgliteFolder(): Promise<string> {
  const archive = await makePgliteArchive();
  return kept("pglite", async (folder) => {
    mkdirSync(folder, { mode: 0o700 });
    // tar says on its standard error that it leaves out the leading slashes
    execFileSync("tar", ["-xf", archive, "-C", folder], { stdio: "ignore" });
    const database = await openPglite({ folder });
    await database.close();
  });
}

/** Made beside its place and moved there whole: another run may be making the same. */
async function kept(name: string, make: (path: string) => Promise<void>): Promise<string> {
  const folder = join(cacheFolder, fingerprint());
  const path = join(folder, name);
  if (!existsSync(path)) {
    removeUnused();
    mkdirSync(folder, { recursive: true });
    const made = `${path}-${randomUUID()}`;
    await make(made);
    if (existsSync(path)) rmSync(made, { recursive: true });
    else renameSync(made, path);
  }
  utimesSync(folder, new Date(), new Date());
  return path;
}

/** Of all that the content of a database comes from. */
function fingerprint(): string {
  const hash = createHash("sha256");
  const adapter = join(root, "adapters", "database");
  const files = readdirSync(adapter, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  files.push(join(root, "node_modules", "@electric-sql", "pglite", "package.json"));
  for (const file of files) hash.update(`${file.slice(root.length)}\n`).update(readFileSync(file));
  return hash.digest("hex").slice(0, 32);
}

function removeUnused(): void {
  if (!existsSync(cacheFolder)) return;
  for (const name of readdirSync(cacheFolder)) {
    const folder = join(cacheFolder, name);
    const age = Date.now() - statSync(folder).mtimeMs;
    if (age > keptUnusedMilliseconds) rmSync(folder, { recursive: true, force: true });
  }
}
