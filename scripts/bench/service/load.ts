// The load, in a process of its own: so many connections, each with one request at a time. Requests are
// signed before the measurement begins, as far as they reach, since signing is the work of the merchants'
// machines. Any answer but the expected one ends it.
//
//   node load.ts PLAN.json RESULT.json      says "begun" to its parent when it begins

import { once } from "node:events";
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { signSync } from "../../client/sign-sync.ts";
import { Answers } from "./answers.ts";
import { buildJudge } from "./expectation.ts";
import type { Judge } from "./expectation.ts";
import type { ClientPlan, LoadPlan, LoadResult, PlannedRequest } from "./load-plan.ts";
import type { Completion } from "./window.ts";

const [, , planFile = "", resultFile = ""] = process.argv;
// A program of ours wrote it.
const plan = JSON.parse(readFileSync(planFile, "utf8")) as LoadPlan;
let made = 0;
let signedOnTheWay = 0;

interface Ready {
  readonly bytes: Buffer;
  readonly judge: Judge;
}

/** One connection. */
class Client {
  readonly completions: Completion[] = [];
  readonly ids: string[] = [];
  readonly #kinds: readonly { readonly request: PlannedRequest; readonly judge: Judge }[];
  readonly #credentials: ClientPlan["credentials"];
  readonly url: URL;
  /** the next one is the last */
  readonly #ready: Ready[];
  #turns = 0;

  constructor(index: number, { credentials, requests }: ClientPlan) {
    this.url = new URL(plan.urls[index % plan.urls.length] ?? "");
    this.#credentials = credentials;
    this.#kinds = requests.map((request) => ({ request, judge: buildJudge(request.answer) }));
    this.#ready = Array.from({ length: signedBefore }, () => this.#build()).toReversed();
  }

  async run(socket: Socket, endAt: number): Promise<void> {
    const answers = new Answers(socket);
    while (performance.now() < endAt) {
      const { bytes, judge } = this.#next();
      const sentAt = performance.now();
      socket.write(bytes);
      const answer = await answers.next();
      const now = performance.now();
      const id = judge(answer);
      if (id !== undefined) this.ids.push(id);
      this.completions.push({
        atMilliseconds: performance.timeOrigin + now,
        latencyMilliseconds: now - sentAt,
      });
    }
    socket.destroy();
  }

  #next(): Ready {
    const ready = this.#ready.pop();
    if (ready !== undefined) return ready;
    signedOnTheWay++;
    return this.#build();
  }

  #build(): Ready {
    const kind = this.#kinds[this.#turns++ % this.#kinds.length];
    if (kind === undefined) throw new Error("the plan has a client without requests");
    return { bytes: this.#bytesOf(kind.request), judge: kind.judge };
  }

  #bytesOf(request: PlannedRequest): Buffer {
    const { method, target } = request;
    const body = request.body?.replace("{number}", nextNumber());
    const [path = "", query] = target.split("?", 2);
    const idempotencyKey = keyOf(request.idempotencyKey);
    const headers = {
      Host: this.url.host,
      ...(this.#credentials &&
        signSync({ ...this.#credentials, method, path, query, body, idempotencyKey })),
      ...(body === undefined
        ? {}
        : { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) }),
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n${body ?? ""}`);
  }
}

/** 19 digits, as long as what pgbench writes. */
function nextNumber(): string {
  return `${String(plan.number).padStart(4, "0")}${String(++made).padStart(15, "0")}`;
}

function keyOf(wish: PlannedRequest["idempotencyKey"]): string | undefined {
  return wish === "new" ? `order-${randomBytes(10).toString("hex")}` : wish?.same;
}

async function open({ hostname, port }: URL): Promise<Socket> {
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, "connect");
  return socket;
}

const signedBefore = Math.ceil((plan.signedBeforePerSecond * plan.seconds) / plan.clients.length);
const clients = plan.clients.map((client, index) => new Client(index, client));
const opened = await Promise.all(
  clients.map(async (client) => ({ client, socket: await open(client.url) })),
);
process.send?.("begun");
const endAt = performance.now() + plan.seconds * 1_000;
await Promise.all(opened.map(({ client, socket }) => client.run(socket, endAt)));
const result: LoadResult = {
  completions: clients.flatMap(({ completions }) => completions),
  ids: clients.flatMap(({ ids }) => ids),
  signedOnTheWay,
};
writeFileSync(resultFile, JSON.stringify(result));
process.disconnect();
