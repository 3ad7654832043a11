// Merchants that create payments and withdraw, and somebody who pays: each request is asked for again with the same
// Idempotency-Key until it is answered, as a merchant's program would.

import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { amountOf } from "../../service/amounts.ts";
import { coin, usd } from "../client/tool/test-usd.ts";
import { PageFailure, rawAmount, readPage } from "../client/tool/checkout-page.ts";
import type { Wallet } from "../demo/wallet.ts";
import { Asking, type Asked } from "./asking.ts";
import { waitUntil } from "./parts.ts";
import type { Merchant, Merchants } from "./merchants.ts";

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

/** By the payer, who knows the merchant that has asked for it. */
export interface PaidTo extends Paid {
  readonly merchantId: string;
}

/** by currency, in decimals */
type Prices = Readonly<Record<string, string>>;

export interface Withdrawal extends Order {
  /** no other one has it */
  readonly amountRaw: bigint;
}

const smallPrice = "1.25";
const coinPrice = "0.01";
const richPrice = "100000";
/** So many are paid in the chain's own coin, if any are. */
const coinEvery = 4;
const enrichSecondsMax = 120;
/** A key has 120 writes a minute. */
const createMilliseconds = 550;
const withdrawMilliseconds = 2_500;
const payMilliseconds = 1_000;
const lastMilliseconds = 60_000;

interface Wish {
  /** each withdrawal has an amount of its own above that one */
  readonly aboveRaw?: bigint;
  /** payments have a price in the chain's own coin, too, and some are paid in it */
  readonly isCoinToo?: boolean;
}

export class Load {
  readonly asking = new Asking();
  readonly payments: Order[] = [];
  readonly withdrawals: Withdrawal[] = [];
  readonly paid: PaidTo[] = [];
  /** in the chain's own coin */
  readonly paidInCoin: PaidTo[] = [];
  readonly #payer: Wallet;
  readonly #isCoinToo: boolean;
  #isStopping = false;
  #running: readonly Promise<void>[] = [];
  #amountRaw: bigint;

  constructor(payer: Wallet, { aboveRaw = 1_000_000n, isCoinToo = false }: Wish = {}) {
    this.#payer = payer;
    this.#isCoinToo = isCoinToo;
    this.#amountRaw = aboveRaw;
  }

  get faults(): string[] {
    return this.asking.faults;
  }

  /** Those who withdraw are paid enough for it first. */
  async enrich({ rich }: Merchants, isPaid: () => Promise<boolean>): Promise<void> {
    for (const merchant of rich) {
      await this.#sell(merchant, { [usd.currencyId]: richPrice });
      await this.#pay(usd);
    }
    await waitUntil("who withdraws has money", isPaid, enrichSecondsMax);
  }

  start({ all, rich }: Merchants): void {
    const both = { [usd.currencyId]: smallPrice, [coin.currencyId]: coinPrice };
    const prices = this.#isCoinToo ? both : { [usd.currencyId]: smallPrice };
    let turns = 0;
    const pay = (): Promise<void> => {
      turns += 1;
      return this.#pay(this.#isCoinToo && turns % coinEvery === 0 ? coin : usd);
    };
    this.#running = [
      ...all.map((merchant) => this.#turns(createMilliseconds, () => this.#sell(merchant, prices))),
      ...rich.map((merchant) =>
        this.#turns(withdrawMilliseconds, () =>
          this.#withdraw(merchant, merchant.withdrawAddressId),
        ),
      ),
      this.#turns(payMilliseconds, pay),
    ];
  }

  /** What was asked for is answered before it ends, if anybody answers within that time. */
  async stop(milliseconds = lastMilliseconds): Promise<void> {
    this.#isStopping = true;
    this.asking.giveUpAfter(milliseconds);
    await Promise.all(this.#running);
  }

  /** The same request with the same Idempotency-Key, until it is answered. */
  async repeat(order: Order): Promise<void> {
    this.asking.giveUpAfter(lastMilliseconds);
    delete order.id;
    const pageUrl = await this.#untilAnswered(order);
    if (pageUrl !== undefined) order.pageUrl = pageUrl;
  }

  async #turns(milliseconds: number, turn: () => Promise<void>): Promise<void> {
    while (!this.#isStopping) {
      const next = performance.now() + milliseconds;
      await turn();
      await pause(Math.max(0, next - performance.now()));
    }
  }

  /** It may be paid at its page. */
  async #sell(merchant: Merchant, prices: Prices): Promise<void> {
    const { order, pageUrl } = await this.create(merchant, prices);
    if (pageUrl !== undefined) order.pageUrl = pageUrl;
  }

  /** Whoever creates it says how it is paid. */
  async create(merchant: Merchant, prices: Prices) {
    const number = randomUUID();
    const body = {
      merchant_order_no: number,
      quotes: Object.fromEntries(
        Object.entries(prices).map(([id, amount]) => [id, { amount, chain_ids: [usd.chainId] }]),
      ),
      expires_in_secs: 86_400,
    };
    const order: Order = { number, asked: { merchant, path: "/v1/payments", body } };
    this.payments.push(order);
    return { order, pageUrl: await this.#untilAnswered(order) };
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
  async #pay({
    deploymentId,
    decimals,
  }: Pick<typeof usd | typeof coin, "deploymentId" | "decimals">) {
    const order = this.payments.findLast(({ pageUrl }) => pageUrl !== undefined);
    if (order?.id === undefined || order.pageUrl === undefined) return;
    const { id, pageUrl } = order;
    const merchantId = order.asked.merchant.id;
    delete order.pageUrl;
    let terms: Awaited<ReturnType<typeof readPage>>;
    try {
      terms = await readPage(pageUrl, deploymentId);
    } catch (error) {
      // A page that comes and does not say where to pay is no outage.
      if (error instanceof PageFailure && error.status === 200) {
        this.faults.push(`${pageUrl}: ${error.message}`);
        return;
      }
      this.asking.count("page");
      order.pageUrl = pageUrl;
      return;
    }
    const { address } = terms;
    const amountRaw = rawAmount(terms.amount, decimals);
    try {
      const isCoin = deploymentId === coin.deploymentId;
      const txHash = isCoin
        ? await this.#payer.sendCoin(address, amountRaw)
        : await this.#payer.sendToken(usd.address, address, amountRaw);
      const paid = { paymentId: id, merchantId, txHash, amountRaw, address };
      (isCoin ? this.paidInCoin : this.paid).push(paid);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.faults.push(`the payer of ${id}: ${reason}`);
    }
  }

  /** @returns where its page is */
  async #untilAnswered(order: Order): Promise<string | undefined> {
    const way = { idempotencyKey: order.number };
    const answer = await this.asking.untilAnswered(order.asked, way);
    if (answer === undefined) return undefined;
    order.id = String(answer.body["id"]);
    const { checkout_url: pageUrl } = answer.body;
    return typeof pageUrl === "string" ? pageUrl : undefined;
  }
}
