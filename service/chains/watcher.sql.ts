// The statements of watching a chain: how far it was read, which blocks, and what arrived in them.

import { sql } from "kysely";
import type { DepositsTable } from "../database/tables/payments.ts";
import { anyOf } from "../database/row-source.ts";
import { queries, statement } from "../database/statement.ts";

interface OfChain {
  readonly chainId: string;
}

export const readCursor = statement<OfChain>("read_chain_cursor")((p) =>
  queries.selectFrom("chain_cursors").selectAll().where("chain_id", "=", p.chainId),
);

export const listCursors = statement<object>("list_chain_cursors")(() =>
  queries.selectFrom("chain_cursors").selectAll().orderBy("chain_id"),
);

interface BlockValues extends OfChain {
  readonly number: bigint;
  readonly hash: string;
  readonly parentHash: string;
  readonly time: Date;
  readonly headNumber: bigint;
  readonly now: Date;
}

/** Does nothing where another process has begun. */
export const startCursor = statement<BlockValues>("start_chain_cursor")(
  (p) => sql`
    with cursor as (
      insert into chain_cursors (
        chain_id, block_number, block_hash, block_time, checked_number, head_number, looked_at,
        updated_at
      )
      values (${p.chainId}::text, ${p.number}::bigint, ${p.hash}::text, ${p.time}::timestamptz,
        ${p.number}::bigint, ${p.headNumber}::bigint, ${p.now}::timestamptz, ${p.now}::timestamptz)
      on conflict do nothing
      returning chain_id
    )
    insert into chain_blocks (chain_id, block_number, block_hash, parent_hash, block_time)
    select chain_id, ${p.number}::bigint, ${p.hash}::text, ${p.parentHash}::text,
      ${p.time}::timestamptz
    from cursor`,
);

/** When the first payment that can be paid on the chain got its address. No row: none has. */
export const readOldestDepositAddress = statement<OfChain & Pick<AddressValues, "family">>(
  "read_oldest_deposit_address",
)((p) =>
  queries
    .selectFrom("first_deposit_addresses")
    .select("since")
    .where("chain_family", "=", p.family)
    .where("chain_id", "=", p.chainId),
);

interface LookValues extends OfChain {
  readonly number: bigint;
  readonly hash: string;
  readonly headNumber: bigint;
  readonly now: Date;
}

/** The chain agrees with what was read. A crash may lose this: the next look says it again. */
export const noteLook = statement<LookValues>("note_chain_look", { isDurable: false })((p) =>
  queries
    .updateTable("chain_cursors")
    .set({ looked_at: p.now, head_number: p.headNumber })
    .where("chain_id", "=", p.chainId)
    .where("block_number", "=", p.number)
    .where("block_hash", "=", p.hash),
);

interface MoveValues extends LookValues {
  /** where it has to stand now */
  readonly fromNumber: bigint;
  readonly fromHash: string;
  /** the newest block that both branches have; where it stands, if there is one branch */
  readonly forkNumber: bigint;
  readonly time: Date;
  /** JSON text: the blocks after the fork, up to the new position */
  readonly blocks: string;
  /** older ones are forgotten, but for those that were not read a second time */
  readonly keptFrom: bigint;
}

/** A row, if the cursor stood where it was thought to stand; then the blocks are stored too. */
export const moveCursor = statement<MoveValues>("move_chain_cursor")(
  (p) => sql<{ chain_id: string }>`
    with cursor as (
      update chain_cursors set block_number = ${p.number}::bigint, block_hash = ${p.hash}::text,
        block_time = ${p.time}::timestamptz,
        checked_number = least(checked_number, ${p.forkNumber}::bigint),
        head_number = ${p.headNumber}::bigint,
        looked_at = ${p.now}::timestamptz, updated_at = ${p.now}::timestamptz
      where chain_id = ${p.chainId}::text and block_number = ${p.fromNumber}::bigint
        and block_hash = ${p.fromHash}::text
      returning chain_id, checked_number
    ), stored as (
      insert into chain_blocks (chain_id, block_number, block_hash, parent_hash, block_time)
      select cursor.chain_id, one.number, one.hash, one.parent_hash, one.time
      from cursor, jsonb_to_recordset(${p.blocks}::jsonb) as one (
        number bigint, hash text, parent_hash text, time timestamptz
      )
      where one.number >= least(${p.keptFrom}::bigint, cursor.checked_number + 1)
    ), forgotten as (
      delete from chain_blocks using cursor
      where chain_blocks.chain_id = cursor.chain_id
        and block_number < least(${p.keptFrom}::bigint, cursor.checked_number + 1)
    )
    select chain_id from cursor`,
);

