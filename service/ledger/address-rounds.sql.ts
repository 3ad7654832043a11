// The statements of comparing the addresses of payments in turn, and what the books say is at one of them: what
// deposits have brought, and what sweeps have posted for it, with the gas that it got and has spent.

import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { anyOf } from "../database/row-source.ts";
import { queries, statement } from "../database/statement.ts";

export interface OfDeployment {
  readonly deploymentId: string;
  readonly chainId: string;
  /** the chain's own coin, which sweeps of everything else take too */
  readonly isCoin: boolean;
}

type Address = RawBuilder<string>;

/** Sweeps `s` that may have moved something of the deployment from or to the address. */
const ofSweeps = (p: OfDeployment, address: Address) => sql`
  s.address = ${address} and s.deployment_id in (
    select m.id from deployments m
    where m.chain_id = ${p.chainId}::text
      and (m.id = ${p.deploymentId}::text or ${p.isCoin}::boolean))`;

/** Whatever became of the sweep: what it has posted counts. */
const postedAt = (p: OfDeployment, address: Address) => sql<string>`(
  select coalesce(sum(posting.amount), 0)
  from (
    select t.id from sweeps s
    join ledger_transactions t on t.kind in ('sweep', 'sweep_gas') and t.reference = s.id
    where ${ofSweeps(p, address)}
    union
    select t.id from sweeps s
    join outgoing_transactions o on o.purpose in ('sweep', 'sweep_gas') and o.subject_id = s.id
    join outgoing_attempts a on a.outgoing_id = o.id
    join ledger_transactions t on t.kind = 'gas_spent' and t.reference = a.tx_hash
    where ${ofSweeps(p, address)}
  ) moved
  join ledger_postings posting on posting.transaction_id = moved.id
    and posting.account_kind = 'chain:deposit_addresses'
    and posting.deployment_id = ${p.deploymentId}::text)`;

/**
 * Something of ours may have been mined that is not booked, or was booked since then. Null: what is booked
 * counts as mined.
 */
const isUnderWayAt = (p: OfDeployment, address: Address, endedSince: Date | null) =>
  sql<boolean>`exists (
    select from sweeps s
    join outgoing_transactions o on o.purpose in ('sweep', 'sweep_gas') and o.subject_id = s.id
    where ${ofSweeps(p, address)} and (o.status = 'broadcast'
      or o.status in ('succeeded', 'reverted') and o.updated_at >= ${endedSince}::timestamptz))`;

/** As of now. */
export const readAddressBooks = statement<OfDeployment & { readonly address: string }>(
  "read_address_books",
)(
  (p) => sql<{ raw: string; is_under_way: boolean }>`
    select ((
        select coalesce(sum(d.amount_raw), 0) from deposits d
        where d.deployment_id = ${p.deploymentId}::text and d.address = ${p.address}::text
          and d.source = 'address' and d.bookings > d.reversals)
      + ${postedAt(p, sql`${p.address}::text`)})::text as raw,
      ${isUnderWayAt(p, sql`${p.address}::text`, null)} as is_under_way`,
);

interface OfBlock extends OfDeployment {
  readonly blockNumber: bigint;
  /** what has ended since then may have been mined after the block */
  readonly endedSince: Date;
}

/** Deposits `d` to addresses of payments that came up to the block. */
const arrived = (p: OfBlock) => sql<boolean>`
  d.deployment_id = ${p.deploymentId}::text and d.source = 'address'
    and d.status <> 'orphaned' and d.block_number <= ${p.blockNumber}::bigint`;

const booksAt = (p: OfBlock) => sql<BooksRow>`
  one.address, ((
      select coalesce(sum(d.amount_raw), 0) from deposits d
      where d.address = one.address and ${arrived(p)})
    + ${postedAt(p, sql`one.address`)})::text as raw,
  ${isUnderWayAt(p, sql`one.address`, p.endedSince)} as is_under_way`;

interface BooksRow {
  readonly address: string;
  readonly raw: string;
  readonly is_under_way: boolean;
}

/** Of a page's deposits that sweeps of this kind take care of; each kind has an index. */
const sweptAddresses = (p: OfPage, kind: RawBuilder<unknown>) => sql`(
  select distinct s.address from sweeps s
  where s.deployment_id = ${p.deploymentId}::text and s.address > ${p.after}::text and ${kind}
    and exists (
      select from deposits d where d.sweep_id = s.id and d.address = s.address and ${arrived(p)})
  order by s.address limit ${p.rowsMax}::integer)`;

interface OfPage extends OfBlock {
  readonly after: string;
  readonly rowsMax: number;
}

/**
 * From an address on, those that should have something. Where sweeps have moved all that deposits have
 * brought, there is nothing left to lose; one that failed has moved nothing, and of a coin some is always left for gas.
 */
export const listAddressBooks = statement<OfPage>("list_address_books")(
  (p) => sql<BooksRow>`
    select ${booksAt(p)}
    from (
      (select distinct d.address from deposits d
        where ${arrived(p)} and d.sweep_id is null and d.address > ${p.after}::text
        order by d.address limit ${p.rowsMax}::integer)
      union
      ${sweptAddresses(p, sql`s.status in ('gas', 'moving')`)}
      union
      ${sweptAddresses(p, sql`s.status = 'moved' and s.left_raw <> s.covered_raw`)}
      order by address limit ${p.rowsMax}::integer
    ) one
    order by one.address`,
);

