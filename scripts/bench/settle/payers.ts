// Those who pay, and what they sign: EIP-3009, each authorization once.

import { randomBytes } from "node:crypto";
import { signRecoverable } from "tiny-secp256k1";
import { privateKeyToAccount } from "viem/accounts";
import {
  localChainNumber,
  testUsdAddress,
} from "../../../adapters/local-chain/contract-addresses.ts";
import { hashAuthorization } from "../../../adapters/evm/typed-data.ts";

export interface Payer {
  readonly address: string;
  readonly privateKey: string;
}

/** of every payment: 1.25 USDC */
export const priceRaw = 1_250_000n;
export const price = "1.25";

/** The name and version that its signatures are for, as adapters/local-chain/catalog.json has them. */
const domain = { name: "Test USD", version: "2" };
/** Longer than a benchmark takes, and shorter than its payments live. */
const validSeconds = 3_000;

export function makePayers(count: number): readonly Payer[] {
  return Array.from({ length: count }, () => {
    const privateKey = `0x${randomBytes(32).toString("hex")}` as const;
    return { address: privateKeyToAccount(privateKey).address, privateKey };
  });
}

export interface Signed {
  readonly nonce: string;
  /** of the request that settles it */
  readonly body: string;
}

interface Signing {
  readonly payer: Payer;
  readonly paymentId: string;
  readonly payTo: string;
}

export function signFor({ payer, paymentId, payTo }: Signing): Signed {
  const nonce = `0x${randomBytes(32).toString("hex")}`;
  const validBefore = Math.floor(Date.now() / 1000) + validSeconds;
  const authorization = {
    method: "eip3009",
    contractAddress: testUsdAddress,
    from: payer.address,
    to: payTo,
    amountRaw: priceRaw,
    validAfter: 0n,
    validBefore: BigInt(validBefore),
    nonce,
  } as const;
  const hash = hashAuthorization(localChainNumber, authorization, domain);
  const { signature, recoveryId } = signRecoverable(
    hash,
    Buffer.from(payer.privateKey.slice(2), "hex"),
  );
  const bytes = Buffer.concat([signature, Buffer.from([27 + recoveryId])]);
  const value = priceRaw.toString();
  const body = {
    payment_id: paymentId,
    payment_payload: {
      signature: `0x${bytes.toString("hex")}`,
      authorization: {
        from: payer.address,
        to: payTo,
        value,
        valid_after: 0,
        valid_before: validBefore,
        nonce,
      },
    },
    payment_requirements: {
      scheme: "exact",
      network: `eip155:${localChainNumber}`,
      asset: testUsdAddress,
      pay_to: payTo,
      max_amount_required: value,
      resource: "https://shop.example/orders",
      nonce,
      valid_before: validBefore,
    },
  };
  return { nonce, body: JSON.stringify(body) };
}
