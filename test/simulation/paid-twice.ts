// A payment with shares that gets its price twice, both final: what goes away then is the first.

import { runJob } from "./background.ts";
import { assetOf } from "./market.ts";
import type { SimulatedChain } from "./market.ts";
import { calmChain } from "./outside.ts";
import type { World } from "./world.ts";

/** As many as a high value waits for. */
export const blocksUntilFinal = 14;

/** @returns the hash of the second; undefined: nobody can pay such a payment on this chain now */
export async function payTwice(
  world: World,
  one: SimulatedChain,
  payments = world.payments,
): Promise<string | undefined> {
  const { chainId } = one.chain;
  const places = payments.flatMap(({ address, isPriceShared, dues }) => {
    if (address === undefined || !isPriceShared) return [];
    const due = [...dues].find(([id]) => assetOf(id).deployment.chainId === chainId);
    return due === undefined ? [] : [{ to: address, due }];
  });
  const place = world.dice.pickRecent(places);
  if (place === undefined) return undefined;
  calmChain(one);
  const [deploymentId, amountRaw] = place.due;
  const { contractAddress } = assetOf(deploymentId).deployment;
  let hash = "";
  for (let payer = 1; payer <= 2; payer++) {
    hash = one.chain.deposit({ to: place.to, amountRaw, contractAddress });
    one.depositHashes.push(hash);
    mineOne(one);
  }
  for (let mined = 1; mined < blocksUntilFinal; mined++) mineOne(one);
  await readAll(world, one);
  world.note("deposits", "twice");
  return hash;
}

export function mineOne(one: SimulatedChain): void {
  one.blockMilliseconds += one.character.blockSeconds * 1_000;
  one.chain.mine(1, new Date(one.blockMilliseconds));
}

/** Until all that is there was read, and is final. */
export async function readAll(world: World, { chain }: SimulatedChain): Promise<void> {
  const worker = world.worker(0);
  const name = `watch-${chain.chainId.replace(":", "-")}`;
  const job = worker.jobs.all.find((known) => known.name === name);
  if (job === undefined) throw new Error(`there is no job ${name}`);
  while (await runJob(world, worker, job));
}
