// Sells an API of yours by x402: the official middleware (`@x402/hono`, `@x402/express`), unchanged, with this
// service as its facilitator.
//
//   const payments = x402Payments({ url: "https://pay.example", key, secret });
//   const accepts = await payments.accepts({ currency: "USDC", price: "0.05" });
//   const server = new x402ResourceServer(payments).register("eip155:*", new ExactEvmScheme());
//   app.use(paymentMiddleware({ "/report": { accepts } }, server));
//
// Each sale is a payment of yours, made when its buyer has signed, with your splits and your ledger: its
// `merchant_order_no` is named after the authorization, so an authorization is one payment and one settlement,
// however often it is handed in. See docs/running/x402.md.
//
// Protocol: x402 version 2, scheme exact, by EIP-3009 or Permit2 (coinbase/x402, specs/x402-specification-v2.md and
// specs/schemes/exact/scheme_exact_evm.md). Reasons of refusals are those of its lists and of @x402/evm.

import type { FacilitatorClient } from "@x402/core/server";
import type {
  Network,
  PaymentPayload,
  PaymentRequirements,
  SettleResponse,
  VerifyResponse,
} from "@x402/core/types";
import type {
  CreatePaymentAnswer,
  FailureOf,
  SettleX402PaymentAnswer,
  types,
} from "../../generated/client/client.ts";
import { NoResponseError } from "./merchant-payments.ts";
import {
  checked,
  Claims,
  decimalOf,
  isSame,
  settlementOf,
  usedReason,
} from "./x402-authorization.ts";
import type { Checked, Claim, Signed, VerifyTypedData } from "./x402-authorization.ts";
import { Service, type ServiceOptions, supportedBy } from "./x402-service.ts";
import { acceptsOf, openSeconds, type X402Accepts, type X402Price } from "./x402-terms.ts";

export type { X402Accepts, X402Price } from "./x402-terms.ts";

export interface X402PaymentsOptions extends ServiceOptions {
  /** `verifyTypedData` of viem, which @x402/evm brings; left out: only a settlement looks at signatures */
  readonly verifyTypedData?: VerifyTypedData;
}

export interface X402Payments extends FacilitatorClient {
  /**
   * What a route asks for. Asks the service, by a payment that is made and cancelled: so what is too little to be
   * settled, is not accepted, or has wrong splits is found at the start.
   *
   * Throws an Error that says what the service has refused, or which `maxTimeoutSeconds` to write.
   */
  readonly accepts: (price: X402Price) => Promise<X402Accepts[]>;
}

/**
 * `getSupported` says where the catalog has x402 now; it asks again after five minutes.
 *
 * `verify` says what can be said without a chain: the form, recipient, amount, times, that it was not used here,
 * and, with `verifyTypedData`, that the payer has signed. It does not know whether the payer has the money: `settle`
 * does. While it is open what became of an authorization, it may be asked about also when it has ended. The middleware
 * gives nothing away before `settle` has succeeded, but runs your handler before it. What is costly to make takes
 * `paymentFlow: "upfront"`.
 *
 * `settle` never throws. An authorization is answered with success once: whoever comes with it again, to this process
 * or to another one, is refused.
 */
export function x402Payments(options: X402PaymentsOptions): X402Payments {
  const { verifyTypedData, signing = {} } = options;
  const nowMilliseconds = signing.nowMilliseconds ?? Date.now;
  const service = new Service(options, nowMilliseconds);
  const claims = new Claims();
  const isOpen = (id: string): boolean => claims.isOpen(id);
  const check = (payload: PaymentPayload, requirements: PaymentRequirements): Promise<Checked> =>
    checked(payload, requirements, { verifyTypedData, nowMilliseconds, isOpen });
  return {
    accepts: (price) => acceptsOf(service, price),
    getSupported: async () => supportedBy(await service.tokens()),
    verify: async (payload, requirements) => {
      const { signed, reason } = await check(payload, requirements);
      if (signed === undefined) return refusedAs(reason);
      if (claims.isFree(signed.id)) return { isValid: true, payer: signed.from };
      return { ...refusedAs(usedReason(signed)), payer: signed.from };
    },
    settle: async (payload, requirements) => {
      const { network } = Object(requirements) as PaymentRequirements;
      const { signed, reason } = await check(payload, requirements);
      if (signed === undefined) return failure(network, reason);
      const claim = claims.take(signed.id);
      const about = { network, payer: signed.from };
      if (claim === undefined) return failure(network, usedReason(signed), about);
      const outcome = await outcomeOf(service, { signed, requirements, claim });
      claims.leave(signed.id, outcome.claim);
      return { ...outcome.response, ...about };
    },
  };
}

function refusedAs(invalidReason: string): VerifyResponse {
  return { isValid: false, invalidReason };
}

function failure(network: Network, errorReason: string, more: Partial<SettleResponse> = {}) {
  return { success: false, errorReason, transaction: "", network, ...more };
}

// ---------------------------------------------------------------------------------------------
// A sale

interface Sale {
  readonly signed: Signed;
  readonly requirements: PaymentRequirements;
  readonly claim: Claim;
}