/** Those that differed, or were left out. Looked at longest ago first. */
export const listAddressesAgain = statement<OfBlock & { readonly rowsMax: number }>(
  "list_addresses_again",
)(
  (p) => sql<BooksRow>`
    select ${booksAt(p)}
    from (
      select address, max(checked_at) as checked_at
      from (
        select address, checked_at from address_differences
        where deployment_id = ${p.deploymentId}::text
        union all
        select address, checked_at from addresses_left_out
        where deployment_id = ${p.deploymentId}::text
      ) found
      group by address
      order by checked_at, address
      limit ${p.rowsMax}::integer
    ) one
    order by one.checked_at, one.address`,
);

export const readAddressRound = statement<{ readonly deploymentId: string }>("read_address_round")(
  (p) =>
    queries.selectFrom("address_rounds").selectAll().where("deployment_id", "=", p.deploymentId),
);

interface PageValues {
  readonly deploymentId: string;
  readonly blockNumber: bigint;
  readonly now: Date;
  /** JSON text of rows of address_differences, amounts as text */
  readonly differing: string;
  readonly agreeing: readonly string[];
}

/** Not over what a later comparison has found. */
export const recordAddressDifferences = statement<PageValues>("record_address_differences")(
  (p) => sql<{ address: string }>`
    with agreeing as (
      delete from address_differences
      where deployment_id = ${p.deploymentId}::text and block_number <= ${p.blockNumber}::bigint
        and address = ${anyOf(p.agreeing)}
    )
    insert into address_differences (
      deployment_id, address, held_raw, booked_raw, block_number, since, checked_at
    )
    select ${p.deploymentId}::text, one.address, one.held_raw, one.booked_raw,
      ${p.blockNumber}::bigint, ${p.now}::timestamptz, ${p.now}::timestamptz
    from jsonb_to_recordset(${p.differing}::jsonb) as one (
      address text, held_raw numeric, booked_raw numeric)
    on conflict (deployment_id, address) do update set
      held_raw = excluded.held_raw, booked_raw = excluded.booked_raw,
      block_number = excluded.block_number, checked_at = excluded.checked_at,
      missing_before_raw =
        greatest(address_differences.booked_raw - address_differences.held_raw, 0),
      since = case
        when (address_differences.held_raw < address_differences.booked_raw)
          = (excluded.held_raw < excluded.booked_raw)
        then address_differences.since else excluded.since end
    where address_differences.block_number <= excluded.block_number
    returning address`,
);

/** Not those that were compared now. */
export const recordAddressesLeftOut = statement<{
  readonly deploymentId: string;
  readonly now: Date;
  readonly compared: readonly string[];
  readonly leftOut: readonly string[];
}>("record_addresses_left_out")(
  (p) => sql<{ address: string }>`
    with compared as (
      delete from addresses_left_out
      where deployment_id = ${p.deploymentId}::text and address = ${anyOf(p.compared)}
    )
    insert into addresses_left_out (deployment_id, address, since, checked_at)
    select ${p.deploymentId}::text, one.address, ${p.now}::timestamptz, ${p.now}::timestamptz
    from unnest(${p.leftOut}::text[]) as one (address)
    on conflict (deployment_id, address) do update set checked_at = excluded.checked_at
    returning address`,
);

interface RoundValues {
  readonly deploymentId: string;
  /** the page began there; what another process has compared too moves on once */
  readonly after: string;
  /** empty: the round has ended */
  readonly through: string;
  readonly startedAt: Date | null;
  readonly runs: number;
  readonly addresses: bigint;
  readonly lastStartedAt: Date | null;
  readonly lastEndedAt: Date | null;
  readonly lastRuns: number | null;
  readonly lastAddresses: bigint | null;
}

export const moveAddressRound = statement<RoundValues>("move_address_round")(
  (p) => sql<{ after_address: string }>`
    insert into address_rounds (
      deployment_id, after_address, started_at, runs, addresses,
      last_started_at, last_ended_at, last_runs, last_addresses
    )
    values (${p.deploymentId}::text, ${p.through}::text, ${p.startedAt}::timestamptz,
      ${p.runs}::integer, ${p.addresses}::bigint, ${p.lastStartedAt}::timestamptz,
      ${p.lastEndedAt}::timestamptz, ${p.lastRuns}::integer, ${p.lastAddresses}::bigint)
    on conflict (deployment_id) do update set
      after_address = excluded.after_address, started_at = excluded.started_at,
      runs = excluded.runs, addresses = excluded.addresses,
      last_started_at = excluded.last_started_at, last_ended_at = excluded.last_ended_at,
      last_runs = excluded.last_runs, last_addresses = excluded.last_addresses
    where address_rounds.after_address = ${p.after}::text
    returning after_address`,
);

/** Of those with more than their deposits, and of those with less. */
export const sumAddressDifferences = statement<{ readonly deploymentId: string }>(
  "sum_address_differences",
)(
  (p) => sql<{ is_less: boolean; held: string; booked: string }>`
    select held_raw < booked_raw as is_less, sum(held_raw)::text as held,
      sum(booked_raw)::text as booked
    from address_differences
    where deployment_id = ${p.deploymentId}::text
    group by 1`,
);

/** Of deployments that have such addresses, or had some in the last round. */
export const listAddressRounds = statement<object>("list_address_rounds")(() =>
  queries
    .selectFrom("address_rounds")
    .selectAll()
    .select(
      sql<string>`(select count(*) from addresses_left_out one
        where one.deployment_id = address_rounds.deployment_id)::text`.as("left_out"),
    )
    .select(
      sql<Date | null>`(select min(since) from addresses_left_out one
        where one.deployment_id = address_rounds.deployment_id)`.as("left_out_since"),
    )
    .where((where) => where.or([where("addresses", ">", 0n), where("last_addresses", ">", 0n)]))
    .orderBy("deployment_id"),
);
