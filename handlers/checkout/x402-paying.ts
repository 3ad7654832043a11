// A buyer's program pays the link by itself: it asks, gets 402 with the terms, and asks again with what
// it has signed. That is settled as `POST /v1/x402/settle` does it, but only as it is offered there. No key
// is needed, since the money can go to this payment only, and nobody but its merchant makes it wait.

import type { Checkout } from "../../service/checkout/checkout.ts";
import type { CheckoutPayment } from "../../service/checkout/payment.ts";
import { ServiceError } from "../../service/errors.ts";
import type { Owner } from "../../service/owner.ts";
import type { SettleCommand } from "../../service/x402/model.ts";
import type { LinkPlace, X402Offer } from "../../service/x402/requirements.ts";
import type { SettleResult } from "../../service/x402/stored.ts";
import { fresh, json } from "./own-answer.ts";
import type { CheckoutAnswer } from "./own-answer.ts";
import { UnderWay } from "./under-way.ts";
import { challengeOf } from "./x402-challenge.ts";
import { paymentWishOf } from "./x402-payload.ts";
import type { PaymentHeader, PaymentWish } from "./x402-payload.ts";

/** When an open outcome may have changed. */
const retryAfterSeconds = 2;

export interface PayingPorts {
  readonly checkout: Checkout;
  readonly readX402Offers: (payment: CheckoutPayment) => Promise<readonly X402Offer[]>;
  readonly readLinkPlaces: (payment: CheckoutPayment) => Promise<readonly LinkPlace[]>;
  readonly settleX402: (owner: Owner, command: SettleCommand) => Promise<SettleResult>;
}

interface Paying {
  readonly payment: CheckoutPayment;
  readonly header: PaymentHeader;
  /** of the page */
  readonly url: string;
}

export class X402Paying {
  readonly #ports: PayingPorts;
  readonly #underWay = new UnderWay<CheckoutAnswer>();

  constructor(ports: PayingPorts) {
    this.#ports = ports;
  }

  pay(paying: Paying): Promise<CheckoutAnswer> {
    const { payment, header } = paying;
    const asked = `${header.version} ${header.text}`;
    return this.#underWay.join(payment.id, asked, () => this.#pay(paying));
  }

  async #pay(paying: Paying): Promise<CheckoutAnswer> {
    const { payment, header } = paying;
    const places = await this.#ports.readLinkPlaces(payment);
    const wish = paymentWishOf(payment.id, header, places);
    try {
      const result = await this.#settle(payment, wish);
      return await this.#told(paying, wish, result);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const offers = await this.#ports.readX402Offers(payment);
      return refused(paying, { wish, offers, error });
    }
  }

  /** Of several tokens on a network it is signed for one: what the others say is no answer. */
  async #settle({ owner }: CheckoutPayment, { commands }: PaymentWish): Promise<SettleResult> {
    let refusal: ServiceError | undefined;
    for (const command of commands) {
      try {
        return await this.#ports.settleX402(owner, command);
      } catch (error) {
        if (!isRefusal(error) && !isOfState(error)) throw error;
        if (refusal === undefined || saysOfToken(error) > saysOfToken(refusal)) refusal = error;
      }
    }
    const text = "The payment cannot be paid by this scheme on this network.";
    const details = { field: "network", x402_reason: "invalid_network" };
    throw refusal ?? new ServiceError("x402_requirements_mismatch", text, { details });
  }

  /** An outcome that is open is neither: the same request again finds it. */
  async #told(
    { payment: { token }, header }: Paying,
    { network, payer }: PaymentWish,
    { isSettled, txHash: transaction }: SettleResult,
  ): Promise<CheckoutAnswer> {
    const { id, status, expiresAt } = await this.#ports.checkout.find(token);
    const content = JSON.stringify({
      payment_id: id,
      status,
      expires_at: expiresAt.toISOString(),
    });
    if (!isSettled) {
      const headers = { "Retry-After": String(retryAfterSeconds) };
      return fresh(202, { contentType: json, content, headers });
    }
    const headers = responseHeader(header, { success: true, transaction, network, payer });
    return fresh(200, { contentType: json, content, headers });
  }
}

interface Refusing {
  readonly wish: PaymentWish;
  readonly offers: readonly X402Offer[];
  readonly error: ServiceError;
}

/** With the terms once more: whoever signs again has to know them. */
function refused(
  { payment, header, url }: Paying,
  { wish: { network, payer }, offers, error }: Refusing,
): CheckoutAnswer {
  const { x402_reason: said, tx_hash: hash } = error.details;
  const errorReason = typeof said === "string" ? said : error.code;
  const transaction = typeof hash === "string" ? hash : "";
  const challenge = challengeOf({ payment, offers, url, error: errorReason });
  const headers = {
    ...(challenge.header === undefined ? {} : { "PAYMENT-REQUIRED": challenge.header }),
    ...responseHeader(header, { success: false, errorReason, transaction, network, payer }),
  };
  return fresh(402, { contentType: json, content: JSON.stringify(challenge.body), headers });
}

function responseHeader({ version }: PaymentHeader, said: object) {
  const text = Buffer.from(JSON.stringify(said), "utf8").toString("base64");
  return { [version === 2 ? "PAYMENT-RESPONSE" : "X-PAYMENT-RESPONSE"]: text };
}

function isRefusal(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code.startsWith("x402_");
}

/** The payment is paid already, or not to be paid any more: by this token, or by the next one. */
function isOfState(error: unknown): error is ServiceError {
  const codes = ["payment_already_settled", "settlement_in_progress", "payment_not_payable"];
  return error instanceof ServiceError && codes.includes(error.code);
}

/** How far it came: past the signature it is about the token that was signed for. */
function saysOfToken({ code }: ServiceError): number {
  if (code === "x402_invalid_signature") return 0;
  return code === "x402_requirements_mismatch" ? 1 : 2;
}
