// The handlers of the operations tagged "currencies".

import { NotImplementedError } from "../generated/runtime/runtime.ts";
import type { AllHandlers } from "./handlers.ts";

/** GET /v1/currencies */
export const listCurrencies: AllHandlers["listCurrencies"] = () => {
  throw new NotImplementedError("listCurrencies");
};

/** GET /v1/currencies/{id} */
export const getCurrency: AllHandlers["getCurrency"] = () => {
  throw new NotImplementedError("getCurrency");
};
