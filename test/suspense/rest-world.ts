// What is due to the payer of an authorization, on a real database. Facts of the chain are written as the
// watcher, the sender and the confirmer write them; everything that follows from them is the service's.

import { Debts } from "../../service/suspense/debts.ts";
import { refundSending } from "../../service/suspense/refunds.ts";
import { Suspense } from "../../service/suspense/suspense.ts";
import type { OnEnded } from "../../service/sending/confirmer.ts";
import { actionOf } from "../../service/sending/model.ts";
import type { OutgoingChain } from "../../service/sending/ports.ts";
import { rememberOwnAccounts } from "../../service/withdrawals/own-accounts.ts";
import { endRelease, undueReleaseJob } from "../../service/x402/releases.ts";
import type { StoredAction } from "../../service/database/tables/outgoing.ts";
import type { Database } from "../../service/ports/database.ts";
import { base } from "../payments/progress-quotes.ts";
import { openWorld, price } from "../payments/progress-world.ts";
import { addMerchant, query } from "../support/service-parts.ts";

export const used = 1_250_000n;
/** 1 % of what was used */
export const fee = 12_500n;
export const rest = price - used;

const deploymentId = "dep_usdc_base";
const payer = `0x${"a".repeat(40)}`;
const home = `0x${"b".repeat(40)}`;
const settlementAddress = `0x${"c".repeat(40)}`;
const hotAddress = `0x${"d".repeat(40)}`;

export type RestWorld = Awaited<ReturnType<typeof openRestWorld>>;
export type Life = Awaited<ReturnType<RestWorld["begin"]>>;

export async function openRestWorld(database: Database) {
  const world = await openWorld(database);
  const { parts, progress } = world;
  const ports = { ...parts, progress, alarm: () => undefined };
  const refunds = refundSending(ports);
  const releasePorts = { ...ports, releaseMilliseconds: 1 };
  const roomParts: Parts = {
    world,
    suspense: new Suspense({ ...parts, progress }),
    debts: new Debts(parts),
    refunds,
    ends: {
      x402_release: (inside, outcome) => endRelease(releasePorts, inside, outcome),
      refund: refunds.onEnded,
    },
  };
  await rememberOwnAccounts(parts, [
    { account: hotAddress, role: "hot" },
    { account: settlementAddress, role: "settlement" },
  ]);
  let lives = 0;
  return {
    /** A settlement of which the rest waits in the queue, of a merchant of its own. */
    begin: async () => {
      const id = `${++lives}`;
      const payment = await world.addPayment();
      await addSettlement(world, id, payment);
      await world.touch(payment);
      return {
        ...stepsOf(roomParts, id, payment),
        look: () => {
          // Time goes on between two steps.
          world.clock.advance(1_000);
          return lookAt(roomParts, id);
        },
        /** Its transaction is mined once more, and the token brings another amount this time. */
        backWith: async (amountRaw: bigint) => {
          await query(database)`update deposits set amount_raw = ${amountRaw}, status = 'final'
            where settlement_id = ${`stl_${id}`}`;
          await world.touch(payment);
        },
        /** What the queue is to send, or has sent, of its release. */
        release: async () => {
          const [row] = await query(database)<{ raw: string; action_raw: string }>`
            select amount_raw::text as raw, action ->> 'amountRaw' as action_raw
            from outgoing_transactions
            where purpose = 'x402_release' and subject_id = ${`stl_${id}`}`;
          return row;
        },
        /** Nothing gathers what is ordered for it any more. */
        end: async () => {
          await query(database)`update suspense_exits set status = 'failed'
            where settlement_id = ${`stl_${id}`} and status = 'waiting'`;
          await setNonce(world, `stl_${id}`, null);
        },
      };
    },
  };
}

