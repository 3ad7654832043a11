// The statements of comparing the addresses of payments in turn.

import { sql } from "kysely";
import { queries, statement } from "../database/statement.ts";

interface OfBlock {
  readonly deploymentId: string;
  readonly chainId: string;
  readonly blockNumber: bigint;
}

/** Deposits `d` that came up to the block to addresses that nothing was ever moved from or to by us. */
const untouched = (p: OfBlock) => sql<boolean>`
  d.deployment_id = ${p.deploymentId}::text and d.source = 'address'
    and d.status <> 'orphaned' and d.block_number <= ${p.blockNumber}::bigint
    and not exists (
      select from sweeps s where s.chain_id = ${p.chainId}::text and s.address = d.address)`;

/** What deposits have brought to each, from an address on. */
export const listUntouchedAddresses = statement<
  OfBlock & { readonly after: string; readonly rowsMax: number }
>("list_untouched_addresses")(
  (p) => sql<{ address: string; raw: string }>`
    select d.address, sum(d.amount_raw)::text as raw
    from deposits d
    where ${untouched(p)} and d.address > ${p.after}::text
    group by d.address
    order by d.address
    limit ${p.rowsMax}::integer`,
);

/** Those that differed; null: it is no such address any more. Looked at longest ago first. */
export const listDifferingAddresses = statement<OfBlock & { readonly rowsMax: number }>(
  "list_differing_addresses",
)(
  (p) => sql<{ address: string; raw: string | null }>`
    select a.address, (
      select sum(d.amount_raw)::text from deposits d
      where d.address = a.address and ${untouched(p)}) as raw
    from address_differences a
    where a.deployment_id = ${p.deploymentId}::text
    order by a.checked_at, a.address
    limit ${p.rowsMax}::integer`,
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
        and address = any(${p.agreeing}::text[])
    )
    insert into address_differences (
      deployment_id, address, held_raw, booked_raw, block_number, checked_at
    )
    select ${p.deploymentId}::text, one.address, one.held_raw, one.booked_raw,
      ${p.blockNumber}::bigint, ${p.now}::timestamptz
    from jsonb_to_recordset(${p.differing}::jsonb) as one (
      address text, held_raw numeric, booked_raw numeric)
    on conflict (deployment_id, address) do update set
      held_raw = excluded.held_raw, booked_raw = excluded.booked_raw,
      block_number = excluded.block_number, checked_at = excluded.checked_at
    where address_differences.block_number <= excluded.block_number
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
    .where((where) => where.or([where("addresses", ">", 0n), where("last_addresses", ">", 0n)]))
    .orderBy("deployment_id"),
);
