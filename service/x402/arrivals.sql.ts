// The statements of what the watcher has seen at settlement accounts.

import { sql } from "kysely";
import type { Environment } from "../owner.ts";
import { anyOf } from "../database/row-source.ts";
import { statement } from "../database/statement.ts";

interface OfArrival {
  readonly chainId: string;
  readonly txHash: string;
  readonly logIndex: number;
}

/**
 * Whose the same transfer was before a reorganisation moved it to another place of its transaction;
 * of what by then was not the money of a settlement, which looks for it itself. Who has one there again
 * has got it back: another one of as much is another's.
 */
export const findMovedArrival = statement<OfArrival>("find_moved_arrival")(
  (p) => sql<{ payment_id: string }>`
    select gone.payment_id
    from deposits d
    join deposits gone on gone.chain_id = d.chain_id and gone.tx_hash = d.tx_hash
      and gone.deployment_id = d.deployment_id and gone.sender = d.sender
      and gone.amount_raw = d.amount_raw
    where d.chain_id = ${p.chainId}::text and d.tx_hash = ${p.txHash}::text
      and d.log_index = ${p.logIndex}::integer
      and gone.status = 'orphaned' and gone.source = 'settlement' and gone.payment_id is not null
      and not exists (
        select from deposits back
        where back.chain_id = d.chain_id and back.tx_hash = d.tx_hash
          and back.deployment_id = d.deployment_id and back.sender = d.sender
          and back.amount_raw = d.amount_raw and back.payment_id = gone.payment_id
          and back.status <> 'orphaned')
    order by gone.log_index
    limit 1`,
);

interface ArrivalOfValues {
  readonly chainId: string;
  readonly txHash: string;
  readonly blockHash: string;
  readonly paymentId: string;
  /** of all transfers that could be its money */
  readonly logIndexes: readonly string[];
}

/**
 * `is_there`: money of this transaction is written down as the payment's. Not so: of all these transfers the watcher
 * has measured that nothing came. No row: nobody knows yet.
 */
export const findArrivalOf = statement<ArrivalOfValues>("find_x402_arrival_of")(
  (p) => sql<{ is_there: boolean }>`
    select true as is_there from deposits
    where chain_id = ${p.chainId}::text and tx_hash = ${p.txHash}::text
      and payment_id = ${p.paymentId}::text and source <> 'address' and status <> 'orphaned'
    union all
    select false from measured_transfers
    where chain_id = ${p.chainId}::text and tx_hash = ${p.txHash}::text
      and block_hash = ${p.blockHash}::text and log_index::text = ${anyOf(p.logIndexes)}
      and arrived_raw = 0
    having count(*) = cardinality(${p.logIndexes}::text[])
    order by is_there desc limit 1`,
);

interface UnderWayValues {
  readonly chainId: string;
  readonly deploymentId: string;
  readonly payer: string;
  readonly nonces: readonly string[];
}

/** A settlement of one of these authorizations takes its money itself. */
export const findUnderWay = statement<UnderWayValues>("find_x402_under_way")(
  (p) => sql<{ id: string }>`
    select s.id from x402_settlements s
    where s.chain_id = ${p.chainId}::text and s.deployment_id = ${p.deploymentId}::text
      and s.payer = ${p.payer}::text and s.nonce = ${anyOf(p.nonces)}
      and s.status <> 'failed'
    limit 1`,
);

interface UseValues {
  readonly chainId: string;
  readonly account: string;
  readonly deploymentId: string;
  readonly payer: string;
  readonly rowsMax: number;
}

/** Transactions in which money of the payer came to the account, the newest first. */
export const listArrivalHashes = statement<UseValues & { readonly amountRaw: bigint }>(
  "list_arrival_hashes",
)(
  (p) => sql<{ tx_hash: string }>`
    select tx_hash, max(block_number) as block_number from deposits
    where chain_id = ${p.chainId}::text and address = ${p.account}::text
      and deployment_id = ${p.deploymentId}::text and sender = ${p.payer}::text
      and source <> 'address'
      and amount_raw <= ${p.amountRaw}::numeric and status <> 'orphaned'
    group by tx_hash
    order by bool_or(payment_id is null) desc, max(amount_raw) desc, block_number desc, tx_hash
    limit ${p.rowsMax}::integer`,
);

interface PayableRow {
  readonly environment: Environment;
}

export const readPaymentEnvironment = statement<{ readonly paymentId: string }>(
  "read_payment_environment",
)((p) => sql<PayableRow>`select environment from payments where id = ${p.paymentId}::text`);
