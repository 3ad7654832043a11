// The server of the demo: the same program as npm start, on a database and a chain of its own that
// are gone afterwards.

import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { askServer } from "../../adapters/operator/socket.ts";
import { DemoFailure, DemoStopped } from "./narration.ts";

const root = join(import.meta.dirname, "..", "..");
const startSecondsMax = 90;
const stopSecondsMax = 20;

export interface DemoServer {
  /** where it listens */
  readonly url: string;
  /** of the local chain */
  readonly rpcUrl: string;
  /** An operator's command. @returns its output */
  readonly admin: (...words: readonly string[]) => Promise<string>;
  readonly stop: () => Promise<void>;
}

interface LogLine {
  readonly msg?: string;
  readonly level?: string | number;
  readonly url?: string;
  readonly rpc_url?: string;
}

/** @param stopped kept when nobody wants it any more */
export async function startServer(stopped: Promise<void>): Promise<DemoServer> {
  const dataDirectory = mkdtempSync(join(tmpdir(), "merchant-demo-"));
  const child = spawn(process.execPath, [join(root, "adapters", "main.ts")], {
    cwd: root,
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      // As the launcher has given it to this process: a start is a third shorter.
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      PORT: "0",
      DATA_DIR: dataDirectory,
      LOCAL_CHAIN: "on",
      WEBHOOK_HTTP_HOSTS: "127.0.0.1",
      WITHDRAW_ADDRESS_COOLING_SECONDS: "0",
    },
    stdio: ["ignore", "pipe", "inherit"],
    // A terminal sends Ctrl-C to its whole group: the server would hear it beside us, and our own
    // signal would then be its second one, which lets it finish nothing.
    detached: true,
  });
  // Whatever ends this process, the server does not stay.
  const kill = (): boolean => child.kill("SIGKILL");
  process.once("exit", kill);
  const stop = async (): Promise<void> => {
    await end(child);
    process.off("exit", kill);
    rmSync(dataDirectory, { recursive: true, force: true });
  };
  try {
    return { ...(await started(child, stopped)), admin: adminOf(dataDirectory), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The server says in its log where it and the chain listen. */
async function started(
  child: ChildProcess,
  stopped: Promise<void>,
): Promise<Pick<DemoServer, "url" | "rpcUrl">> {
  if (child.stdout === null) throw new Error("its standard output is a pipe");
  const problems: string[] = [];
  const found = Promise.withResolvers<Pick<DemoServer, "url" | "rpcUrl">>();
  let [url, rpcUrl] = ["", ""];
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (!line.startsWith("{")) return;
    // Lines of its log are JSON objects.
    const entry = JSON.parse(line) as LogLine;
    if (Number(entry.level) >= 50 || entry.level === "error") problems.push(line);
    url = entry.msg?.startsWith("listening on") === true ? (entry.url ?? url) : url;
    rpcUrl = entry.rpc_url ?? rpcUrl;
    if (url !== "" && rpcUrl !== "") found.resolve({ url, rpcUrl });
  });
  const limit = AbortSignal.timeout(startSecondsMax * 1000);
  const outcome = await Promise.race([
    found.promise,
    once(child, "exit").then(() => `: it ended with ${child.exitCode}`),
    once(limit, "abort").then(() => ` within ${startSecondsMax} s`),
    stopped.then(() => new DemoStopped()),
  ]);
  if (outcome instanceof DemoStopped) throw outcome;
  if (typeof outcome === "object") return outcome;
  throw new DemoFailure([`the server did not start${outcome}`, ...problems].join("\n"));
}

function adminOf(dataDirectory: string): DemoServer["admin"] {
  return async (...words) => {
    const answer = await askServer(dataDirectory, { words });
    if (answer?.exitCode === 0) return answer.output;
    throw new DemoFailure(`admin ${words.join(" ")}: ${answer?.errors ?? "nobody answers"}`);
  };
}

async function end(child: ChildProcess): Promise<void> {
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null;
  if (!isAlive()) return;
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  const late = once(AbortSignal.timeout(stopSecondsMax * 1000), "abort");
  await Promise.race([gone, late]);
  if (isAlive()) child.kill("SIGKILL");
  await gone;
}
