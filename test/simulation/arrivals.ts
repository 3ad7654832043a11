// What strangers bring to the settlement account: authorizations that a payer has signed for a payment,
// handed in by somebody else and never settled by its merchant; and tokens that nobody has signed for.

import { ServiceError } from "../../service/errors.ts";
import { lockPayments } from "../../service/payments/facts.sql.ts";
import { paymentOf } from "../../service/payments/facts.ts";
import { addressOf } from "../support/scripted-signer.ts";
import { Killed } from "./life.ts";
import { assets, wholeOf } from "./market.ts";
import type { SimulatedChain } from "./market.ts";
import { hotAccount, settlementAccount, treasuryAccount } from "./worker.ts";
import type { World } from "./world.ts";

/** After that a chain takes no authorization for the payment any more; and how far its clock may be behind. */
const lateMilliseconds = 600_000;

/** A payer reads the terms and signs; a stranger hands it in, now and then by a contract. */
export async function paySigned(world: World): Promise<void> {
  const { dice } = world;
  const payment = dice.pickRecent(world.payments);
  if (payment === undefined) return;
  const [row] = await world.database.transaction((inside) =>
    inside.run(lockPayments, { ids: [payment.id] }),
  );
  if (row === undefined) return;
  const offers = await termsOf(world, paymentOf(row));
  const offer = dice.pickIfAny(offers);
  const one = world.chains.find(({ chain }) => chain.chainId === offer?.chainId);
  if (offer === undefined || one === undefined) return;
  const from = addressOf(`signer ${world.signed.size}`);
  const isByContract = dice.chance(0.3);
  const hash = one.chain.submitSigned({
    to: offer.payTo,
    amountRaw: offer.maxAmountRaw,
    contractAddress: offer.asset,
    from,
    nonce: offer.nonce,
    isByContract,
  });
  const until = row.expires_at.getTime() + lateMilliseconds;
  // What a contract hands in says nothing but its time: on a chain that is hours behind, the wrong one.
  const since = isByContract ? (await createdAt(world, payment.id)) - lateMilliseconds : 0;
  world.signed.set(hash, { paymentId: payment.id, since, until });
  one.depositHashes.push(hash);
  world.note("arrivals", isByContract ? "signed, by a contract" : "signed");
}

async function createdAt(world: World, paymentId: string): Promise<number> {
  const [row] = await world.rows<{ created_at: Date }>(
    `select created_at from payments where id = $1`,
    [paymentId],
  );
  return row?.created_at.getTime() ?? 0;
}

async function termsOf(world: World, payment: ReturnType<typeof paymentOf>) {
  try {
    return await world.anyWorker().x402.paymentRequirements(payment);
  } catch (error) {
    if (error instanceof Killed) return [];
    if (error instanceof ServiceError && error.code === "service_unavailable") return [];
    throw error;
  }
}

/** Somebody mistakes the settlement account for an address of their own. */
export function sendAstray(world: World): void {
  const { dice } = world;
  const tokens = assets.filter(({ deployment }) => deployment.contractAddress !== null);
  const asset = dice.pick(tokens);
  const { chainId, contractAddress } = asset.deployment;
  const one = world.chains.find(({ chain }) => chain.chainId === chainId);
  if (one === undefined) return;
  const isDust = dice.chance(0.2);
  const amountRaw = isDust ? 1n : dice.amount(wholeOf(asset) / 100n, 500n * wholeOf(asset));
  const hash = one.chain.deposit({ to: settlementAccount, amountRaw, contractAddress });
  if (isDust) world.dustHashes.add(hash);
  else one.depositHashes.push(hash);
  world.note("arrivals", isDust ? "dust" : "astray");
}

interface StoredRow {
  readonly tx_hash: string;
  readonly payment_id: string | null;
  readonly mined_at: Date;
}

/** When all is final: each has its payment, or is booked as nobody's. */
export async function checkArrivals(world: World): Promise<void> {
  for (const one of world.chains) {
    const rows = await world.rows<StoredRow>(
      `select tx_hash, payment_id, block_time as mined_at from deposits
        where chain_id = $1 and status = 'final' and bookings > reversals`,
      [one.chain.chainId],
    );
    const stored = new Map(rows.map((row) => [row.tx_hash, row]));
    for (const hash of arrivedAt(world, one)) checkArrival(world, hash, stored.get(hash));
  }
}

function arrivedAt(world: World, { chain }: SimulatedChain): ReadonlySet<string> {
  const own = new Set<string>([hotAccount.address, treasuryAccount]);
  const transfers = chain
    .transfersTo(settlementAccount)
    .filter(({ contractAddress, from }) => contractAddress !== null && !own.has(from));
  return new Set(
    transfers.map(({ txHash }) => txHash).filter((hash) => !world.dustHashes.has(hash)),
  );
}

function checkArrival(world: World, hash: string, row: StoredRow | undefined): void {
  if (row === undefined) {
    world.complain(`${hash} came to the settlement account, and is booked nowhere`);
    return;
  }
  const signed = world.signed.get(hash);
  if (row.payment_id === (signed?.paymentId ?? null)) return;
  // No chain would have taken it then, and what nobody told of is nobody's.
  const minedAt = row.mined_at.getTime();
  const isInTime = minedAt <= (signed?.until ?? 0) && minedAt >= (signed?.since ?? 0);
  if (row.payment_id === null && !isInTime) return;
  world.complain(
    `${hash} was signed for ${signed?.paymentId}, and is ${row.payment_id ?? "nobody"}'s`,
  );
}
