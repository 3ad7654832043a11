// Merchants that create payments and withdraw, and somebody who pays: each request is asked for again with the same
// Idempotency-Key until it is answered, as a merchant's program would.

import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { amountOf } from "../../service/amounts.ts";
import { signingFetch } from "../client/signing-fetch.ts";
import { usd } from "../client/tool/test-usd.ts";
import { PageFailure, rawAmount, readPage } from "../client/tool/checkout-page.ts";
import type { Wallet } from "../demo/wallet.ts";
import { waitUntil } from "./parts.ts";
import type { Merchant, Merchants } from "./merchants.ts";

/** What was asked for, and by whom: it can be asked for again. */
export interface Asked {
  readonly merchant: Merchant;
  readonly path: string;
  readonly body: object;
}

/** A request that has an effect, and what is known of it. */
export interface Order {
  /** of its own: what is written carries it */
  readonly number: string;
  readonly asked: Asked;
  /** of what was made; undefined: it was never answered */
  id?: string;
  pageUrl?: string;
}

export interface Paid {
  readonly paymentId: string;
  readonly txHash: string;
  readonly amountRaw: bigint;
  /** where its page said */
  readonly address: string;
}

export interface Withdrawal extends Order {
  /** no other one has it */
  readonly amountRaw: bigint;
}

/** A write that was answered. */
export interface Written {
  readonly at: number;
  /** which service */
  readonly service: string;
}

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number | undefined;
}

const smallPrice = "1.25";
const richPrice = "100000";
const enrichSecondsMax = 120;
/** A key has 120 writes a minute. */
const createMilliseconds = 550;
const withdrawMilliseconds = 2_500;
const payMilliseconds = 1_000;
/** Where nobody says when to come back. A little more or less, so that not all come at once. */
const againSeconds = 1;
const answerMillisecondsMax = 20_000;
const lastMilliseconds = 60_000;

export class Load {
  readonly written: Written[] = [];
  readonly payments: Order[] = [];
  readonly withdrawals: Withdrawal[] = [];
  readonly paid: Paid[] = [];
  /** by status or what happened instead */
  readonly refusals = new Map<string, number>();
  /** answers that no outage explains */
  readonly faults: string[] = [];
  readonly #payer: Wallet;
  #isStopping = false;
  #giveUpAt = Infinity;
  #running: readonly Promise<void>[] = [];
  #amountRaw: bigint;

  /** @param aboveRaw each withdrawal has an amount of its own above that one */
  constructor(payer: Wallet, aboveRaw = 1_000_000n) {
    this.#payer = payer;
    this.#amountRaw = aboveRaw;
  }

  /** Those who withdraw are paid enough for it first. */
  async enrich({ rich }: Merchants, isPaid: () => Promise<boolean>): Promise<void> {
    for (const merchant of rich) {
      await this.#create(merchant, richPrice);
      await this.#pay();
    }
    await waitUntil("who withdraws has money", isPaid, enrichSecondsMax);
  }

