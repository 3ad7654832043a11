// The handlers of the operations tagged "currency-acceptance".

import { publishedAcceptance } from "../service/catalog/acceptance.ts";
import type { AllHandlers } from "./caller.ts";
import type { Services } from "./services.ts";
import { idempotent } from "./idempotent.ts";

type CurrencyAcceptanceHandlers = Pick<AllHandlers, "replaceCurrencyAcceptance">;

export function buildCurrencyAcceptanceHandlers({
  acceptance,
  idempotency,
}: Pick<Services, "acceptance" | "idempotency">): CurrencyAcceptanceHandlers {
  return {
    /** PUT /v1/currency-acceptance */
    replaceCurrencyAcceptance: async (request, caller) => {
      const currencies = new Map(
        Object.entries(request.body.currencies).map(
          ([currencyId, { chain_ids: chainIds }]) => [currencyId, chainIds ?? null] as const,
        ),
      );
      const { merchantId, environment } = caller;
      const operationId = "replaceCurrencyAcceptance";
      return await idempotent({ idempotency, operationId, request, caller }, async (finish) => {
        await acceptance.replace({ merchantId, environment, currencies }, (result) =>
          finish({ status: 200, body: publishedAcceptance(result) }),
        );
      });
    },
  };
}
