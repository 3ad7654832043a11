// What the operator's commands print in columns, to the last character: other programs read it too.

import { describe, expect, test } from "vitest";
import {
  auditTable,
  jobTable,
  roughDuration,
  table,
  verdictText,
} from "../../adapters/operator/tables.ts";
import type { JobRecord } from "../../service/jobs/jobs.ts";

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));

test("columns are as wide as their widest cell, and no line ends with spaces", () => {
  expect(
    table([
      ["A", "LONG", "B"],
      ["aaa", "b", "c"],
      ["a", "b", ""],
    ]),
  ).toBe("A    LONG  B\naaa  b     c\na    b\n");
  expect(
    table([
      ["A", "", "B"],
      ["a", "", ""],
      ["b", "", "c"],
    ]),
  ).toBe("A    B\na\nb    c\n");
  expect(table([])).toBe("");
  for (const row of [["a"], ["a", "b", "c"]]) {
    expect(() => table([["A", "B"], row])).toThrow("more or fewer cells than A, B");
  }
});

test.each([
  [0, "0s"],
  [999, "0s"],
  [1_000, "1s"],
  [1_999, "1s"],
  [59_999, "59s"],
  [60_000, "1m"],
  [3_599_999, "59m"],
  [3_600_000, "1h"],
  [86_399_999, "23h"],
  [86_400_000, "1d"],
  [200 * 86_400_000, "200d"],
])("%d ms are %s, in the largest unit that fits", (milliseconds, shown) => {
  expect(roughDuration(milliseconds)).toBe(shown);
});

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
    jobTable([{ name: "sweep", heldBy: null, last: { ...record, ...change } }])
      .split("\n")[1]
      ?.split(/ {2,}/);

  test("every value stands below its heading", () => {
    const last = { ...record, succeededAt: at(6), failedAt: at(4), lagMilliseconds: 61_000 };
    expect(
      jobTable([
        { name: "sweep", heldBy: "web/7/c0de", last: { ...last, error: "TypeError" } },
        { name: "forget", heldBy: null, last: null },
      ]).split("\n"),
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
  expect(auditTable([entry, owned, { ...owned, environment: null }]).split("\n")).toEqual([
    "ENTRY  TIME                      ACTOR     ACTION         MERCHANT    SUBJECT           DETAILS",
    "7      2026-01-01T00:00:01.000Z  operator  ledger.funded  -           deployment dep_1  {}",
    "8      2026-01-01T00:00:01.000Z  operator  ledger.funded  mer_1 live  deployment dep_1  {}",
    "8      2026-01-01T00:00:01.000Z  operator  ledger.funded  mer_1       deployment dep_1  {}",
    "",
  ]);
});

test("an audit log is whole, or not, with its number of entries and its head", () => {
  const verdict = { count: 7n, head: { sequence: 7n, hash: "ab" }, problems: [] };
  const found = "Entries  7\nHead     7:ab\n";
  expect(verdictText(verdict)).toBe(
    `${found}The audit log is whole. Keep the head outside of this database.\n`,
  );
  expect(verdictText({ ...verdict, problems: ["Entry 3 is missing."] })).toBe(
    `${found}The audit log is not as it was written.\n`,
  );
});
