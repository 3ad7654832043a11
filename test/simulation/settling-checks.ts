// What must be true of what merchants have settled (threats 93 and 94), held against the chain itself.

import { sendCall } from "./client.ts";
import { settleAgain } from "./settling.ts";
import type { Settling } from "./settling.ts";
import type { World } from "./world.ts";

interface StoredRow {
  readonly payer: string;
  readonly status: string;
  readonly reason: string | null;
  readonly tx_hash: string | null;
}

/** When all is final: each is decided as the chain has decided it, and a program that asks again hears so. */
export async function checkSettlements(world: World): Promise<void> {
  const rows = await world.rows<StoredRow>(
    `select payer, status, reason, tx_hash from x402_settlements order by id`,
  );
  const known = new Map(world.settling.map((one) => [one.payer, one]));
  for (const row of rows) {
    const settling = known.get(row.payer);
    const problem =
      settling === undefined ? "nobody has asked for it" : await problemOf(world, settling, row);
    if (problem === undefined) continue;
    const { payer, status, reason } = row;
    world.complain(
      `the settlement of ${payer} is ${status} (${reason ?? "no reason"}): ${problem}`,
    );
  }
}

async function problemOf(
  world: World,
  settling: Settling,
  row: StoredRow,
): Promise<string | undefined> {
  const { chain } = settling.one;
  const use = await chain.useOf(settling.authorization, 0n);
  const ownHash = use?.kind === "settled" ? use.txHash : undefined;
  const heard = await askAgain(world, settling);
  if (row.status === "final") {
    if (ownHash === undefined) return "the chain knows of no use";
    if (row.tx_hash !== ownHash) return `it was used in ${ownHash}, not in ${row.tx_hash}`;
    return heard === ownHash ? undefined : `whoever asks again hears ${heard}`;
  }
  if (row.status !== "failed") return "it is still not decided";
  if (heard !== row.reason) return `whoever asks again hears ${heard}`;
  const { contractAddress } = settling.authorization;
  const hasFailed = world.hasFailed.has(`${chain.chainId} ${contractAddress}`);
  const isSo = await isTrue(settling, row, { isUsed: ownHash !== undefined, hasFailed });
  return isSo ? undefined : "that is not so";
}

/** The hash, or why not. */
async function askAgain(world: World, settling: Settling): Promise<string> {
  const call = settleAgain(world, settling);
  await sendCall(world, world.worker(0), call);
  const [answer] = call.answers;
  if (answer === undefined) return call.refusal ?? "nothing";
  const { success, tx_hash: hash } = JSON.parse(answer) as { success: boolean; tx_hash: string };
  return success ? hash : "not yet";
}

/** Whether the reason of a failure holds on the chain. */
async function isTrue(
  { one, authorization }: Settling,
  { reason, tx_hash: hash }: StoredRow,
  { isUsed, hasFailed }: { readonly isUsed: boolean; readonly hasFailed: boolean },
): Promise<boolean> {
  switch (reason) {
    case "x402_reverted":
      return hash !== null && (await one.chain.receipt(hash))?.isSuccess === false;
    case "x402_expired":
      return one.blockMilliseconds > Number(authorization.deadline) * 1000;
    case "x402_authorization_used":
      return isUsed;
    case "x402_simulation_failed":
      return hasFailed;
    default:
      return false;
  }
}
