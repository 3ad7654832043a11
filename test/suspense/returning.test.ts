// Money that waits for a decision is sent back: by the one queue that sends everything, once, and it is
// back where it was when the chain says no (threat 107).

import { encodeFunctionData } from "viem";
import { describe, expect, test } from "vitest";
import { payer, stranger } from "../x402/payers.ts";
import { settlementAddress } from "../x402/action-signer.ts";
import { merchant, price } from "../x402/scene.ts";
import { local, scene, setStage, shop, useStage } from "../x402/stage.ts";
import { claimUnmatched } from "../../service/chains/unmatched.sql.ts";
import { refuseSentBefore } from "../../service/suspense/items.ts";
import { listClaims } from "../../service/x402/reconciler.sql.ts";
import type { SenderPoint } from "../../service/sending/ports.ts";
import { dyingAt } from "../support/dying.ts";
import { query } from "../support/service-parts.ts";
import {
  cancelledPayment,
  failedRelease,
  onlyItem,
  openDesk,
  sendDown,
  strayItem,
} from "./desk.ts";

useStage();

/** Nobody else's on this chain. */
const home = "0x00000000000000000000000000000000000A11cE";

async function setBlocked(account: string, isBlocked: boolean): Promise<void> {
  await local.rpc("eth_sendTransaction", [
    {
      from: local.ownerAddress,
      to: local.usdAddress,
      data: encodeFunctionData({
        abi: local.abiOf("TestUSD"),
        functionName: "setBlocked",
        args: [account, isBlocked],
      }),
      gas: "0x30d40",
      // Before whatever else is in the block.
      gasPrice: "0x174876e800",
    },
  ]);
}

const refunded = async () => local.balanceOf(home);

describe("what is nobody's", () => {
  test("goes back from the settlement account, with its event in the books only when it is final", async () => {
    const { admin, audited } = await openDesk();
    const item = await strayItem();
    const had = await refunded();
    const wish = `suspense return ${item} --to ${home.toLowerCase()} --evidence "signed by the payer"`;
    const shown = await admin(`${wish} --dry-run`);
    expect(shown.output).toMatch(/payer:refunding +dep_usdc_local +- +-25000000 +-25/);
    await sendDown();
    expect(await refunded()).toBe(had);
    expect(await scene.balances()).toEqual({ "chain:settlement": price, "payer:unmatched": price });

    expect(await admin(wish)).toMatchObject({ exitCode: 0, errors: "" });
    expect(await scene.balances()).toEqual({ "chain:settlement": price, "payer:refunding": price });
    const [, exits = ""] = (await admin("suspense list")).output.split("\n\n");
    expect(exits).toContain(`${item}  `);
    expect(exits).toContain(home);
    await shop.send();
    expect(await scene.balances()).toMatchObject({ "payer:refunding": price });
    await scene.mine(6);
    await shop.confirm();
    expect(await refunded()).toBe(had + price);
    expect(await scene.balances()).toEqual({});
    expect(await audited()).toMatchObject([
      { action: "suspense.sent_back", details: { address: home, evidence: "signed by the payer" } },
    ]);
    expect(await admin(wish)).toMatchObject({ exitCode: 1 });
    await sendDown();
    expect(await refunded()).toBe(had + price);
    expect(await scene.differences()).toEqual([]);
  });

  test("goes to no account of ours, no token, and nowhere that nobody has a key for", async () => {
    const { admin } = await openDesk();
    const item = await strayItem();
    const { hotAddress } = scene.signer.accounts;
    const wrong = [
      settlementAddress,
      hotAddress.toLowerCase(),
      local.usdAddress,
      "0x0000000000000000000000000000000000000000",
      "0x000000000000000000000000000000000000dEaD",
      home.replace("11cE", "11Ce"),
      "0x12",
    ];
    for (const address of wrong) {
      const answer = await admin(`suspense return ${item} --to ${address} --evidence x`);
      expect([address, answer.exitCode, answer.output]).toEqual([address, 1, ""]);
    }
    expect(await scene.balances()).toMatchObject({ "payer:unmatched": price });
  });

  test("is not sent where it would fail, and waits again when an operator cancels it", async () => {
    const { admin, audited } = await openDesk();
    const item = await strayItem();
    const blocked = stranger.address;
    await setBlocked(blocked, true);
    await scene.mine();
    await admin(`suspense return ${item} --to ${blocked} --evidence x`);
    await sendDown();
    expect(await scene.sent()).toEqual([]);
    expect(scene.alarms.map(([what]) => what)).toContain("transaction_would_fail");
    const [, id] = /^(sus_\w+)/m.exec((await admin("suspense list")).output) ?? [];
    expect(await admin(`suspense cancel ${id} --reason "blocked by the token"`)).toMatchObject({
      exitCode: 0,
    });
    expect(await scene.balances()).toEqual({ "chain:settlement": price, "payer:unmatched": price });
    expect(await admin(`suspense cancel ${id} --reason x`)).toMatchObject({ exitCode: 1 });
    expect((await audited()).map(({ action }) => action)).toEqual([
      "suspense.sent_back",
      "suspense.cancelled",
    ]);
    await setBlocked(blocked, false);
    await scene.mine();
    await sendDown();
    expect(await scene.sent()).toEqual([]);
    const had = await refunded();
    await admin(`suspense return ${item} --to ${home} --evidence x`);
    await sendDown();
    expect(await refunded()).toBe(had + price);
    expect(await scene.differences()).toEqual([]);
  });

  test("that was mined and reverted is back where it was, and can be decided about again", async () => {
    const { admin } = await openDesk();
    const item = await strayItem();
    await admin(`suspense return ${item} --to ${home} --evidence x`);
    await shop.send();
    await setBlocked(home, true);
    await scene.mine(6);
    await shop.confirm();
    expect(await scene.balances()).toEqual({ "chain:settlement": price, "payer:unmatched": price });
    expect(scene.alarms).toContainEqual([
      "refund_failed",
      expect.objectContaining({ reason: "reverted" }),
    ]);
    await setBlocked(home, false);
    await scene.mine();
    expect(await onlyItem()).toBe(item);
    const had = await refunded();
    await admin(`suspense return ${item} --to ${home} --evidence y`);
    await sendDown();
    expect(await refunded()).toBe(had + price);
    expect(await scene.balances()).toEqual({});
    expect(await scene.differences()).toEqual([]);
  });
});