interface Outcome {
  readonly response: SettleResponse;
  readonly claim: "open" | "over" | undefined;
}

/** A payment is made for the authorization, and settled by it. Both find what was there before. */
async function outcomeOf(service: Service, sale: Sale): Promise<Outcome> {
  const { signed, requirements, claim: taken } = sale;
  const { network, amount } = requirements;
  // What may have reached a chain, by this request or by one before it.
  let isSent = taken.wasOpen;
  try {
    const { createPayment } = service.pay.payments;
    const { settleX402Payment } = service.pay.x402;
    const made = await createPayment.answer(await orderOf(service, sale), {
      idempotencyKey: `x402-${signed.id}`,
    });
    if (made.status !== 201) {
      const { response, claim } = refusedOutcome(sale, made, isSent);
      return { response, claim: isSent ? "open" : claim };
    }
    isSent = true;
    const settled = await settleX402Payment.answer(settleOf(sale, made.body.id), {
      idempotencyKey: `x402-settle-${signed.id}`,
    });
    if (settled.status === 200) {
      const { tx_hash: transaction, payment_id } = settled.body;
      // Whatever stands in front may answer 200, too.
      if (!isHash(transaction)) throw new Error("200 without a transaction");
      const extra = { payment_id };
      return { response: { success: true, transaction, network, amount, extra }, claim: "over" };
    }
    if (settled.status !== 202) return refusedOutcome(sale, settled, isSent);
    // With the transaction's hash, the middleware asks once more by itself.
    const errorMessage = `It was sent, and is not confirmed yet. ${whatIsOpen}`;
    const more = { errorMessage, transaction: settled.body.tx_hash };
    return { response: failure(network, "settlement_pending", more), claim: "open" };
  } catch (error) {
    const { claim, what } = unknownAs(isSent);
    const errorMessage = `${problemIn(error)}. ${what}`;
    return { response: failure(network, "unexpected_settle_error", { errorMessage }), claim };
  }
}

const isHash = (text: unknown): boolean =>
  typeof text === "string" && /^0x[0-9a-fA-F]{64}$/.test(text);

/** The client says of every call that it may have been done; here that is known better. */
function problemIn(error: unknown): string {
  if (error instanceof NoResponseError)
    return `The payment service did not answer (${String(error.cause)})`;
  return `The payment service gave no answer that is known (${String(error)})`;
}

function unknownAs(isSent: boolean) {
  if (isSent) return { claim: "open", what: whatIsOpen } as const;
  return { claim: undefined, what: "Nothing was charged by this request." } as const;
}

const whatIsOpen = "Whether it is charged is open: the same payment sent again is charged once.";
const usedCodes = new Set(["idempotency_key_reused", "payment_already_settled"]);

type Refusal = FailureOf<CreatePaymentAnswer | SettleX402PaymentAnswer>;

function refusedOutcome(sale: Sale, refusal: Refusal, isSent: boolean): Outcome {
  const { requirements, signed } = sale;
  const { network } = requirements;
  // Whatever stands in front may answer with a status of the contract, too.
  const body = Object(refusal.body) as Partial<types.ApiError>;
  const { code = "", message: said = "" } = body;
  const details = Object(body.details) as Partial<types.X402Error["details"]>;
  const { tx_hash: transaction = "", x402_reason = code } = details;
  const answered = (claim: Outcome["claim"], reason: string, errorMessage: string): Outcome => ({
    response: failure(network, reason, { errorMessage, transaction }),
    claim,
  });
  // What was decided on the chain is decided; anything else may be put right, and come again.
  if (refusal.status === 402) {
    const claim = transaction === "" ? undefined : "over";
    return answered(claim, x402_reason, said);
  }
  if (usedCodes.has(code)) {
    const message = "This authorization was handed in by another request, and pays once.";
    return answered("over", usedReason(signed), message);
  }
  if (code === "payment_not_payable") return answered("over", "invalid_transaction_state", said);
  const { claim, what } = unknownAs(isSent);
  const message = `The payment service answered ${refusal.status} ${code}. ${what}`;
  return answered(claim, "unexpected_settle_error", message);
}

async function orderOf(
  service: Service,
  { signed, requirements }: Sale,
): Promise<types.CreatePaymentRequest> {
  const { network, asset, amount, maxTimeoutSeconds } = requirements;
  const tokens = await service.tokens();
  const token = tokens.find((one) => one.network === network && isSame(one.asset, asset));
  if (token === undefined) throw new Error(`the catalog has no ${asset} of ${network} for x402`);
  const price = { amount: decimalOf(amount, token.decimals), chain_ids: [network] };
  return {
    merchant_order_no: `x402-${signed.id}`,
    quotes: { [token.currencyId]: price },
    ...service.splits,
    expires_in_secs: openSeconds(maxTimeoutSeconds),
  };
}

function settleOf(
  { signed, requirements, claim }: Sale,
  payment_id: string,
): types.SettleX402PaymentRequest {
  // By its resource the request is another one than anybody else's with the same authorization.
  const resource = `urn:uuid:${claim.attempt}`;
  return { payment_id, ...settlementOf({ signed, resource }, requirements) };
}
