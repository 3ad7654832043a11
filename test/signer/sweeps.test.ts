// What the signer makes of a sweep by authorization, on a real chain: the deposit address has no coin
// and needs none, and its money arrives at the hot account once.

import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { openDepositAddresses } from "../../adapters/evm/deposit-addresses.ts";
import type { ActionIntent } from "../../service/ports/signer.ts";
import { useChain } from "../withdrawals/on-chain.ts";
import { usdc, whole } from "../withdrawals/scene.ts";

const world = useChain();

test("a token with EIP-3009 leaves a deposit address that has no coin", async () => {
  const { node, chain, signer } = world();
  const { hotAddress, settlementAddress, depositPublicKey } = signer.accounts;
  const index = 42n;
  const from = openDepositAddresses(depositPublicKey).derive(index);
  await node.giveCoin(settlementAddress, 10n ** 18n);
  await node.mint(from, 7n * whole, usdc.contractAddress);
  const before = await node.balanceOf(hotAddress, usdc.contractAddress);
  const authorization = {
    method: "eip3009",
    contractAddress: usdc.contractAddress,
    from,
    to: hotAddress,
    amountRaw: 7n * whole,
    validAfter: 0n,
    validBefore: (await node.newestBlock()).timestamp + 3_600n,
    nonce: `0x${randomBytes(32).toString("hex")}`,
  } as const;
  const intent: ActionIntent = {
    account: { role: "settlement" },
    nonce: 0n,
    action: { kind: "collect", index, domain: { name: "Test USD", version: "2" }, authorization },
    gasUnitsMax: 150_000n,
    fees: await chain.fees(),
  };
  const { raw, txHash } = await signer.signAction(chain.chainId, intent);
  expect(await chain.send(raw)).toBe("accepted");
  await node.mine();
  const receipt = await chain.settlementReceipt(txHash, authorization);
  expect(receipt).toMatchObject({ isSuccess: true, isAuthorizationUsed: true });
  expect(await node.balanceOf(from, usdc.contractAddress)).toBe(0n);
  expect(await node.balanceOf(from, null)).toBe(0n);
  expect((await node.balanceOf(hotAddress, usdc.contractAddress)) - before).toBe(7n * whole);
  // Its own coin goes by a plain transfer, to ourselves only.
  await node.giveCoin(from, 10n ** 18n);
  const account = { role: "deposit", index } as const;
  const fees = await chain.fees();
  const sweepTo = (to: string): ActionIntent => ({
    account,
    nonce: 0n,
    action: { kind: "transfer", to, contractAddress: null, amountRaw: 10n ** 17n },
    gasUnitsMax: 21_000n,
    fees,
  });
  await expect(signer.signAction(chain.chainId, sweepTo(settlementAddress))).rejects.toThrow(
    /goes to the hot account or the treasury only/,
  );
  const coins = await node.balanceOf(hotAddress, null);
  const swept = await signer.signAction(chain.chainId, sweepTo(hotAddress));
  expect(await chain.send(swept.raw)).toBe("accepted");
  await node.mine();
  expect((await node.balanceOf(hotAddress, null)) - coins).toBe(10n ** 17n);
});
