// Requests of the load: signed when they are sent, over connections that are kept.

import { Agent, request } from "node:http";
import type { IncomingMessage } from "node:http";
import { signSync } from "../../client/sign-sync.ts";
import type { Credentials } from "../../client/canonical.ts";
import { orderBody } from "./shops.ts";
import type { Answered } from "./load-plan.ts";

/** Fewer than the service takes from one address. */
const connectionsMax = 450;

const agent = new Agent({ keepAlive: true, maxSockets: connectionsMax });

interface Post {
  readonly shop: Credentials;
  readonly path: string;
  readonly body: string;
  readonly idempotencyKey?: string;
}

interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
}

export class Asking {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** @returns the id of the payment */
  async createPayment(shop: Credentials, number: number): Promise<string> {
    const body = JSON.stringify(orderBody(`order-${number}`));
    const idempotencyKey = crypto.randomUUID();
    const { text } = await this.#post({ shop, path: "/v1/payments", body, idempotencyKey });
    const id = /^\{"id":"(pay_[0-9A-Z]+)"/.exec(text)?.[1];
    if (id === undefined) throw new Error(`a payment was not made: ${text}`);
    return id;
  }

  async settle(
    shop: Credentials,
    order: string,
    { body, askedAt }: { readonly body: string; readonly askedAt: number },
  ): Promise<Answered> {
    const { status, retryAfter, text } = await this.#post({ shop, path: "/v1/x402/settle", body });
    const now = performance.now();
    return {
      order,
      status,
      code: status >= 400 ? (/"code":"([^"]+)"/.exec(text)?.[1] ?? text.slice(0, 80)) : "",
      retryAfterSeconds: retryAfter === undefined ? undefined : Number(retryAfter),
      atMilliseconds: performance.timeOrigin + now,
      latencyMilliseconds: now - askedAt,
    };
  }

  #post({ shop, path, body, idempotencyKey }: Post): Promise<Answer> {
    const { key, secret } = shop;
    const signed = signSync({ key, secret, method: "POST", path, body, idempotencyKey });
    const length = Buffer.byteLength(body);
    const headers = { ...signed, "Content-Type": "application/json", "Content-Length": length };
    const answer = Promise.withResolvers<Answer>();
    const asked = request(`${this.#url}${path}`, { method: "POST", agent, headers }, (response) => {
      read(response).then(answer.resolve, answer.reject);
    });
    asked.once("error", (error) => {
      answer.resolve({ status: 0, retryAfter: undefined, text: error.message });
    });
    asked.end(body);
    return answer.promise;
  }
}

async function read(response: IncomingMessage): Promise<Answer> {
  response.setEncoding("utf8");
  let text = "";
  for await (const chunk of response) text += String(chunk);
  const { statusCode: status = 0, headers } = response;
  return { status, retryAfter: headers["retry-after"], text };
}
