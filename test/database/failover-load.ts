// Merchants that create payments, withdraw and register addresses, one after the other, and ask for each again with the
// same Idempotency-Key until it is answered.

import { setTimeout as pause } from "node:timers/promises";
import { usd } from "../../scripts/client/tool/test-usd.ts";
import { signingFetch } from "../../scripts/client/signing-fetch.ts";
import type { SigningFetch } from "../../scripts/client/signing-fetch.ts";
import { afterTicks, tickMilliseconds } from "../../adapters/database/ticks.ts";
import { patienceMilliseconds } from "../support/patience.ts";
import { newAddress } from "../support/withdrawal-resources.ts";
import type { Shop } from "./failover-scene.ts";

/** A request that has an effect, which carries its number. */
export interface Order {
  readonly number: string;
  /** of what was made; undefined: it is not answered yet */
  id?: string;
}

/** One sending of a request. */
export interface Attempt {
  /** undefined: the connection broke */
  readonly status: number | undefined;
  readonly retryAfter: string | null;
  /** It waited for 10 s: nobody needs the driver's own limit, which is 15 s. */
  readonly isLate: boolean;
}

const attemptTicksMax = 40;

export class Load {
  readonly payments: Order[] = [];
  readonly withdrawals: Order[] = [];
  readonly addresses: Order[] = [];
  readonly attempts: Attempt[] = [];
  answered = 0;
  readonly #url: string;
  readonly #all: readonly Promise<void>[];
  readonly #workers: Promise<unknown>;
  readonly #failed: Promise<never>;
  readonly #over = new AbortController();
  #isStopping = false;
  #heard: (() => void)[] = [];
  #count = 0;

  /** Each shop sends several requests at once. */
  constructor(url: string, shops: readonly Shop[], each: number) {
    this.#url = url;
    this.#all = shops.flatMap((shop) => Array.from({ length: each }, () => this.#work(shop)));
    this.#workers = Promise.all(this.#all);
    this.#failed = this.#workers.then(() => new Promise<never>(() => undefined));
    this.#failed.catch(() => undefined); // whoever waits hears of it
  }

  get refused(): readonly Attempt[] {
    return this.attempts.filter(({ status }) => status !== 201);
  }

  /** Of all that was asked for. */
  get numbers(): readonly string[] {
    return [...this.payments, ...this.withdrawals, ...this.addresses].map(({ number }) => number);
  }

  /** Whatever it is about, it is looked at after each answer. */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      const heard = new Promise<void>((resolve) => void this.#heard.push(resolve));
      await Promise.race([heard, this.#failed]);
    }
  }

  async untilMore(count: number): Promise<void> {
    const wanted = this.answered + count;
    await this.until(() => this.answered >= wanted);
  }

  /** What was asked for is answered first. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#workers;
  }

  /** At once, whatever is under way: a test that has failed leaves nobody who asks. */
  async end(): Promise<void> {
    this.#over.abort(new Error("the load has ended"));
    await Promise.allSettled(this.#all);
  }

  async #work(shop: Shop): Promise<void> {
    const send = signingFetch(shop, {
      // Often enough: it is the time that ends it.
      attemptsMax: 10_000,
      wholeMilliseconds: patienceMilliseconds,
      fetch: (request, init) => this.#attempt(request, init),
      wait: (_, signal) => pause(tickMilliseconds, undefined, { signal }),
    });
    while (!this.#isStopping) {
      const turn = this.#count++;
      const number = `order-${turn}`;
      if (turn % 5 === 1) await this.#ask(send, this.withdrawals, withdrawalOf(number, shop));
      else if (turn % 5 === 3) await this.#ask(send, this.addresses, addressOf(number));
      else await this.#ask(send, this.payments, paymentOf(number));
    }
  }

  async #ask(send: SigningFetch, orders: Order[], asked: Asked): Promise<void> {
    const order: Order = { number: asked.number };
    orders.push(order);
    const response = await send(`${this.#url}${asked.path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Idempotency-Key": asked.number },
      body: JSON.stringify(asked.body),
      signal: this.#over.signal,
    });
    const text = await response.text();
    if (response.status !== 201) throw new Error(`${asked.path}: ${response.status} ${text}`);
    // As the contract has it.
    order.id = (JSON.parse(text) as { readonly id: string }).id;
    this.answered += 1;
    this.#tell();
  }

  async #attempt(request: Request, init: RequestInit): Promise<Response> {
    let isLate = false;
    const cancel = afterTicks(attemptTicksMax, () => (isLate = true));
    let response: Response | undefined;
    try {
      response = await fetch(request, init);
      return response;
    } finally {
      cancel();
      const retryAfter = response?.headers.get("Retry-After") ?? null;
      this.attempts.push({ status: response?.status, retryAfter, isLate });
      this.#tell();
    }
  }

  #tell(): void {
    for (const heard of this.#heard.splice(0)) heard();
  }
}

interface Asked {
  readonly number: string;
  readonly path: string;
  readonly body: object;
}

function paymentOf(number: string): Asked {
  const quotes = { [usd.currencyId]: { amount: "1.25", chain_ids: [usd.chainId] } };
  const body = { merchant_order_no: number, quotes, expires_in_secs: 86_400 };
  return { number, path: "/v1/payments", body };
}

function withdrawalOf(number: string, { withdrawAddressId }: Shop): Asked {
  const place = { currency_id: usd.currencyId, target_chain_id: usd.chainId };
  const body = { ...place, amount: "1.5", withdraw_address_id: withdrawAddressId };
  return { number, path: "/v1/withdrawals", body };
}

function addressOf(number: string): Asked {
  const body = { chain_id: usd.chainId, address: newAddress(), label: number };
  return { number, path: "/v1/withdraw-addresses", body };
}