interface Above extends OfChain {
  readonly forkNumber: bigint;
}

export const abandonBlocks = statement<Above>("abandon_chain_blocks")((p) =>
  queries
    .deleteFrom("chain_blocks")
    .where("chain_id", "=", p.chainId)
    .where("block_number", ">", p.forkNumber),
);

/** One row for each deposit. */
export const orphanDeposits = statement<Above>("orphan_deposits")((p) =>
  queries
    .updateTable("deposits")
    .set({ status: "orphaned" })
    .where("chain_id", "=", p.chainId)
    .where("block_number", ">", p.forkNumber)
    .where("status", "<>", "orphaned")
    .returning("payment_id"),
);

interface Between extends OfChain {
  readonly fromNumber: bigint;
  readonly toNumber: bigint;
}

export const readBlocks = statement<Between>("read_chain_blocks")((p) =>
  queries
    .selectFrom("chain_blocks")
    .select(["block_number", "block_hash"])
    .where("chain_id", "=", p.chainId)
    .where("block_number", ">=", p.fromNumber)
    .where("block_number", "<=", p.toNumber)
    .orderBy("block_number"),
);

export const readOldestBlock = statement<OfChain>("read_oldest_chain_block")((p) =>
  queries
    .selectFrom("chain_blocks")
    .select(["block_number"])
    .where("chain_id", "=", p.chainId)
    .orderBy("block_number")
    .limit(1),
);

interface AddressValues {
  readonly family: "evm" | "solana" | "bitcoin" | "tron";
  readonly addresses: readonly string[];
}

/** Whose these addresses are; most are nobody's. */
export const matchDepositAddresses = statement<AddressValues>("match_deposit_addresses")((p) =>
  queries
    .selectFrom("deposit_addresses")
    .innerJoin("payments", "payments.id", "deposit_addresses.payment_id")
    .select(["address", "payment_id", "environment", "quotes"])
    .where("chain_family", "=", p.family)
    .where("address", "=", anyOf(p.addresses)),
);

/** Which of these were ever accounts of ours; in lower case. */
export const findOwnAccounts = statement<{ readonly accounts: readonly string[] }>(
  "find_own_accounts",
)(
  (p) => sql<{ account: string }>`
    select account from own_accounts
    where account in (select lower(one) from unnest(${p.accounts}::text[]) as one)`,
);

/** As text: a column of this type comes as text. */
type RecordedDeposit = Pick<
  DepositsTable,
  "tx_hash" | "log_index" | "block_hash" | "deployment_id" | "payment_id" | "address" | "sender"
> & {
  readonly amount_raw: string;
  /** what its log says: of a token that may keep a part, maybe more than came */
  readonly logged_raw: string;
};

/** Of these blocks, as they count now. */
export const readDepositsOfBlocks = statement<Between>("read_deposits_of_blocks")(
  (p) => sql<RecordedDeposit>`
    select tx_hash, log_index, block_hash, d.deployment_id, payment_id, d.address, d.sender,
      amount_raw::text, coalesce(m.logged_raw, amount_raw)::text as logged_raw
    from deposits d left join measured_transfers m using (chain_id, tx_hash, log_index, block_hash)
    where chain_id = ${p.chainId}::text and status <> 'orphaned'
      and d.block_number between ${p.fromNumber}::bigint and ${p.toNumber}::bigint`,
);

interface CheckedValues extends OfChain {
  readonly fromNumber: bigint;
  readonly toNumber: bigint;
  readonly hash: string;
}

/** A row, if nobody was faster, and the block with this number is still the one with this hash. */
export const markChecked = statement<CheckedValues>("mark_chain_checked")((p) =>
  queries
    .updateTable("chain_cursors")
    .set({ checked_number: p.toNumber })
    .where("chain_id", "=", p.chainId)
    .where("checked_number", "=", p.fromNumber)
    .where(
      sql<boolean>`exists (select from chain_blocks b where b.chain_id = ${p.chainId}::text
        and b.block_number = ${p.toNumber}::bigint and b.block_hash = ${p.hash}::text)`,
    )
    .returning("chain_id"),
);

interface FinalValues extends OfChain {
  /** JSON text: for each deployment up to which block what amount is final */
  readonly rules: string;
  readonly rowsMax: number;
}

