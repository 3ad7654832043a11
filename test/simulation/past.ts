// What an account of ours did before this database: a database that was restored from a backup of
// before its first nonce knows nothing of it. It has to be found before anything is sent from there.

import { amountOf } from "../../service/amounts.ts";
import { addressOf } from "../support/scripted-signer.ts";
import { assets } from "./market.ts";
import type { SimulatedChain } from "./market.ts";
import { beyondFinality } from "./outside.ts";
import { hotAccount } from "./worker.ts";
import type { World } from "./world.ts";

const coinRaw = 10n ** 18n;
const fees = { maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 11n };

/** Nonces of the hot account are used, and the signer remembers that, as the chain does. */
export async function liveBefore(world: World, one: SimulatedChain, count: number): Promise<void> {
  const { chain } = one;
  const { chainId } = chain;
  // What it signed before, it signed with a clock that was right.
  world.signer.skewMilliseconds = 0;
  const before = await chain.balance(hotAccount.address, null);
  chain.mint(hotAccount.address, null, coinRaw);
  for (let left = count; left > 0; left--) {
    const { raw } = await world.signer.signAction(chainId, {
      account: { role: "hot" },
      nonce: await chain.minedCount(hotAccount.address),
      action: {
        kind: "transfer",
        to: addressOf("somebody of before"),
        contractAddress: null,
        amountRaw: 1n,
      },
      gasUnitsMax: 21_000n,
      fees,
    });
    await chain.send(raw);
    chain.mine(1);
  }
  // What is long past is out of reach: another branch would mine it again at another price of gas.
  chain.mine(one.character.safeDepth + beyondFinality);
  await bookRest(world, chainId, (await chain.balance(hotAccount.address, null)) - before);
  world.pastBlocks.set(chainId, (await chain.head()).number);
  world.unfoundPasts.set(chainId, await countStops(world, chainId));
  world.note("lives before", chainId);
}

async function bookRest(world: World, chainId: string, restRaw: bigint): Promise<void> {
  const coin = assets.find(
    ({ deployment }) => deployment.chainId === chainId && deployment.contractAddress === null,
  );
  if (coin === undefined) throw new Error(`${chainId} has a coin`);
  const { id: deploymentId, decimals } = coin.deployment;
  const amount = amountOf(restRaw, decimals);
  await world.worker(0).ledger.own.fund({ deploymentId, amount });
}

/** How often the service has stopped a chain by itself for what the hot account did there. */
async function countStops(world: World, chainId: string): Promise<number> {
  const rows = await world.rows(
    `select 1 from audit_entries where action = 'withdrawals.stopped' and actor = 'system'
      and subject_id = $1 and details like $2`,
    [chainId, `%"account":"${hotAccount.address}"%`],
  );
  return rows.length;
}

/** A process may die, or lose its connection, between the stop that it wrote and its alarm. */
async function forgetStopped(world: World): Promise<void> {
  for (const [chainId, stopsBefore] of world.unfoundPasts) {
    if ((await countStops(world, chainId)) > stopsBefore) world.unfoundPasts.delete(chainId);
  }
}

/** Nothing was sent from an account whose past nobody has found yet. */
export async function checkPasts(world: World): Promise<void> {
  await forgetStopped(world);
  for (const chainId of world.unfoundPasts.keys()) {
    const rows = await world.rows<{ nonce: string }>(
      `select nonce::text from sender_nonces where chain_id = $1 and account = $2`,
      [chainId, hotAccount.address],
    );
    for (const { nonce } of rows) {
      world.complain(
        `nonce ${nonce} on ${chainId} was given before the past of its account was found`,
      );
    }
  }
}

export async function checkPastsFound(world: World): Promise<void> {
  await forgetStopped(world);
  for (const chainId of world.unfoundPasts.keys()) {
    world.complain(`what the hot account did on ${chainId} before was never found`);
  }
}
