// A program that pays by x402, with the official client.

import { x402Client, x402HTTPClient } from "@x402/core/client";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { UptoEvmScheme } from "@x402/evm/upto/client";
import type { Wallet } from "./wallet.ts";

/** What the client has made of the terms it was shown. */
export interface SignedPayment {
  readonly payload: Readonly<Record<string, unknown>>;
  readonly accepted: Readonly<Record<string, unknown>>;
}

/** Opens a page as software, gets 402 with its terms, and signs those of the scheme. */
export async function signTerms(
  { account }: Wallet,
  pageUrl: string,
  scheme: "exact" | "upto",
): Promise<SignedPayment> {
  const core = new x402Client();
  core.register(
    "eip155:*",
    scheme === "exact" ? new ExactEvmScheme(account) : new UptoEvmScheme(account),
  );
  // The client knows the tokens of public networks; this one is nobody's.
  core.setSpendControls(false);
  const client = new x402HTTPClient(core);
  const answer = await fetch(pageUrl, { headers: { Accept: "application/json" } });
  const required = client.getPaymentRequiredResponse(
    (name) => answer.headers.get(name),
    await answer.json(),
  );
  const accepts = required.accepts.filter((one) => one.scheme === scheme);
  const { payload, accepted } = await client.createPaymentPayload({ ...required, accepts });
  return { payload, accepted: { ...accepted } };
}