/**
 * High is what a reorganisation would take away: all that a payment got on the chain, and all that its
 * merchant got in one block, or that came in one and is nobody's. So small parts gain nothing. Units differ:
 * parts of each high value are added up. Once for each payment and block: somebody may send tens of
 * thousands to one address, and everybody would wait.
 */
function finalDeposits(p: FinalValues) {
  return sql`
    with rules as materialized (
      select * from jsonb_to_recordset(${p.rules}::jsonb) as rule (
        deployment_id text, number_max bigint, high_value_raw numeric, high_number_max bigint
      )
    ), deep as materialized (
      select d.chain_id, d.tx_hash, d.log_index, d.payment_id, d.block_number,
        owner.merchant_id, owner.environment, d.block_number <= rule.high_number_max as is_deepest
      from deposits d join rules rule on rule.deployment_id = d.deployment_id
      left join payments owner on owner.id = d.payment_id
      where d.chain_id = ${p.chainId}::text and d.status = 'seen'
        and d.block_number <= rule.number_max
    ), of_payments as materialized (
      select payment_id, ${highPart("received")} as part
      from (
        select o.payment_id, o.deployment_id, sum(o.amount_raw) as amount_raw
        from deposits o
        where o.chain_id = ${p.chainId}::text and o.status <> 'orphaned'
          and o.payment_id in (select payment_id from deep where not is_deepest)
        group by o.payment_id, o.deployment_id
      ) as received join rules using (deployment_id)
      group by payment_id
    ), of_blocks as materialized (
      select merchant_id, environment, block_number, ${highPart("received")} as part
      from (
        select owner.merchant_id, owner.environment, o.block_number, o.deployment_id,
          sum(o.amount_raw) as amount_raw
        from deposits o join payments owner on owner.id = o.payment_id
        where o.chain_id = ${p.chainId}::text and o.status <> 'orphaned'
          and o.block_number in (select block_number from deep where not is_deepest)
        group by owner.merchant_id, owner.environment, o.block_number, o.deployment_id
      ) as received join rules using (deployment_id)
      group by merchant_id, environment, block_number
    ), of_nobody as materialized (
      select number, ${highPart("received")} as part
      from (
        select o.block_number as number, o.deployment_id, sum(o.amount_raw) as amount_raw
        from deposits o
        where o.chain_id = ${p.chainId}::text and o.status <> 'orphaned' and o.payment_id is null
          and o.block_number in (select block_number from deep where payment_id is null)
        group by o.block_number, o.deployment_id
      ) as received join rules using (deployment_id)
      group by number
    )
    select deep.chain_id, deep.tx_hash, deep.log_index
    from deep left join of_payments using (payment_id)
    left join of_blocks using (merchant_id, environment, block_number)
    left join of_nobody on deep.payment_id is null and of_nobody.number = deep.block_number
    where deep.is_deepest or (of_payments.part <= 1 and of_blocks.part <= 1)
      or of_nobody.part <= 1
    order by deep.block_number, deep.tx_hash, deep.log_index
    limit ${p.rowsMax}::integer`;
}

/** Of a group of sums by deployment, with the rules joined; above 1: it is high. */
function highPart(sums: string) {
  return sql`sum(coalesce(${sql.table(sums)}.amount_raw / nullif(rules.high_value_raw, 0), 2))`;
}

export const countFinalDeposits = statement<FinalValues>("count_final_deposits")(
  (p) => sql<{ count: number }>`
    select count(*)::integer as count from (${finalDeposits(p)}) as due`,
);

export const finalizeDeposits = statement<FinalValues>("finalize_deposits")(
  (p) => sql<{ payment_id: string | null }>`
    update deposits set status = 'final' from (${finalDeposits(p)}) as due
    where deposits.chain_id = due.chain_id and deposits.tx_hash = due.tx_hash
      and deposits.log_index = due.log_index
    returning deposits.payment_id`,
);

interface PositionValues extends OfChain {
  readonly number: bigint;
  readonly hash: string;
}

/** A row, if the cursor stands here; it stays until the end of the transaction. */
export const holdCursor = statement<PositionValues>("hold_chain_cursor")((p) =>
  queries
    .selectFrom("chain_cursors")
    .select("chain_id")
    .where("chain_id", "=", p.chainId)
    .where("block_number", "=", p.number)
    .where("block_hash", "=", p.hash)
    .forUpdate(),
);
