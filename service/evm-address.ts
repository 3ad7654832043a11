// Addresses of EVM chains, and the domain that signatures for a contract are bound to.

import { keccakP, keccak_256 as keccak256 } from "@noble/hashes/sha3.js";

const addressForm = /^0x[0-9a-fA-F]{40}$/u;

export function hasEvmAddressForm(text: string): boolean {
  return addressForm.test(text);
}

const addressDigits = 40;
/** What Keccak-256 works on: its 40 digits, in a block of 136 bytes with a bit behind them and one at its end. */
const state = new Uint32Array(50);
const spelled = Buffer.alloc(addressDigits, "0", "latin1");
const afterText = 0x01;
const endOfBlock = 0x80_00_00_00;

/**
 * EIP-55: the same address, with a checksum in the case of its letters. Each log names strangers whose addresses
 * nobody has met, so the hash is worked out in place.
 */
export function checksumAddress(address: string): string {
  const digits = address.slice(2).toLowerCase();
  if (digits.length !== addressDigits) throw new Error("an address has 40 digits");
  spelled.write(digits, "latin1");
  state.fill(0);
  for (let word = 0; word < addressDigits / 4; word++) state[word] = spelled.readUInt32LE(word * 4);
  state[10] = afterText;
  state[33] = endOfBlock;
  keccakP(state);
  for (let index = 0; index < addressDigits; index++) {
    // Two digits of the hash in each byte, the higher one first.
    const highestBit = (index & 6) * 4 + (index % 2 === 0 ? 7 : 3);
    const isHigh = (((state[index >> 3] ?? 0) >>> highestBit) & 1) === 1;
    const digit = spelled[index] ?? 0;
    if (isHigh && digit >= letterA) spelled[index] = digit - toUpperCase;
  }
  return `0x${spelled.toString("latin1")}`;
}

const letterA = 97;
const toUpperCase = 32;

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
