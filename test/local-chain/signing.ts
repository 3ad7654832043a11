// What payers sign, by the standards themselves: EIP-3009, EIP-2612 and Permit2 with a witness.

import type { Hex } from "viem";
import {
  exactProxyAddress,
  permit2Address,
  uptoProxyAddress,
} from "../../adapters/local-chain/contract-addresses.ts";
import type { TestChain } from "../support/local-chain.ts";
import type { TestAccount } from "../support/test-accounts.ts";

export const nonceOf = (number: number): Hex => `0x${number.toString(16).padStart(64, "0")}`;

export interface Authorization {
  readonly from: Hex;
  readonly to: Hex;
  readonly value: bigint;
  readonly validAfter: bigint;
  readonly validBefore: bigint;
  readonly nonce: Hex;
}

const usdDomain = (chain: TestChain) => ({
  name: "Test USD",
  version: "2",
  chainId: chain.chainNumber,
  verifyingContract: chain.usdAddress,
});

/** In the order of the function's parameters. */
export const partsOf = (one: Authorization): readonly unknown[] => [
  one.from,
  one.to,
  one.value,
  one.validAfter,
  one.validBefore,
  one.nonce,
];

export function signTransfer(
  chain: TestChain,
  signer: TestAccount,
  message: Authorization,
): Promise<Hex> {
  return signer.signTypedData({
    domain: usdDomain(chain),
    types: {
      TransferWithAuthorization: [
        { name: "from", type: "address" },
        { name: "to", type: "address" },
        { name: "value", type: "uint256" },
        { name: "validAfter", type: "uint256" },
        { name: "validBefore", type: "uint256" },
        { name: "nonce", type: "bytes32" },
      ],
    },
    primaryType: "TransferWithAuthorization",
    message,
  });
}

export function signCancel(chain: TestChain, signer: TestAccount, nonce: Hex): Promise<Hex> {
  return signer.signTypedData({
    domain: usdDomain(chain),
    types: {
      CancelAuthorization: [
        { name: "authorizer", type: "address" },
        { name: "nonce", type: "bytes32" },
      ],
    },
    primaryType: "CancelAuthorization",
    message: { authorizer: signer.address, nonce },
  });
}

export interface Approval {
  readonly spender: Hex;
  readonly value: bigint;
  readonly nonce: bigint;
  readonly deadline: bigint;
}

export function signPermit(
  chain: TestChain,
  signer: TestAccount,
  approval: Approval,
): Promise<Hex> {
  return signer.signTypedData({
    domain: usdDomain(chain),
    types: {
      Permit: [
        { name: "owner", type: "address" },
        { name: "spender", type: "address" },
        { name: "value", type: "uint256" },
        { name: "nonce", type: "uint256" },
        { name: "deadline", type: "uint256" },
      ],
    },
    primaryType: "Permit",
    message: { owner: signer.address, ...approval },
  });
}

export interface Permit2Payment {
  readonly token: Hex;
  readonly amount: bigint;
  readonly nonce: bigint;
  readonly deadline: bigint;
  readonly to: Hex;
  readonly validAfter: bigint;
  /** of the scheme upto; undefined: exact */
  readonly facilitator?: Hex;
}

const permitTypes = {
  PermitWitnessTransferFrom: [
    { name: "permitted", type: "TokenPermissions" },
    { name: "spender", type: "address" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
    { name: "witness", type: "Witness" },
  ],
  TokenPermissions: [
    { name: "token", type: "address" },
    { name: "amount", type: "uint256" },
  ],
};
const facilitatorMember = { name: "facilitator", type: "address" };

export function signPermit2(
  chain: TestChain,
  signer: TestAccount,
  payment: Permit2Payment,
): Promise<Hex> {
  const { token, amount, nonce, deadline, to, validAfter, facilitator } = payment;
  return signer.signTypedData({
    domain: { name: "Permit2", chainId: chain.chainNumber, verifyingContract: permit2Address },
    types: {
      ...permitTypes,
      Witness: [
        { name: "to", type: "address" },
        ...(facilitator === undefined ? [] : [facilitatorMember]),
        { name: "validAfter", type: "uint256" },
      ],
    },
    primaryType: "PermitWitnessTransferFrom",
    message: {
      permitted: { token, amount },
      spender: facilitator === undefined ? exactProxyAddress : uptoProxyAddress,
      nonce,
      deadline,
      witness: {
        to,
        validAfter,
        ...(facilitator === undefined ? {} : { facilitator }),
      },
    },
  });
}

/** As the proxies take it. */
export const permitOf = ({ token, amount, nonce, deadline }: Permit2Payment) => ({
  permitted: { token, amount },
  nonce,
  deadline,
});

export const witnessOf = ({ to, facilitator, validAfter }: Permit2Payment) => ({
  to,
  ...(facilitator === undefined ? {} : { facilitator }),
  validAfter,
});

/** A signature in the three pieces of the older functions. */
export function piecesOf(signature: Hex): readonly [number, Hex, Hex] {
  const bytes = signature.slice(2);
  return [
    Number.parseInt(bytes.slice(128), 16),
    `0x${bytes.slice(0, 64)}`,
    `0x${bytes.slice(64, 128)}`,
  ];
}