interface Parts {
  readonly world: Awaited<ReturnType<typeof openWorld>>;
  readonly suspense: Suspense;
  readonly debts: Debts;
  readonly refunds: ReturnType<typeof refundSending>;
  readonly ends: Readonly<Record<"x402_release" | "refund", OnEnded>>;
}

/** As the reconciler, the watcher and a report of usage write it down. */
async function addSettlement(
  { database, clock }: Parts["world"],
  ...[id, payment]: readonly [string, string]
): Promise<void> {
  const now = clock.now();
  const [merchantId, settlementId] = [`mer_${id}`, `stl_${id}`];
  await addMerchant(database, merchantId);
  await query(database)`update payments set merchant_id = ${merchantId}, status = 'authorized'
    where id = ${payment}`;
  await query(database)`insert into x402_settlements (id, merchant_id, environment, payment_id,
      deployment_id, chain_id, scheme, method, asset, payer, nonce, pay_to, authorized_raw,
      valid_after, valid_before, domain_name, domain_version, evidence_version, signature,
      amount_raw, status, from_block, created_at, updated_at)
    values (${settlementId}, ${merchantId}, 'live', ${payment}, ${deploymentId}, ${base}, 'upto',
      'eip3009', ${`0x${"1".repeat(40)}`}, ${payer}, ${`0x${id.padStart(64, "0")}`},
      ${settlementAddress}, ${price}, 0, 9999999999, 'T', '1', 1, ${`0x${"0".repeat(130)}`},
      ${price}, 'settled', 1, ${now}, ${now})`;
  await query(database)`insert into deposits (chain_id, tx_hash, log_index, deployment_id,
      payment_id, address, amount_raw, block_number, block_hash, block_time, status, source,
      settlement_id)
    values (${base}, ${`0x${id}`}, 0, ${deploymentId}, ${payment}, ${settlementAddress}, ${price},
      100, '0xb', ${now}, 'final', 'x402', ${settlementId})`;
  await query(database)`insert into x402_usages (payment_id, merchant_id, environment,
      deployment_id, usage_id, max_raw, actual_raw, evidence, evidence_hash, reported_at)
    values (${payment}, ${merchantId}, 'live', ${deploymentId}, 'usage-1', ${price}, ${used}, '{}',
      ${Buffer.alloc(32)}, ${now})`;
}

/** What happens to it. Each is possible in some states only. */
function stepsOf(parts: Parts, id: string, payment: string) {
  const { world, suspense, debts } = parts;
  const { database } = world;
  const owner = { merchantId: `mer_${id}`, environment: "live" } as const;
  const item = `stl_${id}`;
  const wish = { item, evidence: "a ticket" };
  const seen = async (status: "final" | "orphaned"): Promise<void> => {
    await query(database)`update deposits set status = ${status} where settlement_id = ${item}`;
    await world.touch(payment);
  };
  const ended = (purpose: "x402_release" | "refund", end: Sent["end"]) =>
    endSent(parts, { purpose, settlementId: item, end });
  let written = 0;
  return {
    taken: () => seen("orphaned"),
    back: () => seen("final"),
    /** The chain says that it would fail now. */
    "release hindered": () => query(database)`update outgoing_transactions
      set last_problem = 'it would fail' where purpose = 'x402_release' and subject_id = ${item}`,
    "release signed": () => sign(world, "x402_release", item),
    "release failed": () => ended("x402_release", "reverted"),
    "release sent": () => ended("x402_release", "moved"),
    /** As tokens do that succeed and move nothing. */
    "release moved nothing": () => ended("x402_release", "moved nothing"),
    "nonce reserved": () => setNonce(world, item, 7),
    /** The signer refuses, or another transaction has it. */
    "nonce freed": () => setNonce(world, item, null),
    "looked after": () => undueReleaseJob(world.parts).run(),
    ordered: () => suspense.sendBack({ ...wish, address: home }),
    "order gathered": () => gatherAndSign(parts, item),
    "order cancelled": async () => suspense.cancel((await waitingExit(world, item)) ?? "", "no"),
    "order failed": () => ended("refund", "reverted"),
    "order sent": () => ended("refund", "moved"),
    "written off": () => suspense.writeOff(wish),
    credited: () => suspense.credit({ ...wish, owner }),
    "debt borne": async () => {
      const [debt] = await debts.list(owner);
      const evidence = `${item} ${++written}`;
      const amount = debt?.amount ?? "0";
      await debts.writeOff({ ...owner, deploymentId, amount, evidence });
    },
    spent: async () => {
      const balances = await balancesOf(world.database, owner.merchantId);
      await world.spend(balances["merchant:available"] ?? 0n, owner.merchantId);
    },
  };
}

