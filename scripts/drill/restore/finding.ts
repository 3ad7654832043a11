// What happened after the moment that the database was put back to, by those whom no backup reaches: the chain, and the
// signer, whose log has a line for each signature. Nothing here is known from the drill itself.

import { openDepositAddresses } from "../../../adapters/evm/deposit-addresses.ts";
import { topics } from "../../../adapters/evm/logs.ts";
import { testUsdAddress } from "../../../adapters/local-chain/contract-addresses.ts";
import { blockSize } from "../../../service/addresses/indexes.ts";
import { query } from "../../bench/measuring.ts";
import type { BenchNode } from "../../bench/settle/node.ts";
import type { LogLine } from "./site.ts";

/** The signer has signed it, and the database knows nothing of it. */
export interface Sent {
  readonly account: string;
  readonly nonce: bigint;
  /** what was signed: transfer, or collect for a sweep from the address of a payment */
  readonly kind: string;
  readonly to: string;
  readonly amountRaw: bigint;
  /** the one that was mined; undefined: none was, and this is the last that was signed */
  readonly mined: { readonly txHash: string; readonly gasRaw: bigint } | undefined;
  readonly txHash: string;
  /** of a sweep: from the address of a payment that the database has */
  readonly isOfKnown: boolean;
}

/** Money at an address of ours that belongs to no payment of the database. */
export interface Stray {
  readonly txHash: string;
  readonly address: string;
  readonly index: bigint;
  readonly amountRaw: bigint;
}

/** One that waits, as the database has it. */
export interface Pending {
  readonly id: string;
  readonly merchantId: string;
  readonly address: string;
  readonly amountRaw: bigint;
}

/** Of the accounts that pay others. */
export async function findSent(
  node: Pick<BenchNode, "rpc">,
  signed: readonly LogLine[],
  url: string,
): Promise<readonly Sent[]> {
  const rows = await query(
    url,
    `select a.role || ' ' || n.nonce as name from sender_nonces n
    join own_accounts a on lower(a.account) = lower(n.account)`,
  );
  const known = new Set(rows.map(({ name }) => String(name)));
  const ours = await query(url, "select lower(address) as address from deposit_addresses");
  const addresses = new Set(ours.map(({ address }) => String(address)));
  const froms = new Map((await transfers(node)).map(({ txHash, from }) => [txHash, from]));
  const found = new Map<string, Sent>();
  for (const line of signed) {
    if (line["msg"] !== "signed") continue;
    const [account, nonce] = [String(line["account"]), BigInt(String(line["number"]))];
    const name = `${account} ${nonce}`;
    if (!/^(?:hot|settlement)$/.test(account) || known.has(name)) continue;
    const txHash = String(line["tx_hash"]);
    const mined = await minedAs(node, txHash);
    // Of all that were signed with a nonce one is mined at most.
    if (mined === undefined && found.get(name)?.mined !== undefined) continue;
    const [to, amountRaw] = [String(line["to"]), BigInt(String(line["amount_raw"]))];
    const kind = String(line["kind"]);
    const isOfKnown = addresses.has(froms.get(txHash) ?? "");
    found.set(name, { account, nonce, kind, to, amountRaw, mined, txHash, isOfKnown });
  }
  return [...found.values()];
}

async function minedAs({ rpc }: Pick<BenchNode, "rpc">, txHash: string): Promise<Sent["mined"]> {
  // As the chain's interface has it.
  const receipt = (await rpc("eth_getTransactionReceipt", [txHash])) as {
    readonly gasUsed: string;
    readonly effectiveGasPrice: string;
  } | null;
  if (receipt === null) return undefined;
  return { txHash, gasRaw: BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice) };
}

export interface Transfer {
  readonly txHash: string;
  readonly from: string;
  readonly to: string;
  readonly amountRaw: bigint;
}

/** Of the test token, all that there ever were. @param from undefined: whoever */
export async function transfers(
  { rpc }: Pick<BenchNode, "rpc">,
  from?: string,
): Promise<readonly Transfer[]> {
  const sender = from === undefined ? null : `0x${from.slice(2).toLowerCase().padStart(64, "0")}`;
  const range = { address: testUsdAddress, fromBlock: "0x0", toBlock: "latest" };
  const filter = { ...range, topics: [topics.transfer, sender] };
  // As the chain's interface has it.
  const logs = (await rpc("eth_getLogs", [filter])) as readonly {
    readonly transactionHash: string;
    readonly topics: readonly string[];
    readonly data: string;
  }[];
  const address = (topic = ""): string => `0x${topic.slice(-40)}`;
  return logs.map(({ transactionHash: txHash, topics: [, from, to], data }) => {
    return { txHash, from: address(from), to: address(to), amountRaw: BigInt(data) };
  });
}

/** Each address that the signer has agreed to, by its key, unless the database has given it to a payment. */
export async function findStrays(
  node: Pick<BenchNode, "rpc">,
  url: string,
): Promise<readonly Stray[]> {
  const [identity] = await query(
    url,
    "select deposit_public_key as key from signer_identities where slot = 'accepted'",
  );
  const [blocks] = await query(url, "select next_block::text as next from deposit_index_blocks");
  const rows = await query(
    url,
    "select derivation_index::text as index from deposit_addresses where chain_family = 'evm'",
  );
  const known = new Set(rows.map(({ index }) => String(index)));
  const { derive } = openDepositAddresses(String(identity?.["key"]));
  const unknown = new Map<string, bigint>();
  const end = BigInt(String(blocks?.["next"])) * blockSize;
  for (let index = 0n; index < end; index++) {
    if (!known.has(index.toString())) unknown.set(derive(index).toLowerCase(), index);
  }
  return (await transfers(node)).flatMap(({ to: address, txHash, amountRaw }) => {
    const index = unknown.get(address);
    return index === undefined ? [] : [{ txHash, amountRaw, address, index }];
  });
}

export async function findPending(url: string): Promise<readonly Pending[]> {
  const rows = await query(
    url,
    `select id, merchant_id, address, send_amount_raw::text as amount from withdrawals
    where status = 'pending' order by id`,
  );
  return rows.map((row) => ({
    id: String(row["id"]),
    merchantId: String(row["merchant_id"]),
    address: String(row["address"]),
    amountRaw: BigInt(String(row["amount"])),
  }));
}
