// A stop of a process whose log nobody reads: standard output is a full pipe, and a write to it never ends.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, existsSync, openSync, readSync, writeSync } from "node:fs";
import { connect } from "node:net";
import type { NetConnectOpts } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, onTestFinished, test } from "vitest";
import {
  endChildren,
  makeDataDirectory,
  makeFolder,
  programEnvironment,
  projectRoot,
} from "./child.ts";

afterEach(endChildren);

/** A pipe whose ends belong to nobody but this test and what it starts. */
function makePipe() {
  const path = join(makeFolder(), "log");
  execFileSync("mkfifo", [path]);
  // Each opened for itself: whether an end waits is a matter of that end alone.
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const filler = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  const writer = openSync(path, constants.O_WRONLY);
  onTestFinished(() => [reader, filler, writer].forEach(closeSync));
  const bytes = Buffer.alloc(65_536, "x");
  let text = "";
  return {
    writer,
    saysSoFar: (pattern: RegExp): boolean => {
      text += unlessBusy(() => bytes.toString("utf8", 0, readSync(reader, bytes))) ?? "";
      return pattern.test(text);
    },
    /** Of a server that listens. */
    port: (): number => Number(/listening on http:\/\/[^"]+:(\d+)/.exec(text)?.[1]),
    fill: (): void => {
      for (const size of [4_096, 1]) {
        while (unlessBusy(() => writeSync(filler, "x".repeat(size))) !== undefined);
      }
    },
  };
}

function unlessBusy<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EAGAIN") return undefined;
    throw error;
  }
}

/** Within the time of the test. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(20);
}

function start(program: string, environment: Readonly<Record<string, string>>, output: number) {
  const child = spawn(process.execPath, ["--disable-sigusr1", program], {
    cwd: projectRoot,
    env: {
      ...programEnvironment(),
      HOME: process.env["HOME"],
      LOCAL_CHAIN: "off",
      ...environment,
    },
    stdio: ["ignore", output, "ignore"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "exit");
  /** Whether it has ended by itself in this time. */
  const endsWithin = (milliseconds: number): Promise<boolean> =>
    Promise.race([ended.then(() => true), pause(milliseconds, false)]);
  return { kill: (signal: NodeJS.Signals) => child.kill(signal), endsWithin };
}

test.each(["SIGTERM", "SIGINT"] as const)(
  "%s ends a server whose log nobody reads",
  async (signal) => {
    const pipe = makePipe();
    const environment = { PORT: "0", DATA_DIR: await makeDataDirectory() };
    const server = start("adapters/main.ts", environment, pipe.writer);
    await until(() => pipe.saysSoFar(/listening on http/));
    pipe.fill();
    server.kill(signal);
    expect(await server.endsWithin(20_000)).toBe(true);
  },
);

test("a second signal ends it too", async () => {
  const pipe = makePipe();
  const environment = { PORT: "0", DATA_DIR: await makeDataDirectory() };
  const server = start("adapters/main.ts", environment, pipe.writer);
  await until(() => pipe.saysSoFar(/listening on http/));
  pipe.fill();
  server.kill("SIGTERM");
  server.kill("SIGINT");
  expect(await server.endsWithin(20_000)).toBe(true);
});

test("SIGTERM ends a signer whose log nobody reads", async () => {
  const pipe = makePipe();
  pipe.fill();
  const SIGNER_DIR = join(makeFolder(), "signer");
  const signer = start("adapters/signer/main.ts", { SIGNER_DIR }, pipe.writer);
  await until(() => existsSync(join(SIGNER_DIR, "signer.sock")));
  signer.kill("SIGTERM");
  expect(await signer.endsWithin(10_000)).toBe(true);
});

/** A connection that has sent this much, and what it gets until it ends. */
async function open(to: NetConnectOpts, bytes: string) {
  const socket = connect(to);
  const ends = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  await once(socket, "connect");
  // One that the other side resets has got what it has got.
  socket.on("error", () => undefined);
  let answer = "";
  socket.setEncoding("latin1").on("data", (more: string) => (answer += more));
  await new Promise((resolve) => socket.write(bytes, resolve));
  return {
    got: (pattern: RegExp) => until(() => pattern.test(answer)),
    /** What comes from now on. */
    sendLast: async (last: string): Promise<string> => {
      const before = answer.length;
      socket.write(last);
      await ends;
      return answer.slice(before);
    },
  };
}

test("from an uncaught exception on nothing that comes is handled, also while nobody reads the log", async () => {
  const pipe = makePipe();
  const thrown = join(makeFolder(), "thrown");
  const planted = `import { writeFileSync } from "node:fs";
    process.on("SIGUSR2", () => {
      writeFileSync("${thrown}", "");
      throw new Error("planted");
    });`;
  const DATA_DIR = await makeDataDirectory();
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(planted)}`;
  const environment = { PORT: "0", DATA_DIR, NODE_OPTIONS };
  const server = start("adapters/main.ts", environment, pipe.writer);
  await until(() => pipe.saysSoFar(/listening on http/));
  const port = { host: "127.0.0.1", port: pipe.port() };
  const healthz = "GET /healthz HTTP/1.1\r\nHost: x\r\n";
  const half = await open(port, `${healthz}\r\n${healthz}`);
  await half.got(/"alive"/);
  const idle = await open(port, `${healthz}\r\n`);
  await idle.got(/"alive"/);
  const post = "POST /v1/payments HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
  const body = await open(port, `${healthz}\r\n${post}Content-Length: 2\r\n\r\n{`);
  await body.got(/"alive"/);
  const operator = await open({ path: join(DATA_DIR, "admin.sock") }, '{"words":');
  pipe.fill();
  server.kill("SIGUSR2");
  await until(() => existsSync(thrown));

  const refused = await half.sendLast("\r\n");
  expect(refused).toMatch(/^HTTP\/1\.1 503 /);
  expect(refused).toMatch(/^Connection: close\r$/im);
  expect(refused).toContain('"code":"service_unavailable"');
  expect(await idle.sendLast(`${healthz}\r\n`)).toBe("");
  expect(await body.sendLast("}")).toBe("");
  expect(await operator.sendLast('["job","list"]}\n')).toBe("");
  await expect(open(port, "")).rejects.toThrow(/ECONNREFUSED/);
  expect(await server.endsWithin(10_000)).toBe(true);
});
