// docs/running/admin.md says what the code does: its tables are those of the code.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandTable } from "../../adapters/operator/command.ts";
import { confirmations } from "../../adapters/operator/confirmations.ts";
import { exitCodes } from "../../adapters/operator/exit-codes.ts";
import { projectRoot } from "../programs/child.ts";

const read = (...names: readonly string[]) =>
  readFileSync(join(projectRoot, "docs", ...names), "utf8");
const page = read("running", "admin.md");

/** Of the table below a heading, without its head. */
function rowsBelow(heading: string): readonly (readonly string[])[] {
  const [, below = ""] = page.split(`\n## ${heading}\n`);
  const [section = ""] = below.split(/^## /m);
  const lines = section.split("\n").filter((line) => line.startsWith("|"));
  const cells = lines.map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  return cells.slice(2);
}

test("every exit code", () => {
  const rows = Object.values(exitCodes).map(({ code, says }) => [String(code), says]);
  expect(rowsBelow("Exit codes")).toEqual(rows.toSorted(([a], [b]) => Number(a) - Number(b)));
});

test("every command that asks, why, and what is typed", () => {
  const known = new Map(commandTable.map((one) => [one.name, one.words]));
  const rows = Object.entries(confirmations).map(([name, { because, typed, otherwise }]) => {
    const own = known.get(name)?.[typed];
    const said = own === undefined ? [] : [own.form === "place" ? own.shown : `--${typed}`];
    const instead = otherwise === undefined ? [] : [`\`${otherwise}\``];
    return [`\`${name}\``, because, [...said.map((one) => `\`${one}\``), ...instead].join(" or ")];
  });
  expect(rowsBelow("What asks")).toEqual(rows);
});

test("the first start of Operations is pasted, and nothing in it asks", () => {
  const [, below = ""] = read("operations.md").split("\n## From nothing to a service with TLS\n");
  const [section = ""] = below.split(/^## /m);
  const typed = Array.from(
    section.matchAll(/\badmin(?:\.ts| --)? ([a-z][a-z-]*(?: [a-z][a-z-]*)?)/g),
    ([, words = ""]) => words,
  );
  expect(typed).toContain("status");
  expect(typed.filter((words) => Object.hasOwn(confirmations, words))).toEqual([]);
});
