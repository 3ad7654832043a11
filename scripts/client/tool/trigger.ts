// Brings an event about: a real payment in the test half of the merchant goes through its life on the local chain.

import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { isNotNow, rawAmount, readPage, readState } from "./checkout-page.ts";
import { type Command, serviceHelp, serviceOptions } from "./command.ts";
import { saidOf, ToolFailure, UsageError } from "./failures.ts";
import { LocalChain } from "./local-chain.ts";
import { nearest } from "./nearest.ts";
import type { Output } from "./output.ts";
import { amountOf, rpcOf } from "./pay.ts";
import { inline } from "./printable.ts";
import { type Service, testService } from "./test-service.ts";
import { usd } from "./test-usd.ts";
import { otherWays, type Step, type Way, ways } from "./triggered-events.ts";

const help = (
  program: string,
): string => `Brings an event about: a real payment goes through its life.

  ${program} EVENT --rpc URL [--amount AMOUNT]
  ${program} payment.paid --rpc http://127.0.0.1:8545

  EVENT         ${Array.from(ways.keys()).join("\n                ")}
  --rpc URL     where the local chain listens; npm start says so
  --amount      in whole units of USDC; 10.00 when left out
${serviceHelp}

It takes a test key with the scope payments:write, of a merchant that accepts USDC on the local chain. It pays with
test USDC of that chain, and refuses live keys and other chains. Whoever listens hears of all that happens on the way,
such as payment.created first; --json has the payment, each transaction, and the status that was reached.
Of another event of the interface it says how it comes about.`;

export const trigger: Command = {
  help,
  options: { ...serviceOptions, rpc: { type: "string" }, amount: { type: "string" } },
  run: async (given, output) => {
    const [event, ...more] = given.words;
    if (event === undefined || more.length > 0) {
      throw new UsageError("say what to bring about: EVENT, such as payment.paid");
    }
    const way = ways.get(event);
    if (way === undefined) throw new UsageError(unknownEvent(event));
    const service = testService(given);
    const amount = amountOf(given) ?? "10.00";
    if (way.steps.includes("pay a half") && rawAmount(amount, usd.decimals) < 2n) {
      throw new UsageError(`half of ${amount} cannot be paid: write 0.000002 at least`);
    }
    // Whoever needs no money of the chain needs no chain.
    const needsChain = way.steps.some((step) => step !== "cancel");
    const chain = needsChain ? await LocalChain.open(rpcOf(given)) : undefined;
    const story = new Story({ service, chain, output }, { event, amount });
    await story.play(way);
  },
};

function unknownEvent(event: string): string {
  const other = otherWays.get(event);
  if (other !== undefined) {
    return `${event} ${other}. Here can be triggered: ${Array.from(ways.keys()).join(", ")}`;
  }
  const meant = nearest(event, [...ways.keys(), ...otherWays.keys()]);
  const guess = meant === undefined ? Array.from(ways.keys()).join(", ") : `Did you mean ${meant}?`;
  return `the interface has no event ${event}. ${guess}`;
}

const reachedSecondsMax = 90;
/** The page answers 60 requests a minute. */
const askMilliseconds = 1_200;
/** Long enough that what is paid at once is in time. */
const expiringSeconds = 15;

interface Parts {
  readonly service: Service;
  /** undefined: nothing is paid */
  readonly chain: LocalChain | undefined;
  readonly output: Output;
}

interface Order {
  readonly event: string;
  /** whole units */
  readonly amount: string;
}

class Story {
  readonly #parts: Parts;
  readonly #order: Order;
  #pageUrl = "";
  #id = "";
  /** as the page has shown it while it asked for money */
  #address = "";

  constructor(parts: Parts, order: Order) {
    this.#parts = parts;
    this.#order = order;
  }

