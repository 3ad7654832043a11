// The handlers of the operations tagged "payout-schedules".

import { publishedPayoutSchedule } from "../service/payouts/model.ts";
import type { PayoutSchedule } from "../service/payouts/model.ts";
import { idempotent } from "./idempotent.ts";
import { nextPage } from "./next-page.ts";
import type { AllHandlers } from "./caller.ts";
import type { Services } from "./services.ts";
import { invalidBody, refuseNul } from "./storable-text.ts";

type PayoutScheduleHandlers = Pick<
  AllHandlers,
  "createPayoutSchedule" | "listPayoutSchedules" | "pausePayoutSchedule"
>;

export function buildPayoutScheduleHandlers({
  payoutSchedules,
  idempotency,
}: Pick<Services, "payoutSchedules" | "idempotency">): PayoutScheduleHandlers {
  return {
    /** POST /v1/payout-schedules */
    createPayoutSchedule: async (request, caller) => {
      const { body } = request;
      refuseNul(body);
      const command = {
        currencyId: body.currency_id,
        chainId: body.target_chain_id,
        withdrawAddressId: body.withdraw_address_id,
        intervalSeconds: body.interval_secs,
        minSendAmount: body.min_send_amount,
        mode: body.mode,
        firstRunAt: firstRunOf(body.first_run_at),
        keyId: caller.keyId,
      };
      const call = { idempotency, operationId: "createPayoutSchedule", request, caller };
      return idempotent(call, (finish) =>
        payoutSchedules.create(caller, command, (schedule) =>
          finish({ status: 201, body: publishedPayoutSchedule(schedule) }),
        ),
      );
    },

    /** GET /v1/payout-schedules */
    listPayoutSchedules: async ({ query }, caller) => {
      const { status, currency_id: currencyId, target_chain_id: chainId, cursor, limit } = query;
      const wanted = { status, currencyId, chainId, cursor, limit };
      const { schedules, nextCursor } = await payoutSchedules.list(caller, wanted);
      const filters = { status, currency_id: currencyId, target_chain_id: chainId };
      return {
        status: 200,
        headers: nextPage("/v1/payout-schedules", { ...filters, limit }, nextCursor),
        body: { schedules: schedules.map(publishedPayoutSchedule) },
      };
    },

    /** POST /v1/payout-schedules/{id}/pause */
    pausePayoutSchedule: (request, caller) => {
      const call = { idempotency, operationId: "pausePayoutSchedule", request, caller };
      return idempotent(call, (finish) =>
        payoutSchedules.pause(caller, request.path.id, (schedule) =>
          finish({ status: 200, body: pausedOnWire(schedule) }),
        ),
      );
    },
  };
}

/** A date-time of the contract can be one that no answer of the contract can show. */
const momentsEnd = Date.parse("9999-12-31T23:59:59.999Z");

export function firstRunOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const moment = new Date(text);
  if (moment.getTime() <= momentsEnd) return moment;
  const message = "must be before the year 10000 in UTC";
  throw invalidBody([{ in: "body", pointer: "/first_run_at", rule: "maximum", message }]);
}

function pausedOnWire(schedule: PayoutSchedule) {
  const retiredAt = schedule.retiredAt?.toISOString() ?? null;
  return { ...publishedPayoutSchedule(schedule), retired_at: retiredAt };
}
