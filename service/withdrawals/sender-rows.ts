// Withdrawals that are signed and not mined, as the sender sends them again.

import type { ChainFees, ChainSigner, TransferIntent } from "../ports/chain.ts";
import type { Database } from "../ports/database.ts";
import type { SentRows } from "../sending/turn.ts";
import { markSent, storeReplacement } from "./sender.sql.ts";
import type { listUnmined } from "./sender.sql.ts";

export type WithdrawalRow = NonNullable<(typeof listUnmined)["row"]>;

export function withdrawalRows(database: Database, signer: ChainSigner): SentRows<WithdrawalRow> {
  return {
    // Confirmed: the merchant has paid for it. Failed: the merchant has its money back, so it must not
    // be mined unless it moves nothing.
    stateOf: ({ status, sends_nothing: sendsNothing }) => {
      if (status === "broadcast") return "open";
      return status === "confirmed" || sendsNothing ? "kept" : "lost";
    },
    sign: ({ chain }, row, fees) =>
      signer.sign(chain.chainId, intentOf(row, signer.address, { nonce: row.nonce, fees })),
    storeReplacement: async (values) => (await database.run(storeReplacement, values)).length > 0,
    markSent: async (sent) => void (await database.run(markSent, sent)),
    factsOf: (id) => ({ withdrawal_id: id }),
  };
}

type Wanted = Pick<
  WithdrawalRow,
  "address" | "contract_address" | "send_amount_raw" | "sends_nothing"
>;

/** What is signed for it. Nothing is a transfer of no coin to the account itself. */
export function intentOf(
  row: Wanted,
  account: string,
  { nonce, fees }: { readonly nonce: bigint; readonly fees: ChainFees },
): TransferIntent {
  const to = row.sends_nothing ? account : row.address;
  return { nonce, to, ...spendingOf(row), fees };
}

/** What leaves the account for it, beside the gas. */
export function spendingOf(row: Omit<Wanted, "address">) {
  if (row.sends_nothing) return { contractAddress: null, amountRaw: 0n };
  return { contractAddress: row.contract_address, amountRaw: BigInt(row.send_amount_raw) };
}
