// The handlers of the operations tagged "withdrawals".

import { publishedWithdrawal } from "../service/withdrawals/model.ts";
import { idempotent } from "./idempotent.ts";
import type { AllHandlers } from "./caller.ts";
import type { Services } from "./services.ts";
import { refuseNul } from "./storable-text.ts";

export function buildWithdrawalHandlers({
  withdrawals,
  idempotency,
}: Pick<Services, "withdrawals" | "idempotency">): Pick<
  AllHandlers,
  "requestWithdrawal" | "cancelWithdrawal"
> {
  return {
    /** POST /v1/withdrawals */
    requestWithdrawal: (request, caller) => {
      const { body } = request;
      refuseNul(body);
      const command = {
        currencyId: body.currency_id,
        chainId: body.target_chain_id,
        amount: body.amount,
        withdrawAddressId: body.withdraw_address_id,
        keyId: caller.keyId,
      };
      const call = { idempotency, operationId: "requestWithdrawal", request, caller };
      return idempotent(call, (finish) =>
        withdrawals.request(caller, command, (withdrawal) =>
          finish({ status: 201, body: publishedWithdrawal(withdrawal) }),
        ),
      );
    },

    /** POST /v1/withdrawals/{id}/cancel */
    cancelWithdrawal: (request, caller) => {
      const call = { idempotency, operationId: "cancelWithdrawal", request, caller };
      return idempotent(call, (finish) =>
        withdrawals.cancel(caller, request.path.id, ({ status }) =>
          finish({ status: 200, body: { status } }),
        ),
      );
    },
  };
}
