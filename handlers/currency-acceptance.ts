// The handlers of the operations tagged "currency-acceptance".

import { NotImplementedError } from "../generated/runtime/runtime.ts";
import type { AllHandlers } from "./handlers.ts";

/** PUT /v1/currency-acceptance */
export const replaceCurrencyAcceptance: AllHandlers["replaceCurrencyAcceptance"] = () => {
  throw new NotImplementedError("replaceCurrencyAcceptance");
};
