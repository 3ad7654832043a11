// Payments as merchants ask for them: creating one, and cancelling it. What happens to one after
// that is the business of the chains.
//
// Creating reads everything that it is decided on in one round trip, decides in memory, and writes
// with one statement.

import assert from "node:assert";
import type { CatalogReader } from "../catalog/catalog.ts";
import { KnownAcceptances } from "../catalog/known-acceptances.ts";
import { ServiceError } from "../errors.ts";
import { dataAbout, eventValues } from "../events/events.ts";
import type { EventTypeAbout } from "../events/types.ts";
import { decideAgain, storeAnswer, isChanged } from "../idempotency/decide-again.ts";
import { keyExpired, keyTaken } from "../idempotency/idempotency.ts";
import type { Finish } from "../idempotency/idempotency.ts";
import { withCell } from "../cell.ts";
import type { Cell } from "../cell.ts";
import type { Owner } from "../owner.ts";
import { decidePayment, orderExists, orderProblems } from "./order.ts";
import type { DecidedPayment, OrderParts, PaymentOrder, PaymentTerms } from "./order.ts";
import { isPaymentId, paymentEventData } from "./model.ts";
import type { Payment } from "./model.ts";
import { paymentEdge } from "./states.ts";
import { UniqueViolation } from "../ports/database.ts";
import type { RecordingPorts } from "../ports/recording.ts";
import type { Database } from "../ports/database.ts";
import type { Random } from "../ports/random.ts";
import type { WatchedChains } from "../ports/watched-chains.ts";
import { askableMerchantIds } from "./splits.ts";
import {
  cancelPayment,
  cancelPaymentWithoutRequest,
  createPayment,
  createPaymentWithoutRequest,
  findPayment,
  findPaymentByOrder,
  readPaymentTerms,
} from "./payments.sql.ts";
import type { NewPaymentValues } from "./payments.sql.ts";

/** 128 bits: who has the link sees the page, and nobody guesses it (threat 72). */
const checkoutTokenBytes = 16;
const noDeposits: ReadonlyMap<string, bigint> = new Map();

/** As the constraints of the table are called. */
const constraints = {
  key: "payments_idempotency_key",
  order: "payments_merchant_order_no",
} as const;

export interface PaymentPorts extends RecordingPorts, WatchedChains {
  readonly random: Random;
  readonly catalog: CatalogReader;
  /** where customers reach the checkout page: an origin without a slash at its end */
  readonly publicUrl: () => string;
  /** that its checkout links are of */
  readonly cell?: Cell;
}

export interface CreatedPayment extends Payment {
  readonly checkoutUrl: string;
}

/** A payment with the version that it was read at. */
interface ReadPayment extends Payment {
  readonly version: bigint;
}

export class Payments {
  readonly #ports: PaymentPorts;
  readonly #acceptances = new KnownAcceptances();

  constructor(ports: PaymentPorts) {
    this.#ports = ports;
  }

  /**
   * `finish` stores the answer in the statement that writes. Texts must be without U+0000. Throws
   * what `decidePayment` refuses, and `idempotency_key_expired`.
   *
   * Our choice: who sends the same request again when its answer is long forgotten hears
   * `order_already_exists`, which names the payment; the key alone would name nothing.
   */
  async create(owner: Owner, order: PaymentOrder, finish: Finish<CreatedPayment>): Promise<void> {
    const { database } = this.#ports;
    const decided = await this.#decide(database, owner, order);
    const { values, checkoutUrl } = this.#newPayment(owner, decided);
    const finishing = finish({ ...decided.payment, checkoutUrl });
    try {
      const rows = await database.run(createPayment, { ...values, ...finishing });
      if (rows.length === 0) throw keyTaken();
    } catch (error) {
      throw await this.#mappedViolation(owner, order, error);
    }
  }

  /**
   * For whoever asks in place of a merchant, in an open `database.transaction`, which counts as a
   * whole: the biller with its subscriptions. By the same rules, with the same event, and without
   * an idempotency key: the order number says that it was done. Throws as `create` does.
   */
  async createInTransaction(
    database: Database,
    owner: Owner,
    order: PaymentOrder,
  ): Promise<CreatedPayment> {
    const decided = await this.#decide(database, owner, order);
    const { values, checkoutUrl } = this.#newPayment(owner, decided);
    await database.run(createPaymentWithoutRequest, values);
    return { ...decided.payment, checkoutUrl };
  }

