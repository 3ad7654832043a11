// Buyers that sign what x402 lets them sign, and merchants that hand it in: to both services in turn after errors, and now
// and then to both at once, until it is settled. What is "upto" is used up by half.

import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { getAddress } from "viem/utils";
import { hashAuthorization } from "../../adapters/evm/typed-data.ts";
import {
  exactProxyAddress,
  uptoProxyAddress,
} from "../../adapters/local-chain/contract-addresses.ts";
import { localChainNumber } from "../../adapters/local-chain/contract-addresses.ts";
import { amountOf } from "../../service/amounts.ts";
import type { PaymentAuthorization } from "../../service/ports/signer.ts";
import { usd } from "../client/tool/test-usd.ts";
import type { Wallet } from "../demo/wallet.ts";
import type { Answer } from "./asking.ts";
import type { Load, Order } from "./load.ts";
import type { Merchant } from "./merchants.ts";
import type { Service } from "./services.ts";

/** An authorization that was handed in, and what is known of it. */
export interface Settlement {
  readonly order: Order;
  readonly scheme: "exact" | "upto";
  readonly method: "eip3009" | "permit2";
  readonly payer: string;
  /** 32 bytes as 0x and lower-case hex */
  readonly nonce: string;
  /** no other one has it */
  readonly authorizedRaw: bigint;
  /** what is to be charged: of "upto" half of it */
  readonly usedRaw: bigint;
  /** by which it was settled, as was answered: once for each time that it was handed in */
  readonly txHashes: string[];
  /** what was used was reported, and that was answered; of "exact" there is nothing to report */
  isReported: boolean;
}

/** In turn. */
const kinds = [
  ["exact", "eip3009"],
  ["upto", "eip3009"],
  ["exact", "permit2"],
  ["upto", "permit2"],
] as const;
/** More than what other payers pay, so that no transfer of theirs has one of these amounts. */
const leastRaw = 1_300_000n;
/** A key has 60 requests a minute that move money. */
const settleMilliseconds = 4_000;
/** So many are handed in to both services at once. */
const twiceEvery = 3;
/** Longer than a run, and shorter than its payments live. */
const validSeconds = 50_000;
/** As adapters/local-chain/catalog.json has it. */
const domain = { name: "Test USD", version: "2" };

interface Parts {
  readonly load: Load;
  readonly services: readonly Service[];
  /** one for each merchant that settles */
  readonly buyers: readonly Wallet[];
  /** of the service */
  readonly settlementAccount: string;
}

