// What an address has signed and the settlement account handed in, read back from a real chain after the database was
// put back to a moment before (threat 19).

import { expect, test } from "vitest";
import { ForgottenSweeps } from "../../service/sweeps/forgotten.ts";
import { query } from "../support/service-parts.ts";
import { engines } from "../support/engines.ts";
import { accountOf, testAccounts } from "../support/test-accounts.ts";
import { openDesk } from "../suspense/desk.ts";
import { signed, stranger } from "../x402/payers.ts";
import { price } from "../x402/scene.ts";
import { settlementAddress } from "../x402/action-signer.ts";
import { local, scene, setStage, shop, useStage } from "../x402/stage.ts";

useStage();

let addresses = 0;

/** A payment that was paid to its address, final and booked. */
async function paidAddress() {
  addresses += 1;
  const account = accountOf(`0x${(0xabc0 + addresses).toString(16).padStart(64, "0")}`);
  const id = await scene.addPayment();
  await query(scene.database)`insert into deposit_addresses
      (chain_family, derivation_index, address, payment_id, created_at)
    values ('evm', ${addresses}, ${account.address}, ${id}, ${scene.clock.now()}) returning address`;
  await local.mint(stranger.address, price);
  await local.transfer({ from: stranger.address, to: account.address, amountRaw: price });
  await scene.mine(6);
  await scene.watch();
  return account;
}

/** By the process that is lost. */
async function collectForgotten(account: ReturnType<typeof accountOf>, amountRaw: bigint) {
  const { chain, signer } = scene;
  const to = signer.accounts.hotAddress;
  const authorized = await signed(scene, { payer: account, to, amountRaw });
  const { txHash, raw } = await signer.signAction(chain.chainId, {
    account: { role: "settlement" },
    nonce: await chain.minedCount(settlementAddress),
    action: { kind: "settle", signed: { ...authorized, domain: null }, amountRaw },
    gasUnitsMax: 200_000n,
    fees: await chain.fees(),
  });
  await chain.send(raw);
  await scene.mine();
  await scene.watch();
  return { txHash, authorization: authorized.authorization };
}

test.each(engines)("a sweep is remembered, and its end books it (%s)", async (engine) => {
  await setStage(engine);
  await openDesk();
  const account = await paidAddress();
  const before = await scene.balances();
  expect(before["chain:deposit_addresses"]).toBe(price);
  const { txHash, authorization } = await collectForgotten(account, price);
  const { chain, catalog } = scene;
  const { method, ...collect } = authorization;
  expect(method).toBe("eip3009");
  expect(await chain.minedTransaction(txHash)).toMatchObject({
    account: settlementAddress,
    transfer: undefined,
    collect,
  });
  const forgotten = new ForgottenSweeps({
    ...scene,
    catalog,
    chainOf: () => Promise.resolve(chain),
  });
  const reason = "found in the log of the signer";
  const remembered = await forgotten.remember(chain.chainId, txHash, reason);
  expect(remembered).toMatchObject({ purpose: "sweep", as: "first" });
  await scene.mine(6);
  await shop.confirm();
  const { "chain:deposit_addresses": left = 0n, "chain:hot": hot } = await scene.balances();
  expect([left, hot]).toEqual([0n, price]);
  expect(await query(scene.database)`select status from sweeps`).toEqual([{ status: "moved" }]);
  expect(await scene.differences()).toEqual([]);
  await expect(forgotten.remember(chain.chainId, txHash, reason)).rejects.toThrow("is known here");
});

test("what a payer has signed is no sweep", async () => {
  await openDesk();
  const [, , , , , payer] = testAccounts;
  await local.mint(payer.address, price);
  const { txHash } = await collectForgotten(payer, price);
  const { chain } = scene;
  const forgotten = new ForgottenSweeps({ ...scene, chainOf: () => Promise.resolve(chain) });
  await expect(forgotten.remember(chain.chainId, txHash, "a look")).rejects.toThrow(
    `${payer.address}, which has signed it, is the address of no payment here`,
  );
});
