// Open checkout pages: each keeps a stream of events as a browser does (HTML, "Server-sent events"): when it ends, it opens
// another one after the time that the server has said, with the last identifier that it has seen.

import http from "node:http";
import https from "node:https";
import { setTimeout as pause } from "node:timers/promises";

export interface StreamWish {
  /** of the page, as the merchant gets it */
  readonly pageUrl: string;
  /** PEM, where it is served over TLS */
  readonly authority?: string;
  /** where its customer is */
  readonly localAddress: string;
}

const eventStream = "text/event-stream";

export class PageStream {
  readonly #wish: StreamWish;
  readonly #protocol: typeof http | typeof https;
  readonly #agent: http.Agent;
  #lastId = "";
  #retryMilliseconds = 0;
  #isStopping = false;
  #response: http.IncomingMessage | undefined;
  #running: Promise<void> = Promise.resolve();
  /** the newest that it has heard */
  status = "";
  opened = 0;
  readonly failures: string[] = [];

  constructor(wish: StreamWish) {
    this.#wish = wish;
    const { authority: ca, localAddress, pageUrl } = wish;
    const isSecure = pageUrl.startsWith("https:");
    this.#protocol = isSecure ? https : http;
    this.#agent = isSecure
      ? new https.Agent({ ca, localAddress })
      : new http.Agent({ localAddress });
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#response?.destroy();
    await this.#running;
    this.#agent.destroy();
  }

  /** Nobody looks at it any more, or nothing more will happen. */
  #isOver(): boolean {
    return this.#isStopping || this.status === "cancelled";
  }

  async #run(): Promise<void> {
    while (!this.#isOver()) {
      try {
        await this.#listen();
      } catch (error) {
        // A browser gives up a stream that was refused, and opens one again that broke.
        if (this.#isOver()) return;
        this.failures.push(`${this.#wish.localAddress}: ${String(error)}`);
      }
      if (!this.#isOver()) await pause(this.#retryMilliseconds);
    }
  }

  async #listen(): Promise<void> {
    const response = await this.#open();
    this.#response = response;
    const type = response.headers["content-type"] ?? "";
    if (response.statusCode !== 200 || !type.startsWith(eventStream)) {
      response.resume();
      throw new Error(`a stream was refused with ${response.statusCode}`);
    }
    this.opened += 1;
    let rest = "";
    for await (const part of response.setEncoding("utf8")) {
      const blocks = `${rest}${String(part)}`.split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) this.#take(block);
    }
  }

  #open(): Promise<http.IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = {
        Accept: eventStream,
        ...(this.#lastId === "" ? {} : { "Last-Event-ID": this.#lastId }),
      };
      const sent = this.#protocol.request(
        `${this.#wish.pageUrl}/events`,
        { agent: this.#agent, headers },
        resolve,
      );
      sent.once("error", reject);
      sent.end();
    });
  }

  #take(block: string): void {
    for (const line of block.split("\n")) {
      const [, name = "", value = ""] = /^(id|retry|data): ?(.*)$/.exec(line) ?? [];
      if (name === "id") this.#lastId = value;
      if (name === "retry") this.#retryMilliseconds = Number(value);
      if (name === "data") this.status = /"status":"(\w+)"/.exec(value)?.[1] ?? this.status;
    }
  }
}
