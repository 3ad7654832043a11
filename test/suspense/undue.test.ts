// What was due to a payer of an authorization and did not leave, after a reorganisation took the settlement
// behind it: nobody gets it twice, and nothing of it stays in the books (threats 48 and 107).

import { beforeEach, expect, test } from "vitest";
import type { OutgoingOutcome } from "../../service/sending/confirmer.ts";
import { query } from "../support/service-parts.ts";
import { authorize, payer } from "../x402/payers.ts";
import { deploymentId, merchant, price, settleDown } from "../x402/scene.ts";
import { finalize, local, scene, shop, useStage } from "../x402/stage.ts";
import { failedRelease, openDesk, setBlocked } from "./desk.ts";

useStage();

/** Nobody else's on this chain. */
const home = "0x00000000000000000000000000000000000A11cE";
const used = 1_250_000n;
const fee = 12_500n;
const rest = price - used;
const divided = { "merchant:available": used - fee, "platform:fees": fee };
const due = { ...divided, "chain:settlement": price, "payer:refund_due": rest };
const debt = "--merchant mer_shop --environment test --deployment dep_usdc_local --amount 23.75";

beforeEach(async () => {
  await setBlocked(false);
  await scene.mine();
});

/** The block of the settlement and all after it are gone, with nothing in their place. */
async function takeSettlementAway(id: string): Promise<void> {
  const [hash = ""] = await scene.sentFor(id);
  const receipt = await local.receipt(hash as `0x${string}`);
  const { number } = await local.newestBlock();
  await local.reorg(Number(number - (receipt?.blockNumber ?? number)) + 1, []);
  await scene.mine();
  await scene.watch();
}

/** A release that is signed and not mined, and its settlement is gone. */
async function releaseUnderWay(): Promise<void> {
  const id = await scene.addPayment();
  await shop.x402.settle(merchant, await authorize(scene, id, { scheme: "upto" }));
  await finalize();
  await scene.reportUsage(shop, id, "1.25");
  await shop.send();
  await takeSettlementAway(id);
  expect(await scene.balances()).toEqual({ "payer:refund_due": rest, "merchant:debt": rest });
}

/** As the confirmer ends it when its transaction was mined, and has reverted or moved nothing. */
async function releaseEnds(status: "reverted" | "succeeded"): Promise<void> {
  const [row] = await query(scene.database)<{ subject_id: string; chain_id: string }>`
    update outgoing_transactions set status = ${status} where purpose = 'x402_release'
    returning subject_id, chain_id`;
  if (row === undefined) throw new Error("there is no release");
  const { subject_id: subjectId, chain_id: chainId } = row;
  const action = {
    kind: "transfer",
    contractAddress: local.usdAddress,
    to: payer.address,
    amountRaw: rest,
  };
  const of = { subjectId, chainId, deploymentId, action };
  const outcome = { ...of, status, at: scene.clock.now() };
  await scene.database.transaction((inside) =>
    shop.x402.onEnded.x402_release(inside, outcome as OutgoingOutcome),
  );
  expect(scene.alarms).toContainEqual(["x402_release_failed", expect.objectContaining({ status })]);
}

const releaseFails = () => releaseEnds("reverted");

test("what the platform has borne is paid back when what was to be sent back is not sent", async () => {
  const { admin } = await openDesk();
  const { id, item } = await failedRelease(() => setBlocked(true));
  await admin(`suspense return ${item} --to ${home} --evidence "a second account"`);
  await takeSettlementAway(id);
  expect(await scene.balances()).toEqual({ "payer:refunding": rest, "merchant:debt": rest });
  expect(await admin(`debt write-off ${debt} --evidence x`)).toMatchObject({ exitCode: 0 });
  expect(await scene.balances()).toEqual({ "payer:refunding": rest, "platform:fees": -rest });
  await shop.send();
  expect(await scene.balances()).toEqual({});
  await settleDown(scene, shop, 6);
  expect(await scene.balances()).toEqual(due);
  expect(await scene.differences()).toEqual([]);
});

test("a release that fails after its settlement is gone is due no more", async () => {
  await releaseUnderWay();
  await releaseFails();
  expect(await scene.balances()).toEqual({});
  // It is due again when the settlement is there again.
  const left = await query(scene.database)`select refund_raw from x402_settlements`;
  expect(left).toEqual([{ refund_raw: null }]);
});

test("what the platform has borne is paid back when a release fails after its settlement is gone", async () => {
  const { admin } = await openDesk();
  await releaseUnderWay();
  expect(await admin(`debt write-off ${debt} --evidence x`)).toMatchObject({ exitCode: 0 });
  await releaseFails();
  expect(await scene.balances()).toEqual({});
});

test("a release that succeeds and moves nothing after its settlement is gone is due no more", async () => {
  await releaseUnderWay();
  await releaseEnds("succeeded");
  expect(await scene.balances()).toEqual({});
  const { suspense } = await openDesk();
  expect(await suspense.list()).toEqual([]);
});

test("a release that has moved nothing is due no more when its settlement goes after that", async () => {
  const id = await scene.addPayment();
  await shop.x402.settle(merchant, await authorize(scene, id, { scheme: "upto" }));
  await finalize();
  await scene.reportUsage(shop, id, "1.25");
  await finalize();
  await shop.send();
  await releaseEnds("succeeded");
  expect(await scene.balances()).toEqual(due);
  await takeSettlementAway(id);
  expect(await scene.balances()).toEqual({});
});

test("a release that had its nonce when its settlement went, and lost it, is due no more", async () => {
  const { admin } = await openDesk();
  const id = await scene.addPayment();
  await shop.x402.settle(merchant, await authorize(scene, id, { scheme: "upto" }));
  await finalize();
  await scene.reportUsage(shop, id, "1.25");
  await setNonce(1_000);
  scene.clock.advance(1_000);
  await takeSettlementAway(id);
  expect(await scene.balances()).toEqual({ "payer:refund_due": rest, "merchant:debt": rest });
  scene.clock.advance(1_000);
  expect(await admin(`debt write-off ${debt} --evidence x`)).toMatchObject({ exitCode: 0 });
  // As long as it has that it may be signed.
  await endUndue();
  expect(await scene.balances()).toEqual({ "payer:refund_due": rest, "platform:fees": -rest });
  await setNonce(null);
  await endUndue();
  expect(await scene.balances()).toEqual({});
  const left = await query(scene.database)`select status, last_problem from outgoing_transactions
    where purpose = 'x402_release'`;
  expect(left).toEqual([{ status: "withdrawn", last_problem: "its settlement is gone" }]);
  await settleDown(scene, shop, 6);
  // It is there again, and its payer gets it.
  await shop.send();
  await scene.mine(6);
  await shop.confirm();
  expect(await scene.balances()).toEqual({ ...divided, "chain:settlement": used });
  expect(await scene.differences()).toEqual([]);
});

async function endUndue(): Promise<void> {
  const job = shop.x402.jobs().find(({ name }) => name === "end-undue-releases");
  if (job === undefined) throw new Error("there is no job that ends them");
  await job.run();
}

/** As the sender writes it down before it asks for a signature, and when nothing was signed. */
async function setNonce(nonce: number | null): Promise<void> {
  await query(scene.database)`update outgoing_transactions set reserved_nonce = ${nonce}::bigint
    where purpose = 'x402_release'`;
}
