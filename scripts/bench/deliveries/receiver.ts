// Takes webhooks in a process of its own. Endpoints that are said to be dead accept a connection and never answer.

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What it is told: which endpoints never answer from now on. */
export interface ReceiverOrder {
  readonly dead: readonly string[];
}

/** What it says once it has heard that, and first of all. */
export interface ReceiverState {
  readonly url: string;
  /** different events that endpoints of `/crowd` have answered, all together */
  readonly answered: number;
}

const answered = new Set<string>();
let dead: ReadonlySet<string> = new Set();

const receiver = createServer((request, response) => {
  request.resume();
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://receiver");
  const shop = searchParams.get("shop") ?? "";
  const isOfCrowd = pathname === "/crowd";
  if (isOfCrowd && dead.has(shop)) return;
  if (isOfCrowd) answered.add(`${shop} ${String(request.headers["webhook-id"])}`);
  response.writeHead(204).end();
}).listen(0, "127.0.0.1");
await once(receiver, "listening");
// It listens on a port, so it has an address of this form.
const { port } = receiver.address() as AddressInfo;
const tell = (): void => {
  const state: ReceiverState = { url: `http://127.0.0.1:${port}`, answered: answered.size };
  process.send?.(state);
};
process.on("message", (order: ReceiverOrder) => {
  dead = new Set(order.dead);
  tell();
});
process.on("disconnect", () => process.exit());
tell();
