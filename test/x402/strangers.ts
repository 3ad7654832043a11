// What anybody does who has seen what a payer signed: hands it to the chain in our place, directly or
// through a contract of their own.

import { encodeFunctionData, type Hex, parseAbi } from "viem";
import { encodeAction } from "../../adapters/evm/calldata.ts";
import type { SignedAuthorization } from "../../service/ports/signer.ts";
import type { SettleCommand } from "../../service/x402/model.ts";
import { partsOf, piecesOf } from "../local-chain/signing.ts";
import { stranger } from "./payers.ts";
import { local } from "./stage.ts";

const multicall = "0xcA11bde05977b3631167028862bE2a173976CA11";
const tokenAbi = parseAbi([
  "function transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)",
]);

/** By EIP-3009. */
export interface Signed {
  readonly from: string;
  readonly to: string;
  readonly amountRaw: bigint;
  readonly validAfter: bigint;
  readonly validBefore: bigint;
  readonly nonce: string;
  readonly signature: string;
}

/** Waits in the pool until a block is mined. */
export async function submit({ payload }: SettleCommand): Promise<Hex> {
  return local.write(stranger.address, {
    contract: "TestUSD",
    address: local.usdAddress,
    functionName: "transferWithAuthorization",
    parameters: argumentsOf(payload),
  });
}

export function callOf(one: Signed): Hex {
  const args = argumentsOf(one) as never;
  return encodeFunctionData({ abi: tokenAbi, functionName: "transferWithAuthorization", args });
}

export interface ContractCall {
  readonly target: string;
  readonly callData: Hex;
}

/** All in one transaction, or none. */
export function submitByContract(calls: readonly ContractCall[]): Promise<Hex> {
  return local.write(stranger.address, {
    contract: "LocalMulticall3",
    address: multicall,
    functionName: "aggregate3",
    parameters: [calls.map((one) => ({ ...one, allowFailure: false }))],
  });
}

/** By Permit2: all of it. */
export function permitCallOf(signed: SignedAuthorization): ContractCall {
  const { amountRaw } = signed.authorization;
  const { to: target, data: callData } = encodeAction({ kind: "settle", signed, amountRaw });
  return { target, callData };
}

function argumentsOf(one: Signed): readonly unknown[] {
  const [v, r, s] = piecesOf(one.signature as Hex);
  const message = { ...one, value: one.amountRaw } as unknown as Parameters<typeof partsOf>[0];
  return [...partsOf(message), v, r, s];
}
