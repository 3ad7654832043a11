// Rows of the queue as a test wants them, and everything that lies in it.

import type { Database } from "../../service/ports/database.ts";
import type { Engine } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { contentsOf, putRow, type Row } from "../support/table-steps.ts";
import { chainId, openScene, usdc } from "./scene.ts";

export const otherChain = "eip155:1";
export const ours = "our account";
export const others = "another account";
const start = Date.parse("2026-01-01T00:00:00.000Z");

/** The scene's clock stands at 0. */
export const at = (seconds: number): Date => new Date(start + seconds * 1000);

export const queued = {
  chain_id: chainId,
  account: ours,
  account_role: "settlement",
  purpose: "x402_release",
  deployment_id: usdc.deploymentId,
  amount_raw: 7,
  action: { kind: "transfer", to: "somebody", contractAddress: null, amountRaw: "7" },
  status: "queued",
  sends_nothing: false,
  not_before: at(0),
  created_at: at(-60),
  updated_at: at(-60),
};
export const reserved = { ...queued, reserved_nonce: 4 };
const signed = { gas_units_max: 100, gas_max_raw: 200, tx_hash: "0xold", signed_at: at(-50) };
export const broadcast = { ...reserved, ...signed, status: "broadcast" };
export const ended = { ...broadcast, status: "reverted" };

export function put(database: Database, id: string, row: Row): Promise<void> {
  return putRow(database, "outgoing_transactions", { id, subject_id: `subject ${id}`, ...row });
}

/** With what was signed for it, twice. */
export async function putNonce(
  database: Database,
  outgoing_id: string,
  place: { readonly chain_id: string; readonly account: string; readonly nonce: number },
): Promise<void> {
  await putRow(database, "sender_nonces", { ...place, outgoing_id, created_at: at(-50) });
  for (const attempt of [1, 2]) {
    const tx_hash = `${outgoing_id} ${attempt}`;
    const raw = `\\x${Buffer.from(tx_hash).toString("hex")}`;
    const fees = { max_fee_per_gas: attempt, max_priority_fee_per_gas: 1 };
    const signing = { tx_hash, raw, ...fees, signed_at_block: 1, signed_at: at(-50) };
    await putRow(database, "outgoing_attempts", { outgoing_id, attempt, ...signing });
  }
}

export function contents(database: Database) {
  return contentsOf(database, {
    outgoing_transactions: "t.id",
    sender_nonces: "t.outgoing_id",
    outgoing_attempts: "t.outgoing_id || ' ' || t.attempt",
  });
}

/** With leases of accounts, ours by the token "mine". */
export async function openQueue(engine: Engine) {
  const scene = await openScene(engine);
  await query(scene.database)`
    insert into sender_accounts (chain_id, account, lease_token, lease_expires_at)
    values (${chainId}, ${ours}, 'mine', ${at(60)}), (${chainId}, ${others}, 'theirs', ${at(60)}),
      (${otherChain}, ${ours}, 'theirs', ${at(60)})`;
  return scene;
}

export async function clear(database: Database): Promise<void> {
  await query(database)`
    with attempts as (delete from outgoing_attempts), nonces as (delete from sender_nonces)
    delete from outgoing_transactions`;
}

/** Of other accounts and chains, in every state. */
export async function putNeighbours(database: Database): Promise<void> {
  await put(database, "out_2", { ...queued, purpose: "refund" });
  await put(database, "out_3", { ...reserved, account: others });
  await put(database, "out_4", { ...reserved, chain_id: otherChain });
  await put(database, "out_5", broadcast);
  await putNonce(database, "out_5", { chain_id: chainId, account: ours, nonce: 3 });
  await put(database, "out_6", { ...broadcast, chain_id: otherChain });
  await putNonce(database, "out_6", { chain_id: otherChain, account: ours, nonce: 4 });
  await put(database, "out_7", { ...queued, status: "withdrawn" });
}
