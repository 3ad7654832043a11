// The embedded database: PostgreSQL itself, compiled to WebAssembly, in this process and on a data
// folder of its own. It has one connection. It is spoken to by the same driver as a server is, so
// values and errors are the same.

import { existsSync, fsyncSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { createPgConfig } from "@electric-sql/pglite/node-postgres";
import { NodeFS } from "@electric-sql/pglite/nodefs";
import pg from "pg";
import { ServiceError } from "../../service/errors.ts";
import { migrate } from "./migrate.ts";
import type { OpenedDatabase } from "./session.ts";
import { runStatement, runTransaction, withRetry } from "./session.ts";
import { Turns } from "./turns.ts";
import { valueTypes } from "./values.ts";

export interface PgliteOptions {
  /** undefined: in memory, for tests */
  readonly folder: string | undefined;
  /** an archive made by `dumpPglite`, for an empty database */
  readonly archive?: Blob;
}

/**
 * What PGlite starts the server with, minus "-F" (which turns fsync off), plus the way of making
 * the log durable that reaches `fsync` below: "fdatasync", the standard, does nothing in PGlite.
 */
const startParameters = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== "-F"),
  "-c",
  "fsync=on",
  "-c",
  "synchronous_commit=on",
  "-c",
  "wal_sync_method=fsync",
  // As on a server: see there.
  "-c",
  "random_page_cost=1.1",
  // All of it is in this process from the start on. What does not fit is read from the system's own cache.
  "-c",
  "shared_buffers=16MB",
];

/** Opens it and brings the tables up to date. The caller holds the lock of the folder. */
export async function openPglite(options: PgliteOptions): Promise<OpenedDatabase> {
  if (options.folder !== undefined) await createFolder(options.folder);
  const { pglite, client, disk } = await startPglite(options);
  await migrate(client);
  const turns = new Turns();
  const inTurn = <Result>(work: () => Promise<Result>) =>
    turns.take(() => {
      // PostgreSQL has given up as well: the next start reads the log and is right again.
      if (disk.hasFailed) throw diskFailure();
      return work();
    });
  let isWaitingForDisk = true;
  const setWaitingForDisk = async (wanted: boolean) => {
    if (wanted === isWaitingForDisk) return;
    await client.query(`set synchronous_commit = ${wanted ? "on" : "off"}`);
    isWaitingForDisk = wanted;
  };
  return {
    run: (statement, values) =>
      inTurn(async () => {
        await setWaitingForDisk(statement.isDurable !== false);
        return await withRetry(() => runStatement(client, statement, values));
      }),
    transaction: (work) =>
      inTurn(async () => {
        await setWaitingForDisk(true);
        return await withRetry(() => runTransaction(client, work));
      }),
    close: () =>
      turns.take(async () => {
        if (disk.hasFailed) return;
        await client.end();
        await pglite.close();
      }),
  };
}

/** Beside it and then renamed: a crash in the middle leaves nothing that looks like a database. */
async function createFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  const unfinished = `${folder}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  const { pglite, client } = await startPglite({ folder: unfinished });
  await client.end();
  await pglite.close();
  await syncTree(unfinished);
  renameSync(unfinished, folder);
  await syncOne(dirname(folder));
}

const filesAtOnceMax = 64;

async function syncTree(path: string): Promise<void> {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  // Together, so that the file system can store many at a time.
  for (let start = 0; start < paths.length; start += filesAtOnceMax) {
    await Promise.all(paths.slice(start, start + filesAtOnceMax).map(syncOne));
  }
  await syncOne(path);
}

/** A file, or the names in a folder. */
async function syncOne(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A migrated empty database as an archive, which opens faster than a new one is made. */
export async function dumpPglite(): Promise<Blob> {
  const { pglite, client } = await startPglite({ folder: undefined });
  await migrate(client);
  const archive = await pglite.dumpDataDir("none");
  await client.end();
  await pglite.close();
  return archive;
}

/** What became of the disk since it was opened. */
interface Disk {
  hasFailed: boolean;
}

function diskFailure(): ServiceError {
  return new ServiceError("service_unavailable", "The service is not available right now.", {
    cause: new Error("the disk refused to store the database's log; repair it and start again"),
  });
}

async function startPglite({ folder, archive }: PgliteOptions) {
  const disk: Disk = { hasFailed: false };
  const pglite = await PGlite.create({
    ...(folder === undefined
      ? {}
      : {
          fs: new DurableFolder(folder, disk),
          startParams: startParameters,
          relaxedDurability: false,
        }),
    ...(archive === undefined ? {} : { loadDataDir: archive }),
  });
  // The driver is told which connection to use by a member that its types do not name.
  const { connection } = createPgConfig(pglite);
  const parameters = { connection, types: valueTypes };
  const client = new pg.Client(parameters);
  await client.connect();
  return { pglite, client, disk };
}

/** EIO, as Emscripten counts. */
const inputOutputError = 29;

/** The part of an open file of Emscripten that we look at. */
interface OpenFile {
  readonly nfd?: number;
}

/** PGlite's folder on disk, with the `fsync` that Emscripten leaves out. */
class DurableFolder extends NodeFS {
  readonly #disk: Disk;

  constructor(folder: string, disk: Disk) {
    super(folder);
    this.#disk = disk;
  }

  override async init(...parameters: Parameters<NodeFS["init"]>) {
    const { emscriptenOpts } = await super.init(...parameters);
    const preRun = [emscriptenOpts.preRun ?? []].flat();
    const addFsync = (module: unknown) => {
      // Emscripten exports its file systems, and its types say nothing of this one.
      const { NODEFS } = module as { NODEFS: { stream_ops: Record<string, unknown> } };
      NODEFS.stream_ops["fsync"] = ({ nfd }: OpenFile): number => {
        try {
          if (nfd !== undefined) fsyncSync(nfd);
          return 0;
        } catch {
          // PostgreSQL knows what to do: it does not go on with a log that may have a hole.
          this.#disk.hasFailed = true;
          return inputOutputError;
        }
      };
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [addFsync, ...preRun] } };
  }
}
