// What the operator's commands show of the service's own work: its jobs and its audit log.

import type { AuditEntry, AuditVerdict } from "../../service/audit/audit.ts";
import { isFailing } from "../../service/jobs/jobs.ts";
import type { JobRecord, JobReport } from "../../service/jobs/jobs.ts";
import { ownerCell } from "./by-hand.ts";
import { type Cell, fields, listing, type Part, result, type Result } from "./results.ts";
import { said, shown, type Value } from "./results.ts";
import { roughDuration } from "./tables.ts";

export function jobsPart(reports: readonly JobReport[]): Part {
  return listing("jobs", reports, [
    ["JOB", "name", ({ name }) => name],
    ["LAST RUN", "started_at", ({ last }) => last?.startedAt ?? shown(null, "never")],
    ["STATE", "state", ({ last }) => (last === null ? null : stateOf(last))],
    ["LAG", "lag_milliseconds", ({ last }) => lagOf(last)],
    ["RUNS", "runs", ({ last }) => last?.runs ?? 0n],
    ["DONE", "done", ({ last }) => last?.done ?? 0n],
    ["FAILURES", "failures", ({ last }) => last?.failures ?? 0n],
    ["HELD BY", "held_by", ({ heldBy }) => heldBy],
    ["LAST ERROR", "last_error", ({ last }) => (last === null ? null : lastErrorOf(last))],
  ]);
}

function lagOf(last: JobRecord | null): Cell {
  const lag = last?.lagMilliseconds ?? null;
  return lag === null ? null : shown(lag, roughDuration(lag));
}

/** Under way for long: it hangs, or the process that ran it was killed and nobody runs it now. */
function stateOf(last: JobRecord): string {
  if (isFailing(last)) return "failing";
  const { startedAt, succeededAt } = last;
  return succeededAt === null || succeededAt < startedAt ? "under way" : "ok";
}

function lastErrorOf({ error, failedAt }: JobRecord): Cell {
  if (error === null) return null;
  return shown({ error, at: failedAt }, `${error} at ${failedAt?.toISOString() ?? "some time"}`);
}

export function auditPart(entries: readonly AuditEntry[]): Part {
  return listing("entries", entries, [
    ["ENTRY", "sequence", ({ sequence }) => sequence],
    ["TIME", "occurred_at", ({ occurredAt }) => occurredAt],
    ["ACTOR", "actor", ({ actor }) => actor],
    ["ACTION", "action", ({ action }) => action],
    ["MERCHANT", "owner", ({ merchantId, environment }) => ownerCell(merchantId, environment)],
    ["SUBJECT", "subject", ({ subject }) => shown({ ...subject }, `${subject.type} ${subject.id}`)],
    // It was written by our own JSON.stringify.
    ["DETAILS", "details", ({ details }) => shown(JSON.parse(details) as Value, details)],
  ]);
}

export function verdictResult({ count, head, problems }: AuditVerdict): Result {
  const isWhole = problems.length === 0;
  const found = fields([
    ["Entries", "count", count],
    ["Head", "head", `${head.sequence}:${head.hash}`],
  ]);
  const sentence = isWhole
    ? "The audit log is whole. Keep the head outside of this database.\n"
    : "The audit log is not as it was written.\n";
  const verdict = said(sentence, { is_whole: isWhole, problems });
  const aside = problems.map((problem) => `${problem}\n`).join("");
  return result([found, verdict], { isWell: isWhole, aside });
}
