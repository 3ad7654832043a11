// The shop's webhook receiver: checks each signature with the official package of Standard Webhooks,
// and takes every event once.

import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { DemoFailure } from "./narration.ts";

export interface ShopEvent {
  readonly id: string;
  readonly type: string;
  readonly resource: { readonly type: string; readonly id: string };
  readonly data: Readonly<Record<string, unknown>>;
}

const bodyBytesMax = 65_536;
const waitSecondsMax = 60;

export class Receiver {
  readonly #server: Server;
  readonly #events = new Map<string, ShopEvent>();
  #webhook: Webhook | undefined;
  #refused = 0;
  #arrived = Promise.withResolvers<undefined>();

  constructor() {
    this.#server = createServer((request, response) => {
      this.#take(request).then(
        (isTaken) => response.writeHead(isTaken ? 204 : 401).end(),
        () => response.writeHead(400).end(),
      );
    });
  }

  /** @returns where it listens */
  async start(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    // A server that listens at a port has an address of this form.
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/webhooks`;
  }

  trust(secret: string): void {
    this.#webhook = new Webhook(secret);
  }

  /** All that came, each once. */
  get events(): readonly ShopEvent[] {
    return Array.from(this.#events.values());
  }

  /** Deliveries whose signature was wrong. */
  get refused(): number {
    return this.#refused;
  }

  /** The event, whether it has come already or comes in time. */
  waitFor(type: string, resourceId: string): Promise<ShopEvent> {
    const what = `${type} of ${resourceId}`;
    return this.#waitUntil(what, (one) => one.type === type && one.resource.id === resourceId);
  }

  /** The first one of a type that came after another event. */
  waitForAfter(type: string, earlier: ShopEvent): Promise<ShopEvent> {
    const isAfter = (one: ShopEvent): boolean => {
      const ids = Array.from(this.#events.keys());
      return ids.indexOf(one.id) > ids.indexOf(earlier.id);
    };
    const what = `${type} after ${earlier.type}`;
    return this.#waitUntil(what, (one) => one.type === type && isAfter(one));
  }

  async #waitUntil(what: string, isIt: (one: ShopEvent) => boolean): Promise<ShopEvent> {
    const limit = AbortSignal.timeout(waitSecondsMax * 1000);
    const over = once(limit, "abort");
    for (;;) {
      const found = this.events.find(isIt);
      if (found !== undefined) return found;
      if (limit.aborted) {
        const came = this.events.map((one) => `${one.type} ${one.resource.id}`).join(", ");
        throw new DemoFailure(`no ${what} within ${waitSecondsMax} s; came: ${came}`);
      }
      await Promise.race([this.#arrived.promise, over]);
    }
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #take(request: IncomingMessage): Promise<boolean> {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) {
      body += String(chunk);
      if (body.length > bodyBytesMax) throw new Error("too long");
    }
    try {
      if (this.#webhook === undefined) throw new Error("the secret is not known yet");
      // The package takes the headers by name, in lower case as Node has them.
      this.#webhook.verify(body, request.headers as Record<string, string>);
    } catch {
      this.#refused += 1;
      return false;
    }
    // What is signed by the service has the form of its contract.
    const event = JSON.parse(body) as ShopEvent;
    this.#events.set(event.id, event);
    this.#arrived.resolve(undefined);
    this.#arrived = Promise.withResolvers<undefined>();
    return true;
  }
}
