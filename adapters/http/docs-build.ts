// Builds the site of merchants' developers while a server of development runs: a child of the lowest priority, which ends
// with the server. It looks first whether there is anything to do, and waits for another one that is at it.

import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Logger } from "../system/logging.ts";
import type { DocsSite } from "./docs-routes.ts";

const program = join(import.meta.dirname, "..", "..", "scripts", "site", "child.ts");
const errorsMax = 2_000;
/** Beside about as much that V8 does not count: machines for trials are small. */
const heapMegabytesMax = 512;

export interface BuildParts {
  readonly log: Pick<Logger, "warn">;
  /** of this process: the child gets the three names that it needs */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface DocsBuild {
  /** there is a site now, or the reason is logged */
  readonly ended: Promise<void>;
  readonly stop: () => void;
}

/** Never throws: what fails is logged once, and the plain page stays. */
export function startDocsBuild(site: DocsSite, { log, environment }: BuildParts): DocsBuild {
  // It gets no secret of ours. Its channel is for one thing: it is closed when we end, however we end.
  const heap = `--max-old-space-size=${heapMegabytesMax}`;
  const { PATH, HOME, NODE_COMPILE_CACHE } = environment;
  const child = spawn(process.execPath, [heap, program, site.folder], {
    env: { PATH, HOME, NODE_COMPILE_CACHE },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    // A Ctrl-C of a terminal is for us: we end it.
    detached: true,
  });
  // It keeps nobody from ending.
  child.unref();
  child.channel?.unref();
  site.isBuilding = true;
  let isStopped = false;
  const ended = follow(child).then((problem) => {
    site.isBuilding = false;
    if (isStopped) return;
    if (problem === undefined) site.reload();
    else log.warn(problem, "the pages at /docs could not be built: npm run docs says why");
  });
  return {
    ended,
    stop: () => {
      isStopped = true;
      child.kill("SIGKILL");
    },
  };
}

/** Of a child that failed; a `signal` is the one that it died of. */
interface Problem {
  readonly exit_code?: number | null;
  readonly signal?: NodeJS.Signals | null;
  /** the end of what it wrote */
  readonly errors: string;
}

/** @returns what is wrong; undefined: nothing */
async function follow(child: ChildProcess): Promise<Problem | undefined> {
  try {
    const errors = child.stderr === null ? "" : text(child.stderr);
    await once(child, "close");
    const { exitCode, signalCode } = child;
    if (exitCode === 0) return undefined;
    return { exit_code: exitCode, signal: signalCode, errors: (await errors).slice(-errorsMax) };
  } catch (error) {
    return { errors: String(error) };
  }
}
