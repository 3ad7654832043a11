// What the operator's commands say of jobs and of the audit log, to the last character.

import { describe, expect, test } from "vitest";
import { answerOf } from "../../adapters/operator/answers.ts";
import { auditPart, jobsPart, verdictResult } from "../../adapters/operator/own-work.ts";
import type { JobRecord } from "../../service/jobs/jobs.ts";

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));

describe("of a job", () => {
  const record: JobRecord = {
    startedAt: at(5),
    succeededAt: null,
    failedAt: null,
    error: null,
    runs: 3n,
    failures: 1n,
    done: 40n,
    lagMilliseconds: null,
  };
  const cells = (change: Partial<JobRecord>) =>
    jobsPart([{ name: "sweep", heldBy: null, last: { ...record, ...change } }])
      .text.split("\n")[1]
      ?.split(/ {2,}/);

  test("every value stands below its heading", () => {
    const last = { ...record, succeededAt: at(6), failedAt: at(4), lagMilliseconds: 61_000 };
    expect(
      jobsPart([
        { name: "sweep", heldBy: "web/7/c0de", last: { ...last, error: "TypeError" } },
        { name: "forget", heldBy: null, last: null },
      ]).text.split("\n"),
    ).toEqual([
      "JOB     LAST RUN                  STATE  LAG  RUNS  DONE  FAILURES  HELD BY     LAST ERROR",
      "sweep   2026-01-01T00:00:05.000Z  ok     1m   3     40    1         web/7/c0de  TypeError at 2026-01-01T00:00:04.000Z",
      "forget  never                     -      -    0     0     0         -           -",
      "",
    ]);
  });

  test.each([
    ["under way", {}],
    ["under way", { succeededAt: at(4) }],
    ["under way", { succeededAt: at(4), failedAt: at(3) }],
    ["ok", { succeededAt: at(5) }],
    ["ok", { succeededAt: at(6), failedAt: at(6) }],
    ["failing", { failedAt: at(5) }],
    ["failing", { failedAt: at(4) }],
    ["failing", { succeededAt: at(6), failedAt: at(7) }],
  ])("it is %s, by the times %o", (state, change) => {
    expect(cells(change)).toEqual([
      "sweep",
      "2026-01-01T00:00:05.000Z",
      state,
      "-",
      "3",
      "40",
      "1",
      "-",
      "-",
    ]);
  });
});

test("an entry of the audit log says whose it is, or that it is nobody's", () => {
  const entry = {
    sequence: 7n,
    occurredAt: at(1),
    actor: "operator",
    action: "ledger.funded",
    merchantId: null,
    environment: null,
    subject: { type: "deployment", id: "dep_1" },
    details: "{}",
  };
  const owned = { ...entry, sequence: 8n, merchantId: "mer_1", environment: "live" } as const;
  expect(auditPart([entry, owned, { ...owned, environment: null }]).text.split("\n")).toEqual([
    "ENTRY  TIME                      ACTOR     ACTION         MERCHANT    SUBJECT           DETAILS",
    "7      2026-01-01T00:00:01.000Z  operator  ledger.funded  -           deployment dep_1  {}",
    "8      2026-01-01T00:00:01.000Z  operator  ledger.funded  mer_1 live  deployment dep_1  {}",
    "8      2026-01-01T00:00:01.000Z  operator  ledger.funded  mer_1       deployment dep_1  {}",
    "",
  ]);
});

test("an audit log is whole, or not, with its number of entries and its head", () => {
  const verdict = { count: 7n, head: { sequence: 7n, hash: "ab" }, problems: [] };
  const found = "Entries     7\nHead        7:ab\n";
  expect(answerOf(verdictResult(verdict), false)).toEqual({
    exitCode: 0,
    output: `${found}The audit log is whole. Keep the head outside of this database.\n`,
    errors: "",
  });
  const problems = ["Entry 3 is missing."];
  expect(answerOf(verdictResult({ ...verdict, problems }), false)).toEqual({
    exitCode: 1,
    output: `${found}The audit log is not as it was written.\n`,
    errors: "Entry 3 is missing.\n",
  });
  const { errors, output } = answerOf(verdictResult({ ...verdict, problems }), true);
  expect([errors, JSON.parse(output)]).toEqual([
    "",
    { count: "7", head: "7:ab", is_whole: false, problems },
  ]);
});
