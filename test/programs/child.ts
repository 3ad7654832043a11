// Programs of this project in a process of their own.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { shared } from "../support/shared.ts";

export const projectRoot = join(import.meta.dirname, "..", "..");

export interface Child {
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly pid: number;
  readonly output: () => string;
  readonly errors: () => string;
  /** resolves with the text so far, once standard output matches */
  readonly waitFor: (pattern: RegExp) => Promise<string>;
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

const running = new Set<Child>();
const folders = new Set<string>();

/** Empty, and gone after the test. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "merchant-data-"));
  folders.add(folder);
  return folder;
}

/**
 * A data folder whose database has its tables, and nobody in them: a server starts on it in a
 * quarter of the time. It is gone after the test.
 */
export async function makeDataDirectory(): Promise<string> {
  const folder = makeFolder();
  cpSync(await shared("pgliteFolder"), join(folder, "database"), { recursive: true });
  return folder;
}

/** Whoever runs the tests as root has another user for what refuses root. */
const plainUser = process.getuid?.() === 0 ? 65_534 : undefined;

/** Gives the folder, for a child that `startAsPlainUser` starts. */
export function giveToPlainUser(folder: string): string {
  const id = String(plainUser);
  if (plainUser !== undefined) execFileSync("chown", ["-R", `${id}:${id}`, folder]);
  return folder;
}

/** As `startChild`, never as root. */
export function startAsPlainUser(
  parameters: readonly string[],
  environment: Readonly<Record<string, string>>,
  command = process.execPath,
): Child {
  const HOME = giveToPlainUser(makeFolder());
  return spawnChild({
    parameters,
    environment: { HOME, ...environment },
    command,
    user: plainUser,
  });
}

/** With its own group, as a shell would start it, so that a test can signal the whole of it. */
export function startChild(
  parameters: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  command = process.execPath,
): Child {
  return spawnChild({ parameters, environment, command, user: undefined });
}

interface Start {
  readonly parameters: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly command: string;
  /** undefined: the one of the tests */
  readonly user: number | undefined;
}

/** As the launcher gives it to whatever it starts: half of a start is making code of our TypeScript. */
export function programEnvironment(): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, NODE_COMPILE_CACHE };
}

/** What `npm run mutate` tells every process of a test: which code it has. */
function mutation(): NodeJS.ProcessEnv {
  if (process.env["MUTATION_CONTROL"] === undefined) return {};
  const names = ["MUTATION_CONTROL", "MUTATION_MILLISECONDS", "NODE_OPTIONS", "NODE_V8_COVERAGE"];
  return Object.fromEntries(names.map((name) => [name, process.env[name]]));
}

function spawnChild({ parameters, environment, command, user }: Start): Child {
  const child = spawn(command, parameters, {
    cwd: projectRoot,
    ...(user === undefined ? {} : { uid: user, gid: user }),
    env: {
      ...programEnvironment(),
      HOME: process.env["HOME"],
      ...mutation(),
      DATA_DIR: environment["DATA_DIR"] ?? makeFolder(),
      // two more processes, and what they need to start: only for those who ask
      LOCAL_CHAIN: "off",
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const ended = once(child, "close").then(() => {
    running.delete(started);
    return { code: child.exitCode, signal: child.signalCode };
  });
  const waitFor = async (pattern: RegExp): Promise<string> => {
    while (!pattern.test(output)) {
      const end = child.exitCode ?? child.signalCode;
      if (end !== null) throw new Error(`ended with ${end}: ${errors}`);
      await Promise.race([once(child.stdout, "data"), ended]);
    }
    return output;
  };
  const started: Child = {
    kill: (signal) => child.kill(signal),
    pid: child.pid ?? 0,
    output: () => output,
    errors: () => errors,
    waitFor,
    ended,
  };
  running.add(started);
  return started;
}

export interface ServerChild extends Child {
  readonly port: number;
}

export async function startServerChild(
  environment: Readonly<Record<string, string>> = {},
): Promise<ServerChild> {
  const child = await beginServerChild(environment);
  const text = await child.waitFor(/listening on http:\/\/[^"]+:(\d+)/);
  const port = Number(/listening on http:\/\/[^"]+:(\d+)/.exec(text)?.[1]);
  return { ...child, port };
}

/** It may not get so far as to listen. */
export async function beginServerChild(
  environment: Readonly<Record<string, string>>,
): Promise<Child> {
  const DATA_DIR = environment["DATA_DIR"] ?? (await makeDataDirectory());
  // With the flag, as the launcher starts it: without it it becomes itself once more.
  const parameters = ["--disable-sigusr1", "adapters/main.ts"];
  return startChild(parameters, { PORT: "0", ...environment, DATA_DIR });
}

export interface Credentials {
  readonly key: string;
  readonly secret: string;
}

/** What the first start on an empty folder shows. */
export async function demoCredentials(child: Child): Promise<Credentials> {
  const text = await child.waitFor(/npm run admin -- --help/);
  const [, key = ""] = /API key +(mk_test_\w+)/.exec(text) ?? [];
  const [, secret = ""] = /API secret +(sk_test_[\w-]+)/.exec(text) ?? [];
  return { key, secret };
}

/** For afterEach: a failed test must not leave a server behind. */
export async function endChildren(): Promise<void> {
  for (const child of running) {
    child.kill("SIGKILL");
    await child.ended;
  }
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  folders.clear();
}

/** The log of a server, a line an object. */
export function logLines(child: Child): readonly Readonly<Record<string, unknown>>[] {
  // The text of the demo stands between the lines, for people.
  const lines = child
    .output()
    .split("\n")
    .filter((line) => line.startsWith("{"));
  // A line that is no object fails the test that looks at it.
  return lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
}
