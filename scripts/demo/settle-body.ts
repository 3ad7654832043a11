// The shop's part of x402: from what its customer's client has signed to the body of
// POST /v1/x402/settle. The same values in the names of this interface.

import type { types } from "../client/merchant-payments.ts";
import type { SignedPayment } from "./x402-client.ts";

interface Eip3009 {
  readonly from: string;
  readonly to: string;
  readonly value: string;
  readonly validAfter: string;
  readonly validBefore: string;
  readonly nonce: string;
}

interface Permit2 {
  readonly permitted: { readonly token: string; readonly amount: string };
  readonly from: string;
  readonly spender: string;
  readonly nonce: string;
  readonly deadline: string;
  readonly witness: {
    readonly to: string;
    readonly validAfter: string;
    readonly facilitator?: string;
  };
}

interface Accepted {
  readonly scheme: "exact" | "upto";
  readonly network: string;
  readonly asset: string;
  readonly payTo: string;
  readonly amount: string;
  readonly extra?: unknown;
}

export function settleBody(
  paymentId: string,
  resource: string,
  signed: SignedPayment,
): types.SettleX402PaymentRequest {
  // The official client writes these members; the service checks every one of them.
  const { signature, authorization, permit2Authorization } = signed.payload as {
    readonly signature: string;
    readonly authorization?: Eip3009;
    readonly permit2Authorization?: Permit2;
  };
  const accepted = signed.accepted as unknown as Accepted;
  const { scheme, network, asset, payTo, amount, extra } = accepted;
  const requirements = {
    scheme,
    network,
    asset,
    pay_to: payTo,
    max_amount_required: amount,
    resource,
    ...(extra === undefined ? {} : { extra }),
  };
  if (authorization !== undefined) {
    const { from, to, value, validAfter, validBefore, nonce } = authorization;
    const valid_before = Number(validBefore);
    return {
      payment_id: paymentId,
      payment_payload: {
        signature,
        authorization: { from, to, value, valid_after: Number(validAfter), valid_before, nonce },
      },
      payment_requirements: { ...requirements, nonce, valid_before },
    };
  }
  if (permit2Authorization === undefined) throw new Error("a client that signs neither form");
  const { permitted, from, spender, nonce, deadline, witness } = permit2Authorization;
  const { to, validAfter, facilitator } = witness;
  return {
    payment_id: paymentId,
    payment_payload: {
      signature,
      permit2_authorization: {
        permitted,
        from,
        spender,
        nonce,
        deadline: Number(deadline),
        witness: {
          to,
          valid_after: Number(validAfter),
          ...(facilitator === undefined ? {} : { facilitator }),
        },
      },
    },
    payment_requirements: {
      ...requirements,
      nonce: `0x${BigInt(nonce).toString(16).padStart(64, "0")}`,
      valid_before: Number(deadline),
    },
  };
}
