// A merchant's program asks for something until it is answered: with the same Idempotency-Key, after whatever happened.

import { setTimeout as pause } from "node:timers/promises";
import { signingFetch } from "../client/signing-fetch.ts";
import type { Merchant } from "./merchants.ts";
import type { Service } from "./services.ts";

/** What was asked for, and by whom: it can be asked for again. */
export interface Asked {
  readonly merchant: Merchant;
  readonly path: string;
  readonly body: object;
}

/** A write that was answered. */
export interface Written {
  readonly at: number;
  /** which service */
  readonly service: string;
}

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number | undefined;
}

export interface Way {
  /** undefined: none is sent */
  readonly idempotencyKey: string | undefined;
  /** asked in turn; the merchant's own when left out */
  readonly services?: readonly Service[];
  /** whether it is what was waited for; 201 when left out */
  readonly isEnd?: (answer: Answer) => boolean;
}

/** Where nobody says when to come back. A little more or less, so that not all come at once. */
const againSeconds = 1;
/** A settlement of x402 waits 20 seconds for the chain. */
const answerMillisecondsMax = 25_000;

export class Asking {
  readonly written: Written[] = [];
  /** by status or what happened instead */
  readonly refusals = new Map<string, number>();
  /** answers that no outage explains */
  readonly faults: string[] = [];
  #giveUpAt = Infinity;

  /** Whoever is not answered by then gives up. */
  giveUpAfter(milliseconds: number): void {
    this.#giveUpAt = performance.now() + milliseconds;
  }

  /** Undefined: it was never answered, or as no outage explains. */
  async untilAnswered(asked: Asked, way: Way): Promise<Answer | undefined> {
    const { merchant, path } = asked;
    const { services = [merchant.service], isEnd = isMade } = way;
    for (let attempt = 0; performance.now() <= this.#giveUpAt; attempt++) {
      const service = services[attempt % services.length] ?? merchant.service;
      const answer = await this.#ask(asked, way, service);
      if (answer !== undefined && isEnd(answer)) {
        if (isMade(answer)) this.written.push({ at: performance.now(), service: service.name });
        return answer;
      }
      if (answer !== undefined && !mayComeBack(answer)) {
        this.faults.push(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
        return undefined;
      }
      const seconds = answer?.retryAfterSeconds ?? againSeconds;
      await pause(seconds * (750 + Math.random() * 500));
    }
    return undefined;
  }

  /** What was answered instead of what was waited for. */
  count(what: string): void {
    this.refusals.set(what, (this.refusals.get(what) ?? 0) + 1);
  }

  /** Undefined: no answer, or none that is whole. */
  async #ask({ merchant, path, body }: Asked, way: Way, service: Service) {
    const { key, secret } = merchant;
    const { idempotencyKey, isEnd = isMade } = way;
    const send = signingFetch({ key, secret }, { attemptsMax: 1 });
    const named = idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey };
    try {
      const response = await send(`${service.url}${path}`, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...named },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(answerMillisecondsMax),
      });
      const after = response.headers.get("Retry-After");
      const answer: Answer = {
        status: response.status,
        // Every answer of the contract is a JSON object.
        body: (await response.json()) as Answer["body"],
        retryAfterSeconds: after === null ? undefined : Number(after),
      };
      if (!isEnd(answer)) this.count(String(answer.status));
      return answer;
    } catch (error) {
      const isLate = error instanceof Error && error.name === "TimeoutError";
      this.count(isLate ? "no answer within 25 s" : "connection");
      return undefined;
    }
  }
}

function isMade({ status }: Answer): boolean {
  return status === 201;
}

/** Not known yet, too many, not there, or the request before is still at work. */
function mayComeBack({ status, body }: Answer): boolean {
  return [202, 429, 503].includes(status) || body["code"] === "idempotency_in_progress";
}
