// Bringing a simulated world to rest, so that what must be equal in the end can be compared.

import { drain } from "./background.ts";
import { sendCall } from "./client.ts";
import { assets } from "./market.ts";
import * as merchants from "./merchants.ts";
import * as outside from "./outside.ts";
import type { World } from "./world.ts";

const minuteMilliseconds = 60_000;
const hourMilliseconds = 60 * minuteMilliseconds;
/** Enough for every finality and for a lease to run out. */
const blockRounds = 14;
/** What was let go only in one of the last of them needs as many again. */
const blockRoundsMax = 2 * blockRounds;
/** As long as a delivery is tried, and as a payment can be open. */
const longRounds = 9;
const longHours = 25;
const reviewsMax = 20;

/** Nothing is taken away any more, and what was sent or paid becomes final; life goes on. */
export async function settleChains(world: World): Promise<void> {
  world.isHidingTransfers = false;
  world.signer.skewMilliseconds = 0;
  world.restart();
  for (const one of world.chains) outside.calmChain(one);
  const isOver = async (round: number): Promise<boolean> =>
    round === blockRoundsMax || (round >= blockRounds && !(await isAnyMinedAndOpen(world)));
  for (let round = 0; !(await isOver(round)); round++) {
    world.nowMilliseconds += minuteMilliseconds;
    for (const one of world.chains) outside.mine(world, one);
    await drain(world, world.worker(round % 2 === 0 ? 0 : 1));
  }
}

/** On a chain, and not yet in the books; what waited for its turn may be sent at any time. */
async function isAnyMinedAndOpen(world: World): Promise<boolean> {
  const open = await world.rows<{ chain_id: string; tx_hash: string }>(
    `select o.chain_id, a.tx_hash from outgoing_transactions o
      join outgoing_attempts a on a.outgoing_id = o.id where o.status = 'broadcast'`,
  );
  return open.some(({ chain_id: chainId, tx_hash: hash }) =>
    world.chains.some(({ chain }) => chain.chainId === chainId && chain.isMined(hash)),
  );
}

/** Everything has an end: what repeats itself is stopped, what waits for somebody is decided. */
export async function settleEverything(world: World): Promise<void> {
  world.restart();
  world.receivers.calm();
  const worker = world.worker(0);
  for (const merchantId of world.isSuspended)
    await worker.merchants.setStatus(merchantId, "active");
  world.isSuspended.clear();
  world.signer.skewMilliseconds = 0;
  // What stops at its first turn has had that, before everything is let go on.
  for (const one of world.chains) outside.calmChain(one);
  await drain(world, worker);
  for (const { chainId } of assets.map(({ deployment }) => deployment)) {
    await worker.policy.resume(chainId).catch(() => undefined);
  }
  // First what nobody knows the end of: it may have made one more thing that repeats itself.
  for (const call of world.calls.filter(({ isOpen }) => isOpen))
    await sendCall(world, worker, call);
  const endings = [
    ...world.subscriptions.map((one) => merchants.cancelSubscription(world, one)),
    ...world.schedules.map((one) => merchants.pauseSchedule(world, one)),
    ...world.endpoints.map((one) => merchants.switchEndpoint(world, one)),
  ];
  for (const call of endings) if (call !== undefined) await sendCall(world, worker, call);
  for (const asset of assets) await outside.refill(world, asset, 100_000n);
  for (let left = reviewsMax; left > 0; left--) await outside.review(world);
  await settleChains(world);
  for (let round = 0; round < longRounds; round++) {
    world.nowMilliseconds += longHours * hourMilliseconds;
    for (const one of world.chains) outside.mine(world, one);
    await drain(world, world.worker(0));
    await drain(world, world.worker(1));
  }
}
