// The handlers of the operations tagged "withdraw-addresses".

import { publishedWithdrawAddress } from "../service/withdrawals/address-model.ts";
import { idempotent } from "./idempotent.ts";
import type { AllHandlers } from "./caller.ts";
import type { Services } from "./services.ts";
import { invalidBody, refuseNul } from "./storable-text.ts";

/** Our choice: the contract sets no limit, and events that carry the label have one. */
const labelCharactersMax = 256;

export function buildWithdrawAddressHandlers({
  withdrawAddresses,
  idempotency,
}: Pick<Services, "withdrawAddresses" | "idempotency">): Pick<
  AllHandlers,
  "registerWithdrawAddress"
> {
  return {
    /** POST /v1/withdraw-addresses */
    registerWithdrawAddress: (request, caller) => {
      const { body } = request;
      refuseNul(body);
      refuseLongLabel(body.label);
      const command = {
        chainId: body.chain_id,
        address: body.address,
        destinationType: body.destination_type ?? "self_hosted",
        label: body.label ?? null,
        keyId: caller.keyId,
      } as const;
      const call = { idempotency, operationId: "registerWithdrawAddress", request, caller };
      return idempotent(call, (finish) =>
        withdrawAddresses.register(caller, command, (registered) =>
          finish({ status: 201, body: publishedWithdrawAddress(registered, registered.createdAt) }),
        ),
      );
    },
  };
}

export function refuseLongLabel(label: string | undefined): void {
  if (label === undefined || Array.from(label).length <= labelCharactersMax) return;
  const message = `must have at most ${labelCharactersMax} characters`;
  throw invalidBody([{ in: "body", pointer: "/label", rule: "maxLength", message }]);
}
