// Payments on the chain of test/support/settling-chain.ts, and what their payer signs, as a merchant's
// server sends it.

import { randomBytes } from "node:crypto";
import type { SignedAuthorization } from "../../service/ports/signer.ts";
import {
  exactProxyAddress,
  testUsdAddress,
  uptoProxyAddress,
} from "../../adapters/local-chain/contract-addresses.ts";
import { eip3009, permit2, signedBy } from "../evm/authorizations.ts";
import { settlementAddress } from "../x402/action-signer.ts";
import { isObject, type Json, type JsonObject } from "./contract-document.ts";
import { newKey, send, type Signer, validRequest } from "./contract-requests.ts";
import { operationBy } from "./contract-resources.ts";
import { type TestAccount, testAccounts } from "./test-accounts.ts";

const localChainId = "eip155:31337";
/** of every payment here, in the smallest units of the token */
export const priceRaw = 25_000_000n;

/** The id of a payment of 25 that can be paid on the local chain only. */
export async function localPayment(signer: Signer): Promise<string> {
  const accepted = { currencies: { cur_usdc: { chain_ids: [localChainId] } } };
  await succeed(signer, "replaceCurrencyAcceptance", accepted);
  const { id } = await succeed(signer, "createPayment", {
    merchant_order_no: newKey(),
    quotes: { cur_usdc: { amount: "25" } },
  });
  if (typeof id !== "string") throw new Error("no payment was made");
  return id;
}

async function succeed(signer: Signer, operationId: string, body: JsonObject): Promise<JsonObject> {
  const response = await send(signer, validRequest(operationBy(operationId), { body }));
  // JSON.parse gives no type; the contract's tests look at it closely.
  const answer = (await response.json()) as Json;
  if (response.ok && isObject(answer)) return answer;
  throw new Error(`${operationId}: ${JSON.stringify(answer)}`);
}

export interface SettlementWish {
  readonly payer?: TestAccount;
  readonly scheme?: "exact" | "upto";
  readonly method?: "eip3009" | "permit2";
  readonly amountRaw?: bigint;
  readonly to?: string;
  readonly asset?: string;
  /** unix seconds */
  readonly validAfter?: number;
  readonly validBefore?: number;
}

/** The body of a request that settles the payment; each is another authorization. */
export async function settlementOf(
  paymentId: string,
  wish: SettlementWish = {},
): Promise<JsonObject> {
  const { scheme = "exact", amountRaw = priceRaw } = wish;
  const validBefore = wish.validBefore ?? Math.floor(Date.now() / 1000) + 900;
  const nonce = `0x${randomBytes(32).toString("hex")}`;
  const signed = await signedFor(wish, { nonce, validBefore });
  return {
    payment_id: paymentId,
    payment_payload: payloadOf(signed, { nonce, validBefore }),
    payment_requirements: {
      scheme,
      network: localChainId,
      asset: signed.authorization.contractAddress,
      pay_to: settlementAddress,
      max_amount_required: amountRaw.toString(),
      resource: "https://shop.example/orders/1",
      nonce,
      valid_before: validBefore,
    },
  };
}

interface Once {
  readonly nonce: string;
  readonly validBefore: number;
}

function signedFor(wish: SettlementWish, { nonce, validBefore }: Once) {
  const { payer = testAccounts[0], scheme = "exact", method = "eip3009" } = wish;
  const { amountRaw = priceRaw, to = settlementAddress, asset = testUsdAddress } = wish;
  const validAfter = BigInt(wish.validAfter ?? 0);
  const from = payer.address;
  const common = { from, to, amountRaw, nonce, validAfter, contractAddress: asset };
  return signedBy(
    payer,
    method === "eip3009"
      ? eip3009({ ...common, validBefore: BigInt(validBefore) })
      : permit2({
          ...common,
          scheme,
          spender: scheme === "exact" ? exactProxyAddress : uptoProxyAddress,
          deadline: BigInt(validBefore),
          facilitator: scheme === "exact" ? null : settlementAddress,
        }),
  );
}

function payloadOf(
  { signature, authorization }: SignedAuthorization,
  { nonce, validBefore }: Once,
): JsonObject {
  const { from, to, amountRaw, contractAddress: token } = authorization;
  const amount = amountRaw.toString();
  const valid_after = Number(authorization.validAfter);
  if (authorization.method === "eip3009") {
    const times = { valid_after, valid_before: validBefore };
    return { signature, authorization: { from, to, value: amount, ...times, nonce } };
  }
  const { spender, facilitator } = authorization;
  const witness = { to, valid_after, ...(facilitator === null ? {} : { facilitator }) };
  const permitted = { token, amount };
  return {
    signature,
    permit2_authorization: {
      permitted,
      from,
      spender,
      nonce: BigInt(nonce).toString(),
      deadline: validBefore,
      witness,
    },
  };
}

/** In place of an example of the document: the same forms, of a payment that there is. */
export async function settlementLike(signer: Signer, example: JsonObject): Promise<JsonObject> {
  const { payment_payload: payload, payment_requirements: requirements } = example;
  const isPermit = isObject(payload) && "permit2_authorization" in payload;
  const isUpto = isObject(requirements) && requirements["scheme"] === "upto";
  return settlementOf(await localPayment(signer), {
    scheme: isUpto ? "upto" : "exact",
    method: isPermit ? "permit2" : "eip3009",
  });
}
