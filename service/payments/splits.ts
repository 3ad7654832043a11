// Shares of a payment for other merchants, as they are asked for. Who gets what of the money is
// decided when it comes (`allocate`).

import { bpsMax } from "../amounts.ts";
import { firstInPrecedence, ServiceError } from "../errors.ts";

export interface Split {
  readonly merchantId: string;
  /** of what is received, less the fee */
  readonly bps: number;
}

/** Of one of which parts are not known. */
export interface PartialSplit {
  readonly merchantId: string | undefined;
  readonly bps: number | undefined;
}

/** What cannot be an id of ours need not be asked for (and the database keeps no U+0000). */
export function askableMerchantIds(splits: readonly PartialSplit[]): readonly string[] {
  const ids = splits.flatMap(({ merchantId }) => merchantId ?? []);
  return ids.filter((id) => /^mer_\w{1,64}$/.test(id));
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
  const first = firstInPrecedence(splitProblems(creatorId, splits, activeIds));
  if (first !== undefined) throw first;
}

/** Everything that `checkSplits` could refuse, of splits of which parts are not known. */
export function splitProblems(
  creatorId: string,
  splits: readonly PartialSplit[],
  activeIds: ReadonlySet<string>,
): readonly ServiceError[] {
  const ids = splits.map(({ merchantId }) => merchantId);
  const problems = ids.flatMap((id, index) => {
    if (id === undefined) return [];
    const refused = (isRefused: boolean, ...[code, message]: readonly [SplitCode, string]) =>
      isRefused ? [refusal(code, message, { index, id })] : [];
    return [
      ...refused(!activeIds.has(id), "split_merchant_not_found", unknownPartner),
      ...refused(
        ids.indexOf(id) < index,
        "split_merchant_duplicate",
        "A merchant can have one share of a payment.",
      ),
      ...refused(
        id === creatorId,
        "split_self",
        "The creator of a payment gets the rest of it anyway, and can have no share.",
      ),
    ];
  });
  // What is not known is above zero, so it could only make the sum larger.
  const total = splits.reduce((sum, { bps = 0 }) => sum + bps, 0);
  if (total <= bpsMax) return problems;
  const details = { pointer: "/splits", total_bps: total };
  const message = "The splits add up to more than 10000 basis points.";
  return [...problems, new ServiceError("splits_exceed_total", message, { details })];
}

type SplitCode = "split_merchant_not_found" | "split_merchant_duplicate" | "split_self";

const unknownPartner =
  "There is no active merchant with this id that has agreed to a share of your payments.";

function refusal(
  code: SplitCode,
  message: string,
  { index, id }: { readonly index: number; readonly id: string },
): ServiceError {
  const details = { pointer: `/splits/${index}/merchant_id`, merchant_id: id };
  return new ServiceError(code, message, { details });
}
