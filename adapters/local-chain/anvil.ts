// A chain on this machine: the program `anvil`, as a child process that is gone when we are.

import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";

export interface AnvilOptions {
  readonly chainNumber: bigint;
  /** Blocks come only when they are asked for. */
  readonly isMiningByHand: boolean;
  /** any free one unless said */
  readonly port?: number;
  /** Old states are given up, so that it can run for days; deep reorgs are not possible then. */
  readonly isHistoryShort?: boolean;
  /** absent: the chain is forgotten at its end */
  readonly state?: StateFiles;
  /** unix seconds of the first block; absent: now */
  readonly genesisSeconds?: number;
}

export interface StateFiles {
  /** read at the start, if it is there */
  readonly loadPath: string | undefined;
  /** written at the end, and every so often */
  readonly dumpPath: string;
  readonly intervalSeconds: number;
}

export interface Anvil {
  readonly url: string;
  readonly pid: number;
  /** settles when the program has ended, for whatever reason */
  readonly ended: Promise<void>;
  readonly stop: () => Promise<void>;
}

/** How many states it keeps in memory then; blocks, transactions and logs stay. */
const shortHistoryBlocks = "64";
const isWindows = process.platform === "win32";
/** A process that has started answers within a second; this is for machines under load. */
const startMillisecondsMax = 30_000;
/** With a state file it writes at the end; after that it is killed. */
const stopMillisecondsMax = 10_000;
const outputCharactersMax = 4_000;

export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  const binary = findBinary();
  // It writes below its home folder whatever it is told.
  const home = mkdtempSync(join(tmpdir(), "merchant-anvil-"));
  const child = spawn(binary, parametersOf(options, home), {
    cwd: home,
    env: { HOME: home, USERPROFILE: home, TMPDIR: home, LC_ALL: "C" },
    stdio: ["ignore", "pipe", "pipe"],
    // Ctrl-C is for the server, which still needs the chain to stop gracefully.
    detached: !isWindows,
  });
  const closed = once(child, "close").then(
    () => undefined,
    () => undefined,
  );
  const removeHome = () => rmSync(home, { recursive: true, force: true });
  const ended = closed.then(removeHome);
  const { pid } = child;
  if (pid === undefined) {
    await ended;
    throw new Error(
      `The local chain cannot be started: ${binary} is not a program for this machine`,
    );
  }
  const watch = isWindows ? killAtExit(child) : watchOver(pid, home);
  void ended.then(watch);
  const stop = () => stopChild(child, ended);
  try {
    return { url: await readUrl(child), pid, ended, stop };
  } catch (error) {
    child.kill("SIGKILL");
    await ended;
    throw error;
  }
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

function parametersOf(options: AnvilOptions, home: string): readonly string[] {
  const parameters = ["--host", "127.0.0.1", "--port", String(options.port ?? 0)];
  // Web pages of others cannot ask it.
  parameters.push("--no-cors", "--hardfork", "prague");
  parameters.push("--chain-id", String(options.chainNumber), "--color", "never");
  // Otherwise it fills the disk, beyond its end.
  if (options.isHistoryShort === true) parameters.push("--prune-history", shortHistoryBlocks);
  else parameters.push("--max-persisted-states", "0");
  parameters.push("--cache-path", join(home, "cache"));
  // `safe` is 4 blocks behind the newest, `finalized` 8.
  parameters.push("--slots-in-an-epoch", "4");
  if (options.isMiningByHand) parameters.push("--no-mining");
  if (options.genesisSeconds !== undefined) {
    parameters.push("--timestamp", String(options.genesisSeconds));
  }
  const { state } = options;
  if (state === undefined) return parameters;
  if (state.loadPath !== undefined) parameters.push("--load-state", state.loadPath);
  parameters.push("--dump-state", state.dumpPath);
  parameters.push("--state-interval", String(state.intervalSeconds));
  // Whoever has not read the last blocks before a restart can still ask about balances and traces.
  parameters.push("--preserve-historical-states");
  return parameters;
}

/** The program itself, not the script around it: that takes longer, and outlives us. */
function findBinary(): string {
  const system = process.platform;
  const architecture = process.arch === "x64" ? "amd64" : process.arch;
  const name = `@foundry-rs/anvil-${system}-${architecture}`;
  const file = system === "win32" ? "anvil.exe" : "anvil";
  try {
    return createRequire(import.meta.url).resolve(`${name}/bin/${file}`);
  } catch (cause) {
    throw new Error(
      `The local chain needs the package ${name}, which "npm ci" installs where there is one ` +
        "(Linux and macOS on x64 and arm64, Windows on x64; not with --omit=optional).",
      { cause },
    );
  }
}

/** Its output is read to the end: a full pipe would stop it. */
async function readUrl(child: Child): Promise<string> {
  let output = "";
  const listening = new Promise<string>((resolve) => {
    const read = (chunk: string) => {
      if (output.length < outputCharactersMax) output += chunk;
      const address = /Listening on (127\.0\.0\.1:\d+)/.exec(output)?.[1];
      if (address !== undefined) resolve(`http://${address}`);
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", read);
  });
  const timeLimit = AbortSignal.timeout(startMillisecondsMax);
  const failed = Promise.race([once(child, "close"), once(timeLimit, "abort")]).then(() => {
    const isOldSystem = /GLIBC_|not found/.test(output);
    const hint = isOldSystem
      ? " It needs glibc 2.35 or newer: Debian 12, Ubuntu 22.04; not Alpine."
      : "";
    throw new Error(`The local chain (anvil) did not start.${hint}\n${output.trim()}`);
  });
  failed.catch(() => undefined);
  return Promise.race([listening, failed]);
}

async function stopChild(child: Child, ended: Promise<void>): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), stopMillisecondsMax);
    await ended;
    clearTimeout(timer);
  }
  await ended;
}

/**
 * A shell whose standard input only we hold open: it ends when we do, even by SIGKILL, and then the
 * shell ends the chain (which writes its state) and removes its folder. Answers how to end the watch.
 */
function watchOver(pid: number, home: string): () => void {
  const script =
    'read -r _; kill -TERM "$1" 2>/dev/null; ' +
    'for _ in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$1" 2>/dev/null || break; sleep 0.5; done; ' +
    'kill -KILL "$1" 2>/dev/null; rm -rf "$0"';
  const watch = spawn("/bin/sh", ["-c", script, home, String(pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
    cwd: "/",
  });
  watch.unref();
  watch.on("error", () => undefined);
  return () => watch.kill("SIGKILL");
}

/** Windows has no such shell: there the chain outlives a server that is killed. */
function killAtExit(child: Child): () => void {
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  return () => process.off("exit", kill);
}