export class Settling {
  readonly settlements: Settlement[] = [];
  readonly #parts: Parts;
  #isStopping = false;
  /** so many were begun */
  #count = 0;
  #running: readonly Promise<void>[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Permit2 has to be allowed once to take a buyer's money. */
  async start(merchants: readonly Merchant[]): Promise<void> {
    const { buyers } = this.#parts;
    for (const buyer of buyers) await buyer.allowPermit2(usd.address);
    this.#running = merchants.map((merchant, index) => {
      const buyer = buyers[index];
      if (buyer === undefined) throw new Error("a merchant has no buyer");
      return this.#turns(merchant, buyer);
    });
  }

  /** The asking itself is given up by the load. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#running);
  }

  async #turns(merchant: Merchant, buyer: Wallet): Promise<void> {
    while (!this.#isStopping) {
      const next = performance.now() + settleMilliseconds;
      await this.#sell(merchant, buyer);
      await pause(Math.max(0, next - performance.now()));
    }
  }

  async #sell(merchant: Merchant, buyer: Wallet): Promise<void> {
    const number = this.#count++;
    const [scheme, method] = kinds[number % kinds.length] ?? kinds[0];
    const authorizedRaw = leastRaw + 2n * BigInt(number);
    const nonce = `0x${randomBytes(32).toString("hex")}`;
    const settlement: Omit<Settlement, "order"> = {
      scheme,
      method,
      payer: buyer.address.toLowerCase(),
      nonce,
      authorizedRaw,
      usedRaw: scheme === "exact" ? authorizedRaw : authorizedRaw / 2n,
      txHashes: [],
      isReported: scheme === "exact",
    };
    const { load } = this.#parts;
    const { order } = await load.create(merchant, {
      [usd.currencyId]: amountOf(authorizedRaw, usd.decimals),
    });
    if (order.id === undefined) return;
    const handedIn: Settlement = { ...settlement, order };
    this.settlements.push(handedIn);
    const body = await this.#signed(handedIn, buyer);
    const isTwice = number % twiceEvery === 0;
    await Promise.all(
      [0, 1].slice(isTwice ? 0 : 1).map((way) => this.#settle(handedIn, body, way)),
    );
    if (handedIn.isReported) return;
    handedIn.isReported = await this.#report(handedIn);
    if (method === "permit2" && handedIn.isReported) await this.#settle(handedIn, body, 1);
  }

  /** @param way 0: first to the other service, and without an Idempotency-Key: the authorization is one */
  async #settle(settlement: Settlement, body: object, way: number): Promise<void> {
    const { order, scheme, method, isReported, nonce } = settlement;
    const { load, services } = this.#parts;
    const { merchant } = order.asked;
    const own = [merchant.service, ...services.filter((one) => one !== merchant.service)];
    // Nothing is sent of it before its usage is known.
    const isStored = ({ status, body: { tx_hash: txHash } }: Answer) =>
      scheme === "upto" && method === "permit2" && !isReported && status === 202 && txHash === "";
    const answer = await load.asking.untilAnswered(
      { merchant, path: "/v1/x402/settle", body },
      {
        idempotencyKey: way === 0 ? undefined : `settle-${nonce}`,
        services: way === 0 ? own.toReversed() : own,
        isEnd: (one) => one.status === 200 || isStored(one),
      },
    );
    if (answer?.status === 200) settlement.txHashes.push(String(answer.body["tx_hash"]));
  }

  /** @returns whether it was answered */
  async #report(settlement: Settlement): Promise<boolean> {
    const { order, usedRaw, nonce } = settlement;
    const { load, services } = this.#parts;
    const usageId = `usage-${nonce}`;
    const body = {
      actual_amount: amountOf(usedRaw, usd.decimals),
      usage_id: usageId,
      evidence: { tokens: usedRaw.toString() },
    };
    const path = `/v1/x402/${order.id}/usage`;
    const way = { idempotencyKey: usageId, services };
    const answer = await load.asking.untilAnswered(
      { merchant: order.asked.merchant, path, body },
      way,
    );
    return answer !== undefined;
  }

  async #signed(settlement: Settlement, buyer: Wallet): Promise<object> {
    const { scheme, method, nonce, authorizedRaw, order } = settlement;
    const authorization = this.#authorization(settlement, buyer.address);
    const hash = hashAuthorization(localChainNumber, authorization, domain);
    const signature = await buyer.account.sign({ hash: `0x${Buffer.from(hash).toString("hex")}` });
    const { from, to } = authorization;
    const [value, valid_after] = [authorizedRaw.toString(), 0];
    const valid_before = Number(
      authorization.method === "eip3009" ? authorization.validBefore : authorization.deadline,
    );
    const permit = (spender: string) => ({
      permitted: { token: usd.address, amount: value },
      from,
      spender,
      nonce: BigInt(nonce).toString(),
      deadline: valid_before,
      witness: { to, valid_after, ...(scheme === "upto" && { facilitator: to }) },
    });
    return {
      payment_id: order.id,
      payment_payload:
        authorization.method === "eip3009"
          ? { signature, authorization: { from, to, value, valid_after, valid_before, nonce } }
          : { signature, permit2_authorization: permit(authorization.spender) },
      payment_requirements: {
        scheme,
        network: usd.chainId,
        asset: usd.address,
        pay_to: to,
        max_amount_required: value,
        resource: `https://shop.example/${method}`,
        nonce,
        valid_before,
      },
    };
  }

  #authorization(settlement: Settlement, from: string): PaymentAuthorization {
    const { scheme, method, nonce, authorizedRaw: amountRaw } = settlement;
    const to = getAddress(this.#parts.settlementAccount);
    const until = BigInt(Math.floor(Date.now() / 1000) + validSeconds);
    const common = { contractAddress: usd.address, from, to, amountRaw, validAfter: 0n, nonce };
    if (method === "eip3009") return { ...common, method, validBefore: until };
    return {
      ...common,
      method,
      scheme,
      deadline: until,
      spender: scheme === "exact" ? exactProxyAddress : uptoProxyAddress,
      facilitator: scheme === "exact" ? null : to,
    };
  }
}
