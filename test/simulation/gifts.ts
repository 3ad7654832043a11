// Money that strangers send to accounts of ours where nobody looks for payments: nobody books it, so the
// comparison of each account with the books has to show it, to the unit, and nothing else.

import { assets, wholeOf } from "./market.ts";
import type { Asset } from "./market.ts";
import { hotAccount, treasuryAccount } from "./worker.ts";
import type { World } from "./world.ts";

const receivers = { hot: hotAccount.address, treasury: treasuryAccount } as const;

/** As if it were a shop's. */
export function sendGift(world: World): void {
  const { dice } = world;
  const asset = dice.pick(assets);
  const { id: deploymentId, chainId, contractAddress } = asset.deployment;
  const one = world.chains.find(({ chain }) => chain.chainId === chainId);
  if (one === undefined) return;
  const account = dice.pick(["hot", "treasury"] as const);
  const amountRaw = dice.amount(wholeOf(asset), 50n * wholeOf(asset));
  const hash = one.chain.deposit({ to: receivers[account], amountRaw, contractAddress });
  world.gifts.set(hash, { deploymentId, account, amountRaw });
  world.note("arrivals", "gift");
}

/** On the branch that counts. */
export function giftsTo(world: World, { deployment }: Asset, to: string): bigint {
  const one = world.chains.find(({ chain }) => chain.chainId === deployment.chainId);
  return (one?.chain.transfersTo(to) ?? [])
    .filter((of) => of.contractAddress === deployment.contractAddress)
    .filter(({ txHash }) => world.gifts.has(txHash))
    .reduce((sum, { amountRaw }) => sum + amountRaw, 0n);
}

interface Row {
  readonly deployment_id: string;
  readonly account: string;
  readonly above: string;
  readonly told: string | null;
}

/** When all is final. */
export async function checkGifts(world: World): Promise<void> {
  const rows = await world.rows<Row>(
    `select deployment_id, account, (held_raw - booked_raw)::text as above, told_raw::text as told
      from account_differences order by deployment_id, account`,
  );
  for (const asset of assets) {
    const { id } = asset.deployment;
    for (const [account, address] of Object.entries(receivers)) {
      const givenRaw = giftsTo(world, asset, address);
      const row = rows.find((one) => one.deployment_id === id && one.account === account);
      const [above, told] = [BigInt(row?.above ?? 0), BigInt(row?.told ?? 0)];
      if (above === givenRaw && told === givenRaw) continue;
      world.complain(
        `${id}: ${account} was given ${givenRaw} that nobody booked, ${above} were found and ${told} told`,
      );
    }
  }
  const strangers = rows.filter(({ account }) => !Object.keys(receivers).includes(account));
  for (const { deployment_id: id, account, above } of strangers) {
    const dustRaw = BigInt(world.dustHashes.size);
    if (BigInt(above) > 0n && BigInt(above) <= dustRaw) continue;
    world.complain(`${id}: ${account} has ${above} more than the books say, and nobody sent it`);
  }
}
