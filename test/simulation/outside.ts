// What happens to the chains, to the time, and to the servers of merchants; and what the operator
// does.

import { OperatorError } from "../../service/operator-error.ts";
import type { ChainMethod } from "../support/scripted-faults.ts";
import { amountOf } from "../../service/amounts.ts";
import { assets, wholeOf } from "./market.ts";
import type { Asset, SimulatedChain } from "./market.ts";
import type { Mood } from "./receivers.ts";
import type { MissedPeriodRule } from "../../service/database/words.ts";
import type { Owner } from "../../service/owner.ts";
import type { KeyKind, World } from "./world.ts";
import { hotAccount, settlementAccount } from "./worker.ts";

const secondMilliseconds = 1_000;
const dayMilliseconds = 86_400_000;
const gwei = 1_000_000_000n;
const calmFee = 10n * gwei;

/** Blocks until the chain is about where the time is; one at least. */
export function mine(world: World, one: SimulatedChain): void {
  const blockMilliseconds = one.character.blockSeconds * secondMilliseconds;
  const behind = world.nowMilliseconds - one.blockMilliseconds;
  const count = Math.min(3, Math.max(1, Math.floor(behind / blockMilliseconds)));
  const from = one.blockMilliseconds;
  for (let mined = 1; mined <= count; mined++) {
    const later = Math.floor((behind * mined) / count);
    one.blockMilliseconds = from + Math.max(secondMilliseconds * mined, later);
    one.chain.mine(1, new Date(one.blockMilliseconds));
  }
  world.note("blocks");
}

/** By how much the depth of the one chain that takes back what was final goes beyond its finality. */
export const beyondFinality = 20;

/** Never so deep that what is final is gone. */
export function reorganize(world: World, one: SimulatedChain): void {
  const { dice } = world;
  const depth = dice.between(1, one.character.safeDepth);
  const transactions = dice.pick(["same", "later", "dropped", "pool"] as const);
  one.chain.reorg(depth, { transactions, logsBefore: dice.between(0, 2) });
  // The new branch may be a block longer.
  one.blockMilliseconds += 12 * secondMilliseconds;
  world.note("reorgs", transactions);
}

/**
 * Deeper than anybody expected: deposits that were final are gone. What we have sent, and has ended, stays
 * where it is, since nothing brings such money back, and mined again it would cost another gas; the books
 * say so rightly.
 *
 * `spared` is the hash of a deposit that stays.
 */
export async function reorganizeDeep(
  world: World,
  one: SimulatedChain,
  { depthMin = 0, spared }: { readonly depthMin?: number; readonly spared?: string } = {},
): Promise<void> {
  const { dice } = world;
  const { chain, character } = one;
  chain.faults.clear();
  let depth = Math.max(depthMin, character.safeDepth + dice.between(1, beyondFinality));
  const head = await chain.head();
  const ended = await world.rows<{ tx_hash: string }>(
    `select tx_hash from withdrawals
    where chain_id = $1 and status in ('confirmed', 'failed')
      and tx_hash is not null
    union all
    select tx_hash from outgoing_transactions
    where chain_id = $1 and status in ('succeeded', 'reverted')
    order by tx_hash`,
    [chain.chainId],
  );
  for (const { tx_hash: hash } of ended) {
    const receipt = await chain.receipt(hash);
    const blocksAfter = Number(head.number - (receipt?.block.number ?? 0n));
    depth = Math.min(depth, blocksAfter);
  }
  if (depth <= character.safeDepth) return;
  const drop = one.depositHashes.slice(-10).filter((hash) => hash !== spared && dice.chance(0.8));
  chain.reorg(depth, { transactions: dice.pick(["same", "later"] as const), drop });
  one.blockMilliseconds += 12 * secondMilliseconds;
  world.note("reorgs", "deeper than finality");
}

const methods: readonly ChainMethod[] = [
  "head",
  "block",
  "balance",
  "minedCount",
  "fees",
  "send",
  "receipt",
];

