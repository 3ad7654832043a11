// Whether the database holds what was on the chain: each payment that was paid, once, and nothing else.

import { query } from "../measuring.ts";
import { deploymentId } from "./addresses.ts";
import { amountRaw, blockHash, chainId } from "./prepared-chain.ts";

export interface Expected {
  readonly head: number;
  /** payments from the first one on, each by one transfer */
  readonly paid: number;
}

/** One sentence for each. */
export async function findFaults(
  url: string,
  { head, paid }: Expected,
): Promise<readonly string[]> {
  const [row = {}] = await query(
    url,
    `select (select count(*) from deposits) as deposits,
      (select count(*) from deposits d join deposit_addresses a using (payment_id)
        where d.chain_id = '${chainId}' and d.status = 'final' and d.bookings = 1
          and d.reversals = 0 and d.address = a.address and d.deployment_id = '${deploymentId}'
          and d.amount_raw = ${amountRaw} and a.derivation_index between 1 and ${paid}) as finals,
      (select count(distinct payment_id) from deposits) as payments,
      (select count(*) from payments where status = 'paid') as "payments that are paid",
      (select count(*) from payments where status not in ('paid', 'pending')) as others,
      (select block_number from chain_cursors where chain_id = '${chainId}') as height,
      (select block_hash from chain_cursors where chain_id = '${chainId}') as hash`,
  );
  const wanted: Readonly<Record<string, number | string>> = {
    deposits: paid,
    finals: paid,
    payments: paid,
    "payments that are paid": paid,
    others: 0,
    height: head,
    hash: blockHash(head),
  };
  return Object.entries(wanted).flatMap(([name, value]) =>
    String(row[name]) === String(value) ? [] : [`${name}: ${String(row[name])}, and not ${value}`],
  );
}
