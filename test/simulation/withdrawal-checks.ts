// No withdrawal is sent twice, and what was sent is what was asked for: by the chains' own account.

import type { SimulatedChain } from "./market.ts";
import { hotAccount } from "./worker.ts";
import type { World } from "./world.ts";

interface WithdrawalRow {
  readonly id: string;
  readonly chain_id: string;
  readonly address: string;
  readonly contract_address: string | null;
  readonly raw: string;
  readonly status: string;
  readonly hashes: readonly string[];
}

const readWithdrawals = `
  select w.id, w.chain_id, w.address, w.contract_address, w.send_amount_raw::text as raw, w.status,
    coalesce(array_agg(a.tx_hash) filter (where a.tx_hash is not null), '{}') as hashes
  from withdrawals w
  left join outgoing_transactions o on o.purpose = 'withdrawal' and o.subject_id = w.id
  left join outgoing_attempts a on a.outgoing_id = o.id
  group by w.id order by w.id`;

/** Where each is at most one mined transfer, and none where none may be. */
export async function checkWithdrawals(world: World): Promise<void> {
  const rows = await world.rows<WithdrawalRow>(readWithdrawals);
  for (const one of world.chains) {
    const here = rows.filter((row) => row.chain_id === one.chain.chainId);
    const addresses = world.addresses.filter(({ chainId }) => chainId === one.chain.chainId);
    const sent = sentFrom(one, new Set(addresses.map(({ address }) => address)));
    for (const row of here) checkOne(world, row, sent);
    // And nothing left that nobody has asked for.
    const known = new Set(here.flatMap(({ hashes }) => hashes));
    for (const hash of sent.keys()) {
      if (!known.has(hash)) world.complain(`${hash} has sent money that belongs to no withdrawal`);
    }
  }
}

interface Sent {
  readonly to: string;
  readonly amountRaw: bigint;
  readonly contractAddress: string | null;
}

/** By the hash of the transaction. */
function sentFrom({ chain }: SimulatedChain, addresses: ReadonlySet<string>): Map<string, Sent[]> {
  const sent = new Map<string, Sent[]>();
  for (const address of addresses) {
    for (const transfer of chain.transfersTo(address)) {
      if (transfer.from !== hotAccount.address) continue;
      sent.set(transfer.txHash, [...(sent.get(transfer.txHash) ?? []), transfer]);
    }
  }
  return sent;
}

function checkOne(world: World, row: WithdrawalRow, sent: ReadonlyMap<string, Sent[]>): void {
  const { id, status, hashes, raw, address, contract_address: contract } = row;
  const transfers = hashes.flatMap((hash) => sent.get(hash) ?? []);
  if (transfers.length > 1) world.complain(`${id} was sent ${transfers.length} times`);
  const isWrong = transfers.some(
    (one) =>
      one.to !== address || one.contractAddress !== contract || one.amountRaw !== BigInt(raw),
  );
  if (isWrong) world.complain(`${id} was sent to somebody else, or with another amount`);
  if (status === "confirmed" && transfers.length === 0) world.complain(`${id} was never sent`);
  const isUnsent = status !== "confirmed" && status !== "broadcast";
  if (isUnsent && transfers.length > 0) world.complain(`${id} is ${status}, and was sent`);
  const isSigned = status === "broadcast" || status === "confirmed" || status === "failed";
  if (isSigned !== hashes.length > 0) world.complain(`${id} is ${status}: ${hashes.length} signed`);
}

/** What is still open waits for somebody: its merchant is in debt. */
export async function checkWithdrawalsEnded(world: World): Promise<void> {
  const rows = await world.rows<{ id: string; status: string }>(
    `select id, status from withdrawals w
      where status in ('pending', 'processing', 'broadcast')
        and not (status = 'pending' and exists (
          select from ledger_accounts a where a.kind = 'merchant:debt' and a.balance > 0
            and a.merchant_id = w.merchant_id and a.environment = w.environment))
        and not (status = 'pending' and exists (
          select from withdraw_addresses d where d.id = w.withdraw_address_id
            and d.disabled_at is not null))`,
  );
  for (const { id, status } of rows) world.complain(`${id} is still ${status}`);
  const [reserved] = await world.rows<{ wanted: string; booked: string }>(
    `select
      (select coalesce(sum(send_amount_raw + fee_raw), 0)::text from withdrawals
        where status in ('pending', 'processing', 'broadcast')) as wanted,
      (select coalesce(sum(balance), 0)::text from ledger_accounts
        where kind = 'merchant:withdrawing') as booked`,
  );
  if (reserved?.wanted !== reserved?.booked) {
    world.complain(`${reserved?.booked} is set aside, and ${reserved?.wanted} should be`);
  }
}