export function disturbChain(world: World, one: SimulatedChain): void {
  const { dice } = world;
  const { chain } = one;
  const kind = dice.pick([
    "away",
    "lost",
    "old",
    "other",
    "pool",
    "fees",
    "reverting",
    "reverting",
    "hiding",
  ]);
  const times = dice.between(1, 3);
  if (kind === "away") world.fault(one, dice.pick(methods), { kind: "unavailable" }, times);
  // It is sent, and nobody hears so.
  if (kind === "lost") world.fault(one, "send", { kind: "lost" }, times);
  if (kind === "old") world.fault(one, "head", { kind: "old", blocks: dice.between(1, 4) }, times);
  if (kind === "other") world.fault(one, "head", { kind: "other_chain" }, times);
  if (kind === "pool") chain.dropPool();
  if (kind === "hiding") world.isHidingTransfers = !world.isHidingTransfers;
  if (kind === "fees") {
    chain.baseFee = BigInt(dice.pick([5, 20, 60, 200])) * gwei;
    chain.acceptedFeeMin = dice.chance(0.3) ? chain.baseFee : 0n;
    chain.perBlockMax = dice.chance(0.5) ? 1 : Number.POSITIVE_INFINITY;
  }
  if (kind === "reverting") {
    const here = assets.filter(({ deployment }) => deployment.chainId === chain.chainId);
    const contract = dice.pick(here).deployment.contractAddress ?? "coin";
    if (!chain.reverting.delete(contract)) chain.reverting.add(contract);
    world.hasFailed.add(`${chain.chainId} ${contract}`);
  }
  if (["pool", "fees", "reverting"].includes(kind)) world.note("faults", kind);
}

export function calmChain({ chain }: SimulatedChain): void {
  chain.faults.clear();
  chain.reverting.clear();
  chain.baseFee = calmFee;
  chain.acceptedFeeMin = 0n;
  chain.perBlockMax = Number.POSITIVE_INFINITY;
}

const moods: readonly Mood[] = ["healthy", "healthy", "failing", "busy", "late", "away", "gone"];

export function changeMood(world: World): void {
  const endpoint = world.dice.pickIfAny(world.endpoints);
  if (endpoint !== undefined) world.receivers.setMood(endpoint.url, world.dice.pick(moods));
}

export function passTime(world: World): void {
  world.nowMilliseconds += world.dice.between(1, 40) * secondMilliseconds;
}

/** Hours, and now and then days. */
export function jumpInTime(world: World): void {
  const { dice } = world;
  const days = dice.chance(0.3) ? dice.between(1, 9) : dice.between(1, 20) / 24;
  world.nowMilliseconds += Math.floor(days * dayMilliseconds);
  world.note("jumps in time");
  // Some chains go on meanwhile, others seem to stand still.
  for (const one of world.chains) if (dice.chance(0.8)) mine(world, one);
}

/** Coins into the hot account, on the chain and in the books. */
export async function refill(world: World, asset: Asset, whole: bigint): Promise<void> {
  const { id: deploymentId, chainId, contractAddress, decimals } = asset.deployment;
  const amountRaw = whole * wholeOf(asset);
  const one = world.chains.find(({ chain }) => chain.chainId === chainId);
  one?.chain.mint(hotAccount.address, contractAddress, amountRaw);
  const amount = amountOf(amountRaw, decimals);
  const worker = world.anyWorker();
  worker.life.destine(undefined);
  await worker.ledger.own.fund({ deploymentId, amount });
  if (contractAddress !== null) return;
  // It pays the gas of sweeps.
  one?.chain.mint(settlementAccount, null, amountRaw);
  await worker.ledger.own.fund({ deploymentId, amount, account: "settlement" });
}

const chores = [
  "refill",
  "refill",
  "review",
  "review",
  "subscribe",
  "subscribe",
  "suspend",
  "stop",
  "fee",
  "limit",
  "disable",
  "revoke",
] as const;

/** What an operator may do on an ordinary day. */
export async function operate(world: World): Promise<void> {
  const { dice } = world;
  const worker = world.anyWorker();
  worker.life.destine(undefined);
  const what = dice.pick(chores);
  const asset = dice.pick(assets);
  const { id: deploymentId, chainId } = asset.deployment;
  try {
    if (what === "refill") await refill(world, asset, 400n);
    if (what === "review") await review(world);
    if (what === "subscribe") await subscribe(world, asset);
    if (what === "suspend") await suspend(world);
    if (what === "fee") await worker.policy.setFee(deploymentId, dice.pick(["0", "0.1", "0.25"]));
    if (what === "stop") {
      if (dice.chance(0.3)) await worker.policy.stop(chainId, "a simulated doubt");
      else await worker.policy.resume(chainId);
    }
    if (what === "limit") {
      const single = dice.pick([null, "100", "250"]);
      await worker.policy.setLimits(deploymentId, { single, daily: dice.pick([null, "500"]) });
    }
    if (what === "revoke") await replaceKey(world);
    if (what === "disable" && dice.chance(0.3)) {
      const address = dice.pickIfAny(world.addresses);
      if (address !== undefined) await worker.withdrawAddresses.disable(address.id);
    }
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
  }
}