  /**
   * Cancels a pending payment; of one that is cancelled already nothing changes. Throws `not_found`
   * and `payment_not_cancellable`.
   */
  async cancel(owner: Owner, id: string, finish: Finish<Payment>): Promise<void> {
    await decideAgain("payment", async () => {
      const payment = await this.#get(owner, id);
      if (payment.status !== "cancelled") return this.#isCancelled(owner, payment, finish);
      return storeAnswer(this.#ports.database, finish(payment));
    });
  }

  /**
   * The same for whoever asks in place of a merchant, in an open `database.transaction`. False: it is
   * not pending, and nothing was written. Throws `not_found`.
   */
  async cancelInTransaction(database: Database, owner: Owner, id: string): Promise<boolean> {
    const payment = await this.#get(owner, id, database);
    if (payment.status !== "pending") return false;
    const edge = paymentEdge(payment.status, "cancelled", "cancelled");
    const rows = await database.run(cancelPaymentWithoutRequest, {
      id,
      merchantId: owner.merchantId,
      environment: owner.environment,
      now: this.#ports.clock.now(),
      ...this.#event(owner, { ...payment, status: edge.to }, edge.event),
    });
    return rows.length > 0;
  }

  /** False: it changed in between, and nothing was written. */
  async #isCancelled(
    owner: Owner,
    payment: ReadPayment,
    finish: Finish<Payment>,
  ): Promise<boolean> {
    const { id, status, version } = payment;
    if (status !== "pending") {
      const details = { status };
      const message = "Only a pending payment can be cancelled.";
      throw new ServiceError("payment_not_cancellable", message, { details });
    }
    const edge = paymentEdge(status, "cancelled", "cancelled");
    const cancelled: Payment = { ...payment, status: edge.to };
    const rows = await this.#ports.database.run(cancelPayment, {
      id,
      merchantId: owner.merchantId,
      environment: owner.environment,
      versionRead: version,
      now: this.#ports.clock.now(),
      ...this.#event(owner, cancelled, edge.event),
      ...finish(cancelled),
    });
    return isChanged(rows);
  }

  async #get(
    { merchantId, environment }: Owner,
    id: string,
    database: Database = this.#ports.database,
  ): Promise<ReadPayment> {
    const rows = isPaymentId(id)
      ? await database.run(findPayment, { merchantId, environment, id })
      : [];
    const [row] = rows;
    if (row === undefined) throw new ServiceError("not_found", "There is no payment with this id.");
    return {
      id: row.id,
      merchantOrderNo: row.merchant_order_no,
      status: row.status,
      version: row.version,
      quotes: row.quotes,
      expiresAt: row.expires_at,
      userId: row.user_id,
      memo: row.memo,
    };
  }

  /** What `create` would refuse of an order of which parts are not known. Nothing is written. */
  async problemsOf(owner: Owner, parts: OrderParts): Promise<readonly ServiceError[]> {
    const { splits } = parts;
    const read = { merchantOrderNo: "", splits };
    return orderProblems(await this.#readTerms(this.#ports.database, owner, read), parts);
  }

  async #decide(database: Database, owner: Owner, order: PaymentOrder): Promise<DecidedPayment> {
    const terms = await this.#readTerms(database, owner, order);
    return decidePayment(terms, order, () => this.#ports.identifiers.next("pay"));
  }

  async #readTerms(
    database: Database,
    owner: Owner,
    order: Pick<OrderParts, "splits"> & Pick<PaymentOrder, "merchantOrderNo">,
  ): Promise<PaymentTerms> {
    const { catalog, watchedChainIds } = this.#ports;
    const { merchantId, environment } = owner;
    const look = catalog.look(environment);
    const acceptance = this.#acceptances.look(owner);
    const [row] = await database.run(readPaymentTerms, {
      merchantId,
      environment,
      merchantOrderNo: order.merchantOrderNo,
      splitMerchantIds: askableMerchantIds(order.splits),
      known: look.known,
      knownAcceptance: acceptance.knownAcceptance,
    });
    assert(row !== undefined, "the merchant of a key or of a subscription exists");
    return {
      owner,
      now: this.#ports.clock.now(),
      catalog: look.take(row),
      watchedChainIds,
      accepted: acceptance.take(row),
      activeMerchantIds: new Set(row.active_ids),
      feeBps: row.fee_bps,
      existingPaymentId: row.payment_id,
    };
  }

  #newPayment(
    owner: Owner,
    { payment, order, feeBps, createdAt }: DecidedPayment,
  ): { readonly values: NewPaymentValues; readonly checkoutUrl: string } {
    const { random, publicUrl, cell } = this.#ports;
    const { id, merchantOrderNo, quotes, expiresAt } = payment;
    const { overpayPolicy, userId, memo, redirectUrl, splits } = order;
    const bytes = random.bytes(checkoutTokenBytes);
    const checkoutToken = withCell(cell, Buffer.from(bytes).toString("base64url"));
    const chains = quotes.flatMap(({ deployments }) => deployments.map(({ chainId }) => chainId));
    const values = {
      id,
      merchantId: owner.merchantId,
      environment: owner.environment,
      merchantOrderNo,
      quotes: JSON.stringify(quotes),
      chainIds: [...new Set(chains)].toSorted(),
      overpayPolicy,
      feeBps,
      userId,
      memo,
      redirectUrl,
      checkoutToken,
      now: createdAt,
      expiresAt,
      splitMerchantIds: splits.map(({ merchantId }) => merchantId),
      splitBps: splits.map(({ bps }) => bps),
      ...this.#event(owner, payment, paymentEdge(null, "created", payment.status).event),
    };
    return { values, checkoutUrl: `${publicUrl()}/checkout/${checkoutToken}` };
  }

  /** Of a payment that has received nothing. */
  #event({ merchantId, environment }: Owner, payment: Payment, type: EventTypeAbout<"payment">) {
    const resource = { type: "payment", id: payment.id } as const;
    const data = dataAbout("payment", paymentEventData(payment, { receivedRaw: noDeposits }));
    return eventValues(this.#ports, { merchantId, environment, type, resource, data });
  }

  /** Another request was faster; everything else is what it is. */
  async #mappedViolation(owner: Owner, order: PaymentOrder, error: unknown): Promise<unknown> {
    if (!(error instanceof UniqueViolation)) return error;
    if (error.constraint === constraints.key) return keyExpired();
    if (error.constraint !== constraints.order) return error;
    const { merchantId, environment } = owner;
    const { merchantOrderNo } = order;
    const wanted = { merchantId, environment, merchantOrderNo };
    const [row] = await this.#ports.database.run(findPaymentByOrder, wanted);
    return row === undefined ? error : orderExists(row.id);
  }
}
