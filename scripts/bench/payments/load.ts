// The load, in a process of its own: so many connections, each a shop with one request at a time,
// signed and with an Idempotency-Key of its own. Requests are signed before the measurement begins, as
// far as they reach, since signing is the work of the merchants' machines. Anything but a 201 with an
// id that was not there before ends it.
//
//   node load.ts PLAN.json RESULT.json      says "begun" to its parent when it begins

import { once } from "node:events";
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { sign } from "../../client/signing-client.ts";
import type { Completion } from "./window.ts";
import { orderBody } from "./shops.ts";
import type { Shop } from "./shops.ts";

export interface LoadPlan {
  readonly url: string;
  readonly shops: readonly Shop[];
  readonly clients: number;
  readonly seconds: number;
  /** of this run: no order number comes twice */
  readonly round: number;
}

export interface LoadResult {
  readonly completions: readonly Completion[];
  readonly paymentIds: readonly string[];
  readonly signedOnTheWay: number;
}

const path = "/v1/payments";
/** Signed before; what goes beyond is signed when it is sent. */
const signedBeforePerSecond = 2_500;

const [, , planFile = "", resultFile = ""] = process.argv;
// A program of ours wrote it.
const plan = JSON.parse(readFileSync(planFile, "utf8")) as LoadPlan;
const { host } = new URL(plan.url);
let orders = 0;
let signedOnTheWay = 0;

/** Of one shop, which is one connection. */
class Client {
  readonly completions: Completion[] = [];
  readonly paymentIds: string[] = [];
  readonly #shop: Shop;
  readonly #ready: Buffer[];

  constructor(shop: Shop, signedBefore: number) {
    this.#shop = shop;
    this.#ready = Array.from({ length: signedBefore }, () => buildRequest(shop));
  }

  async run(socket: Socket, endAt: number): Promise<void> {
    const answers = new Answers(socket);
    while (performance.now() < endAt) {
      const request = this.#next();
      const sentAt = performance.now();
      socket.write(request);
      const id = paymentIdOf(await answers.next());
      const now = performance.now();
      this.paymentIds.push(id);
      this.completions.push({
        atMilliseconds: performance.timeOrigin + now,
        latencyMilliseconds: now - sentAt,
      });
    }
    socket.destroy();
  }

  #next(): Buffer {
    const ready = this.#ready.pop();
    if (ready === undefined) signedOnTheWay++;
    return ready ?? buildRequest(this.#shop);
  }
}

/** What comes from one connection, cut into answers. */
class Answers {
  #text = "";
  #waiting: PromiseWithResolvers<string> | undefined;
  #error: Error | undefined;

  constructor(socket: Socket) {
    socket.setEncoding("latin1");
    socket.on("data", (chunk: string) => {
      this.#text += chunk;
      this.#deliver();
    });
    socket.on("error", (error) => this.#fail(error));
    socket.on("close", () => this.#fail(new Error("the server has closed a connection")));
  }

  /** One at a time. */
  next(): Promise<string> {
    const waiting = Promise.withResolvers<string>();
    this.#waiting = waiting;
    if (this.#error === undefined) this.#deliver();
    else waiting.reject(this.#error);
    return waiting.promise;
  }

  #deliver(): void {
    const head = this.#text.indexOf("\r\n\r\n");
    if (head === -1) return;
    const size = /\ncontent-length: *([0-9]+)/i.exec(this.#text.slice(0, head))?.[1];
    if (size === undefined) return this.#fail(new Error("the answer has no Content-Length"));
    const length = head + 4 + Number(size);
    if (this.#text.length < length || this.#waiting === undefined) return;
    const answer = this.#text.slice(0, length);
    this.#text = this.#text.slice(length);
    this.#waiting.resolve(answer);
    this.#waiting = undefined;
  }

  #fail(error: Error): void {
    this.#error ??= error;
    this.#waiting?.reject(this.#error);
  }
}

function paymentIdOf(answer: string): string {
  const id = /"id":"(pay_[0-9A-Za-z]+)"/.exec(answer)?.[1];
  if (answer.startsWith("HTTP/1.1 201 ") && id !== undefined) return id;
  throw new Error(`a request was not answered with 201 and a payment:\n${answer}`);
}

/** As long as what pgbench writes: 19 digits. */
function buildRequest(shop: Shop): Buffer {
  const number = String(++orders).padStart(15, "0");
  const order = `order-${String(plan.round).padStart(4, "0")}${number}`;
  const body = JSON.stringify(orderBody(order));
  const idempotencyKey = `order-${randomBytes(10).toString("hex")}`;
  const headers = {
    Host: host,
    ...sign({ ...shop, method: "POST", path, body, idempotencyKey }),
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
}

async function open(): Promise<Socket> {
  const { hostname, port } = new URL(plan.url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, "connect");
  return socket;
}

const signedBefore = Math.ceil((signedBeforePerSecond * plan.seconds) / plan.clients);
const clients = Array.from({ length: plan.clients }, (_, index) => {
  const shop = plan.shops[index % plan.shops.length];
  if (shop === undefined) throw new Error("the plan has no shop");
  return new Client(shop, signedBefore);
});
const opened = await Promise.all(clients.map(async (client) => ({ client, socket: await open() })));
process.send?.("begun");
const endAt = performance.now() + plan.seconds * 1_000;
await Promise.all(opened.map(({ client, socket }) => client.run(socket, endAt)));
const result: LoadResult = {
  completions: clients.flatMap(({ completions }) => completions),
  paymentIds: clients.flatMap(({ paymentIds }) => paymentIds),
  signedOnTheWay,
};
writeFileSync(resultFile, JSON.stringify(result));
process.disconnect();
