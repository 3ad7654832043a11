// What the operator's commands print of the service's own work: text in columns.

import assert from "node:assert/strict";
import type { AuditEntry, AuditVerdict } from "../../service/audit/audit.ts";
import { isFailing } from "../../service/jobs/jobs.ts";
import type { JobRecord, JobReport } from "../../service/jobs/jobs.ts";

/** The first row is the heading; every other one has as many cells. */
export function table(rows: readonly (readonly string[])[]): string {
  const [heading = []] = rows;
  assert(
    rows.every((row) => row.length === heading.length),
    `a row has more or fewer cells than ${heading.join(", ")}`,
  );
  const widths = heading.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]): string =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  return rows.map((row) => `${line(row).trimEnd()}\n`).join("");
}

const none = "-";
const jobCounts = ["LAG", "RUNS", "DONE", "FAILURES"];
const jobHeading = ["JOB", "LAST RUN", "STATE", ...jobCounts, "HELD BY", "LAST ERROR"];

export function jobTable(reports: readonly JobReport[]): string {
  const rows = reports.map(({ name, heldBy, last }) => {
    const holder = heldBy ?? none;
    if (last === null) return [name, "never", none, none, "0", "0", "0", holder, none];
    const { startedAt, lagMilliseconds, runs, done, failures } = last;
    const lag = lagMilliseconds === null ? none : roughDuration(lagMilliseconds);
    const counts = [lag, ...[runs, done, failures].map(String)];
    const time = startedAt.toISOString();
    return [name, time, stateOf(last), ...counts, holder, lastErrorOf(last)];
  });
  return table([jobHeading, ...rows]);
}

/** Under way for long: it hangs, or the process that ran it was killed and nobody runs it now. */
function stateOf(last: JobRecord): string {
  if (isFailing(last)) return "failing";
  const { startedAt, succeededAt } = last;
  return succeededAt === null || succeededAt < startedAt ? "under way" : "ok";
}

function lastErrorOf({ error, failedAt }: JobRecord): string {
  return error === null ? none : `${error} at ${failedAt?.toISOString() ?? "some time"}`;
}

const units = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
] as const;

/** In the largest unit that fits. */
export function roughDuration(milliseconds: number): string {
  const unit = units.find(([, length]) => milliseconds >= length);
  const [name, length] = unit ?? ["s", 1000];
  return `${Math.floor(milliseconds / length)}${name}`;
}

const auditHeading = ["ENTRY", "TIME", "ACTOR", "ACTION", "MERCHANT", "SUBJECT", "DETAILS"];

export function auditTable(entries: readonly AuditEntry[]): string {
  const rows = entries.map(({ sequence, occurredAt, actor, action, ...rest }) => {
    const { merchantId, environment, subject, details } = rest;
    const whose = [merchantId, environment].filter((word) => word !== null).join(" ");
    const about = `${subject.type} ${subject.id}`;
    return [`${sequence}`, occurredAt.toISOString(), actor, action, whose || none, about, details];
  });
  return table([auditHeading, ...rows]);
}

export function verdictText({ count, head, problems }: AuditVerdict): string {
  const found = `Entries  ${count}\nHead     ${head.sequence}:${head.hash}\n`;
  if (problems.length > 0) return `${found}The audit log is not as it was written.\n`;
  return `${found}The audit log is whole. Keep the head outside of this database.\n`;
}
