// A PostgreSQL server with a WAL archive, a base backup of it, and the server that is restored from both (PostgreSQL 15,
// chapter 26.3). What is run here stands in docs/running/restore.md as an operator types it.

import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { query } from "../../bench/measuring.ts";
import { give } from "../../cluster/members.ts";
import { Part, waitUntil } from "../../cluster/parts.ts";
import { plainUser, postgresFolder } from "../../cluster/programs.ts";
import type { User } from "../../cluster/programs.ts";

const run = promisify(execFile);

/** There is no PostgreSQL that can be backed up. */
export class PostgresMissing extends Error {
  constructor() {
    super(
      "not found: PostgreSQL 15 or newer with pg_basebackup (/usr/lib/postgresql/*/bin); on Debian: " +
        "apt-get install --no-install-recommends postgresql (stop the server that this starts)",
    );
    this.name = "PostgresMissing";
  }
}

export interface Programs {
  readonly folder: string;
  readonly user: User;
}

/** Throws `PostgresMissing`. What npm brings for the tests has no pg_basebackup. */
export function findPostgres(): Programs {
  const folder = postgresFolder("pg_basebackup");
  if (folder === undefined) throw new PostgresMissing();
  return { folder, user: plainUser() };
}

export interface Place {
  readonly folder: string;
  readonly programs: Programs;
  /** of the server that is lost, and of the one that is restored in its place */
  readonly port: number;
}

const database = "merchant";
/** So much is lost at most of what was never archived; a deployment that writes less takes a minute. */
const archiveSeconds = 5;
const startSecondsMax = 60;
const recoverSecondsMax = 300;

export function urlOf({ port }: Pick<Place, "port">, role = "merchant", name = database): string {
  return `postgres://${role}@127.0.0.1:${port}/${name}`;
}

const archiveOf = ({ folder }: Place): string => join(folder, "archive");
const backupOf = ({ folder }: Place): string => join(folder, "backup");

/** @param name of the folder of its data: the guard knows the processes by it */
function serverPart(place: Place, name: string, more: Readonly<Record<string, string>>): Part {
  const { folder, programs, port } = place;
  const home = join(folder, name);
  const archive = archiveOf(place);
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    archive_mode: "on",
    archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/.%f && sync ${archive}/.%f && mv ${archive}/.%f ${archive}/%f`,
    archive_timeout: String(archiveSeconds),
    ...more,
  };
  const given = Object.entries(settings).flatMap(([key, value]) => ["-c", `${key}=${value}`]);
  return new Part({
    name: `postgres-${name}`,
    command: join(programs.folder, "postgres"),
    parameters: ["-D", join(home, "data"), "-p", String(port), ...given],
    user: programs.user,
    home: folder,
    log: join(folder, `${name}.log`),
    folder: home,
  });
}

/** A new one, with a database of ours. */
export async function startFirst(place: Place): Promise<Part> {
  const { folder, programs } = place;
  for (const path of [archiveOf(place), join(folder, "node1")]) give(path, programs.user);
  const data = join(folder, "node1", "data");
  const cluster = `--pgdata=${data} --username=postgres --auth=trust --encoding=UTF8 --locale=C`;
  await command(place, "initdb", [...cluster.split(" "), "--data-checksums", "--no-instructions"]);
  const part = serverPart(place, "node1", {});
  part.start();
  const url = urlOf(place, "postgres", "postgres");
  await waitUntil("PostgreSQL answers", () => answers(url), startSecondsMax);
  await query(url, `create role ${database} login`);
  await query(url, `create database ${database} owner ${database}`);
  return part;
}

/** With what was written meanwhile. */
export async function takeBackup(place: Place): Promise<void> {
  give(backupOf(place), place.programs.user);
  const pgdata = join(backupOf(place), "base");
  const from = `--host=127.0.0.1 --port=${place.port} --username=postgres`;
  const how = `--pgdata=${pgdata} --checkpoint=fast --wal-method=stream`;
  await command(place, "pg_basebackup", [...from.split(" "), ...how.split(" ")]);
  await command(place, "pg_verifybackup", [pgdata]);
}

/** Names this moment in the log, and waits until the archive has it. @returns when it was */
export async function nameMoment(place: Place, name: string): Promise<Date> {
  const url = urlOf(place, "postgres", "postgres");
  const [row] = await query(
    url,
    `select pg_walfile_name(pg_create_restore_point('${name}')) as file, clock_timestamp() as at`,
  );
  const file = join(archiveOf(place), String(row?.["file"]));
  await waitUntil("the archive has the moment", () => existsSync(file), startSecondsMax);
  // As the statement reads it.
  return row?.["at"] as Date;
}

export function archivedCount(place: Place): number {
  return readdirSync(archiveOf(place)).filter((name) => !name.startsWith(".")).length;
}

/** In a folder of its own, up to the named moment; it takes writes when this resolves. */
export async function restore(place: Place, moment: string): Promise<Part> {
  const { folder, programs } = place;
  const home = join(folder, "node2");
  give(home, programs.user);
  const data = join(home, "data");
  await run("cp", ["-a", join(backupOf(place), "base"), data], programs.user);
  await run("touch", [join(data, "recovery.signal")], programs.user);
  const part = serverPart(place, "node2", {
    restore_command: `cp ${archiveOf(place)}/%f %p`,
    recovery_target_name: moment,
    recovery_target_action: "promote",
  });
  part.start();
  const url = urlOf(place, "postgres", "postgres");
  await waitUntil("the restored server takes writes", () => takesWrites(url), recoverSecondsMax);
  return part;
}

async function takesWrites(url: string): Promise<boolean> {
  try {
    const [row] = await query(url, "select pg_is_in_recovery() as is_recovering");
    return row?.["is_recovering"] === false;
  } catch {
    return false; // it does not listen yet
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    await query(url, "select 1");
    return true;
  } catch {
    return false; // it does not listen yet
  }
}

async function command({ programs }: Place, name: string, words: readonly string[]): Promise<void> {
  const environment = { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" };
  await run(join(programs.folder, name), words, {
    ...programs.user,
    env: environment,
    cwd: "/",
  });
}
