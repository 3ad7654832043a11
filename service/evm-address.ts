// Addresses of EVM chains, and the domain that signatures for a contract are bound to.

import { keccak_256 as keccak256 } from "@noble/hashes/sha3.js";

const addressForm = /^0x[0-9a-fA-F]{40}$/u;

export function hasEvmAddressForm(text: string): boolean {
  return addressForm.test(text);
}

/** EIP-55: the same address, with a checksum in the case of its letters. */
export function checksumAddress(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const hash = hexOf(keccak256(Buffer.from(digits, "ascii")));
  const checked = Array.from(digits, (digit, index) =>
    Number.parseInt(hash.charAt(index), 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${checked.join("")}`;
}

export interface SigningDomain {
  readonly name: string;
  readonly version: string;
  /** the number of the chain, the reference of its CAIP-2 name */
  readonly chainNumber: bigint;
  readonly contractAddress: string;
}

const domainType =
  "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)";

/** EIP-712: what a contract answers to DOMAIN_SEPARATOR(), as 0x and 64 digits. */
export function domainSeparator(domain: SigningDomain): string {
  const words = [
    hashText(domainType),
    hashText(domain.name),
    hashText(domain.version),
    wordOf(domain.chainNumber.toString(16)),
    wordOf(domain.contractAddress.slice(2)),
  ];
  return `0x${hexOf(keccak256(Buffer.concat(words)))}`;
}

function hashText(text: string): Uint8Array {
  return keccak256(Buffer.from(text, "utf8"));
}

function wordOf(digits: string): Uint8Array {
  return Buffer.from(digits.padStart(64, "0"), "hex");
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