  async play({ steps, statuses }: Way): Promise<void> {
    const { output } = this.#parts;
    const { event } = this.#order;
    await this.#create(steps.includes("expire"));
    for (const step of steps) await this.#do(step);
    const status = await this.#reached(statuses);
    const text = `${event} has happened: ${this.#id} is ${inline(status)}`;
    output.result([{ text, colour: "green" }], { kind: "done", event, payment: this.#id, status });
  }

  async #create(isExpiring: boolean): Promise<void> {
    const { service, chain, output } = this.#parts;
    const { amount } = this.#order;
    const payment = await service.client.payments.createPayment({
      merchant_order_no: `trigger-${randomUUID()}`,
      quotes: { [usd.currencyId]: { amount, chain_ids: [usd.chainId] } },
      ...(isExpiring ? { expires_in_secs: expiringSeconds } : {}),
    });
    this.#id = payment.id;
    this.#pageUrl = payment.checkout_url;
    const record = { kind: "payment", payment: payment.id, checkout_url: payment.checkout_url };
    output.result(`created ${inline(payment.id)}: ${inline(payment.checkout_url)}`, record);
    // A payment that is over shows no address any more.
    if (chain !== undefined) this.#address = (await this.#page()).address;
  }

  #page() {
    return this.#until("the page has not said where to pay", () =>
      readPage(this.#pageUrl, usd.deploymentId),
    );
  }

  #state() {
    return this.#until("the page has not answered", () => readState(this.#pageUrl));
  }

  async #do(step: Step): Promise<void> {
    const whole = rawAmount(this.#order.amount, usd.decimals);
    switch (step) {
      case "cancel":
        await this.#parts.service.client.payments.cancelPayment({ id: this.#id });
        return;
      case "expire":
        return this.#expire();
      case "pay a half":
        await this.#pay(whole / 2n);
        await this.#reached(["partially_paid"]);
        return;
      case "pay all":
        await this.#pay(whole);
        await this.#reached(["confirming", "paid"]);
        return;
      case "pay twice":
        return this.#pay(whole * 2n);
      case "pay to its address":
        return this.#payAnyway(whole);
    }
  }

  async #pay(amountRaw: bigint): Promise<void> {
    const { chain, output } = this.#parts;
    if (chain === undefined) throw new Error("a step that pays has its chain");
    const hash = await chain.pay(this.#address, amountRaw);
    const amount = wholeUnits(amountRaw);
    const record = { kind: "transaction", hash, amount, address: this.#address };
    output.result(`paid ${amount} test USDC: ${hash}`, record);
  }

  /** The page says nothing more of it than that it looks different. */
  async #payAnyway(amountRaw: bigint): Promise<void> {
    const before = await this.#state();
    await this.#pay(amountRaw);
    await this.#until("the page shows no second deposit", async () => {
      const now = await readState(this.#pageUrl);
      return now.id === before.id ? undefined : now;
    });
  }

  /** The time is over when a block says so, so blocks are made. */
  async #expire(): Promise<void> {
    const { chain, output } = this.#parts;
    output.progress(`waiting until the ${expiringSeconds} s that the payment has are over ...`);
    await this.#until("it has not expired", async () => {
      await chain?.makeBlocks();
      const state = await readState(this.#pageUrl);
      return ["expired", "underpaid"].includes(state.status) ? state : undefined;
    });
  }

  /** @returns the status */
  async #reached(statuses: readonly string[]): Promise<string> {
    const state = await this.#until(`its status is none of ${statuses.join(", ")}`, async () => {
      const now = await readState(this.#pageUrl);
      return statuses.includes(now.status) ? now : undefined;
    });
    return state.status;
  }

  /** The page may be asked too often, or be away for a moment: then it is asked again. */
  async #until<Found>(problem: string, look: () => Promise<Found | undefined>): Promise<Found> {
    let last = "";
    const giveUpAt = performance.now() + reachedSecondsMax * 1000;
    for (;;) {
      const found = await look().catch((error: unknown) => {
        if (!isNotNow(error)) throw error;
        last = `\n${saidOf(error)}`;
        return undefined;
      });
      if (found !== undefined) return found;
      if (performance.now() > giveUpAt) break;
      await pause(askMilliseconds);
    }
    throw new ToolFailure(
      `after ${reachedSecondsMax} s ${problem}. Is --rpc the chain that the service watches?\nThe payment: ${inline(this.#id)}, ${inline(this.#pageUrl)}${last}`,
    );
  }
}

/** Exact, of millionths. */
function wholeUnits(amountRaw: bigint): string {
  const digits = amountRaw.toString().padStart(usd.decimals + 1, "0");
  return `${digits.slice(0, -usd.decimals)}.${digits.slice(-usd.decimals)}`.replace(/0{1,4}$/, "");
}
