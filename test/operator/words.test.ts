// How a command reads what was typed: each word by its own form, and what is wrong is said with its name.

import { describe, expect, test } from "vitest";
import { result, resultText, said } from "../../adapters/operator/results.ts";
import * as words from "../../adapters/operator/words.ts";
import { duration, momentOf, parseMoment } from "../../adapters/operator/duration.ts";
import { TestClock } from "../support/service-parts.ts";

const taken = {
  thing: words.place("THING_ID"),
  count: words.wholeNumber("NUMBER"),
  mode: words.optional(words.oneOf(["one", "two", "three"])),
  tag: words.repeated("TAG", ""),
  wait: words.optional(duration("24h")),
  yes: words.flag(),
};
const make = words.command("thing make", {
  words: taken,
  run: (values) => Promise.resolve(result(said(JSON.stringify(values, plain)))),
});
const plain = (_name: string, value: unknown) =>
  typeof value === "bigint" ? `${value} exactly` : value;

async function typed(line: string): Promise<unknown> {
  return JSON.parse(resultText(await make.run(words.readWords(make, line.split(" ")), null)));
}

describe("what was typed", () => {
  test("becomes the values of a command", async () => {
    expect(await typed("thg_1 --count 7")).toEqual({
      thing: "thg_1",
      count: "7 exactly",
      tag: [],
      yes: false,
    });
    const all = "--count=999999999999999999 thg_1 --mode two --tag a --tag b --wait 2h --yes";
    expect(await typed(all)).toEqual({
      thing: "thg_1",
      count: "999999999999999999 exactly",
      mode: "two",
      tag: ["a", "b"],
      wait: 7_200_000,
      yes: true,
    });
  });

  test.each([
    ["thg_1", "--count is missing."],
    ["thg_1 --count=", "--count is missing."],
    ["thg_1 --count 1000000000000000000", "--count is a whole number."],
    ["thg_1 --count 1.5", "--count is a whole number."],
    ["thg_1 --count x1", "--count is a whole number."],
    ["thg_1 --count 1 --mode four", "--mode is one, two or three."],
    ["thg_1 --count 1 --wait 2x", "--wait is a duration such as 24h, 7d or 0."],
    ["--count 1", '"thing make" takes THING_ID.'],
    ["thg_1 thg_2 --count 1", '"thing make" takes THING_ID.'],
    ["thg_1 --count 1 --no --toString", '"thing make" takes no --no, --toString.'],
  ])("%j is refused: %s", async (line, problem) => {
    await expect(typed(line)).rejects.toEqual(new words.UsageError(problem));
  });

  test("a flag takes no value, and an option needs one", async () => {
    for (const line of ["thg_1 --count 1 --yes=no", "thg_1 --count"]) {
      await expect(typed(line)).rejects.toBeInstanceOf(words.UsageError);
    }
    const none = words.command("thing list", { words: {}, run: () => Promise.resolve(result([])) });
    expect(() => words.readWords(none, ["more"])).toThrow('"thing list" takes nothing more.');
  });
});

test("a moment is so long from now, a day, or a time with its zone", () => {
  const clock = new TestClock();
  const now = clock.nowMilliseconds();
  const read = (text: string) => parseMoment(text, now)?.toISOString();
  expect(read("90d")).toBe(new Date(now + 90 * 86_400_000).toISOString());
  expect(read("2027-01-31")).toBe("2027-01-31T00:00:00.000Z");
  expect(read("2028-02-29")).toBe("2028-02-29T00:00:00.000Z");
  expect(read("2027-01-31T12:00:00Z")).toBe("2027-01-31T12:00:00.000Z");
  expect(read("2027-01-31T12:00:00.25+02:00")).toBe("2027-01-31T10:00:00.250Z");
  for (const wrong of [
    "2027-02-29",
    "2027-02-30",
    "2027-01-00",
    "2027-13-01",
    "2027-00-01",
    "27-01-31",
    "2027-01-31T12:00:00",
    "2027-01-31T25:00:00Z",
    " 2027-01-31",
    "2027-01-31 ",
    "soon",
    "",
  ]) {
    expect([wrong, read(wrong)]).toEqual([wrong, undefined]);
  }
  expect(momentOf(undefined, "from", clock)).toBeUndefined();
  expect(momentOf("1h", "from", clock)).toEqual(new Date(now + 3_600_000));
  expect(() => momentOf("soon", "from", clock)).toThrow(
    new words.UsageError("--from is a duration such as 90d, or a date such as 2027-01-31."),
  );
});
