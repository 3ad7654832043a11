// The way back to the merchant, offered once a payment is paid. Nobody is sent there without a click,
// and the host stands on the link (threat 74).

import type { CheckoutPayment } from "../../service/checkout/payment.ts";

export interface ReturnLink {
  readonly href: string;
  /** as it is asked for in the network: in ASCII, so that no letter looks like another */
  readonly host: string;
}

/** `payment_id` and `status` are hints: the merchant asks for the truth with its key. */
export function returnLinkOf({ redirectUrl, id, status }: CheckoutPayment): ReturnLink | undefined {
  const url = redirectUrl === null ? null : URL.parse(redirectUrl);
  if (url === null || url.protocol !== "https:") return undefined;
  url.searchParams.set("payment_id", id);
  url.searchParams.set("status", status);
  return { href: url.href, host: url.host };
}
