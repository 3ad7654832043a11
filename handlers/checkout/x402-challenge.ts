// What software gets that asks for the page as JSON: the terms of x402, in the body as version 1 has
// them and in a header as version 2 has them, so that clients of both find theirs.

import type { CheckoutPayment } from "../../service/checkout/payment.ts";
import { x402BodyV1, x402BodyV2 } from "../../service/x402/requirements.ts";
import type { X402Offer } from "../../service/x402/requirements.ts";
import { plainText } from "./html.ts";

interface ChallengeParts {
  readonly payment: CheckoutPayment;
  readonly offers: readonly X402Offer[];
  /** of the page */
  readonly url: string;
  /** why what was signed is refused; left out: nothing was */
  readonly error?: string;
}

interface Challenge {
  readonly body: unknown;
  /** for `PAYMENT-REQUIRED`; undefined: there is nothing that version 2 could say */
  readonly header: string | undefined;
}

export function challengeOf({ payment, offers, url, error }: ChallengeParts): Challenge {
  const description = plainText(`Order ${payment.merchantOrderNo} of ${payment.merchantName}`);
  const resource = { url, description, mimeType: "application/json" };
  const second = JSON.stringify(x402BodyV2(offers, resource, error));
  return {
    body: x402BodyV1(offers, resource, error),
    header: offers.length === 0 ? undefined : Buffer.from(second, "utf8").toString("base64"),
  };
}
