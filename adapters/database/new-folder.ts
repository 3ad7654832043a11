// Makes the folder of a new embedded database.

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Worker } from "node:worker_threads";
import { readMigrations } from "./migration-files.ts";
import { templatePath, type TemplatePlace, unpackTemplate } from "./template.ts";

export interface NewFolder {
  readonly folder: string;
  readonly isUnoptimized?: boolean;
  readonly template?: TemplatePlace | undefined;
}

/** Beside it and then renamed: a crash in the middle leaves nothing that looks like a database. */
export async function createFolder({ folder, isUnoptimized, template }: NewFolder): Promise<void> {
  if (existsSync(folder)) return;
  const unfinished = `${folder}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  const kept = template && templatePath(template.folder);
  const isUnpacked =
    template !== undefined &&
    kept !== undefined &&
    unpackTemplate(kept, unfinished, template.onUnusable);
  if (!isUnpacked) await makeDatabase({ folder: unfinished, isUnoptimized, template: kept });
  await syncTree(unfinished);
  renameSync(unfinished, folder);
  await syncOne(dirname(folder));
}

/** What the thread is given. */
export interface NewDatabaseOrder {
  /** an empty one */
  readonly folder: string;
  readonly isUnoptimized: boolean | undefined;
  /** where a template of it is kept; undefined: nowhere */
  readonly template: string | undefined;
}

/** In a thread of its own, whose hundreds of MB go with it. */
async function makeDatabase(order: NewDatabaseOrder): Promise<void> {
  // What is wrong with them is said here: an error of a thread comes without its class.
  readMigrations();
  const worker = new Worker(new URL("./new-folder-worker.ts", import.meta.url), {
    workerData: order,
  });
  await new Promise<void>((resolve, reject) => {
    worker.once("error", reject);
    worker.once("exit", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`making a new database ended with ${code}`));
    });
  });
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
