// What a checkout page knows of its payment. Who has the link may see it; there is no merchant and no
// key here, and so nothing is read but what a customer may see.

import type { CatalogReader } from "../catalog/catalog.ts";
import { staleLimits } from "../chains/health.ts";
import type { Deployment } from "../catalog/model.ts";
import { checkoutPaymentOf } from "./payment.ts";
import type { CheckoutPayment } from "./payment.ts";
import type { DepositAddresses } from "../addresses/deposit-addresses.ts";
import { ServiceError } from "../errors.ts";
import { checkoutTokenForm } from "../cell.ts";
import { timingOf } from "../payments/rules.ts";
import { readCheckouts, readCheckoutsAgain } from "./checkout.sql.ts";
import type { CheckoutRow } from "./checkout.sql.ts";
import type { StoragePorts } from "../ports/recording.ts";

export interface CheckoutPorts extends StoragePorts {
  readonly catalog: CatalogReader;
  readonly addresses: Pick<DepositAddresses, "open">;
  /** whether somebody reads this chain for us now: money on any other would not be seen */
  readonly isWatched: (chainId: string) => boolean;
}

export class Checkout {
  readonly #ports: CheckoutPorts;

  constructor(ports: CheckoutPorts) {
    this.#ports = ports;
  }

  get now(): Date {
    return this.#ports.clock.now();
  }

  /** Throws `payment_not_found`: the same for every token that is nobody's. */
  async find(token: string): Promise<CheckoutPayment> {
    const payment = (await this.#read(readCheckouts, [token])).get(token);
    if (payment !== undefined) return payment;
    throw new ServiceError("payment_not_found", "There is no payment behind this link.");
  }

  /** All with one statement; what is nobody's is left out. */
  readMany(tokens: readonly string[]): Promise<ReadonlyMap<string, CheckoutPayment>> {
    return this.#read(readCheckouts, tokens);
  }

  /** The same, each as it is or as it was at some time in the last second (`staleMillisecondsMax`). */
  readAgain(tokens: readonly string[]): Promise<ReadonlyMap<string, CheckoutPayment>> {
    return this.#read(readCheckoutsAgain, tokens);
  }

  async #read(
    statement: typeof readCheckouts,
    tokens: readonly string[],
  ): Promise<ReadonlyMap<string, CheckoutPayment>> {
    const { database, catalog } = this.#ports;
    const wanted = tokens.filter((token) => checkoutTokenForm.test(token));
    if (wanted.length === 0) return new Map();
    // A payment keeps its deployments whatever key it was made with.
    const look = catalog.look("all", { mayBeStale: statement.mayBeStale === true });
    const { blockAgeMillisecondsMax, lookAgeMillisecondsMax } = staleLimits;
    const rows = await database.run(statement, {
      tokens: wanted,
      known: look.known,
      blockTimeMin: this.#ago(blockAgeMillisecondsMax),
      lookedAtMin: this.#ago(lookAgeMillisecondsMax),
    });
    return new Map(rows.map((row) => [row.checkout_token, this.#paymentOf(row, look.take(row))]));
  }

  /**
   * With the address of the family, which is made when somebody first wants to pay there. One that is
   * over gets no new address. Throws `chain_unavailable` where no address can be made.
   */
  async withAddress(
    payment: CheckoutPayment,
    family: Deployment["chainFamily"],
  ): Promise<CheckoutPayment> {
    if (payment.addresses[family] !== undefined || !this.isPayable(payment)) return payment;
    const address = await this.#ports.addresses.open(payment.id, family);
    return { ...payment, addresses: { ...payment.addresses, [family]: address } };
  }

  /** Whether more money is asked for. */
  isPayable({ status, expiresAt }: CheckoutPayment): boolean {
    const isOpen = status === "pending" || status === "partially_paid";
    return isOpen && timingOf({ expiresAt }, this.now) === "in_time";
  }

  #ago(milliseconds: number): Date {
    return new Date(this.#ports.clock.nowMilliseconds() - milliseconds);
  }

  #paymentOf(row: CheckoutRow, catalog: Parameters<typeof checkoutPaymentOf>[1]): CheckoutPayment {
    return checkoutPaymentOf(row, catalog, this.#ports.isWatched);
  }
}
