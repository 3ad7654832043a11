// Sends requests one by one or a few at once, each with a limit of time. Redirects are not followed, since
// their target is not signed; the bytes of an answer are counted, so that none makes us hold too much.

import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { PlainRequest, Signer } from "../../test/support/contract-requests.ts";
import { signedHeaders } from "../../test/support/contract-requests.ts";
import { type Asked, askedOf } from "../../test/support/relations/asked.ts";

export interface Exchange {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** of our clock, when the answer was there */
  readonly atMilliseconds: number;
  readonly asked: Asked;
}

type Received = Omit<Exchange, "asked">;

/** There was no answer, or not all of it. */
export class NoAnswer extends Error {
  /** of the operating system or of OpenSSL, where there is one */
  readonly reason: string;

  constructor(message: string, code: string) {
    super(message);
    this.reason = code;
  }
}

export interface CallerWish {
  readonly requestSeconds: number;
  readonly concurrency: number;
}

/** Larger than any answer of the contract: a page of 100 currencies. */
const answerBytesMax = 16 * 1024 * 1024;

export class Caller {
  readonly #signer: Signer;
  readonly #wish: CallerWish;
  readonly #agent: HttpAgent | HttpsAgent;
  /** how often each Idempotency-Key was sent */
  readonly #keysSent = new Map<string, number>();

  constructor(signer: Signer, wish: CallerWish) {
    this.#signer = signer;
    this.#wish = wish;
    const options = { keepAlive: true, maxSockets: wish.concurrency };
    this.#agent = signer.url.startsWith("https:")
      ? new HttpsAgent(options)
      : new HttpAgent(options);
  }

  /** Signs it anew each time. */
  async send(request: PlainRequest, isSigned = true): Promise<Exchange> {
    const began = Date.now();
    const headers = isSigned ? signedHeaders(this.#signer, request) : new Headers(request.headers);
    const key = headers.get("Idempotency-Key");
    if (key !== null) this.#keysSent.set(key, (this.#keysSent.get(key) ?? 0) + 1);
    const received = await this.#receive(request, headers);
    const isOnlyWithKey = key !== null && this.#keysSent.get(key) === 1;
    const tookMilliseconds = received.atMilliseconds - began;
    const sent = { request, url: this.#signer.url, headers, isOnlyWithKey, tookMilliseconds };
    const asked = { ...askedOf(sent), answeredBetween: serverTimes(received, tookMilliseconds) };
    return { ...received, asked };
  }

  #receive(request: PlainRequest, headers: Headers): Promise<Received> {
    const { method, target, body = "" } = request;
    const bytes = Buffer.from(body);
    if (bytes.length > 0) headers.set("Content-Length", String(bytes.length));
    const url = new URL(this.#signer.url);
    const options = {
      protocol: url.protocol,
      hostname: url.hostname.replace(/^\[|\]$/g, ""),
      port: url.port,
      method,
      path: target,
      headers: Object.fromEntries(headers),
      agent: this.#agent,
    };
    return new Promise((resolve, reject) => {
      const start = url.protocol === "https:" ? httpsRequest : httpRequest;
      const outgoing = start(options);
      let isAnswered = false;
      const seconds = this.#wish.requestSeconds;
      const timer = setTimeout(() => {
        outgoing.destroy(new NoAnswer(`no whole answer within ${seconds} s`, "TIMEOUT"));
      }, seconds * 1000);
      outgoing.once("response", (incoming) => {
        isAnswered = true;
        readAll(incoming)
          .then(resolve, reject)
          .finally(() => clearTimeout(timer));
      });
      outgoing.on("error", (error: NodeJS.ErrnoException) => {
        // Who refuses a body early may close before all of it was sent: what was answered counts.
        if (isAnswered) return;
        clearTimeout(timer);
        reject(noAnswer(error));
      });
      outgoing.end(bytes);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** By the server's clock, which says whole seconds, and may say those of a moment ago. */
function serverTimes(
  { headers }: Pick<Received, "headers">,
  tookMilliseconds: number,
): readonly [number, number] | undefined {
  const at = Date.parse(headers.get("Date") ?? "");
  return Number.isNaN(at) ? undefined : [at - tookMilliseconds - 1000, at + 2000];
}

async function readAll(incoming: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of incoming) {
      // Without an encoding set, chunks are bytes.
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size > answerBytesMax) {
        throw new NoAnswer(`the answer is larger than ${answerBytesMax} bytes`, "TOO_LARGE");
      }
    }
  } catch (error) {
    throw noAnswer(error);
  }
  const headers = new Headers();
  for (let at = 0; at + 1 < incoming.rawHeaders.length; at += 2) {
    headers.append(incoming.rawHeaders[at] ?? "", incoming.rawHeaders[at + 1] ?? "");
  }
  return {
    status: incoming.statusCode ?? 0,
    headers,
    text: Buffer.concat(chunks).toString("utf8"),
    atMilliseconds: Date.now(),
  };
}

function noAnswer(error: unknown): NoAnswer {
  if (error instanceof NoAnswer) return error;
  const { code = "", message }: NodeJS.ErrnoException =
    error instanceof Error ? error : new Error(String(error));
  const told: Readonly<Record<string, string>> = {
    ECONNREFUSED: "nobody listens there",
    ENOTFOUND: "there is no such host",
    EAI_AGAIN: "the name of the host cannot be looked up now",
    ECONNRESET: "the connection was closed before the answer was whole",
    EHOSTUNREACH: "there is no way to the host",
    ENETUNREACH: "there is no way to the host",
  };
  return new NoAnswer(told[code] ?? message, code);
}
