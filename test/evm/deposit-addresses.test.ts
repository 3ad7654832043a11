// Addresses for payments, from a key that cannot spend.

import { HDKey } from "@scure/bip32";
import { privateKeyToAddress } from "viem/accounts";
import { expect, test } from "vitest";
import { hexOf } from "../../adapters/evm/calldata.ts";
import { openDepositAddresses } from "../../adapters/evm/deposit-addresses.ts";
import { OperatorError } from "../../service/operator-error.ts";

const account = HDKey.fromMasterSeed(new Uint8Array(32).fill(7)).derive("m/44'/60'/0'");
const xpub = account.publicExtendedKey;

function thrownBy(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return error;
  }
}

test("address i is that of child i of the key that spends", () => {
  const source = openDepositAddresses(` ${xpub}\n`);
  for (const index of [0n, 1n, 2n, 1_000_000n, 2n ** 31n - 1n]) {
    const { privateKey } = account.deriveChild(Number(index));
    const key = hexOf(`0x${Buffer.from(privateKey ?? []).toString("hex")}`);
    expect(source.derive(index)).toBe(privateKeyToAddress(key));
    expect(source.derive(index)).toBe(privateKeyToAddress(key));
  }
});

test("a hardened child, and what is no number of one, is nobody's address", () => {
  const source = openDepositAddresses(xpub);
  for (const index of [-1n, 2n ** 31n, 2n ** 64n]) {
    expect(() => source.derive(index)).toThrow("no deposit address has the index");
  }
});

test("threat 66: a key that spends is refused, and not repeated", () => {
  const wrong = [account.privateExtendedKey, "", "ypub", xpub.slice(0, -1), `${xpub}1`, "0x12"];
  for (const text of wrong) {
    expect(() => openDepositAddresses(text)).toThrow(OperatorError);
    const error = thrownBy(() => openDepositAddresses(text));
    if (text.length > 5) expect(String(error)).not.toContain(text);
  }
  expect(() => openDepositAddresses(account.privateExtendedKey)).toThrow(/private/);
});