export type Step = keyof ReturnType<typeof stepsOf>;

/** The sender has signed what waits without a nonce; only what it may sign by now. */
async function sign(
  { database, clock }: Parts["world"],
  ...[purpose, subjectId]: readonly ["x402_release" | "refund", string]
): Promise<void> {
  const now = clock.now();
  await query(database)`update outgoing_transactions set status = 'broadcast', signed_at = ${now},
      gas_units_max = 1, gas_max_raw = 1, tx_hash = ${`0x${subjectId}`}
    where purpose = ${purpose} and subject_id = ${subjectId} and status = 'queued'`;
}

/** As the sender writes it down before it asks for a signature. */
async function setNonce(
  { database }: Parts["world"],
  ...[settlementId, nonce]: readonly [string, number | null]
): Promise<void> {
  await query(database)`update outgoing_transactions set reserved_nonce = ${nonce}::bigint
    where purpose = 'x402_release' and subject_id = ${settlementId} and status = 'queued'`;
}

async function waitingExit(
  { database }: Parts["world"],
  settlementId: string,
): Promise<string | undefined> {
  const [row] = await query(database)<{ id: string }>`select id from suspense_exits
    where settlement_id = ${settlementId} and status = 'waiting'`;
  return row?.id;
}

async function gatherAndSign({ world, refunds }: Parts, settlementId: string): Promise<void> {
  const accounts = { hotAddress, settlementAddress };
  // Nothing else of a chain and its signer is looked at.
  const sending = { chain: { chainId: base }, signer: { accounts } } as unknown as OutgoingChain;
  await refunds.steps.gather(sending);
  const exit = await waitingExit(world, settlementId);
  if (exit !== undefined) await sign(world, "refund", exit);
}

interface Sent {
  readonly purpose: "x402_release" | "refund";
  readonly settlementId: string;
  readonly end: "moved" | "moved nothing" | "reverted";
}

/** As the confirmer ends what was mined. */
async function endSent(
  { world, ends }: Parts,
  { purpose, settlementId, end }: Sent,
): Promise<void> {
  const { database, clock } = world;
  const status = end === "reverted" ? "reverted" : "succeeded";
  const at = clock.now();
  await database.transaction(async (inside) => {
    const [row] = await query(inside)<{ id: string; subject_id: string; action: StoredAction }>`
      update outgoing_transactions o set status = ${status}
      where purpose = ${purpose} and status = 'broadcast' and subject_id in (${settlementId}, (
        select id from suspense_exits where settlement_id = ${settlementId} and status = 'waiting'))
      returning id, subject_id, action`;
    if (row === undefined) throw new Error(`no ${purpose} is on its way`);
    const action = actionOf(row.action);
    if (action.kind !== "transfer") throw new Error("a rest is transferred");
    const { to, contractAddress, amountRaw } = action;
    const txHash = `0x${row.id}`;
    const moved = { contractAddress, from: settlementAddress, to, amountRaw, txHash, logIndex: 0 };
    const block = { number: 200n, hash: "0xc", parentHash: "0xb", time: at };
    await ends[purpose](inside, {
      id: row.id,
      purpose,
      subjectId: row.subject_id,
      chainId: base,
      account: settlementAddress,
      deploymentId,
      action,
      sendsNothing: false,
      txHash,
      status,
      receipt: {
        txHash,
        block,
        isSuccess: end !== "reverted",
        gasCostRaw: 1n,
        transfers: end === "moved" ? [moved] : [],
      },
      at,
    });
  });
}

