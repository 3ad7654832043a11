// Text and JSON come from the same values.

import { expect, test } from "vitest";
import { answerOf, failureOf } from "../../adapters/operator/answers.ts";
import { fields, listing, result, resultText } from "../../adapters/operator/results.ts";
import { allSnakeCased, resultJson, said, shown } from "../../adapters/operator/results.ts";

const since = new Date("2026-01-01T00:00:00Z");

test("a list is a table, or objects with the same values under names", () => {
  const rows = [
    { id: "one", raw: 2n ** 70n, since, note: null },
    { id: "two", raw: 0n, since, note: "x" },
  ];
  const all = result(
    listing("things", rows, [
      ["THING", "id", ({ id }) => id],
      ["RAW", "amount_raw", ({ raw }) => raw],
      ["SINCE", "since", (one) => shown(one.since, "1h")],
      ["NOTE", "note", ({ note }) => note],
    ]),
  );
  expect(resultText(all)).toBe(
    "THING  RAW                     SINCE  NOTE\n" +
      "one    1180591620717411303424  1h     -\n" +
      "two    0                       1h     x\n",
  );
  expect(resultJson(all)).toEqual({
    things: [
      { id: "one", amount_raw: "1180591620717411303424", since: since.toISOString(), note: null },
      { id: "two", amount_raw: "0", since: since.toISOString(), note: "x" },
    ],
  });
});

test("fields stand in lines that are as wide as their titles, and beside sentences", () => {
  const lines = fields([
    ["Thing", "id", "thg_1"],
    ["A longer title", "since", since],
    ["Tags", "tags", shown(["a", "b"], "a b")],
    ["Open", "is_open", true],
  ]);
  const all = result([lines, said("All is said.\n", { count: 7, of: { big: 8n } })]);
  expect(resultText(all)).toBe(
    "Thing          thg_1\nA longer title 2026-01-01T00:00:00.000Z\nTags           a b\n" +
      "Open           true\nAll is said.\n",
  );
  expect(resultJson(all)).toEqual({
    id: "thg_1",
    since: since.toISOString(),
    tags: ["a", "b"],
    is_open: true,
    count: 7,
    of: { big: "8" },
  });
});

test("names of code become names for programs, however deep", () => {
  const values = [{ txHash: "0x1", last: { endedAt: since, runs: [{ isOwn: true }] }, none: null }];
  expect(allSnakeCased(values)).toEqual([
    { tx_hash: "0x1", last: { ended_at: since, runs: [{ is_own: true }] }, none: null },
  ]);
});

test("standard output has the result alone, and standard error what people are told beside it", () => {
  const made = result(fields([["Secret", "secret", "s"]]), { aside: "Shown once.\n" });
  expect(answerOf(made, false)).toEqual({
    exitCode: 0,
    output: "Secret      s\n",
    errors: "Shown once.\n",
  });
  expect(answerOf(made, true)).toEqual({
    exitCode: 0,
    output: '{\n  "secret": "s"\n}\n',
    errors: "",
  });
  expect(answerOf(result(said("No.\n"), { isWell: false }), false).exitCode).toBe(1);
});

test("what went wrong is an object too, on standard error", () => {
  const usage = {
    ending: "usage",
    message: "Say what.",
    fix: "x --help",
    usage: "usage: x\n",
  } as const;
  expect(failureOf(usage, false)).toMatchObject({ errors: "Say what.\n\nusage: x\n" });
  const answer = failureOf(usage, true);
  expect([answer.exitCode, answer.output, JSON.parse(answer.errors)]).toEqual([
    2,
    "",
    { error: { code: "usage", message: "Say what.", fix: "x --help" } },
  ]);
  const gone = { ending: "unreachable", message: "It does not answer.\n", fix: "Wait." } as const;
  expect(failureOf(gone, false)).toEqual({
    exitCode: 3,
    output: "",
    errors: "It does not answer.\nWait.\n",
  });
  expect(failureOf({ ending: "no", message: "No." }, true)).toEqual({
    exitCode: 1,
    output: "",
    errors: '{\n  "error": {\n    "code": "refused",\n    "message": "No."\n  }\n}\n',
  });
});
