// A simulation that finds nothing proves something only if it would find it: what a broken service
// would do is done here on purpose, once, in the middle of a sound one.

import { test } from "vitest";
import { ledgerValues } from "../../service/ledger/ledger.ts";
import { postTransaction } from "../../service/ledger/ledger.sql.ts";
import { expectFound } from "./broken.ts";
import { sendCall } from "./client.ts";
import { assets } from "./market.ts";
import { createPayment } from "./merchants.ts";
import { calmChain, countRuns } from "./outside.ts";
import { liveBefore } from "./past.ts";
import { ScriptedKeys } from "../support/scripted-signer.ts";
import { hotAccount } from "./worker.ts";
import type { AccountKind } from "../../service/database/words.ts";
import type { KnownAddress, World } from "./world.ts";

/** Booked, and never received. */
async function book(world: World, kind: string, from: AccountKind): Promise<void> {
  const deploymentId = assets[0]?.deployment.id ?? "";
  const posting = { deploymentId, owner: null };
  const values = ledgerValues(world.worker(0), {
    kind,
    reference: "of nothing",
    occurredAt: new Date(world.nowMilliseconds),
    postings: [
      { ...posting, account: from, amountRaw: 5n },
      { ...posting, account: "platform:fees", amountRaw: -5n },
    ],
  });
  await world.database.run(postTransaction, values);
}

const bookDeposit = (world: World): Promise<void> =>
  book(world, "deposit_credited", "chain:deposit_addresses");

const bookCoins = (world: World): Promise<void> => book(world, "funding", "chain:hot");

/** Signed and sent, and written down nowhere. */
async function sendUnstored(world: World): Promise<void> {
  const [known] = world.addresses;
  const one = world.chains.find(({ chain }) => chain.chainId === known?.chainId);
  if (known === undefined || one === undefined)
    throw new Error("there are addresses from the start");
  calmChain(one);
  const { raw } = await new ScriptedKeys(hotAccount.address).sign(known.chainId, {
    nonce: await one.chain.minedCount(hotAccount.address),
    to: known.address,
    contractAddress: null,
    amountRaw: 7n,
    fees: { maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 11n },
  });
  await one.chain.send(raw);
  // So deep that it stays.
  one.chain.mine(12);
}

/** The account goes on as if somebody had looked at what it had done, as it once did. */
async function overlookPast(world: World): Promise<void> {
  const [one] = world.chains;
  if (one === undefined) throw new Error("there are chains");
  calmChain(one);
  await liveBefore(world, one, 1);
  await world.rows(
    `insert into sender_accounts (chain_id, account, foreign_count) values ($1, $2, 1000)
      on conflict (chain_id, account) do update set foreign_count = 1000`,
    [one.chain.chainId, hotAccount.address],
  );
}

/** A signer that believes its clock once, and counts by what it said from then on. */
async function believeClock({ signer, nowMilliseconds, chains: [one] }: World): Promise<void> {
  if (one === undefined) throw new Error("there are chains");
  signer.isCredulous = true;
  signer.skewMilliseconds = Date.parse("2036-01-01T00:00:00Z") - nowMilliseconds;
  await signer.signAction(one.chain.chainId, {
    account: { role: "settlement" },
    nonce: 1_000_000n,
    action: {
      kind: "transfer",
      to: signer.accounts.settlementAddress,
      contractAddress: null,
      amountRaw: 0n,
    },
    gasUnitsMax: 21_000n,
    fees: { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n },
  });
}

async function loseEvent(world: World): Promise<void> {
  await world.rows(`insert into event_sequences (merchant_id, environment, resource_type,
    resource_id, last) select merchant_id, environment, 'payment', 'pay_lost', 1 from events limit 1`);
}

/** As somebody with a console would, who first has to get past what forbids it. */
async function editTable(world: World, table: string, change: string): Promise<void> {
  await world.rows(`alter table ${table} disable trigger user`);
  await world.rows(`update ${table} set ${change}`);
  await world.rows(`alter table ${table} enable trigger user`);
}

