// Programs that are kept running, as systemd does it with Restart=always, until somebody kills or freezes them on purpose.

import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import type { Server } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { processesBelow } from "../bench/start/processes.ts";
import { mark } from "./guard.ts";
import type { User } from "./programs.ts";

export interface Program {
  readonly name: string;
  readonly command: string;
  readonly parameters: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly user?: User;
  /** of the whole cluster: the guard knows it by that */
  readonly home: string;
  /** of what it prints */
  readonly log: string;
  readonly folder: string;
  /** of what it has started and is not below it */
  readonly others?: () => readonly number[];
}

const restartMilliseconds = 1_000;
const stopMillisecondsMax = 15_000;
const lastLines = 8;
const lineCharactersMax = 2_000;

export class Part {
  static #isOver = false;
  static readonly #surprises: string[] = [];

  /** None is started again. */
  static endAll(): void {
    Part.#isOver = true;
  }

  /** Those that ended though nobody had killed them. */
  static get surprises(): readonly string[] {
    return Part.#surprises;
  }

  readonly #program: Program;
  #child: ChildProcess | undefined;
  #isWanted = false;
  /** It stays away until then, as a machine that starts again. */
  #notBefore = 0;
  #frozen: readonly number[] = [];
  #isKilled = false;

  constructor(program: Program) {
    this.#program = program;
  }

  get name(): string {
    return this.#program.name;
  }

  start(): void {
    this.#isWanted = true;
    this.#spawn();
  }

  /** With all that it has started, and nobody is asked. It comes back after a second, or later. */
  kill(awayMilliseconds = restartMilliseconds): void {
    this.#notBefore = Date.now() + awayMilliseconds;
    this.#isKilled = true;
    this.#mustReach(this.#signalAll("SIGKILL"));
  }

  /** For good, as a machine that is lost: it does not come back until `start`. */
  async lose(): Promise<void> {
    this.#isWanted = false;
    const child = this.#child;
    this.#mustReach(this.#signalAll("SIGKILL"));
    if (child !== undefined && child.exitCode === null && child.signalCode === null)
      await once(child, "close");
  }

  /** What it has started that is not below it. */
  killOthers(): void {
    const all = this.#others();
    for (const one of all) signal(one, "SIGKILL");
    this.#mustReach(all);
  }

  /** It and all that it has started stand still until `thaw`. */
  freeze(): void {
    this.#frozen = this.#signalAll("SIGSTOP");
    this.#mustReach(this.#frozen);
  }

  thaw(): void {
    for (const pid of this.#frozen) signal(pid, "SIGCONT");
    this.#frozen = [];
  }

  async stop(): Promise<void> {
    this.#isWanted = false;
    this.thaw();
    const child = this.#child;
    if (child === undefined) return;
    const ended = once(child, "close");
    child.kill("SIGTERM");
    const late = setTimeout(() => this.#signalAll("SIGKILL"), stopMillisecondsMax);
    await ended;
    clearTimeout(late);
  }

  /** What does nothing is no fault. */
  #mustReach(pids: readonly number[]): void {
    if (pids.length === 0) throw new Error(`${this.name} is not running`);
  }

  /** The parents first: a child that is missed would be started again. */
  #all(): readonly number[] {
    const pid = this.#child?.pid;
    return pid === undefined ? [] : [...below(pid), ...this.#others()];
  }

  #others(): readonly number[] {
    return (this.#program.others?.() ?? []).flatMap(below);
  }

  #signalAll(name: NodeJS.Signals): readonly number[] {
    const all = this.#all();
    for (const one of all) signal(one, name);
    return all;
  }

  /** With what it said last: its log is gone with the cluster. */
  #noteSurprise(how: number | NodeJS.Signals | null): void {
    const surprise = `${this.name} ended by itself (${how}):${endOf(this.#program.log)}`;
    Part.#surprises.push(surprise);
    console.log(surprise);
  }

  #spawn(): void {
    const { command, parameters, environment, user, log, folder, home } = this.#program;
    const marked = { [mark]: home };
    const output = openSync(log, "a");
    const child = spawn(command, parameters, {
      ...user,
      cwd: folder,
      env: {
        PATH: process.env["PATH"],
        LC_ALL: "C.UTF-8",
        HOME: folder,
        ...marked,
        ...environment,
      },
      stdio: ["ignore", output, output],
      detached: true, // Ctrl-C is for us, who stop everything in order
    });
    closeSync(output);
    this.#child = child;
    child.once("error", () => undefined); // "close" comes as well
    child.once("close", (code, by) => {
      this.#child = undefined;
      if (!this.#isWanted || Part.#isOver) return;
      if (!this.#isKilled) this.#noteSurprise(code ?? by);
      this.#isKilled = false;
      const wait = Math.max(restartMilliseconds, this.#notBefore - Date.now());
      setTimeout(() => {
        if (this.#isWanted && !Part.#isOver) this.#spawn();
      }, wait).unref();
    });
  }
}

/** The last lines that it has printed. */
function endOf(log: string): string {
  const lines = readFileSync(log, "utf8").trimEnd().split("\n").slice(-lastLines);
  return lines.map((line) => `\n    ${line.slice(0, lineCharactersMax)}`).join("");
}

/** Parents stand before their children. */
function below(pid: number): readonly number[] {
  return processesBelow(pid).toReversed();
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // It has just ended.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/**
 * Below those that Linux gives to whoever connects: a server that is killed must get its own again. All different: none
 * is given back before the last one is taken.
 */
export async function freePorts(count: number): Promise<readonly number[]> {
  const [least, most] = [20_000, 32_000];
  const servers = new Map<number, Server>();
  while (servers.size < count) {
    const port = least + Math.floor(Math.random() * (most - least));
    const server = createServer();
    const outcome = await new Promise((resolve) => {
      server.once("error", resolve);
      server.listen(port, "127.0.0.1", () => resolve("listens"));
    });
    if (outcome === "listens") servers.set(port, server);
  }
  for (const server of servers.values()) server.close();
  return [...servers.keys()];
}

export async function waitUntil(
  what: string,
  isSo: () => Promise<boolean> | boolean,
  secondsMax = 60,
): Promise<void> {
  const giveUpAt = Date.now() + secondsMax * 1_000;
  while (!(await isSo())) {
    if (Date.now() > giveUpAt) throw new Error(`${what}: not within ${secondsMax} s`);
    await pause(100);
  }
}
