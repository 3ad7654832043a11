// The statements of sweeps that the chain has and this database has forgotten.

import { sql } from "kysely";
import type { StoredAction } from "../database/tables/outgoing.ts";
import type { OwnAccountRole } from "../database/words.ts";
import type { OutgoingValues } from "../sending/model.ts";
import { queueingOutgoing } from "../sending/queue.sql.ts";
import { queries, statement } from "../database/statement.ts";
import { coveringDeposits, insertedSweep } from "./sweeps.sql.ts";
import type { SweepValues } from "./sweeps.sql.ts";

/** What an address is to us: an account, the address of a payment, or nothing. */
export const readOwnAddress = statement<{ readonly address: string }>("read_own_address")(
  (p) => sql<{ role: OwnAccountRole | null; derivation_index: bigint | null }>`
    select (select o.role from own_accounts o where o.account = lower(${p.address}::text)) as role,
      (select a.derivation_index from deposit_addresses a
        where a.chain_family = 'evm' and a.address = ${p.address}::text) as derivation_index`,
);

interface QueuedLike {
  readonly chainId: string;
  readonly account: string;
  readonly amountRaw: bigint;
  readonly to: string;
  /** of an authorization; else nobody's */
  readonly authorizationNonce: string;
}

/** Waits in the queue of the account, and may be what was sent: for whoever compares all of it. */
export const findQueuedSweep = statement<QueuedLike>("find_queued_sweep")(
  (p) => sql<{
    purpose: "sweep" | "sweep_gas" | "consolidation" | "x402_release";
    subject_id: string;
    action: StoredAction;
  }>`
    select o.purpose, o.subject_id, o.action from outgoing_transactions o
    where o.chain_id = ${p.chainId}::text and o.account = ${p.account}::text
      and o.status = 'queued'
      and o.purpose in ('sweep', 'sweep_gas', 'consolidation', 'x402_release')
      and o.amount_raw = ${p.amountRaw}::numeric
      and (o.action ->> 'to' = ${p.to}::text
        or o.action -> 'authorization' ->> 'nonce' = ${p.authorizationNonce}::text)
    order by o.created_at, o.id
    limit 100`,
);

interface OfPlace {
  readonly chainId: string;
  readonly deploymentId: string;
  readonly address: string;
  readonly blockNumber: bigint;
}

interface PlaceRow {
  /** up to which block the chain was read; null: it was not */
  readonly read_number: bigint | null;
  readonly open_sweep: string | null;
  /** Deposits up to the block that are not final. */
  readonly waiting: number;
  readonly due_raw: string;
  /** What sweeps took care of and did not find there. */
  readonly short_raw: string;
}

/** What a sweep that was mined in the block may have taken from the address. */
export const readSweptPlace = statement<OfPlace>("read_swept_place")(
  (p) => sql<PlaceRow>`
    select (select c.block_number from chain_cursors c where c.chain_id = ${p.chainId}::text)
        as read_number,
      (select s.id from sweeps s
        where s.deployment_id = ${p.deploymentId}::text and s.address = ${p.address}::text
          and s.status in ('gas', 'moving')) as open_sweep,
      (select count(*)::integer from deposits d
        where d.chain_id = ${p.chainId}::text and d.deployment_id = ${p.deploymentId}::text
          and d.address = ${p.address}::text and d.source = 'address'
          and d.status not in ('final', 'orphaned') and d.block_number <= ${p.blockNumber}::bigint)
        as waiting,
      (select coalesce(sum(d.amount_raw), 0)::text from deposits d
        where d.chain_id = ${p.chainId}::text and d.deployment_id = ${p.deploymentId}::text
          and d.address = ${p.address}::text and d.sweep_id is null and d.source = 'address'
          and d.status = 'final' and d.bookings > d.reversals
          and d.block_number <= ${p.blockNumber}::bigint) as due_raw,
      (select coalesce(sum(s.covered_raw - s.left_raw), 0)::text from sweeps s
        where s.deployment_id = ${p.deploymentId}::text and s.address = ${p.address}::text
          and s.kind = 'sweep' and s.status = 'moved') as short_raw`,
);

type ForgottenValues = Omit<SweepValues, "coveredRaw"> &
  OutgoingValues & {
    readonly blockNumber: bigint;
    /** of a token: the deposits brought just what was moved; of the coin, its gas more */
    readonly isExact: boolean;
  };

/**
 * As `planSweep`, of deposits up to the block that brought what was moved: of a token, of the newest ones in a row that
 * come to exactly that, so that two sweeps of the same amount may be said in any order; of the coin, of the first ones
 * that come to it, and its gas. No row: nothing of them fits, or a sweep of the address is under way.
 */
export const planForgottenSweep = statement<ForgottenValues>("plan_forgotten_sweep")((p) =>
  queueingOutgoing(
    queries
      .with(
        "due",
        () => sql<{ amount_raw: string }>`(
        select chain_id, tx_hash, log_index, block_number, amount_raw from deposits
        where chain_id = ${p.chainId}::text and deployment_id = ${p.deploymentId}::text
          and address = ${p.address}::text and sweep_id is null and source = 'address'
          and status = 'final' and bookings > reversals
          and block_number <= ${p.blockNumber}::bigint
        for no key update)`,
      )
      .with(
        "summed",
        () => sql<{ amount_raw: string }>`(
        select due.*, sum(amount_raw) over (order by block_number, tx_hash, log_index) as up_to_raw
        from due)`,
      )
      .with(
        "span",
        () => sql<{ from_raw: string; to_raw: string }>`(
        select from_raw, to_raw from (
          select one.up_to_raw - one.amount_raw as from_raw, last.up_to_raw as to_raw
          from summed one join summed last
            on last.up_to_raw - (one.up_to_raw - one.amount_raw) = ${p.amountRaw}::numeric
          where ${p.isExact}::boolean
          union all
          select 0, min(up_to_raw) from summed
          where not ${p.isExact}::boolean and up_to_raw >= ${p.amountRaw}::numeric
          having count(*) > 0
        ) spans
        order by to_raw desc, from_raw desc
        limit 1)`,
      )
      .with(
        "first",
        () => sql<{ amount_raw: string }>`(
        select summed.* from summed, span
        where summed.up_to_raw - summed.amount_raw >= span.from_raw
          and summed.up_to_raw <= span.to_raw)`,
      )
      .with(
        "fitting",
        () => sql<{ covered_raw: string }>`(
        select sum(amount_raw) as covered_raw from first having count(*) > 0)`,
      )
      .with("sweep", () => insertedSweep(p, "fitting", sql`covered_raw`))
      .with("covered", () => coveringDeposits("first")),
    "sweep",
    p,
  )
    .selectFrom("sweep")
    .select("id"),
);
