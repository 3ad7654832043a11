// Remembers what a run read and wrote, so that the next one can see at once that nothing changed.
// The memory is only ever a shortcut: losing it costs time, and `--check` does not use it.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export interface Run {
  /** absolute paths that were read: the contract and every file it refers to */
  readonly read: readonly string[];
  /** absolute paths that were written or confirmed */
  readonly written: readonly string[];
  /** hand-written modules that were looked at for handlers */
  readonly handlers: readonly string[];
  /** what was said, to be said again */
  readonly warnings: readonly string[];
}

interface Record {
  readonly run: Run;
  readonly fingerprint: string;
}

const generatorFolder = fileURLToPath(new URL("..", import.meta.url));
const cacheFolder = fileURLToPath(
  new URL("../../node_modules/.cache/contract-generator", import.meta.url),
);

/** The remembered run for these options, if everything it read and wrote is still the same. */
export function freshRun(key: string): Run | undefined {
  const file = cacheFile(key);
  if (!existsSync(file)) return undefined;
  try {
    // written by `remember` below; anything else fails the fingerprint
    const record = JSON.parse(readFileSync(file, "utf8")) as Record;
    return record.fingerprint === fingerprint(record.run) ? record.run : undefined;
  } catch {
    return undefined; // an unreadable memory is no memory
  }
}

export function remember(key: string, run: Run): void {
  const file = cacheFile(key);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ run, fingerprint: fingerprint(run) }));
}

function cacheFile(key: string): string {
  return join(cacheFolder, `${createHash("sha256").update(key).digest("hex").slice(0, 32)}.json`);
}

/** Of every input and output, and of the generator with the versions of what it uses. */
function fingerprint(run: Run): string {
  const hash = createHash("sha256").update(process.version).update(JSON.stringify(run));
  const own = readdirSync(generatorFolder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .toSorted()
    .map((name) => join(generatorFolder, name));
  const root = join(generatorFolder, "..");
  const tools = ["package-lock.json", ".prettierrc.json", ".editorconfig"].map((name) =>
    join(root, name),
  );
  for (const path of [...own, ...tools, ...run.read, ...run.written, ...run.handlers]) {
    const isFile = existsSync(path) && statSync(path).isFile();
    hash.update(`\0${path}\0`).update(isFile ? readFileSync(path) : "absent");
  }
  return hash.digest("hex");
}
