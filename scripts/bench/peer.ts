// A server process, seen from the benchmark.

import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { deepStrictEqual } from "node:assert";
import type { Sample } from "./requests.ts";

const serverFile = new URL("./server.ts", import.meta.url);

export class Peer {
  readonly name: string;
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(name: string, url: string, child: ChildProcess) {
    this.name = name;
    this.url = url;
    this.#child = child;
  }

  static async start(name: string): Promise<Peer> {
    const child = fork(serverFile, [name], { env: { ...process.env, NODE_ENV: "production" } });
    const { port } = (await reply(child, name)) as { port: number }; // the first thing a server says
    return new Peer(name, `http://127.0.0.1:${port}`, child);
  }

  async cpuMicroseconds(): Promise<number> {
    const answer = reply(this.#child, this.name);
    this.#child.send("cpu");
    const { cpuMicroseconds } = (await answer) as { cpuMicroseconds: number }; // what the measured server sends
    return cpuMicroseconds;
  }

  stop(): void {
    this.#child.kill();
  }

  /** That the server does the work it is measured at. */
  async prove(sample: Sample, isChecked: boolean): Promise<void> {
    const good = await ask(this.url, sample);
    if (good.status !== sample.status) {
      throw new Error(
        `${this.name} answers ${sample.operationId} with ${good.status}: ${good.text}`,
      );
    }
    deepStrictEqual(JSON.parse(good.text), sample.answer);
    for (const change of isChecked ? sample.wrong : []) {
      const bad = await ask(this.url, { ...sample, ...change });
      if (bad.status === 400 || bad.status === 422) continue;
      const what = JSON.stringify(change);
      throw new Error(`${this.name} answers ${sample.operationId} with ${bad.status} for ${what}`);
    }
  }
}

async function reply(child: ChildProcess, name: string): Promise<unknown> {
  const gone = new AbortController();
  const ended = once(child, "exit", { signal: gone.signal }).then(([code]: unknown[]) => {
    throw new Error(`the server ${name} ended with ${String(code)}`);
  });
  try {
    const message = once(child, "message").then(([value]: unknown[]) => value);
    return await Promise.race([message, ended]);
  } finally {
    ended.catch(() => undefined);
    gone.abort();
  }
}

async function ask(url: string, sample: Sample): Promise<{ status: number; text: string }> {
  const { method, target, headers, body } = sample;
  const init = { method, headers, ...(body === undefined ? {} : { body }) };
  const response = await fetch(url + target, init);
  return { status: response.status, text: await response.text() };
}