/** Those above a limit. */
export async function review(world: World): Promise<void> {
  const { policy } = world.anyWorker();
  for (const { withdrawal } of await policy.held()) {
    const isGood = world.dice.chance(0.7);
    await world.insist(() =>
      isGood ? policy.approve(withdrawal.id) : policy.reject(withdrawal.id, "a simulated reason"),
    );
  }
}

interface SubscriptionWish {
  readonly owner?: Owner;
  readonly intervalSeconds?: number;
  readonly missedPeriods?: MissedPeriodRule;
}

export async function subscribe(
  world: World,
  asset: Asset,
  wish: SubscriptionWish = {},
): Promise<void> {
  const { dice } = world;
  const { isTestNetwork } = asset.deployment;
  const visible = world.owners.filter(
    ({ environment }) => environment === "test" || !isTestNetwork,
  );
  const owner = wish.owner ?? dice.pick(visible);
  const { id } = await world.anyWorker().subscriptions.create(owner, {
    currencyId: asset.currencyId,
    chainId: asset.deployment.chainId,
    amount: "12",
    intervalSeconds: wish.intervalSeconds ?? dice.pick([86_400, 7 * 86_400]),
    missedPeriods: wish.missedPeriods ?? dice.pick(["collapse", "each"] as const),
    userId: null,
    firstBillAt: undefined,
  });
  world.subscriptions.push({ id, owner });
}

/** As one of before the rule: the operator's command gives live keys from anywhere no such rights. */
export async function issueKey(world: World, owner: Owner, kind: KeyKind): Promise<void> {
  const { merchantId, environment } = owner;
  const id = `mk_${environment}_${merchantId}x${world.keys.length}`;
  await world.rows(
    `insert into api_keys (id, merchant_id, environment, secret_sealed, scopes, cidrs, created_at)
      values ($1, $2, $3, '', '{payouts:write}', $4::text[], $5)`,
    [id, merchantId, environment, kind === "bound" ? ["127.0.0.0/8"] : [], nowOf(world)],
  );
  world.keys.push({ id, owner, kind });
}

/** Somebody else may have had it, or it is merely not needed any more; there is a new one at once. */
export async function replaceKey(world: World, isForCause = world.dice.chance(0.7)): Promise<void> {
  const { id, owner, kind } = world.dice.pick(world.keys);
  const isUsed = world.keyOf(owner, kind) === id;
  await world.anyWorker().apiKeys.revoke(id, { isForCause });
  world.note("revocations", isForCause ? "for cause" : "");
  if (isForCause) world.runsOfStolenKeys.set(id, await countRuns(world, id));
  if (isUsed) await issueKey(world, owner, kind);
}

/** Of all that a key has made. */
export async function countRuns(world: World, keyId: string): Promise<number> {
  const [row] = await world.rows<{ count: number }>(
    `select count(*)::int as count from payout_runs r
      join payout_schedules s on s.id = r.schedule_id where s.api_key_id = $1`,
    [keyId],
  );
  return row?.count ?? 0;
}

function nowOf(world: World): Date {
  return new Date(world.nowMilliseconds);
}

async function suspend(world: World): Promise<void> {
  const { merchantId } = world.dice.pick(world.owners);
  const isSuspended = world.isSuspended.delete(merchantId);
  if (!isSuspended) world.isSuspended.add(merchantId);
  await world.anyWorker().merchants.setStatus(merchantId, isSuspended ? "active" : "suspended");
  world.note("suspensions");
}

/** Whoever has a withdrawal that was claimed and not sent. */
export async function suspendClaimed(world: World): Promise<void> {
  const [row] = await world.rows<{ merchant_id: string }>(
    `select merchant_id from withdrawals where status = 'processing' order by id limit 1`,
  );
  if (row === undefined || world.isSuspended.has(row.merchant_id)) return;
  world.isSuspended.add(row.merchant_id);
  await world.anyWorker().merchants.setStatus(row.merchant_id, "suspended");
  world.note("suspensions", "of what was claimed");
}
