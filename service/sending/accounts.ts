// Transactions of ours that are signed and not mined, as the sender sends them again, and which of
// our accounts signs for them.

import { actionOf } from "./model.ts";
import type { OutgoingAccount } from "./model.ts";
import type { ChainFees } from "../ports/chain.ts";
import type { Database } from "../ports/database.ts";
import type { ActionIntent, ActionSigner } from "../ports/signer.ts";
import type { SentRows, Turn } from "./turn.ts";
import { markOutgoingSent, storeReplacingOutgoing } from "./sender.sql.ts";
import type { listUnminedOutgoing } from "./sender.sql.ts";

export type OutgoingRow = NonNullable<(typeof listUnminedOutgoing)["row"]>;

export function accountRows(database: Database, signer: ActionSigner): SentRows<OutgoingRow> {
  return {
    stateOf: ({ status }) =>
      status === "broadcast" ? "open" : status === "succeeded" ? "kept" : "lost",
    isPayable,
    sign: ({ chain }, row, fees) => signer.signAction(chain.chainId, intentOf(row, fees)),
    storeReplacement: async (values) =>
      (await database.run(storeReplacingOutgoing, values)).length > 0,
    markSent: async (sent) => void (await database.run(markOutgoingSent, sent)),
    factsOf: (id) => ({ outgoing_id: id }),
  };
}

function intentOf(row: OutgoingRow, fees: ChainFees): ActionIntent {
  const { nonce, gas_units_max: gasUnitsMax } = row;
  if (gasUnitsMax === null) throw new Error(`${row.id} was signed without a limit of gas`);
  return { account: signsAs(row), nonce, action: actionOf(row.action), gasUnitsMax, fees };
}

/** Nobody fills up the address of a payment: higher fees than it can pay would block it for good. */
async function isPayable(turn: Turn, row: OutgoingRow, fees: ChainFees): Promise<boolean> {
  if (row.account_role !== "deposit") return true;
  const action = actionOf(row.action);
  const isCoin = action.kind === "transfer" && action.contractAddress === null;
  const gasRaw = (row.gas_units_max ?? 0n) * fees.maxFeePerGas;
  const neededRaw = gasRaw + (isCoin ? action.amountRaw : 0n);
  return (await turn.chain.balance(row.account, null)) >= neededRaw;
}

export function signsAs(row: {
  readonly id: string;
  readonly account_role: OutgoingAccount["role"];
  readonly account_index: bigint | null;
}): OutgoingAccount {
  if (row.account_role === "settlement") return { role: "settlement" };
  if (row.account_index === null) throw new Error(`${row.id} has no index of its address`);
  return { role: "deposit", index: row.account_index };
}