type Balances = Readonly<Record<string, bigint>>;

/** Those that are not empty. */
async function balancesOf(database: Database, merchantId: string): Promise<Balances> {
  const rows = await query(database)<{ kind: string; balance: string }>`
    select kind, balance::text from ledger_accounts
    where merchant_id = ${merchantId} and balance <> 0 order by kind`;
  return Object.fromEntries(rows.map(({ kind, balance }) => [kind, BigInt(balance)]));
}

/** What its transactions have brought to accounts that are no merchant's; a credit is below zero. */
async function platformOf(database: Database, id: string): Promise<Balances> {
  const rows = await query(database)<{ kind: string; raw: string }>`
    select o.account_kind as kind, sum(o.amount)::text as raw
    from ledger_postings o join ledger_transactions t on t.id = o.transaction_id
    where o.merchant_id is null and (
      t.reference in (select e.id from suspense_exits e where e.settlement_id = ${`stl_${id}`})
      or exists (select from ledger_postings m
        where m.transaction_id = t.id and m.merchant_id = ${`mer_${id}`}))
    group by o.account_kind`;
  return Object.fromEntries(rows.map(({ kind, raw }) => [kind, BigInt(raw)]));
}

interface StateRow {
  readonly is_there: boolean;
  readonly refund_raw: string | null;
  readonly is_released: boolean;
  readonly release: string;
  readonly has_nonce: boolean;
  /** of what an operator has decided, and what did not fail */
  readonly way: "sent_back" | "written_off" | "credited" | null;
  readonly exit_status: string | null;
  readonly order_status: string | null;
  readonly has_failed: boolean;
  readonly borne_raw: string;
  /** what the newest division of what it has brought gave to whom */
  readonly given: string;
}

async function lookAt({ world, suspense }: Parts, id: string) {
  const { database } = world;
  const merchantId = `mer_${id}`;
  const [state] = await query(database)<StateRow>`
    select d.bookings > d.reversals as is_there, s.refund_raw::text,
      s.released_at is not null as is_released, r.status as release,
      r.status = 'queued' and r.reserved_nonce is not null as has_nonce, e.way, e.status as exit_status,
      o.status as order_status, exists (select from suspense_exits f
        where f.settlement_id = s.id and f.status = 'failed') as has_failed,
      (select coalesce(sum(borne_raw - paid_back_raw), 0)::text from debts_borne
        where merchant_id = s.merchant_id) as borne_raw,
      (select string_agg(g.account_kind || ' ' || g.amount, ', ' order by g.position)
        from ledger_transactions t join ledger_postings g on g.transaction_id = t.id
        where t.kind = 'x402_charged' and t.reference = s.charged_reference) as given
    from x402_settlements s join deposits d on d.settlement_id = s.id
    join outgoing_transactions r on r.purpose = 'x402_release' and r.subject_id = s.id
    left join suspense_exits e on e.settlement_id = s.id and e.status <> 'failed'
    left join outgoing_transactions o on o.purpose = 'refund' and o.subject_id = e.id
    where s.id = ${`stl_${id}`}`;
  if (state === undefined) throw new Error(`there is no stl_${id}`);
  const platform = await platformOf(database, id);
  return {
    state,
    isItem: (await suspense.list({ merchantId })).length > 0,
    balances: await balancesOf(database, merchantId),
    chainRaw: platform["chain:settlement"] ?? 0n,
    feesRaw: -(platform["platform:fees"] ?? 0n),
    refundingRaw: -(platform["payer:refunding"] ?? 0n),
  };
}

export type Look = Awaited<ReturnType<typeof lookAt>>;
