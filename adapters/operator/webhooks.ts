// The operator's command about webhooks: what ended unsent is sent anew.

import type { Clock } from "../../service/ports/clock.ts";
import type {
  Resending,
  ResendReport,
  WebhookResending,
} from "../../service/webhooks/resending.ts";
import { asShown, codeOf, lookFor } from "./as-shown.ts";
import { ownerCell } from "./by-hand.ts";
import { pastMomentOf } from "./duration.ts";
import { fields, type Part, result, type Result, said, type Value } from "./results.ts";
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
  readonly "as-shown": string | undefined;
}

export const webhookCommands: readonly Command<WebhookOperator>[] = [
  command("webhook resend", {
    says: "what failed, and what was skipped while the endpoint was off, is queued for it again, in its order",
    words: {
      endpoint: text("ENDPOINT_ID"),
      since: optional(
        text(
          "WHEN",
          "7d (ago), 2027-01-31 or 2027-01-31T12:00:00Z, at most 26d; needed without --event",
        ),
      ),
      until: optional(text("WHEN", "likewise; default: now")),
      event: optional(text("EVENT_ID", "this one alone, also while the endpoint fails")),
      "as-shown": asShown,
    },
    // Far too many rows for one transaction.
    dryRun: resending(true),
    run: resending(false),
  }),
];

function resending(isDryRun: boolean) {
  return async (given: Given, { webhookResending, clock }: WebhookOperator): Promise<Result> => {
    const { endpoint: endpointId, since, until, event: eventId, "as-shown": code } = given;
    if (since === undefined && eventId === undefined) throw new UsageError("--since is missing.");
    // Of 7d the time goes on while somebody looks: what was shown has it as a time.
    const shown = shownPeriod(code);
    const typed = {
      since: pastMomentOf(since, "since", clock),
      until: pastMomentOf(until, "until", clock),
    };
    const bound = (found: Resending): Value => boundTo(found, given);
    const hash = code?.split("/").at(-1);
    const look = lookFor<Resending>({ code: hash, bound, part: resendingPart });
    const wish = { endpointId, eventId, ...(shown ?? typed) };
    const report = await webhookResending.resend(wish, { isDryRun, look });
    const times = [report.since.toISOString(), report.until.toISOString()];
    return resentResult(report, [...times, codeOf(bound(report))].join("/"));
  };
}

/** Begins with the period that was shown, since nobody can tell it from what was typed any more. */
function shownPeriod(code: string | undefined) {
  const [since, until] = (code?.split("/").slice(0, -1) ?? []).map((text) => new Date(text));
  const isPeriod = [since, until].every((time) => !Number.isNaN(time?.getTime() ?? Number.NaN));
  return isPeriod ? { since, until } : undefined;
}

/** And what was typed: the code of another period is not used in place of it. */
function boundTo({ endpointId, url, since, until }: Resending, given: Given): Value {
  const typed = [given.since, given.until, given.event].map((text) => text ?? null);
  return [endpointId, url, since, until, typed];
}

function resendingPart({ endpointId, url, since, until }: Resending): Part {
  return fields([
    ["Endpoint", "endpoint_id", endpointId],
    ["URL", "url", url],
    ["Since", "since", since],
    ["Until", "until", until],
  ]);
}

const cutShort =
  "The endpoint was switched off meanwhile, or has another URL. What was queued stays so; the rest is as it was. Look at it, and do this again.\n";

function resentResult(report: ResendReport, shownAs: string): Result {
  const { failed, skipped, isCutShort } = report;
  const parts = [
    fields([
      ["Endpoint", "endpoint_id", report.endpointId],
      ["Merchant", "owner", ownerCell(report.merchantId, report.environment)],
      ["URL", "url", report.url],
      ["Failing since", "failing_since", report.failingSince],
      ["Since", "since", report.since],
      ["Until", "until", report.until],
      ["Queued", "queued", failed + skipped],
      ["  failed", "failed", failed],
      ["  skipped", "skipped", skipped],
      ["Last one due", "last_due_at", report.lastDueAt],
      ["Pending", "pending", report.pending],
      ["Delivered", "delivered", report.delivered],
      ["Cancelled", "cancelled", report.cancelled],
    ]),
    said(isCutShort ? cutShort : "", { is_cut_short: isCutShort }),
  ];
  return result(parts, { isWell: !isCutShort, shownAs });
}
