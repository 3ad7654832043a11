// The states of a withdrawal, and the only ways between them.

import type { WithdrawalStatus } from "../database/words.ts";

/**
 * From `processing` back to `pending` only while nothing was signed. From `broadcast` there is no way
 * back at all: a signed transaction may be mined whenever anybody has it, so only the chain ends it.
 * A trigger of the database holds the same table.
 */
export const withdrawalSteps: Readonly<Record<WithdrawalStatus, readonly WithdrawalStatus[]>> = {
  pending: ["processing", "cancelled", "rejected"],
  processing: ["pending", "broadcast"],
  broadcast: ["confirmed", "failed"],
  confirmed: [],
  failed: [],
  cancelled: [],
  rejected: [],
};