const editBalance = (world: World): Promise<void> =>
  editTable(
    world,
    "ledger_accounts",
    "balance = balance + 1 where key = (select min(key) from ledger_accounts)",
  );

const editAudit = (world: World): Promise<void> =>
  editTable(world, "audit_entries", "actor = 'nobody' where sequence = 2");

async function editStatus(world: World): Promise<void> {
  // Some lives have none by then.
  for (let left = 20; left > 0 && world.payments.length === 0; left--) {
    await sendCall(world, world.worker(0), createPayment(world));
  }
  const edited = await world.rows(`update payments
    set status = case when status = 'paid' then 'overpaid' else 'paid' end
    where id = (select min(id) from payments) returning id`);
  if (edited.length === 0) throw new Error("there are payments by then");
}

/** What a standing withdrawal would be that nobody holds to the rules for withdrawals. */
async function scheduleFromAnywhere(world: World): Promise<void> {
  const owner = world.owners.find(({ environment }) => environment === "live");
  const address = world.addresses.find((one) => one.owner === owner);
  if (owner === undefined || address === undefined)
    throw new Error("they are there from the start");
  await addSchedule(world, address, world.keyOf(owner, "anywhere"));
}

async function runForThief(world: World): Promise<void> {
  const [address] = world.addresses;
  if (address === undefined) throw new Error("there are addresses from the start");
  const keyId = world.keyOf(address.owner, "bound");
  await addSchedule(world, address, keyId);
  await world.worker(0).apiKeys.revoke(keyId);
  world.runsOfStolenKeys.set(keyId, await countRuns(world, keyId));
  await world.rows(`insert into payout_runs (schedule_id, slot, ran_at, missed, outcome)
    values ('pos_thief', '2026-01-01', '2026-01-01', 0, 'due')`);
}

async function addSchedule(world: World, address: KnownAddress, keyId: string): Promise<void> {
  const { merchantId, environment } = address.owner;
  const asset = assets.find(({ deployment }) => deployment.chainId === address.chainId);
  await world.rows(
    `insert into payout_schedules (id, merchant_id, environment, currency_id, deployment_id,
        chain_id, withdraw_address_id, interval_seconds, min_send_raw, mode, next_run_at,
        created_at, updated_at, idempotency_key, api_key_id, is_key_bound)
      values ('pos_thief', $1, $2, $3, $4, $5, $6, 3600, 1, 'notify_only', '2026-01-01',
        '2026-01-01', '2026-01-01', 'thief', $7, true)`,
    [merchantId, environment, asset?.currencyId, asset?.deployment.id, address.chainId].concat([
      address.id,
      keyId,
    ]),
  );
}

test.each([
  ["a deposit that is booked twice", bookDeposit, /0 of deposits is booked, 5 posted/],
  ["coins that are booked and never came", bookCoins, /the chain holds/],
  [
    "a withdrawal that is sent without being stored",
    sendUnstored,
    /belongs to no withdrawal|used_by_others|the chain holds/,
  ],
  ["a payout schedule that a key from anywhere has made", scheduleFromAnywhere, /from anywhere/],
  ["a payout after its key was revoked for cause", runForThief, /for cause, and ran 1 times/],
  ["a past of an account that nobody is told of", overlookPast, /before was never found/],
  ["a signer that believes its clock", believeClock, /counts its limits by 2036-01-01/],
  ["an event that is lost", loseEvent, /pay_lost has 0 events/],
  ["a balance that was edited", editBalance, /its postings sum to/],
  ["an audit log that was edited", editAudit, /Entry 2 is not what was written/],
  ["a status that nothing led to", editStatus, /its last event says/],
] as const)("%s is found, and the seed is named", async (_, play, found) => {
  await expectFound({ play }, found, 60);
});
