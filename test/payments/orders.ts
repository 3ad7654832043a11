import type { PaymentOrder } from "../../service/payments/order.ts";

/** What most orders leave out. */
export const plainOrder = {
  splits: [],
  overpayPolicy: "to_primary",
  expiresInSeconds: null,
  userId: null,
  memo: null,
  redirectUrl: null,
} as const satisfies Partial<PaymentOrder>;
