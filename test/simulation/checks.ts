// What must be true, whatever happened. Asked of the tables and of the chains directly, with as
// little of the service's own code as there can be; a problem is a line for people.

import { Audit } from "../../service/audit/audit.ts";
import { verdictLines, verifyLedger } from "../../service/ledger/verifier.ts";
import { checkArrivals } from "./arrivals.ts";
import { checkGifts, giftsTo } from "./gifts.ts";
import { checkBills } from "./bills.ts";
import { checkDeliveries, checkSequences } from "./event-checks.ts";
import { checkKeys, checkOnce } from "./key-checks.ts";
import { checkPayoutKeys } from "./payout-checks.ts";
import { checkPaymentHistories } from "./payment-checks.ts";
import { assets } from "./market.ts";
import { checkRefunds, checkSuspense } from "./suspense.ts";
import { checkWithdrawals, checkWithdrawalsEnded } from "./withdrawal-checks.ts";
import { checkOutgoing, checkOutgoingEnded } from "./outgoing-checks.ts";
import { checkPasts, checkPastsFound } from "./past.ts";
import { checkSettlements } from "./settling-checks.ts";
import { checkSigner } from "./signer.ts";
import { hotAccount, settlementAccount, treasuryAccount } from "./worker.ts";
import type { World } from "./world.ts";
import { clockOf } from "../support/clock.ts";

/** At any time. */
export async function checkAlways(world: World): Promise<void> {
  await checkLedger(world);
  await checkPaymentHistories(world);
  await checkWithdrawals(world);
  await checkOutgoing(world);
  await checkPasts(world);
  checkSigner(world);
  await checkSequences(world);
  await checkKeys(world);
  await checkOnce(world);
  await checkPayoutKeys(world);
  await checkBills(world);
  await checkSuspense(world);
  await checkAudit(world);
}

/** Once all deliveries were tried, and all that was sent is final. */
export async function checkAtRest(world: World): Promise<void> {
  await checkWithdrawalsEnded(world);
  await checkOutgoingEnded(world);
  await checkPastsFound(world);
  await checkDeliveries(world);
  await checkGifts(world);
  await checkRefunds(world);
  await checkSettlements(world);
  const open = await world.rows<{ id: string; status: string }>(
    `select id, status from payments
      where status in ('pending', 'partially_paid', 'confirming', 'authorized')`,
  );
  for (const { id, status } of open) world.complain(`${id} is still ${status}`);
  const unbooked = await world.rows<{ tx_hash: string; status: string }>(
    `select tx_hash, status from deposits
      where status = 'seen' or (status = 'final') <> (bookings > reversals)`,
  );
  for (const { tx_hash: hash, status } of unbooked) world.complain(`deposit ${hash} is ${status}`);
}

async function checkLedger(world: World): Promise<void> {
  const sums = await world.rows<{ transaction_id: string }>(
    `select transaction_id from ledger_postings
      group by transaction_id, deployment_id having sum(amount) <> 0`,
  );
  for (const { transaction_id: id } of sums) world.complain(`${id} does not sum to zero`);
  const negative = await world.rows<{ key: string; balance: string }>(
    `select key, balance::text from ledger_accounts where balance < 0 and merchant_id is not null`,
  );
  for (const { key, balance } of negative) world.complain(`${key} is below zero: ${balance}`);
  const clock = clockOf(() => world.nowMilliseconds);
  const verdict = await verifyLedger({ database: world.database, clock });
  if (verdict.differencesCount > 0) world.problems.push(...verdictLines(verdict));
  // There is more in the hot account than anybody is owed, so nothing can be missing.
  const frozen = await world.rows<{ deployment_id: string; reason: string }>(
    `select deployment_id, reason from deployment_freezes`,
  );
  for (const one of frozen) world.complain(`${one.deployment_id} was frozen: ${one.reason}`);
  const failed = await world.rows<{ name: string; error: string }>(
    `select name, last_error as error from jobs where last_error is not null
      and last_error not in ('ServiceError chain_unavailable', 'ServiceError service_unavailable',
        'SignerRefusal')`,
  );
  for (const { name, error } of failed) world.complain(`${name} has failed with ${error}`);
}

async function checkAudit(world: World): Promise<void> {
  const { problems } = await new Audit({ database: world.database }).verify();
  world.problems.push(...problems);
}

/** When all is final: what the chains hold is to the unit what the books say. */
export async function checkChains(world: World): Promise<void> {
  await checkArrivals(world);
  const rows = await world.rows<{ address: string }>(
    `select address from deposit_addresses order by address`,
  );
  const addresses = rows.map(({ address }) => address);
  for (const { chain } of world.chains) chain.assertConserved();
  for (const asset of assets) {
    const { id, chainId, contractAddress } = asset.deployment;
    const one = world.chains.find(({ chain }) => chain.chainId === chainId);
    if (one === undefined) continue;
    let heldRaw = 0n;
    const own = [hotAccount.address, settlementAccount, treasuryAccount];
    for (const address of [...own, ...addresses]) {
      heldRaw += await one.chain.balance(address, contractAddress);
    }
    const gifts = own.reduce((sum, address) => sum + giftsTo(world, asset, address), 0n);
    const dust = [...addresses, settlementAccount]
      .flatMap((address) => one.chain.transfersTo(address))
      .filter((of) => of.contractAddress === contractAddress && world.dustHashes.has(of.txHash))
      .reduce((sum, { amountRaw }) => sum + amountRaw, 0n);
    const [booked] = await world.rows<{ raw: string }>(
      `select coalesce(sum(amount), 0)::text as raw from ledger_postings
        where deployment_id = $1 and account_kind like 'chain:%'`,
      [id],
    );
    const bookedRaw = BigInt(booked?.raw ?? 0);
    const bookableRaw = heldRaw - dust - gifts;
    if (bookableRaw !== bookedRaw) {
      const differs = bookableRaw - bookedRaw;
      world.complain(
        `${id}: the chain holds ${bookableRaw}, the books say ${bookedRaw} (${differs})`,
      );
    }
  }
}