test("what came for a cancelled payment goes back from the hot account, where its money is brought", async () => {
  const { admin } = await openDesk();
  const { item } = await cancelledPayment();
  const { hotAddress } = scene.signer.accounts;
  await local.mint(hotAddress, price);
  await scene.watch();
  const [had, hot] = [await refunded(), await local.balanceOf(hotAddress)];
  await admin(`suspense return ${item} --to ${home} --evidence x`);
  await sendDown();
  expect(await refunded()).toBe(had + price);
  expect(await local.balanceOf(hotAddress)).toBe(hot - price);
  expect(await scene.balances()).toEqual({ "chain:settlement": price, "chain:hot": -price });
  expect(await scene.differences()).toEqual([]);
});

test("what a payer could not be given back goes to another address of theirs, and its merchant hears of it", async () => {
  const { admin } = await openDesk();
  const { id, item } = await failedRelease(() => setBlocked(payer.address, true));
  expect(await scene.balances()).toMatchObject({ "payer:refund_due": price - 1_250_000n });
  const toPayment = await admin(`suspense credit ${item} --payment ${id} --evidence x`);
  expect(toPayment.errors).toContain("is what a payer did not get back");
  const had = await refunded();
  await admin(`suspense return ${item} --to ${home} --evidence "a second account of the payer"`);
  await setBlocked(payer.address, false);
  await sendDown();
  await sendDown();
  // Once, and not by the release that had waited.
  expect(await refunded()).toBe(had + price - 1_250_000n);
  const balances = await scene.balances();
  expect(balances).toMatchObject({ "chain:settlement": 1_250_000n });
  expect(balances).not.toHaveProperty("payer:refund_due");
  expect(await scene.events(id)).toContain("x402.released");
  expect(await admin(`suspense write-off ${item} --evidence x`)).toMatchObject({ exitCode: 1 });
  expect(await scene.differences()).toEqual([]);
});

test("what a release has moved, if only in part, is not given again", async () => {
  const refusal = (release: "succeeded" | "reverted") => {
    const source = { kind: "refund", settlementId: "stl_1", release } as const;
    return refuseSentBefore(scene.database, { id: "stl_1", source });
  };
  await expect(refusal("succeeded")).rejects.toThrow(/has moved something else than the books say/);
  await refusal("reverted");
});

