// What commands say of a transaction that a restored database had forgotten.

import type { Forgotten, RememberedAs } from "../../service/sending/forgotten.ts";
import { shown } from "./results.ts";

interface Remembered {
  readonly transaction: Forgotten;
  readonly as: RememberedAs;
}

/** For `fields`. */
export function transactionFields({ transaction, as }: Remembered) {
  const { txHash, nonce, account } = transaction;
  return [
    ["Transaction", "tx_hash", txHash],
    ["Nonce", "nonce", shown({ nonce, account }, `${nonce} of ${account}`)],
    ["As", "as", shown(as, as === "first" ? "its transaction" : "one more of its nonce")],
  ] as const;
}
