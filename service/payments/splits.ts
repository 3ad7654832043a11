// Shares of a payment for other merchants, as they are asked for. Who gets what of the money is
// decided when it comes (`allocate`).

import { bpsMax } from "../amounts.ts";
import { ServiceError } from "../errors.ts";

export interface Split {
  readonly merchantId: string;
  /** of what is received, less the fee */
  readonly bps: number;
}

/** What cannot be an id of ours need not be asked for (and the database keeps no U+0000). */
export function askableMerchantIds(splits: readonly Split[]): readonly string[] {
  return splits.map(({ merchantId }) => merchantId).filter((id) => /^mer_\w{1,64}$/.test(id));
}

/**
 * Throws `split_merchant_not_found`, `split_merchant_duplicate`, `split_self`, `splits_exceed_total`,
 * in this order. Our choice: a suspended merchant counts as one that does not exist, as it does for
 * whoever has its keys; and so does one that has not agreed to a share of live payments, so that
 * nobody finds out by asking which merchants there are.
 */
export function checkSplits(
  creatorId: string,
  splits: readonly Split[],
  activeIds: ReadonlySet<string>,
): void {
  const ids = splits.map(({ merchantId }) => merchantId);
  const refuseAt = (
    code: "split_merchant_not_found" | "split_merchant_duplicate" | "split_self",
    ...[index, message]: readonly [number, string]
  ): void => {
    if (index === -1) return;
    const details = { pointer: `/splits/${index}/merchant_id`, merchant_id: ids[index] };
    throw new ServiceError(code, message, { details });
  };
  refuseAt(
    "split_merchant_not_found",
    ids.findIndex((id) => !activeIds.has(id)),
    "There is no active merchant with this id that has agreed to a share of your payments.",
  );
  refuseAt(
    "split_merchant_duplicate",
    ids.findIndex((id, index) => ids.indexOf(id) < index),
    "A merchant can have one share of a payment.",
  );
  refuseAt(
    "split_self",
    ids.indexOf(creatorId),
    "The creator of a payment gets the rest of it anyway, and can have no share.",
  );
  const total = splits.reduce((sum, { bps }) => sum + bps, 0);
  if (total <= bpsMax) return;
  const details = { pointer: "/splits", total_bps: total };
  const message = "The splits add up to more than 10000 basis points.";
  throw new ServiceError("splits_exceed_total", message, { details });
}
