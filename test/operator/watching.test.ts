// status --watch: a screen again and again, whatever one of them says.

import { describe, expect, test } from "vitest";
import type { AdminAnswer } from "../../adapters/operator/answers.ts";
import { watch, watchOf } from "../../adapters/operator/watching.ts";
import { UsageError } from "../../adapters/operator/words.ts";

describe("what is typed", () => {
  test.each([
    ["status --watch", "status", 5],
    ["status --watch 2", "status", 2],
    ["status --watch=60 --json", "status --json", 60],
    ["status --json --watch", "status --json", 5],
    ["status --watch --json", "status --json", 5],
  ])("%j", (line, rest, seconds) => {
    expect(watchOf(line.split(" "))).toEqual({ words: rest.split(" "), seconds });
  });

  test.each(["status", "status --json", "job list --watch"])("%j watches nothing", (line) => {
    expect(watchOf(line.split(" "))).toBeUndefined();
  });

  test.each(["status --watch 0", "status --watch 1.5", "status --watch 3601", "status --watch=x"])(
    "%j is refused",
    (line) => {
      expect(() => watchOf(line.split(" "))).toThrow(
        new UsageError("--watch is a number of seconds from 1 to 3600."),
      );
    },
  );
});

const well: AdminAnswer = { exitCode: 0, output: "All is well.\n", errors: "" };
const away: AdminAnswer = { exitCode: 3, output: "", errors: "It is away.\n" };

async function rounds(answers: readonly AdminAnswer[], words: string, isScreen = false) {
  const ending = new AbortController();
  const written: string[] = [];
  const ended = await watch(
    { words: words.split(" "), seconds: 1 },
    {
      perform: () => Promise.resolve(answers[written.length] ?? well),
      write: (text) => {
        written.push(text);
        if (written.length === answers.length) ending.abort();
      },
      now: () => new Date("2026-01-01T00:00:00Z"),
      isScreen,
      signal: ending.signal,
    },
  );
  return { ...ended, written };
}

const heading = "2026-01-01T00:00:00.000Z, every 1 s, Ctrl-C ends it\n\n";

test("a round that goes wrong is shown, and the next one comes; the last one is how it ends", async () => {
  expect(await rounds([away, well], "status")).toEqual({
    exitCode: 0,
    written: [`${heading}It is away.\n\n`, `${heading}All is well.\n\n`],
  });
  expect(await rounds([away], "status", true)).toEqual({
    exitCode: 3,
    written: [`\u001B[H\u001B[2J${heading}It is away.\n\n`],
  });
});

test("with --json each round is a line", async () => {
  const json = { exitCode: 0, output: '{\n  "is_well": true\n}\n', errors: "" } as const;
  const gone = { exitCode: 3, output: "", errors: '{\n  "error": { "code": "x" }\n}\n' } as const;
  const { written } = await rounds([json, gone], "status --json");
  expect(written).toEqual(['{"is_well":true}\n', '{"error":{"code":"x"}}\n']);
});
