// The states of a payment.

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
