// The embedded database: PostgreSQL itself, compiled to WebAssembly, in this process and on a data
// folder of its own. It has one connection. It is spoken to by the same driver as a server is, so
// values and errors are the same.

import { fsyncSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { PGlite } from "@electric-sql/pglite";
import { createPgConfig } from "@electric-sql/pglite/node-postgres";
import { NodeFS } from "@electric-sql/pglite/nodefs";
import pg from "pg";
import { ServiceError } from "../../service/errors.ts";
import { migrate } from "./migrate.ts";
import { createFolder } from "./new-folder.ts";
import type { OpenedDatabase } from "./session.ts";
import { runStatement, runTransaction, withRetry } from "./session.ts";
import type { TemplatePlace } from "./template.ts";
import { Turns } from "./turns.ts";
import { valueTypes } from "./values.ts";

export interface PgliteOptions {
  /** undefined: in memory, for tests */
  readonly folder: string | undefined;
  /** an archive made by `dumpPglite`, for an empty database */
  readonly archive?: Blob;
  /** for who starts often and works little: half the time and memory of a start, twice the time of a query */
  readonly isUnoptimized?: boolean;
  /** for a folder that is not there yet; left out: nothing is kept, and what is kept is not used */
  readonly template?: TemplatePlace | undefined;
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
  if (options.folder !== undefined) await createFolder({ ...options, folder: options.folder });
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

/** A new database with its tables, in an empty folder that nobody uses yet. */
export async function makePglite(
  options: Pick<PgliteOptions, "folder" | "isUnoptimized">,
): Promise<void> {
  const { pglite, client, disk } = await startPglite(options);
  await migrate(client);
  await client.end();
  await pglite.close();
  if (disk.hasFailed) throw diskFailure();
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

async function startPglite({ folder, archive, isUnoptimized = false }: PgliteOptions) {
  const disk: Disk = { hasFailed: false };
  const create = () =>
    PGlite.create({
      ...(folder === undefined
        ? {}
        : {
            fs: new DurableFolder(folder, disk),
            startParams: startParameters,
            relaxedDurability: false,
          }),
      ...(archive === undefined ? {} : { loadDataDir: archive }),
    });
  const pglite = isUnoptimized ? await withoutOptimizer(create) : await create();
  // The driver is told which connection to use by a member that its types do not name.
  const { connection } = createPgConfig(pglite);
  const parameters = { connection, types: valueTypes };
  const client = new pg.Client(parameters);
  await client.connect();
  return { pglite, client, disk };
}

/**
 * V8 optimises the functions of WebAssembly that run often. PostgreSQL's parser is one of them in every start, has 100 kB,
 * and takes a second of processor time and, for that second, 600 MB. A module keeps the way that it was made in, but
 * for "tier up", which V8 reads whenever it compiles a function: it therefore stays off. That changes nothing for
 * modules that are made later, whose functions are optimised one by one.
 */
async function withoutOptimizer<Result>(make: () => Promise<Result>): Promise<Result> {
  setFlagsFromString("--no-wasm-tier-up");
  setFlagsFromString("--no-wasm-dynamic-tiering");
  // It has 9 MB of functions, of which few are called: V8 looks through each when it compiles it, and not through all now.
  setFlagsFromString("--wasm-lazy-validation");
  try {
    return await make();
  } finally {
    setFlagsFromString("--wasm-dynamic-tiering");
    setFlagsFromString("--no-wasm-lazy-validation");
  }
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
