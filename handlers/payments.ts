// The handlers of the operations tagged "payments".

import type { CreatePaymentRequest } from "../generated/types.ts";
import { publishedPayment } from "../service/payments/model.ts";
import type { PaymentOrder } from "../service/payments/order.ts";
import { parseRedirectUrl } from "../service/payments/redirect-url.ts";
import { idempotent } from "./idempotent.ts";
import type { AllHandlers } from "./caller.ts";
import type { Services } from "./services.ts";
import { invalidBody, refuseNul } from "./storable-text.ts";

type PaymentHandlers = Pick<AllHandlers, "createPayment" | "cancelPayment">;

export function buildPaymentHandlers({
  payments,
  idempotency,
}: Pick<Services, "payments" | "idempotency">): PaymentHandlers {
  return {
    /** POST /v1/payments */
    createPayment: async (request, caller) => {
      const order = orderOf(request.body);
      const call = { idempotency, operationId: "createPayment", request, caller };
      return idempotent(call, (finish) =>
        payments.create(caller, order, (payment) =>
          finish({
            status: 201,
            body: { ...publishedPayment(payment), checkout_url: payment.checkoutUrl },
          }),
        ),
      );
    },

    /** POST /v1/payments/{id}/cancel */
    cancelPayment: (request, caller) => {
      const call = { idempotency, operationId: "cancelPayment", request, caller };
      return idempotent(call, (finish) =>
        payments.cancel(caller, request.path.id, (payment) =>
          finish({ status: 200, body: publishedPayment(payment) }),
        ),
      );
    },
  };
}

/** Throws `RequestError` for what only the rules can know of a body. */
function orderOf(body: CreatePaymentRequest): PaymentOrder {
  refuseNul(body);
  return {
    merchantOrderNo: body.merchant_order_no,
    quotes: Object.entries(body.quotes).map(([currencyId, { amount, chain_ids: chainIds }]) => ({
      currencyId,
      amount,
      chainIds: chainIds ?? null,
    })),
    splits: (body.splits ?? []).map(({ merchant_id: merchantId, bps }) => ({ merchantId, bps })),
    overpayPolicy: body.overpay_policy ?? "to_primary",
    expiresInSeconds: body.expires_in_secs ?? null,
    userId: body.user_id ?? null,
    memo: body.memo ?? null,
    redirectUrl: body.redirect_url === undefined ? null : redirectUrlOf(body.redirect_url),
  };
}

export function redirectUrlOf(text: string): string {
  const parsed = parseRedirectUrl(text);
  if ("href" in parsed) return parsed.href;
  const pointer = "/redirect_url";
  throw invalidBody([{ in: "body", pointer, rule: "https", message: parsed.problem }]);
}
