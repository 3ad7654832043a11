// What is swept moves once, and only to ourselves.

import type { World } from "./world.ts";

interface OutgoingRow {
  readonly id: string;
  readonly chain_id: string;
  readonly status: string;
  readonly hashes: readonly string[];
}

const readOutgoing = `
  select o.id, o.chain_id, o.status,
    coalesce(array_agg(a.tx_hash) filter (where a.tx_hash is not null), '{}') as hashes
  from outgoing_transactions o left join outgoing_attempts a on a.outgoing_id = o.id
  group by o.id order by o.id`;

/** One transaction of each is mined at most; one of each that has ended by one is. */
export async function checkOutgoing(world: World): Promise<void> {
  for (const { id, chain_id: chainId, status, hashes } of await world.rows<OutgoingRow>(
    readOutgoing,
  )) {
    const one = world.chains.find(({ chain }) => chain.chainId === chainId);
    if (one === undefined) continue;
    const mined = hashes.filter((hash) => one.chain.isMined(hash)).length;
    if (mined > 1) world.complain(`${id} was mined ${mined} times`);
    const isEnded = status === "succeeded" || status === "reverted";
    if (isEnded && mined === 0) world.complain(`${id} is ${status}, and was never mined`);
    const isSigned = status !== "queued" && status !== "withdrawn";
    if (isSigned !== hashes.length > 0)
      world.complain(`${id} is ${status}: ${hashes.length} signed`);
  }
}

export async function checkOutgoingEnded(world: World): Promise<void> {
  const rows = await world.rows<{ id: string; status: string; why: string }>(
    `select id, status, concat_ws(', ', purpose, last_problem, 'reserved ' || reserved_nonce, 'again at ' || not_before) as why from outgoing_transactions where status in ('queued', 'broadcast')`,
  );
  for (const { id, status, why } of rows) world.complain(`${id} is still ${status}: ${why}`);
}
