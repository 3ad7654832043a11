// The closed words of columns: what a row can be, be for, or be held back by. The database checks them
// (adapters/database/migrations); the ways between states belong to the room of the subject.

export const paymentStatuses = [
  "pending",
  "authorized",
  "partially_paid",
  "confirming",
  "paid",
  "overpaid",
  "paid_late",
  "underpaid",
  "expired",
  "cancelled",
  "reversed",
] as const;

export type PaymentStatus = (typeof paymentStatuses)[number];

export const payoutModes = ["auto_request", "notify_only"] as const;

export type PayoutMode = (typeof payoutModes)[number];

export const payoutScheduleStatuses = ["active", "paused", "retired"] as const;

export type PayoutScheduleStatus = (typeof payoutScheduleStatuses)[number];

export const subscriptionStatuses = [
  "incomplete",
  "active",
  "past_due",
  "cancelled",
  "expired",
] as const;

export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** What becomes of periods that went by unbilled: see the column. */
export const missedPeriodRules = ["collapse", "each"] as const;

export type MissedPeriodRule = (typeof missedPeriodRules)[number];

export const destinationTypes = ["self_hosted", "custodial", "contract"] as const;

export type DestinationType = (typeof destinationTypes)[number];

export type HoldReason = "above_single_limit" | "above_daily_limit";

export const withdrawalStatuses = [
  "pending",
  "processing",
  "broadcast",
  "confirmed",
  "failed",
  "cancelled",
  "rejected",
] as const;

export type WithdrawalStatus = (typeof withdrawalStatuses)[number];

export type OwnAccountRole = "hot" | "settlement" | "treasury";

export type OutgoingPurpose =
  /** from the hot account; subject: a withdrawal */
  | "withdrawal"
  /** subject: a settlement of x402 */
  | "x402_settlement"
  /** gives back to a payer what was not used */
  | "x402_release"
  /** gives back money in suspense; subject: a way out of it */
  | "refund"
  /** from the address of a payment to the hot account or the treasury; subject: a sweep */
  | "sweep"
  /** brings coin to such an address, so that it can pay for the transaction that empties it */
  | "sweep_gas"
  /** from the settlement account to the hot account */
  | "consolidation";

export type OutgoingStatus =
  | "queued"
  | "broadcast"
  | "succeeded"
  | "reverted"
  /** a transaction that is none of ours has its nonce */
  | "replaced"
  /** nothing was signed, and nothing will be while nobody wants it again */
  | "withdrawn";

/** What we owe: as much as that the chains have to hold. */
export const owedKinds = [
  "merchant:available",
  "merchant:withdrawing",
  "merchant:x402_hold",
  "merchant:unmatched",
  "payer:refund_due",
  "payer:unmatched",
  "payer:refunding",
] as const;

/**
 * In the order of the migrations 0005_ledger.sql, 0020_settlement_arrivals.sql and 0027_suspense.sql,
 * which say what each is for.
 */
export const accountKinds = [
  "chain:hot",
  "chain:deposit_addresses",
  "chain:gas",
  "chain:settlement",
  "chain:treasury",
  "merchant:debt",
  ...owedKinds,
  "platform:fees",
  "platform:gas",
  "platform:capital",
] as const;

export type AccountKind = (typeof accountKinds)[number];

/**
 * What became of what is due to a payer. due: nothing has left; platform, merchant: who bears it, and
 * gets it when it comes again.
 */
export type RefundBearer = "due" | "platform" | "merchant";

/** What becomes of money in suspense. */
export type SuspenseWay = "credited" | "sent_back" | "written_off";

export type SuspenseStatus = "waiting" | "done" | "failed";

export const chainFamilies = ["evm", "solana", "bitcoin", "tron"] as const;

export type ChainFamily = (typeof chainFamilies)[number];

export const assetKinds = ["native", "token"] as const;

export type AssetKind = (typeof assetKinds)[number];

export const tokenStandards = ["native", "erc20", "spl", "spl2022", "trc20"] as const;

export type TokenStandard = (typeof tokenStandards)[number];

/** Endpoints a merchant may have in each environment; the column `slot` runs from 1 to this. */
export const endpointsMax = 20;

/** Stands for all events, those of later versions included. */
export const everyEvent = "*";
