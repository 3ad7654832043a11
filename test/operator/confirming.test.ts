// What moves money or cannot be undone is done only when somebody has typed what it is about.

import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { commandTable, runAdmin } from "../../adapters/operator/command.ts";
import type { Operator } from "../../adapters/operator/command.ts";
import { performConfirmed } from "../../adapters/operator/confirming.ts";
import { confirmationOf, confirmations } from "../../adapters/operator/confirmations.ts";
import { rehearsing } from "../../adapters/operator/rehearsal.ts";
import { openTerminal } from "../../adapters/operator/terminal.ts";
import type { Database } from "../../service/ports/database.ts";
import { buildHarness } from "../merchants/authentication-harness.ts";
import { openDatabase } from "../support/engines.ts";

async function openTill() {
  const database = await openDatabase("PostgreSQL");
  const { apiKeys, merchant } = buildHarness(database);
  const { id } = await merchant();
  const rights = { scopes: [], cidrs: [], expiresAt: null };
  const made = await apiKeys.create({ merchantId: id, environment: "test", ...rights });
  // The commands of keys touch nothing else.
  const build = (inside: Database): Operator =>
    ({ ...buildHarness(inside), rehearse: rehearsing(inside, build) }) as unknown as Operator;
  const said: string[] = [];
  const run = async (line: string, answer: (question: string) => string | undefined | null) => {
    said.length = 0;
    const words = line.split(" ");
    const confirmation = confirmationOf(words);
    if (confirmation === undefined) throw new Error(`${line} does not ask`);
    const typed = (question: string) => {
      said.push(question);
      return Promise.resolve(answer(question) ?? undefined);
    };
    const terminal = { write: (text: string) => void said.push(text), ask: typed };
    return await performConfirmed(words, confirmation, {
      terminal: answer("") === null ? undefined : terminal,
      perform: (wanted) => runAdmin({ words: wanted }, build(database)),
    });
  };
  const isRevoked = async () => (await apiKeys.get(made.key.id)).revokedAt !== null;
  return { key: made.key.id, run, said, isRevoked };
}

test("it shows what it would do, asks for its name, and does it", async () => {
  const { key, run, said, isRevoked } = await openTill();
  const answer = await run(`key revoke ${key}`, () => ` ${key} `);
  expect(answer).toMatchObject({ exitCode: 0, errors: "" });
  expect(answer.output).toMatch(/ is revoked since /);
  expect(said[0]).toMatch(
    /^Dry run: nothing was changed\. It would have said:\n.* is revoked since /,
  );
  expect(said.slice(1)).toEqual([`"key revoke" cannot be undone. Type ${key} to do it: `]);
  expect(await isRevoked()).toBe(true);
});

test.each([["yes"], [""], [undefined]])("%j is no: nothing is done", async (typed) => {
  const { key, run, isRevoked } = await openTill();
  expect(await run(`key revoke ${key}`, () => typed)).toEqual({
    exitCode: 4,
    output: "",
    errors: "Not confirmed: nothing was changed.\n",
  });
  expect(await isRevoked()).toBe(false);
});

test("without a terminal it is refused, and says how a script does it", async () => {
  const { key, run, isRevoked } = await openTill();
  const { exitCode, output, errors } = await run(`key revoke ${key} --json`, () => null);
  expect([exitCode, output, JSON.parse(errors)]).toEqual([
    4,
    "",
    {
      error: {
        code: "not_confirmed",
        message: `"key revoke" cannot be undone, and there is no terminal to confirm it at. Nothing was changed.`,
        fix: "Look at it with --dry-run, then say --yes.",
      },
    },
  ]);
  expect(await isRevoked()).toBe(false);
});

