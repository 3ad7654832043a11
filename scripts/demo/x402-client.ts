// A program that pays by x402, with the official client.

import { x402Client, x402HTTPClient } from "@x402/core/client";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { UptoEvmScheme } from "@x402/evm/upto/client";
import type { PaymentRequired } from "@x402/core/types";
import type { Wallet } from "./wallet.ts";

/** What the client has made of the terms it was shown. */
export interface SignedPayment {
  readonly payload: Readonly<Record<string, unknown>>;
  readonly accepted: Readonly<Record<string, unknown>>;
}

/** Opens a page as software, and gets 402 with its terms. They ask for the scheme exact. */
export async function readTerms(pageUrl: string): Promise<PaymentRequired> {
  const answer = await fetch(pageUrl, { headers: { Accept: "application/json" } });
  const client = new x402HTTPClient(new x402Client());
  return client.getPaymentRequiredResponse((name) => answer.headers.get(name), await answer.json());
}

/** What the shop's own server asks its customers for, where it charges by usage. */
export function uptoTerms(required: PaymentRequired): PaymentRequired {
  const accepts = required.accepts.map((terms) => ({
    ...terms,
    scheme: "upto",
    extra: {
      ...terms.extra,
      assetTransferMethod: "permit2",
      facilitatorAddress: terms.payTo,
    },
  }));
  return { ...required, accepts };
}

/** What the customer's program makes of the terms it is shown. */
export async function signTerms(
  { account }: Wallet,
  required: PaymentRequired,
): Promise<SignedPayment> {
  const core = new x402Client();
  core.register("eip155:*", new ExactEvmScheme(account));
  core.register("eip155:*", new UptoEvmScheme(account));
  // The client knows the tokens of public networks; this one is nobody's.
  core.setSpendControls(false);
  const client = new x402HTTPClient(core);
  const { payload, accepted } = await client.createPaymentPayload(required);
  return { payload, accepted: { ...accepted } };
}
