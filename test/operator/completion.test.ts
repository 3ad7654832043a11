// What a shell completes behind pay-admin, made from the table of commands and tried in a real bash.

import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { commandTable, runAdmin } from "../../adapters/operator/command.ts";
import type { Operator } from "../../adapters/operator/command.ts";
import { completionScript } from "../../adapters/operator/completion.ts";

const folder = "/opt/it's here";

function completed(...words: readonly string[]): readonly string[] {
  const script = completionScript("bash", commandTable, folder);
  const ask = `${script}
    COMP_WORDS=(pay-admin "$@"); COMP_CWORD=$#
    _pay_admin
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const text = execFileSync("bash", ["-c", ask, "bash", ...words], { encoding: "utf8" });
  return text.trim().split("\n");
}

describe("in bash", () => {
  test.each([
    [["led"], ["ledger"]],
    [["ledger", "un"], ["unfreeze"]],
    [
      ["ledger", ""],
      ["verify", "balances", "fund", "move", "take", "unfreeze"],
    ],
    [["ledger", "fund", "--acc"], ["--account"]],
    [
      ["ledger", "fund", "--account", ""],
      ["hot", "settlement", "treasury"],
    ],
    [["ledger", "take", "--of", "f"], ["fees"]],
    [
      ["status", "--"],
      ["--watch", "--json"],
    ],
    [["completion", "f"], ["fish"]],
    [
      ["key", "revoke", "k", "--"],
      ["--keep-schedules", "--dry-run", "--yes", "--json"],
    ],
    [["nothing", ""], [""]],
  ])("%j is completed to %j", (words, wanted) => {
    expect(completed(...words)).toEqual(wanted);
  });

  test("every command is reached, word by word, and all of its options", () => {
    const firsts = completed("");
    for (const { name, words } of commandTable) {
      const [first = "", ...more] = name.split(" ");
      expect(firsts).toContain(first);
      const options = Object.keys(words).filter((key) => words[key]?.form !== "place");
      const shown = completed(first, ...more, "--");
      expect([name, shown]).toEqual([name, options.map((key) => `--${key}`)]);
    }
  });
});

test.each(["bash", "zsh", "fish"])(
  "%s gets a script that calls the service's own folder",
  async (shell) => {
    // The command works on nothing.
    const answer = await runAdmin({ words: ["completion", shell] }, {} as Operator);
    expect(answer).toMatchObject({ exitCode: 0, errors: "" });
    expect(answer.output).toMatch(/pay-admin.*npm --prefix '\/.*' run -s admin -- /);
    for (const { name } of commandTable) expect(answer.output).toContain(`'${name}'`);
    expect(answer.output).toContain("'ledger fund --account'");
  },
);

test("another shell is no word of it", async () => {
  const answer = await runAdmin({ words: ["completion", "csh"] }, {} as Operator);
  expect(answer).toMatchObject({ exitCode: 2, output: "" });
});