  start({ all, rich }: Merchants): void {
    this.#running = [
      ...all.map((merchant) =>
        this.#turns(createMilliseconds, () => this.#create(merchant, smallPrice)),
      ),
      ...rich.map((merchant) =>
        this.#turns(withdrawMilliseconds, () =>
          this.#withdraw(merchant, merchant.withdrawAddressId),
        ),
      ),
      this.#turns(payMilliseconds, () => this.#pay()),
    ];
  }

  /** What was asked for is answered before it ends, if anybody answers within that time. */
  async stop(milliseconds = lastMilliseconds): Promise<void> {
    this.#isStopping = true;
    this.#giveUpAt = performance.now() + milliseconds;
    await Promise.all(this.#running);
  }

  /** The same request with the same Idempotency-Key, until it is answered. */
  async repeat(order: Order): Promise<void> {
    this.#giveUpAt = performance.now() + lastMilliseconds;
    delete order.id;
    await this.#untilAnswered(order);
  }

  async #turns(milliseconds: number, turn: () => Promise<void>): Promise<void> {
    while (!this.#isStopping) {
      const next = performance.now() + milliseconds;
      await turn();
      await pause(Math.max(0, next - performance.now()));
    }
  }

  async #create(merchant: Merchant, amount: string): Promise<void> {
    const number = randomUUID();
    const body = {
      merchant_order_no: number,
      quotes: { [usd.currencyId]: { amount, chain_ids: [usd.chainId] } },
      expires_in_secs: 86_400,
    };
    const order: Order = { number, asked: { merchant, path: "/v1/payments", body } };
    this.payments.push(order);
    await this.#untilAnswered(order);
  }

  async #withdraw(merchant: Merchant, withdrawAddressId: string): Promise<void> {
    this.#amountRaw += 1n;
    const amountRaw = this.#amountRaw;
    const body = {
      currency_id: usd.currencyId,
      target_chain_id: usd.chainId,
      amount: amountOf(amountRaw, usd.decimals),
      withdraw_address_id: withdrawAddressId,
    };
    const asked = { merchant, path: "/v1/withdrawals", body };
    const order: Withdrawal = { number: randomUUID(), amountRaw, asked };
    this.withdrawals.push(order);
    await this.#untilAnswered(order);
  }

  /** The newest that can be paid. Its page may be away, as a person's browser would find. */
  async #pay(): Promise<void> {
    const order = this.payments.findLast(({ pageUrl }) => pageUrl !== undefined);
    if (order?.id === undefined || order.pageUrl === undefined) return;
    const { id, pageUrl } = order;
    delete order.pageUrl;
    let terms: Awaited<ReturnType<typeof readPage>>;
    try {
      terms = await readPage(pageUrl, usd.deploymentId);
    } catch (error) {
      // A page that comes and does not say where to pay is no outage.
      if (error instanceof PageFailure && error.status === 200) {
        this.faults.push(`${pageUrl}: ${error.message}`);
        return;
      }
      this.#count("page");
      order.pageUrl = pageUrl;
      return;
    }
    const amountRaw = rawAmount(terms.amount, usd.decimals);
    try {
      const txHash = await this.#payer.sendToken(usd.address, terms.address, amountRaw);
      this.paid.push({ paymentId: id, txHash, amountRaw, address: terms.address });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.faults.push(`the payer of ${id}: ${reason}`);
    }
  }

  async #untilAnswered(order: Order): Promise<void> {
    const { merchant, path, body } = order.asked;
    const { service, key, secret } = merchant;
    const send = signingFetch({ key, secret }, { attemptsMax: 1 });
    const giveUp = (): boolean => performance.now() > this.#giveUpAt;
    while (!giveUp()) {
      const answer = await this.#ask(() =>
        send(`${service.url}${path}`, {
          method: "POST",
          headers: { "Content-Type": "application/json", "Idempotency-Key": order.number },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(answerMillisecondsMax),
        }),
      );
      if (answer?.status === 201) {
        this.written.push({ at: performance.now(), service: service.name });
        order.id = String(answer.body["id"]);
        const { checkout_url: pageUrl } = answer.body;
        if (typeof pageUrl === "string") order.pageUrl = pageUrl;
        return;
      }
      if (answer !== undefined && !mayComeBack(answer)) {
        this.faults.push(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
        return;
      }
      const seconds = answer?.retryAfterSeconds ?? againSeconds;
      await pause(seconds * (750 + Math.random() * 500));
    }
  }

  /** Undefined: no answer, or none that is whole. */
  async #ask(send: () => Promise<Response>): Promise<Answer | undefined> {
    try {
      const response = await send();
      if (response.status !== 201) this.#count(String(response.status));
      const after = response.headers.get("Retry-After");
      return {
        status: response.status,
        // Every answer of the contract is a JSON object.
        body: (await response.json()) as Answer["body"],
        retryAfterSeconds: after === null ? undefined : Number(after),
      };
    } catch (error) {
      const isLate = error instanceof Error && error.name === "TimeoutError";
      this.#count(isLate ? "no answer within 20 s" : "connection");
      return undefined;
    }
  }

  #count(what: string): void {
    this.refusals.set(what, (this.refusals.get(what) ?? 0) + 1);
  }
}

/** Too many, not there, or the request before is still at work. */
function mayComeBack({ status, body }: Answer): boolean {
  return status === 429 || status === 503 || body["code"] === "idempotency_in_progress";
}
