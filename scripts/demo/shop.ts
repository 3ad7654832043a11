// The shop's server: calls the service with signed requests, as any merchant's server would.

import { randomUUID } from "node:crypto";
import { signingFetch } from "../client/signing-fetch.ts";
import type { Credentials } from "../client/canonical.ts";
import { DemoFailure } from "./narration.ts";

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export class Shop {
  readonly #url: string;
  readonly #fetch: ReturnType<typeof signingFetch>;

  constructor(url: string, credentials: Credentials) {
    this.#url = url;
    this.#fetch = signingFetch(credentials);
  }

  get(path: string): Promise<Answer> {
    return this.#call(path, { method: "GET" });
  }

  post(path: string, body?: unknown): Promise<Answer> {
    return this.#write("POST", path, body);
  }

  put(path: string, body: unknown): Promise<Answer> {
    return this.#write("PUT", path, body);
  }

  /** Answers whose status is none of `statuses` end the demo. */
  async demand(answer: Promise<Answer>, ...statuses: readonly number[]): Promise<Answer> {
    const { status, body } = await answer;
    if (statuses.includes(status)) return { status, body };
    throw new DemoFailure(
      `expected ${statuses.join(" or ")}, got ${status}: ${JSON.stringify(body)}`,
    );
  }

  #write(method: string, path: string, body: unknown): Promise<Answer> {
    const headers = { "Content-Type": "application/json", "Idempotency-Key": randomUUID() };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    return this.#call(path, { method, headers, ...content });
  }

  async #call(path: string, init: RequestInit): Promise<Answer> {
    const answer = await this.#fetch(`${this.#url}${path}`, init);
    // Every answer of the contract is a JSON object.
    return { status: answer.status, body: (await answer.json()) as Answer["body"] };
  }
}
