// Where some of the merchants get their webhooks. It checks each signature, refuses now and then what comes for the first
// time, as a merchant's server would, and remembers what it has taken.

import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";

/** Every so many events are refused once: no answer at all, and 503. */
const [unansweredEvery, refusedEvery] = [97, 41];

export class Receiver {
  readonly #secrets = new Map<string, Webhook>();
  readonly #seen = new Set<string>();
  /** how often each was taken, by endpoint and event: `mk_... evt_...` */
  readonly taken = new Map<string, number>();
  /** that nobody has signed with the secret of the endpoint */
  wronglySigned = 0;
  readonly #server = createServer((request, response) => {
    this.#take(request, response).catch(() => response.destroy());
  });

  async start(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  urlOf(endpoint: string): string {
    // A server that listens at a port has an address of this form.
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/${endpoint}`;
  }

  trust(endpoint: string, secret: string): void {
    this.#secrets.set(`/${endpoint}`, new Webhook(secret));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { url = "" } = request;
    let id: string;
    try {
      const webhook = this.#secrets.get(url);
      if (webhook === undefined) throw new Error(`nobody has the endpoint ${url}`);
      // The package takes the headers by name, in lower case as Node has them.
      webhook.verify(body, request.headers as Record<string, string>);
      const event = JSON.parse(body) as { id: string }; // as the contract has it
      id = `${url.slice(1)} ${event.id}`;
    } catch {
      this.wronglySigned += 1;
      response.writeHead(401).end();
      return;
    }
    const isNew = !this.#seen.has(id);
    this.#seen.add(id);
    if (isNew && this.#seen.size % unansweredEvery === 0) response.destroy();
    else if (isNew && this.#seen.size % refusedEvery === 0) response.writeHead(503).end();
    else {
      this.taken.set(id, (this.taken.get(id) ?? 0) + 1);
      response.writeHead(204).end();
    }
  }
}
