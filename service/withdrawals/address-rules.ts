// Which texts are addresses, and which addresses nobody may withdraw to.

import type { Deployment } from "../catalog/model.ts";
import { ServiceError } from "../errors.ts";
import { checksumAddress, hasEvmAddressForm } from "../evm-address.ts";

/**
 * The address in the normal form of its family. Throws `invalid_address`.
 *
 * EVM: letters in mixed case must be the checksum of EIP-55, so that a mistyped letter is found;
 * all in lower or all in upper case have no checksum to be wrong.
 */
export function normalAddress(text: string, family: Deployment["chainFamily"]): string {
  // Our choice: the chains of the first release are EVM chains; addresses of others cannot be
  // checked, and what cannot be checked is not sent to.
  if (family !== "evm") throw invalid("Addresses of this kind of chain are not supported yet.");
  if (!hasEvmAddressForm(text))
    throw invalid("An address of an EVM chain is 0x and 40 hex digits.");
  const checked = checksumAddress(text);
  const digits = text.slice(2);
  const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  if (isMixed && text !== checked) {
    throw invalid("The address does not have a valid EIP-55 checksum.");
  }
  return checked;
}

function invalid(message: string): ServiceError {
  return new ServiceError("invalid_address", message, { details: { pointer: "/address" } });
}

/**
 * Nobody has a key for these, or they are contracts that keep what they are sent. All in lower case:
 * one of them is published with letters whose checksum is wrong.
 */
const knownSinks: ReadonlySet<string> = new Set([
  "0xdead000000000000000042069420694206942069",
  "0xdeaddeaddeaddeaddeaddeaddeaddeaddeaddead",
  // stands for the chain's own coin in many programs
  "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
  "0xffffffffffffffffffffffffffffffffffffffff",
  // Permit2, and the x402 proxies for exact and upto
  "0x000000000022d473030f116ddee9f6b43ac78ba3",
  "0x402085c248eea27d92e8b30b2c58ed07f9e20001",
  "0x4020a4f3b7b90cca423b9fabcc0ce57c6c240002",
  // Multicall3, and the deployer of CREATE2
  "0xca11bde05977b3631167028862be2a173976ca11",
  "0x4e59b44847b379578588920ca78fbf26c0b4956c",
]);

/** The zero address, 0x...dead, and the contracts that a chain has built in, have numbers below this. */
const reservedBelow = 0x1_0000n;

/** Whoever sends there has lost it, on every EVM chain. */
export function isSink(address: string): boolean {
  return BigInt(address) < reservedBelow || knownSinks.has(address.toLowerCase());
}