test.each([
  ["withdrawal resume", 0],
  ["ledger unfreeze --deployment dep", 0],
  ["chain rescan --chain eip155:1 --from 1", 0],
  ["withdrawal approve wdr_1", 1],
])("a server that does not say what %s has shown is to be restarted first", async (line, asked) => {
  const words = line.split(" ");
  const confirmation = confirmationOf(words) ?? { because: "moves money", typed: "" };
  const [performed, questions]: [string[], string[]] = [[], []];
  const ask = (question: string) => {
    questions.push(question);
    return Promise.resolve("no");
  };
  const answer = await performConfirmed(words, confirmation, {
    terminal: { write: () => undefined, ask },
    perform: (given) => {
      performed.push(given.join(" "));
      return Promise.resolve({ exitCode: 0, output: "It would have.", errors: "" });
    },
  });
  expect(performed).toEqual([[...words.slice(0, 2), "--dry-run", ...words.slice(2)].join(" ")]);
  expect(questions).toHaveLength(asked);
  const refused = answer.errors.endsWith(
    "Nothing was changed.\nRestart the server first, then run the command again.\n",
  );
  expect([answer.exitCode, refused]).toEqual(asked === 0 ? [1, true] : [4, false]);
});

test("what would be refused is refused, and nothing is asked", async () => {
  const { run, said } = await openTill();
  const refused = await run("key revoke mk_test_nobody", () => "mk_test_nobody");
  expect(refused).toMatchObject({ exitCode: 1, errors: "There is no key mk_test_nobody.\n" });
  const json = await run("key revoke mk_test_nobody --json", () => "mk_test_nobody");
  expect(JSON.parse(json.errors)).toMatchObject({ error: { code: "refused" } });
  expect(await run("key revoke", () => "x")).toMatchObject({ exitCode: 2 });
  expect(said).toEqual([]);
});

describe("the list of what asks", () => {
  test("names commands and their words, and all of them can be tried and said yes to", () => {
    const known = new Map(commandTable.map((one) => [one.name, one]));
    for (const [name, { typed, otherwise }] of Object.entries(confirmations)) {
      const one = known.get(name);
      expect([name, one?.dryRun === undefined, Object.hasOwn(one?.words ?? {}, "yes")]).toEqual([
        name,
        false,
        true,
      ]);
      const form = one?.words[typed]?.form;
      const isSure = form === "place" || form === "needed" || otherwise !== undefined;
      expect([name, isSure]).toEqual([name, true]);
    }
    const others = commandTable.filter(({ name }) => !Object.hasOwn(confirmations, name));
    expect(others.filter(({ words }) => Object.hasOwn(words, "yes"))).toEqual([]);
  });

  test.each(["key revoke k --yes", "key revoke k --dry-run", "key revoke --help", "key list", ""])(
    "%j asks nothing",
    (line) => {
      expect(confirmationOf(line.split(" "))).toBeUndefined();
    },
  );
});

test("who pipes one of the two streams is at no terminal", () => {
  const [tty, pipe] = [{ isTTY: true }, { isTTY: false }] as never[];
  expect(openTerminal({ stdin: pipe as never, stderr: tty as never })).toBeUndefined();
  expect(openTerminal({ stdin: tty as never, stderr: pipe as never })).toBeUndefined();
});

function atTerminal() {
  const as = { isTTY: true } as const;
  const stdin = Object.assign(new PassThrough(), as);
  const stderr = Object.assign(new PassThrough(), as);
  const terminal = openTerminal({ stdin, stderr });
  return {
    stdin,
    /** Types it once the question stands there. */
    answer: async (typed: string) => {
      const shown = new Promise<string>((resolve) => {
        let text = "";
        stderr.on("data", (chunk) => {
          text += String(chunk);
          if (text.includes("Sure? ")) resolve(text);
        });
      });
      const asked = terminal?.ask("Sure? ");
      const question = await shown;
      stdin.write(typed);
      return [question, await asked];
    },
  };
}

test.each([
  ["all\n", "all"],
  ["all\nmore\n", undefined],
  ["\u0003", undefined],
  ["\u0004", undefined],
])("of %j typed at a terminal the answer is %j", async (typed, answer) => {
  const [question, answered] = await atTerminal().answer(typed);
  expect(question).toContain("Sure? ");
  expect(answered).toBe(answer);
});

test("what was typed before the question is none", async () => {
  const { stdin, answer } = atTerminal();
  stdin.write("all\n");
  expect(await answer("no\n")).toEqual([expect.stringContaining("Sure? "), "no"]);
});

test("an input that ends is no", async () => {
  const as = { isTTY: true } as const;
  const stdin = Object.assign(new PassThrough(), as);
  const terminal = openTerminal({ stdin, stderr: Object.assign(new PassThrough(), as) });
  const asked = terminal?.ask("Sure? ");
  stdin.end();
  expect(await asked).toBeUndefined();
});
