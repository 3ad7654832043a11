// What comes to the settlement account: authorizations that payers have signed for payments, settled by
// merchants or handed in by somebody else; and tokens that nobody has signed for.

import { ServiceError } from "../../service/errors.ts";
import { lockPayments } from "../../service/payments/facts.sql.ts";
import { paymentOf } from "../../service/payments/facts.ts";
import type { ChainTransfer } from "../../service/ports/chain.ts";
import type { X402Offer } from "../../service/x402/requirements.ts";
import { addressOf } from "../support/scripted-signer.ts";
import { Killed } from "./life.ts";
import { assets, wholeOf } from "./market.ts";
import type { SimulatedChain } from "./market.ts";
import { hotAccount, settlementAccount, treasuryAccount } from "./worker.ts";
import type { KnownPayment, World } from "./world.ts";

/** After that a chain takes no authorization for the payment any more; and how far its clock may be behind. */
const lateMilliseconds = 600_000;

/** What a payer has signed, who has never signed anything else. */
export interface Signed {
  readonly payment: KnownPayment;
  readonly offer: X402Offer;
  readonly one: SimulatedChain;
  readonly payer: string;
}

/** A payer reads the terms of one of the payments and signs. Undefined: there are none. */
export async function signTerms(
  world: World,
  payments: readonly KnownPayment[] = world.payments,
): Promise<Signed | undefined> {
  const { dice } = world;
  const payment = dice.pickRecent(payments);
  if (payment === undefined) return undefined;
  const [row] = await world.database.transaction((inside) =>
    inside.run(lockPayments, { ids: [payment.id] }),
  );
  if (row === undefined) return undefined;
  const offer = dice.pickIfAny(await termsOf(world, paymentOf(row)));
  const one = world.chains.find(({ chain }) => chain.chainId === offer?.chainId);
  if (offer === undefined || one === undefined) return undefined;
  const payer = addressOf(`signer ${world.signed.size}`);
  const until = row.expires_at.getTime() + lateMilliseconds;
  world.signed.set(payer, { paymentId: payment.id, since: 0, until });
  return { payment, offer, one, payer };
}

/** Nobody settles it; a stranger hands it in, now and then by a contract. */
export async function paySigned(world: World): Promise<void> {
  const signed = await signTerms(world);
  if (signed !== undefined) await handIn(world, signed);
}

export async function handIn(world: World, { payment, offer, one, payer }: Signed): Promise<void> {
  const isByContract = world.dice.chance(0.3);
  const hash = one.chain.submitSigned({
    to: offer.payTo,
    amountRaw: offer.maxAmountRaw,
    contractAddress: offer.asset,
    from: payer,
    nonce: offer.nonce,
    validBefore: offer.validBefore,
    isByContract,
  });
  const known = world.signed.get(payer);
  // What a contract hands in says nothing but its time: on a chain that is hours behind, the wrong one.
  if (isByContract && known !== undefined) {
    const since = (await createdAt(world, payment.id)) - lateMilliseconds;
    world.signed.set(payer, { ...known, since });
  }
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
    for (const transfer of arrivedAt(world, one)) {
      checkArrival(world, transfer, stored.get(transfer.txHash));
    }
  }
}

function arrivedAt(world: World, { chain }: SimulatedChain): readonly ChainTransfer[] {
  const own = new Set<string>([hotAccount.address, treasuryAccount]);
  return chain
    .transfersTo(settlementAccount)
    .filter(({ contractAddress, from }) => contractAddress !== null && !own.has(from))
    .filter(({ txHash }) => !world.dustHashes.has(txHash));
}

function checkArrival(
  world: World,
  { txHash: hash, from }: ChainTransfer,
  row: StoredRow | undefined,
): void {
  if (row === undefined) {
    world.complain(`${hash} came to the settlement account, and is booked nowhere`);
    return;
  }
  const signed = world.signed.get(from);
  if (row.payment_id === (signed?.paymentId ?? null)) return;
  // No chain would have taken it then, and what nobody told of is nobody's.
  const minedAt = row.mined_at.getTime();
  const isInTime = minedAt <= (signed?.until ?? 0) && minedAt >= (signed?.since ?? 0);
  if (row.payment_id === null && !isInTime) return;
  world.complain(
    `${hash} was signed for ${signed?.paymentId}, and is ${row.payment_id ?? "nobody"}'s`,
  );
}
