// What is written into transactions, against the interfaces that the official client publishes.

import { eip3009ABI, x402ExactPermit2ProxyABI, x402UptoPermit2ProxyABI } from "@x402/evm";
import fc from "fast-check";
import { encodeFunctionData, erc20Abi } from "viem";
import { expect, test } from "vitest";
import {
  decodeProxyCall,
  encodeAction,
  encodeCollect,
  encodeTransfer,
  hexOf,
} from "../../adapters/evm/calldata.ts";
import { splitSignature } from "../../adapters/evm/signature.ts";
import type { PaymentAuthorization, Permit2Authorization } from "../../service/ports/signer.ts";
import { testAccounts } from "../support/test-accounts.ts";
import { eip3009, permit2, signedBy } from "./authorizations.ts";

const [payer, , shop] = testAccounts;

async function settling(authorization: PaymentAuthorization, amountRaw?: bigint) {
  const signed = await signedBy(payer, authorization);
  const action = {
    kind: "settle",
    signed,
    amountRaw: amountRaw ?? authorization.amountRaw,
  } as const;
  return { signed, action, signature: hexOf(signed.signature) };
}

test("a coin goes with the transaction, a token by a call of its contract", () => {
  const to = shop.address;
  const coin = { to, contractAddress: null, amountRaw: 7n };
  expect(encodeTransfer(coin)).toEqual({ to, data: "0x", value: 7n });
  expect(encodeAction({ kind: "transfer", ...coin })).toEqual(encodeTransfer(coin));
  const { contractAddress } = eip3009();
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, 7n] });
  const call = { to: contractAddress, data, value: 0n };
  expect(encodeTransfer({ to, contractAddress, amountRaw: 7n })).toEqual(call);
});

test("an authorization of EIP-3009 goes to its token, signed by the payer or by us", async () => {
  const authorization = eip3009();
  const { action, signature } = await settling(authorization);
  const { from, to, amountRaw, validAfter, validBefore, nonce } = authorization;
  const parts = splitSignature(signature);
  const { r = "0x", s = "0x", v = 27 } = parts ?? {};
  const data = encodeFunctionData({
    abi: eip3009ABI,
    functionName: "transferWithAuthorization",
    args: [hexOf(from), hexOf(to), amountRaw, validAfter, validBefore, hexOf(nonce), v, r, s],
  });
  const call = { to: authorization.contractAddress, data, value: 0n };
  expect(encodeAction(action)).toEqual(call);
  expect(encodeCollect(authorization, signature)).toEqual(call);
});

function permitOf({ contractAddress, amountRaw, nonce, deadline }: Permit2Authorization) {
  const permitted = { token: hexOf(contractAddress), amount: amountRaw };
  return { permitted, nonce: BigInt(nonce), deadline };
}

test("a permit of the scheme exact goes to its proxy", async () => {
  const authorization = permit2({ scheme: "exact" });
  const { action, signature } = await settling(authorization);
  const witness = { to: hexOf(authorization.to), validAfter: 0n };
  const data = encodeFunctionData({
    abi: x402ExactPermit2ProxyABI,
    functionName: "settle",
    args: [permitOf(authorization), hexOf(authorization.from), witness, signature],
  });
  expect(encodeAction(action)).toEqual({ to: authorization.spender, data, value: 0n });
  const { from, nonce, contractAddress } = authorization;
  expect(decodeProxyCall("exact", data)).toEqual({ from, nonce, contractAddress });
  expect(decodeProxyCall("upto", data)).toBeUndefined();
});

test("one of the scheme upto says how much of it", async () => {
  const authorization = permit2();
  const { action, signature } = await settling(authorization, 1_234n);
  const facilitator = hexOf(authorization.facilitator ?? "");
  const witness = { to: hexOf(authorization.to), facilitator, validAfter: 0n };
  const owner = hexOf(authorization.from);
  const permit = permitOf(authorization);
  const abi = x402UptoPermit2ProxyABI;
  const args = [permit, 1_234n, owner, witness, signature] as const;
  const data = encodeFunctionData({ abi, functionName: "settle", args });
  expect(encodeAction(action)).toEqual({ to: authorization.spender, data, value: 0n });
  const { from, nonce, contractAddress } = authorization;
  const said = { from, nonce, contractAddress };
  expect(decodeProxyCall("upto", data)).toEqual(said);
  const word = hexOf(nonce);
  const approval = { value: 1n, deadline: 2n, r: word, s: word, v: 27 };
  const withPermit = encodeFunctionData({
    abi,
    functionName: "settleWithPermit",
    args: [approval, ...args],
  });
  expect(decodeProxyCall("upto", withPermit)).toEqual(said);
});

test("never more than was authorized, and not less where all of it moves", async () => {
  const all = [eip3009(), permit2({ scheme: "exact" })];
  for (const authorization of all) {
    for (const amountRaw of [authorization.amountRaw - 1n, authorization.amountRaw + 1n]) {
      const { action } = await settling(authorization, amountRaw);
      expect(() => encodeAction(action)).toThrow("all that was authorized");
    }
  }
  const { action } = await settling(permit2(), 5_000_001n);
  expect(() => encodeAction(action)).toThrow("more than was authorized");
});

test("bytes that are no settlement are read as none", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 800 }), fc.boolean(), (bytes, isExact) => {
      const text = `0x${Buffer.from(bytes).toString("hex")}`;
      expect(decodeProxyCall(isExact ? "exact" : "upto", text)).toBeUndefined();
    }),
  );
});
