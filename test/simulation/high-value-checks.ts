// What is final in a block is as deep as the sum asks for that its merchant got there.

import { assetOf, finalityOn, highValueOf } from "./market.ts";
import type { World } from "./world.ts";

interface BlockRow {
  readonly chain_id: string;
  readonly block_number: string;
  readonly merchant_id: string;
  readonly head: string;
  /** by deployment */
  readonly received: Readonly<Record<string, string>>;
}

export async function checkHighValues(world: World): Promise<void> {
  const rows = await world.rows<BlockRow>(
    `select chain_id, block_number::text, merchant_id, environment, max(head)::text as head,
        jsonb_object_agg(deployment_id, amount::text) as received
      from (
        select d.chain_id, d.block_number, p.merchant_id, p.environment, d.deployment_id,
          k.head_number as head, sum(d.amount_raw) as amount,
          bool_or(d.status = 'final') as is_final
        from deposits d join payments p on p.id = d.payment_id
        join chain_cursors k on k.chain_id = d.chain_id
        where d.status <> 'orphaned' and d.source = 'address'
        group by 1, 2, 3, 4, 5, 6
      ) as by_deployment
      group by 1, 2, 3, 4 having bool_or(is_final)`,
  );
  for (const row of rows) {
    const { chain_id: chainId, block_number: number, merchant_id: merchantId } = row;
    // In millionths of what is high; rounded down, so that nothing is called high that is not.
    const millionths = Object.entries(row.received).reduce(
      (sum, [id, raw]) => sum + (BigInt(raw) * 1_000_000n) / highValueOf(assetOf(id)),
      0n,
    );
    if (millionths <= 1_000_000n) continue;
    const deep = Number(BigInt(row.head) - BigInt(number)) + 1;
    const needed = 2 * finalityOn(chainId).confirmations;
    if (deep >= needed) continue;
    world.complain(
      `${chainId}: a high value of ${merchantId} in block ${number} is final after ${deep} blocks`,
    );
  }
}
