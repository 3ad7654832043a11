// What `npm run admin -- --help` says, in usage.txt: a line that changes there is a command that changes.

import { expect, test } from "vitest";
import { adminCommands, adminUsage } from "../../adapters/operator/command.ts";
import { usageOf } from "../../adapters/operator/usage.ts";
import { flag, optional, place, repeated, text } from "../../adapters/operator/words.ts";

test("every command says which words it takes", async () => {
  await expect(adminUsage([])).toMatchFileSnapshot("usage.txt");
});

test("a command that is named is shown alone", () => {
  expect(adminCommands.length).toBeGreaterThan(0);
  for (const name of adminCommands) {
    const [start, , usage] = adminUsage(name.split(" ")).split("\n");
    expect([start, usage?.startsWith(`  ${name}`)]).toEqual([
      "usage: npm run admin -- COMMAND",
      true,
    ]);
  }
});

test("a line has a hundred characters at most, and what a word does begins in a column of its own", () => {
  const many = Object.fromEntries(
    Array.from({ length: 8 }, (_, at) => [`option-${at}`, optional(text("VALUE"))]),
  );
  const usage = usageOf([
    { name: "thing make", says: `one ${"word ".repeat(15)}more`, words: many },
    {
      name: "thing end",
      says: "at once",
      words: { thing: place("THING_ID"), tag: repeated("TAG", "as many as you like"), yes: flag() },
    },
    { name: "thing list", says: "", words: {} },
  ]);
  expect(usage.split("\n")).toEqual([
    "  thing make [--option-0 VALUE] [--option-1 VALUE] [--option-2 VALUE] [--option-3 VALUE]",
    "             [--option-4 VALUE] [--option-5 VALUE] [--option-6 VALUE] [--option-7 VALUE]",
    `${" ".repeat(37)}one word word word word word word word word word word word word`,
    `${" ".repeat(37)}word word word more`,
    "  thing end THING_ID [--tag TAG]... [--yes]",
    `${" ".repeat(37)}at once`,
    `      --tag TAG${" ".repeat(22)}as many as you like`,
    "  thing list",
    "",
  ]);
});