describe("a reorganisation that takes away", () => {
  test("what was sent back leaves a loss of the platform; when it comes again, nobody gets it twice", async () => {
    const { admin } = await openDesk();
    const item = await strayItem();
    const [, hash] = item.split("/");
    const raw = await local.rawOf(hash as `0x${string}`);
    await local.mint(settlementAddress, price);
    await admin(`suspense return ${item} --to ${home} --evidence x`);
    await sendDown();
    const sent = await scene.sent();
    const again = await Promise.all(sent.map((one) => local.rawOf(one as `0x${string}`)));
    await local.reorg(14, []);
    // What we have sent is mined again; what the payer has sent is not, so far.
    for (const one of again) await local.rpc("eth_sendRawTransaction", [one]);
    await local.mint(settlementAddress, price);
    await scene.mine(6);
    await scene.watch();
    await shop.tellGone();
    expect(scene.alarms).toContainEqual([
      "suspense_money_gone",
      expect.objectContaining({ way: "sent_back" }),
    ]);
    expect(await scene.balances()).toMatchObject({ "platform:fees": -price });

    await local.rpc("eth_sendRawTransaction", [raw]);
    await scene.mine(6);
    await scene.watch();
    // Nor does somebody who settles, before it is booked as nobody's and after.
    const [chainId = ""] = item.split("/");
    const place = { chainId, txHash: hash ?? "", logIndex: 0 };
    const stranger = { id: "stl_other", paymentId: "pay_other" };
    const claimed = await scene.database.run(claimUnmatched, { ...place, paymentId: "pay_other" });
    expect(claimed).toEqual([]);
    expect(await scene.database.run(listClaims, { ...place, ...stranger })).toEqual([
      { log_index: 0 },
    ]);
    await shop.match();
    expect(await scene.database.run(listClaims, { ...place, ...stranger })).toHaveLength(1);
    const items = (await admin("suspense list")).output
      .split("\n")
      .filter((row) => row.includes(hash ?? ""));
    expect(items).toHaveLength(1);
    const [second = ""] = (items[0] ?? "").split(" ");
    for (const way of [
      `suspense return ${second} --to ${home} --evidence x`,
      `suspense credit ${second} --merchant ${merchant.merchantId} --environment test --evidence x`,
    ]) {
      const refused = await admin(way);
      expect(refused.errors).toMatch(/was sent back already, as sus_\w+, before a reorganisation/);
    }
    await admin(`suspense write-off ${second} --evidence "sent back before"`);
    expect((await scene.balances())["platform:fees"]).toBeUndefined();
    expect(await scene.differences()).toEqual([]);
  });

  test("what waits to be sent back: nothing is sent, and nobody has lost anything", async () => {
    const { admin } = await openDesk();
    const item = await strayItem();
    await admin(`suspense return ${item} --to ${home} --evidence x`);
    const had = await refunded();
    await local.reorg(6, []);
    await scene.mine(2);
    await scene.watch();
    expect(await scene.balances()).toEqual({ "payer:refunding": price, "platform:fees": -price });
    await sendDown();
    expect(await refunded()).toBe(had);
    expect(await scene.sent()).toEqual([]);
    expect(await scene.balances()).toEqual({});
    expect(await scene.differences()).toEqual([]);
  });
});

test("what moved something else than it should is unknown until an operator says what became of it", async () => {
  const { admin, audited } = await openDesk();
  const item = await strayItem();
  await admin(`suspense return ${item} --to ${home} --evidence x`);
  const [, id] = /^(sus_\w+)/m.exec((await admin("suspense list")).output) ?? [];
  const codeOf = (address: string) => local.rpc("eth_getCode", [address, "latest"]);
  const [own, other] = [await codeOf(local.usdAddress), await local.deploy("FeeToken")];
  await local.rpc("anvil_setCode", [local.usdAddress, await codeOf(other)]);
  const had = await refunded();
  await sendDown();
  await local.rpc("anvil_setCode", [local.usdAddress, own]);
  await scene.mine();
  // One in a hundred is kept by the token.
  expect(await refunded()).toBe(had + (price / 100n) * 99n);
  expect(await scene.balances()).toMatchObject({ "payer:refunding": price });
  expect(scene.alarms.map(([what]) => what)).toContain("unclear_refund");
  expect((await admin(`suspense cancel ${id} --reason x`)).errors).toContain("the chain decides");
  const decided = await admin(`suspense decide ${id} --as sent --reason "the token has a fee"`);
  expect(decided).toMatchObject({ exitCode: 0 });
  await shop.confirm();
  expect(await scene.balances()).toEqual({});
  expect((await audited()).map(({ action }) => action)).toEqual([
    "suspense.sent_back",
    "suspense.decided",
  ]);
  const late = await admin(`suspense decide ${id} --as failed --reason x`);
  expect(late.errors).toBe(`${id} has ended: it is done.\n`);
  expect(await scene.differences()).toEqual([]);
});

const points = [
  "leased",
  "claimed",
  "signed",
  "stored",
  "sent",
] as const satisfies readonly SenderPoint[];

test.each(points)("a process killed when it has %s: sent back once", async (point) => {
  await setStage("PostgreSQL");
  const { admin } = await openDesk();
  const item = await strayItem();
  const had = await refunded();
  await admin(`suspense return ${item} --to ${home} --evidence x`);
  const { died, reached } = dyingAt(point);
  const own: ReadonlySet<string> = new Set(points);
  const isOwn = (at: string): at is SenderPoint => own.has(at);
  const dying = scene.startProcess({
    reached: async (at) => {
      if (isOwn(at)) await reached(at);
    },
  });
  void dying.send();
  await died;
  scene.clock.advance(600_000);
  await shop.send();
  await scene.mine(6);
  await shop.confirm();
  expect(await refunded()).toBe(had + price);
  expect(await scene.balances()).toEqual({});
  const sent = await query(scene.database)<{ count: number }>`
    select count(*)::integer as count from outgoing_transactions where purpose = 'refund'`;
  expect(sent).toEqual([{ count: 1 }]);
  expect(await scene.differences()).toEqual([]);
});
