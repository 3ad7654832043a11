// What payers sign is hashed here as wallets hash it, and whoever signed is found by either library.

import fc from "fast-check";
import { hashTypedData } from "viem";
import { describe, expect, test } from "vitest";
import { loadFastRecover, plainRecover, splitSignature } from "../../adapters/evm/signature.ts";
import type { Recover } from "../../adapters/evm/signature.ts";
import { hashAuthorization, signerOf } from "../../adapters/evm/typed-data.ts";
import { checksumAddress } from "../../service/evm-address.ts";
import type { PaymentAuthorization } from "../../service/ports/signer.ts";
import { accountOf, testAccounts } from "../support/test-accounts.ts";
import { hexOf } from "../../adapters/evm/calldata.ts";
import {
  chainNumber,
  eip3009,
  permit2,
  signedBy,
  typedDataOf,
  usdDomain,
  wordOf,
} from "./authorizations.ts";

const number = fc.bigInt(0n, 2n ** 256n - 1n);
const address = fc
  .bigInt(0n, 2n ** 160n - 1n)
  .map((value) => checksumAddress(`0x${value.toString(16).padStart(40, "0")}`));
const common = {
  contractAddress: address,
  from: address,
  to: address,
  amountRaw: number,
  validAfter: number,
  nonce: number.map(wordOf),
};
const authorizations: fc.Arbitrary<PaymentAuthorization> = fc.oneof(
  fc.record({ ...common, validBefore: number }).map((one) => eip3009(one)),
  fc
    .record({ ...common, spender: address, deadline: number })
    .map((one) => permit2({ ...one, scheme: "exact" })),
  fc
    .record({ ...common, spender: address, deadline: number, facilitator: address })
    .map((one) => permit2(one)),
);
const keys = fc.bigInt(1n, 2n ** 255n).map((value) => accountOf(hexOf(wordOf(value))));
const chain = BigInt(chainNumber);

async function libraries(): Promise<readonly Recover[]> {
  const fast = await loadFastRecover();
  if (fast === undefined) throw new Error("the fast library is not there");
  return [fast, plainRecover];
}

test("hashes every authorization as the types of the official client say", () => {
  fc.assert(
    fc.property(authorizations, (authorization) => {
      const hash = Buffer.from(hashAuthorization(chain, authorization, usdDomain)).toString("hex");
      expect(`0x${hash}`).toBe(hashTypedData(typedDataOf(authorization)));
    }),
  );
});

test("finds who has signed, by either library", async () => {
  const both = await libraries();
  await fc.assert(
    fc.asyncProperty(authorizations, keys, async (authorization, account) => {
      const signed = await signedBy(account, authorization);
      for (const recover of both) expect(signerOf(chain, signed, recover)).toBe(account.address);
    }),
    { numRuns: 30 },
  );
});

describe("of a signature", async () => {
  const [payer] = testAccounts;
  const both = await libraries();
  const signed = await signedBy(payer, eip3009());
  const parts = splitSignature(signed.signature);
  if (parts === undefined) throw new Error("a wallet signs otherwise");
  const of = (signature: string) =>
    both.map((recover) => signerOf(chain, { ...signed, signature }, recover));

  test("v may be 0 or 1, and letters may be large", () => {
    const { r, s, v, whole } = parts;
    const short = `${r}${s.slice(2)}0${v - 27}`;
    expect(of(short)).toEqual([payer.address, payer.address]);
    expect(of(`0x${whole.slice(2).toUpperCase()}`)).toEqual([payer.address, payer.address]);
    expect(splitSignature(short)?.whole).toBe(whole);
  });

  test("the twin with s in its upper half is no signature", () => {
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const twin = wordOf(order - BigInt(parts.s)).slice(2);
    for (const v of ["1b", "1c", "00", "01"]) {
      expect(of(`${parts.r}${twin}${v}`)).toEqual([undefined, undefined]);
    }
  });

  test("any other form is none", () => {
    const { r, s, whole } = parts;
    const zero = "0".repeat(64);
    const wrong = [
      "",
      "0x",
      whole.slice(0, -2),
      `${whole}00`,
      whole.slice(2),
      `${r}${s.slice(2)}1d`,
      `0x${zero}${s.slice(2)}1b`,
      `${r}${zero}1b`,
      `0x${"f".repeat(64)}${s.slice(2)}1b`,
      `${r}${s.slice(2)}g0`,
      ` ${whole}`,
    ];
    for (const one of wrong) expect(of(one)).toEqual([undefined, undefined]);
  });

  test("whatever is changed in it, nobody or somebody else has signed, and both libraries agree", () => {
    fc.assert(
      fc.property(fc.nat(129), fc.nat(15), (place, digit) => {
        const digits = parts.whole.slice(2);
        const changed = `0x${digits.slice(0, place)}${digit.toString(16)}${digits.slice(place + 1)}`;
        const [fast, plain] = of(changed);
        expect(fast).toBe(plain);
        if (changed !== parts.whole) expect(fast).not.toBe(payer.address);
      }),
      { numRuns: 60 },
    );
  });

  test("whatever is changed in what was signed, it is somebody else's", () => {
    const changes = [
      eip3009({ amountRaw: 5_000_001n }),
      eip3009({ to: payer.address }),
      eip3009({ nonce: wordOf(2) }),
      eip3009({ validAfter: 1n }),
      permit2(),
      permit2({ scheme: "exact" }),
    ];
    for (const authorization of changes) {
      for (const recover of both) {
        const one = { ...signed, authorization };
        expect(signerOf(chain, one, recover)).not.toBe(payer.address);
        expect(signerOf(chain + 1n, signed, recover)).not.toBe(payer.address);
      }
    }
  });
});
