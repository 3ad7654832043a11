// The programs of a cluster, from Debian's packages, and whom they run as.

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

export interface Programs {
  readonly etcd: string;
  readonly patroni: string;
  readonly haproxy: string;
  readonly pgbouncer: string;
  /** before 1.21 it forgets prepared statements in transaction mode, and our service refuses it there */
  readonly poolMode: "transaction" | "session";
  /** the folder of PostgreSQL's own */
  readonly postgres: string;
  readonly user: User;
}

/** PostgreSQL refuses to run as root, and PgBouncer too. */
export interface User {
  readonly uid?: number;
  readonly gid?: number;
}

/** What is missing, and what brings it. */
export class ProgramsMissing extends Error {
  constructor(missing: readonly string[]) {
    super(
      `not found: ${missing.join(", ")}; on Debian: ` +
        "apt-get install --no-install-recommends postgresql patroni etcd-server haproxy pgbouncer " +
        "(stop what that starts); PGBOUNCER=PATH names another PgBouncer",
    );
    this.name = "ProgramsMissing";
  }
}

/** Throws `ProgramsMissing`. */
export function findPrograms(environment: NodeJS.ProcessEnv): Programs {
  const folders = [...(environment["PATH"] ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"];
  const find = (name: string): string | undefined =>
    folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  const [etcd, patroni, haproxy] = ["etcd", "patroni", "haproxy"].map(find);
  const pgbouncer = environment["PGBOUNCER"] ?? find("pgbouncer");
  const postgres = postgresFolder();
  const all = { etcd, patroni, haproxy, pgbouncer, postgres };
  const missing = Object.entries(all).flatMap(([name, path]) => (path === undefined ? [name] : []));
  if (!etcd || !patroni || !haproxy || !pgbouncer || !postgres) throw new ProgramsMissing(missing);
  const poolMode = keepsStatements(versionOf(pgbouncer)) ? "transaction" : "session";
  return { etcd, patroni, haproxy, pgbouncer, postgres, poolMode, user: plainUser() };
}

/** PgBouncer 1.21, "max_prepared_statements". */
export function keepsStatements(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 1 || minor >= 21;
}

function versionOf(pgbouncer: string): string {
  const { stdout } = spawnSync(pgbouncer, ["--version"], { encoding: "utf8" });
  const version = /PgBouncer (\d+\.\d+)/.exec(stdout)?.[1];
  if (version === undefined) throw new Error(`${pgbouncer} --version says no version: ${stdout}`);
  return version;
}

/** Of Debian's, the newest that has a program. */
export function postgresFolder(program = "pg_rewind"): string | undefined {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  return versions
    .filter((version) => Number(version) >= 15)
    .toSorted((one, other) => Number(other) - Number(one))
    .map((version) => join(debian, version, "bin"))
    .find((folder) => existsSync(join(folder, program)));
}

export function plainUser(): User {
  if (process.getuid?.() !== 0) return {};
  const idOf = (what: string): number =>
    Number(execFileSync("id", [what, "postgres"], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}
