// What commands say of a transaction that a restored database had forgotten.

import type { Remembered } from "../../service/sending/forgotten.ts";
import { shown } from "./results.ts";

/** For `fields`. */
export function transactionFields({ transaction, as, stopped }: Remembered) {
  const { txHash, nonce, account } = transaction;
  return [
    ["Transaction", "tx_hash", txHash],
    ["Nonce", "nonce", shown({ nonce, account }, `${nonce} of ${account}`)],
    ["As", "as", shown(as, as === "first" ? "its transaction" : "one more of its nonce")],
    [
      "Withdrawals",
      "stopped",
      shown(stopped, stopped === null ? "as before" : `stopped: ${stopped}`),
    ],
  ] as const;
}
