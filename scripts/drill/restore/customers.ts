// Customers who open the page of a payment, so that it gets an address, and those who pay later than the page was opened.

import { setTimeout as pause } from "node:timers/promises";
import type { Load, Order, Paid } from "../../cluster/load.ts";
import { usd } from "../../client/tool/test-usd.ts";
import { rawAmount, readPage } from "../../client/tool/checkout-page.ts";
import type { Wallet } from "../../demo/wallet.ts";

/** An address that a page has shown. */
export interface Shown {
  readonly paymentId: string;
  readonly address: string;
}

/** A payment that nobody has opened yet. */
export interface Unopened {
  readonly paymentId: string;
  readonly pageUrl: string;
}

const lookMilliseconds = 200;

export class Customers {
  readonly shown: Shown[] = [];
  readonly paid: Paid[] = [];
  /** pays what the load does not */
  readonly wallet: Wallet;
  readonly #load: Load;
  readonly #kept = new Set<string>();
  readonly #looked = new Set<string>();
  #number = 0;
  #isStopping = false;
  #running: Promise<void> = Promise.resolve();

  constructor(load: Load, wallet: Wallet) {
    this.#load = load;
    this.wallet = wallet;
  }

  /** They open the newest page that nobody has opened. */
  start(): void {
    this.#isStopping = false;
    this.#running = this.#turns();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#running;
  }

  /** As many payments of now, which nobody opens or pays until `pay`. */
  keep(count: number): readonly Unopened[] {
    const free = this.#load.payments.filter((order) => this.#isUnopened(order));
    return free.slice(-count).map((order) => {
      const { id = "", pageUrl = "" } = order;
      this.#kept.add(id);
      // The load pays none of them either.
      delete order.pageUrl;
      return { paymentId: id, pageUrl };
    });
  }

  async pay({ paymentId, pageUrl }: Unopened): Promise<void> {
    const terms = await this.open({ paymentId, pageUrl });
    const amountRaw = rawAmount(terms.amount, usd.decimals);
    const { address } = terms;
    const txHash = await this.wallet.sendToken(usd.address, address, amountRaw);
    this.paid.push({ paymentId, txHash, amountRaw, address });
  }

  async open({ paymentId, pageUrl }: Unopened) {
    // Each has an address of its own: one may open as many pages a minute.
    const customer = `198.18.${this.#number >> 8}.${this.#number++ & 255}`;
    const terms = await readPage(pageUrl, usd.deploymentId, customer);
    this.shown.push({ paymentId, address: terms.address });
    return terms;
  }

  #isUnopened({ id, pageUrl }: Order): boolean {
    return (
      id !== undefined && pageUrl !== undefined && !this.#kept.has(id) && !this.#looked.has(id)
    );
  }

  async #turns(): Promise<void> {
    while (!this.#isStopping) {
      const order = this.#load.payments.findLast((one) => this.#isUnopened(one));
      if (order?.id !== undefined && order.pageUrl !== undefined) {
        this.#looked.add(order.id);
        // A page that is away is opened by nobody: the service may be gone by now.
        await this.open({ paymentId: order.id, pageUrl: order.pageUrl }).catch(() => undefined);
      }
      await pause(lookMilliseconds);
    }
  }
}
