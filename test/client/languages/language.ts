// The clients for other languages than TypeScript, each in a folder as a shop would have it: the file that is to be
// copied, the programs of the page, and a program that does what a test asks.

import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Child, makeFolder, projectRoot, startChild } from "../../programs/child.ts";

export type Command = readonly [program: string, ...words: string[]];

/** What may be missing on a machine. */
export interface Tools {
  readonly name: string;
  /** each does nothing but say its version; it fails where it is too old */
  readonly versions: readonly Command[];
  /** of Debian */
  readonly package: string;
}

export interface Language extends Tools {
  readonly name: "Python" | "Go" | "PHP";
  /** what is to be copied */
  readonly file: string;
  /** folder of a shop where it goes */
  readonly place: string;
  /** what a file of a program is called, by the name of the program */
  readonly source: (name: string) => string;
  /** what runs a program, by the path of its shop and its name */
  readonly command: (shop: string, name: string) => Command;
  /** the same for the program that receives webhooks */
  readonly receiver?: (shop: string) => Command;
  /** what people look at code with, and what builds it */
  readonly checks: readonly Command[];
}

export const languages: readonly Language[] = [
  {
    name: "Python",
    versions: [["python3", "--version"]],
    package: "python3",
    file: "merchant_payments.py",
    place: ".",
    source: (name) => `${name}.py`,
    command: (shop, name) => ["python3", join(shop, `${name}.py`)],
    checks: [["python3", "-W", "error", "-m", "compileall", "-q", "."]],
  },
  {
    name: "Go",
    versions: [["go", "version"]],
    package: "golang-go",
    file: "merchantpayments.go",
    place: "merchantpayments",
    source: (name) => join(name, "main.go"),
    command: (shop, name) => [join(shop, "bin", name)],
    checks: [
      ["gofmt", "-l", "."],
      ["go", "vet", "./..."],
      ["go", "build", "-o", "bin/", "./..."],
    ],
  },
  {
    name: "PHP",
    versions: [["php", "--version"]],
    package: "php-cli",
    file: "MerchantPayments.php",
    place: ".",
    source: (name) => `${name}.php`,
    command: (shop, name) => ["php", join(shop, `${name}.php`)],
    // It says on standard error where it listens.
    receiver: (shop) => [
      "sh",
      "-c",
      `exec php -S "127.0.0.1:$PORT" '${join(shop, "receive_webhooks.php")}' 2>&1`,
    ],
    checks: ["MerchantPayments", "create_payment", "receive_webhooks"].map((name): Command => [
      "sh",
      "-c",
      `php -l ${name}.php > said || cat said`,
    ]),
  },
];

/** Why it cannot be tried here; undefined: it can. */
export function absence({ versions }: Tools): string | undefined {
  for (const [program, ...words] of versions) {
    const { error, status, stderr } = spawnSync(program, words, { encoding: "utf8" });
    if (error !== undefined) return `${program} is not on this machine`;
    const [said = ""] = stderr.split("\n");
    if (status !== 0) return `"${[program, ...words].join(" ")}" ends with ${status}: ${said}`;
  }
  return undefined;
}

/**
 * Tests each of them that is on this machine. Of another one a test tells that nothing was tried: that it passes says no
 * more than that the machine is without it, or has one that is too old.
 */
export function describePresent<One extends Tools>(
  title: string,
  all: readonly One[],
  tests: (one: One) => void,
): void {
  const found = all.map((one) => ({ one, why: absence(one) }));
  const present = found.flatMap(({ one, why }) => (why === undefined ? [one] : []));
  describe.each(present)(`$name: ${title}`, (one) => {
    tests(one);
  });
  const absent = found.flatMap(({ one, why }) => (why === undefined ? [] : [{ ...one, why }]));
  test.each(absent)(
    `${title}: NOT TRIED in $name: $why (Debian: apt-get install $package)`,
    ({ why, ...one }) => {
      expect(absence(one)).toBe(why);
    },
  );
}

/** Tests each language that is on this machine, as `describePresent` does. */
export function describeLanguages(title: string, tests: (language: Language) => void): void {
  describePresent(title, languages, tests);
}

const page = join(projectRoot, "docs", "clients", "README.md");
/** The programs of the page, by the name of their file. */
export const programs: ReadonlyMap<string, string> = new Map(
  Array.from(
    readFileSync(page, "utf8").matchAll(/<!-- file: (\S+) -->\n+```\w+\n(.*?)\n```/gs),
    ([, name = "", text = ""]) => [name, `${text}\n`],
  ),
);

/** What a program was asked, and what came of it: `ok`, or an error of the client. */
export type Outcome = Readonly<Record<string, unknown>>;

export interface Shop {
  /** what each check had to say, where it had something to say */
  readonly problems: readonly string[];
  readonly start: (name: string, environment: Readonly<Record<string, string>>) => Child;
  /** in their order */
  readonly ask: (
    questions: readonly object[],
    environment?: Readonly<Record<string, string>>,
  ) => Promise<readonly Outcome[]>;
}

/** The caller calls `endChildren` at its end. */
export function openShop(language: Language): Shop {
  const folder = makeFolder();
  const put = (path: string): string => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    return join(folder, path);
  };
  const { file, place, source } = language;
  copyFileSync(join(projectRoot, "docs", "clients", file), put(join(place, file)));
  for (const name of ["create_payment", "receive_webhooks"]) {
    const text = programs.get(source(name));
    if (text === undefined) throw new Error(`the page lost its ${source(name)}`);
    writeFileSync(put(source(name)), text);
  }
  const ending = source("").replace(/^.*\./, "");
  copyFileSync(join(import.meta.dirname, `driver.${ending}`), put(source("driver")));
  if (language.name === "Go") writeFileSync(put("go.mod"), "module shop\n\ngo 1.18\n");
  const problems = language.checks.flatMap((check) => problemsOf(check, folder));
  const start: Shop["start"] = (name, environment) => {
    expect(problems).toEqual([]);
    const receiver = name === "receive_webhooks" ? language.receiver?.(folder) : undefined;
    const [program, ...words] = receiver ?? language.command(folder, name);
    return startChild(words, { HANDLED_FOLDER: makeFolder(), ...environment }, program);
  };
  const ask: Shop["ask"] = async (questions, environment = {}) => {
    // What was not built cannot be started.
    expect(problems).toEqual([]);
    const path = join(makeFolder(), "questions");
    writeFileSync(path, questions.map((one) => `${JSON.stringify(one)}\n`).join(""));
    const [program, ...words] = language.command(folder, "driver");
    const child = startChild([...words, path], environment, program);
    const { code } = await child.ended;
    expect({ code, errors: child.errors() }).toEqual({ code: 0, errors: "" });
    const lines = child.output().trimEnd().split("\n");
    expect(lines).toHaveLength(questions.length);
    // Written by our own program.
    return lines.map((line) => JSON.parse(line) as Outcome);
  };
  return { problems, start, ask };
}

/** What a check in a folder has to say, if anything. */
export function problemsOf([program, ...words]: Command, folder: string): readonly string[] {
  const { status, stdout, stderr } = spawnSync(program, words, {
    cwd: folder,
    encoding: "utf8",
    env: {
      PATH: process.env["PATH"],
      // Everything that Go keeps is in the folder, and comes from this machine.
      HOME: folder,
      GOCACHE: join(folder, ".cache"),
      GOFLAGS: "-mod=mod",
      GOTOOLCHAIN: "local",
      GOPROXY: "off",
    },
  });
  const said = `${stdout}${stderr}`;
  return status === 0 && said === "" ? [] : [`${[program, ...words].join(" ")}: ${status} ${said}`];
}
