// The operator's command about webhooks: what ended unsent is sent anew.

import type { Clock } from "../../service/ports/clock.ts";
import type { ResendReport, WebhookResending } from "../../service/webhooks/resending.ts";
import { ownerCell } from "./by-hand.ts";
import { pastMomentOf } from "./duration.ts";
import { fields, result, type Result, said } from "./results.ts";
import { type Command, command, optional, text, UsageError } from "./words.ts";

export interface WebhookOperator {
  readonly clock: Clock;
  readonly webhookResending: Pick<WebhookResending, "resend">;
}

interface Given {
  readonly endpoint: string;
  readonly since: string | undefined;
  readonly until: string | undefined;
  readonly event: string | undefined;
}

export const webhookCommands: readonly Command<WebhookOperator>[] = [
  command("webhook resend", {
    says: "what failed, and what was skipped while the endpoint was off, is sent to it again, in its order",
    words: {
      endpoint: text("ENDPOINT_ID"),
      since: optional(
        text(
          "WHEN",
          "7d (ago), 2027-01-31 or 2027-01-31T12:00:00Z, at most 26d; needed without --event",
        ),
      ),
      until: optional(text("WHEN", "likewise; default: now")),
      event: optional(text("EVENT_ID", "this one alone")),
    },
    // Far too many rows for one transaction.
    dryRun: resending(true),
    run: resending(false),
  }),
];

function resending(isDryRun: boolean) {
  return async (
    { endpoint: endpointId, since, until, event: eventId }: Given,
    { webhookResending, clock }: WebhookOperator,
  ): Promise<Result> => {
    if (since === undefined && eventId === undefined) throw new UsageError("--since is missing.");
    const wish = {
      endpointId,
      since: pastMomentOf(since, "since", clock),
      until: pastMomentOf(until, "until", clock),
      eventId,
    };
    return resentResult(await webhookResending.resend(wish, { isDryRun }));
  };
}

const cutShort =
  "The endpoint was switched off meanwhile. What was queued waits for it; the rest is as it was. Do this again when it is on.\n";

function resentResult(report: ResendReport): Result {
  const { failed, skipped, isCutShort } = report;
  const parts = [
    fields([
      ["Endpoint", "endpoint_id", report.endpointId],
      ["Merchant", "owner", ownerCell(report.merchantId, report.environment)],
      ["URL", "url", report.url],
      ["Since", "since", report.since],
      ["Until", "until", report.until],
      ["Sent again", "resent", failed + skipped],
      ["  failed", "failed", failed],
      ["  skipped", "skipped", skipped],
      ["Last one due", "last_due_at", report.lastDueAt],
      ["Pending", "pending", report.pending],
      ["Delivered", "delivered", report.delivered],
      ["Cancelled", "cancelled", report.cancelled],
    ]),
    said(isCutShort ? cutShort : "", { is_cut_short: isCutShort }),
  ];
  return result(parts, { isWell: !isCutShort });
}
