// The right to sign for an account of ours, and where its chain stands: what every turn begins with.

import { ServiceError } from "../errors.ts";
import type { ChainFees, ChainHead } from "../ports/chain.ts";
import { withSenderLease } from "./lease.ts";
import type { SenderLease } from "./lease.ts";
import { stopIfUsedByOthers } from "./nonces.ts";
import type { OutgoingChain, TurnPorts } from "./ports.ts";

/** Of one account: what is known of its chain now, and the right to sign for it. */
export interface Turn extends OutgoingChain {
  readonly lease: SenderLease;
  /** before each step that may take long */
  readonly keep: () => Promise<void>;
  readonly head: ChainHead;
  readonly minedCount: bigint;
  readonly fees: ChainFees;
  /** with the account */
  readonly alarm: TurnPorts["alarm"];
}

/** Undefined: another process has the account, or has taken it. */
export async function withSenderTurn<Result>(
  ports: TurnPorts,
  { chain, signer, account }: OutgoingChain & { readonly account: string },
  work: (turn: Turn) => Promise<Result>,
): Promise<Result | undefined> {
  const { chainId } = chain;
  return withSenderLease(ports, { chainId, account }, async (lease, keep) => {
    await ports.reached?.("leased");
    const head = await chain.head();
    if (head.chainId !== chainId) throw otherChain(head);
    const minedCount = await chain.minedCount(account);
    await stopIfUsedByOthers(ports, { lease, signer }, minedCount);
    const fees = await chain.fees();
    const alarm: TurnPorts["alarm"] = (what, facts) =>
      ports.alarm(what, { ...facts, chain_id: chainId, account });
    return await work({ chain, signer, lease, keep, head, minedCount, fees, alarm });
  });
}

function otherChain({ chainId }: ChainHead): ServiceError {
  const cause = new Error(`the node answers for ${chainId}`);
  return new ServiceError("chain_unavailable", "Another chain answers.", { cause });
}
