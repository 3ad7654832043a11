// What payers sign, and what a merchant's server makes of it.

import { randomBytes } from "node:crypto";
import type { PaymentAuthorization } from "../../service/ports/signer.ts";
import type { SettleCommand, SettlePayload } from "../../service/x402/model.ts";
import {
  uptoProxyAddress,
  exactProxyAddress,
} from "../../adapters/local-chain/contract-addresses.ts";
import { eip3009, permit2, signedBy } from "../evm/authorizations.ts";
import type { TestAccount } from "../support/test-accounts.ts";
import { testAccounts } from "../support/test-accounts.ts";
import { settlementAddress } from "./action-signer.ts";
import { price, type Scene } from "./scene.ts";

export const [payer, otherPayer, stranger] = testAccounts;

export interface SigningWish {
  readonly payer?: TestAccount;
  readonly scheme?: "exact" | "upto";
  readonly method?: "eip3009" | "permit2";
  readonly amountRaw?: bigint;
  readonly nonce?: string;
  readonly validAfter?: bigint;
  readonly validBefore?: bigint;
  readonly to?: string;
  readonly asset?: string;
}

export function newNonce(): string {
  return `0x${randomBytes(32).toString("hex")}`;
}

/** Signed and put into words, as an honest payer and an honest server do. */
export async function authorize(
  scene: Pick<Scene, "clock" | "local">,
  paymentId: string,
  wish: SigningWish = {},
): Promise<SettleCommand> {
  const { signature, authorization } = await signed(scene, wish);
  const { scheme = "exact" } = wish;
  const { contractAddress: asset, amountRaw, from, to, validAfter, nonce } = authorization;
  const validBefore =
    authorization.method === "eip3009" ? authorization.validBefore : authorization.deadline;
  const common = { signature, from, to, amountRaw, validAfter, validBefore, nonce };
  const payload: SettlePayload =
    authorization.method === "eip3009"
      ? { ...common, method: "eip3009" }
      : {
          ...common,
          method: "permit2",
          token: asset,
          spender: authorization.spender,
          facilitator: authorization.facilitator,
          nonce: BigInt(nonce).toString(),
        };
  const requirements = {
    scheme,
    network: scene.local.chainId,
    asset,
    payTo: settlementAddress,
    maxAmountRaw: amountRaw,
    nonce,
    validBefore,
    extra: undefined,
  };
  return { paymentId, payload, requirements };
}

export async function signed(scene: Pick<Scene, "clock" | "local">, wish: SigningWish = {}) {
  return signedBy(wish.payer ?? payer, authorizationOf(scene, wish));
}

function authorizationOf(
  { clock, local }: Pick<Scene, "clock" | "local">,
  wish: SigningWish,
): PaymentAuthorization {
  const { scheme = "exact", method = "eip3009", amountRaw = price } = wish;
  const nowSeconds = BigInt(Math.floor(clock.nowMilliseconds() / 1000));
  const end = wish.validBefore ?? nowSeconds + 600n;
  const common = {
    contractAddress: wish.asset ?? local.usdAddress,
    from: (wish.payer ?? payer).address,
    to: wish.to ?? settlementAddress,
    amountRaw,
    validAfter: wish.validAfter ?? 0n,
    nonce: wish.nonce ?? newNonce(),
  };
  if (method === "eip3009") return eip3009({ ...common, validBefore: end });
  return permit2({
    ...common,
    scheme,
    spender: scheme === "exact" ? exactProxyAddress : uptoProxyAddress,
    facilitator: scheme === "exact" ? null : settlementAddress,
    deadline: end,
  });
}
