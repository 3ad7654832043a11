// The handlers of the operations tagged "payout-schedules".

import { NotImplementedError } from "../generated/runtime/runtime.ts";
import type { AllHandlers } from "./handlers.ts";

/** POST /v1/payout-schedules */
export const createPayoutSchedule: AllHandlers["createPayoutSchedule"] = () => {
  throw new NotImplementedError("createPayoutSchedule");
};

/** GET /v1/payout-schedules */
export const listPayoutSchedules: AllHandlers["listPayoutSchedules"] = () => {
  throw new NotImplementedError("listPayoutSchedules");
};

/** POST /v1/payout-schedules/{id}/pause */
export const pausePayoutSchedule: AllHandlers["pausePayoutSchedule"] = () => {
  throw new NotImplementedError("pausePayoutSchedule");
};
