// Authorizations of payers, and their signatures as wallets make them.

import { authorizationTypes, permit2WitnessTypes, uptoPermit2WitnessTypes } from "@x402/evm";
import type { TypedDataDefinition } from "viem";
import { hexOf, permit2Address } from "../../adapters/evm/calldata.ts";
import {
  exactProxyAddress,
  testUsdAddress,
  uptoProxyAddress,
} from "../../adapters/local-chain/contract-addresses.ts";
import type {
  Eip3009Authorization,
  PaymentAuthorization,
  Permit2Authorization,
  SignedAuthorization,
} from "../../service/ports/signer.ts";
import { type TestAccount, testAccounts } from "../support/test-accounts.ts";

export const usdDomain = { name: "Test USD", version: "2" };
export const chainNumber = 31_337;
const farAway = 4_000_000_000n;

export function wordOf(number: number | bigint): string {
  return `0x${number.toString(16).padStart(64, "0")}`;
}

export function eip3009(change: Partial<Eip3009Authorization> = {}): Eip3009Authorization {
  return {
    method: "eip3009",
    contractAddress: testUsdAddress,
    from: testAccounts[0].address,
    to: testAccounts[2].address,
    amountRaw: 5_000_000n,
    validAfter: 0n,
    validBefore: farAway,
    nonce: wordOf(1),
    ...change,
  };
}

export function permit2(change: Partial<Permit2Authorization> = {}): Permit2Authorization {
  const scheme = change.scheme ?? "upto";
  return {
    method: "permit2",
    contractAddress: testUsdAddress,
    from: testAccounts[0].address,
    spender: scheme === "exact" ? exactProxyAddress : uptoProxyAddress,
    scheme,
    amountRaw: 5_000_000n,
    nonce: wordOf(513),
    deadline: farAway,
    to: testAccounts[2].address,
    validAfter: 0n,
    facilitator: scheme === "exact" ? null : testAccounts[1].address,
    ...change,
  };
}

/** With the types of the official client. */
export function typedDataOf(authorization: PaymentAuthorization): TypedDataDefinition {
  const { contractAddress, from, to, amountRaw, validAfter, nonce } = authorization;
  if (authorization.method === "eip3009") {
    const { validBefore } = authorization;
    return {
      domain: { ...usdDomain, chainId: chainNumber, verifyingContract: hexOf(contractAddress) },
      types: authorizationTypes,
      primaryType: "TransferWithAuthorization",
      message: { from, to, value: amountRaw, validAfter, validBefore, nonce },
    };
  }
  const { scheme, spender, deadline, facilitator } = authorization;
  return {
    domain: { name: "Permit2", chainId: chainNumber, verifyingContract: permit2Address },
    types: scheme === "exact" ? permit2WitnessTypes : uptoPermit2WitnessTypes,
    primaryType: "PermitWitnessTransferFrom",
    message: {
      permitted: { token: contractAddress, amount: amountRaw },
      spender,
      nonce: BigInt(nonce),
      deadline,
      witness: scheme === "exact" ? { to, validAfter } : { to, facilitator, validAfter },
    },
  };
}

export async function signedBy(
  account: TestAccount,
  authorization: PaymentAuthorization,
): Promise<SignedAuthorization> {
  const signature = await account.signTypedData(typedDataOf(authorization));
  const domain = authorization.method === "eip3009" ? usdDomain : null;
  return { authorization, domain, signature };
}
