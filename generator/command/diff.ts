// Whom the difference of two revisions of a contract breaks: generate diff OLD [NEW].

import { resolve } from "node:path";
import { compareRevisions } from "../changes/compare.ts";
import { parties, type Party } from "../changes/judgement.ts";
import type { Revision } from "../changes/revision.ts";
import { DocumentError } from "../problems.ts";
import type { Copies } from "../read/library.ts";
import { displayPath } from "../write/plan.ts";
import { readArguments } from "./arguments.ts";
import { githubOf } from "./changes/github.ts";
import { jsonOf } from "./changes/json.ts";
import { markdownOf } from "./changes/markdown.ts";
import { textOf } from "./changes/text.ts";
import { breaksAny, type Verdict } from "./changes/verdict.ts";
import { contractsOf, onlyOne } from "./contract.ts";
import type { Job } from "./jobs.ts";
import { commandName } from "./name.ts";
import { openRevision, readName, type RevisionName } from "./revisions.ts";
import { type Terminal, UsageError } from "./terminal.ts";

const help = `Usage: ${commandName} diff OLD [NEW] [options]

Says which differences between two revisions of an OpenAPI document break clients that know the old one, and which
break servers that are written for it, each by a named rule.

OLD and NEW are a file (or /dev/stdin), a git revision (main~3: the same document in it) or
REV:path/in/the/repository. NEW is the contract of the configuration where it is left out, or spec/openapi.yaml, as it
is now.

  --spec FILE       which document git revisions are of  (NEW, OLD, or that of the configuration)
  --contract NAME   which contract of the configuration, where it has several
  --config FILE     another configuration
  --copy URI=PATH   where copies of other machines' files lie

  --format text|json|markdown|github
                    for people, for programs (everything, on one line), as a table for a pull
                    request or a changelog, as GitHub's annotations                           (text)
  --fail-on clients|servers|any|none
                    whose breaks end with exit code 1                                         (clients)
  --all             what harms nobody as well
  --notice MONTHS   how long before its end something has to be deprecated with its x-sunset  (0)
  --help            this text

Exit code 0: it breaks nobody of --fail-on. 1: it does. 2: the command line, the configuration or one of the
documents is wrong.`;

const printers = {
  text: textOf,
  json: jsonOf,
  markdown: markdownOf,
  github: (verdict: Verdict) => githubOf(verdict, process.env["GITHUB_WORKSPACE"]),
} as const;

const failing: Readonly<Record<string, readonly Party[]>> = {
  clients: ["clients"],
  servers: ["servers"],
  any: parties,
  none: [],
};

function parseOptions(args: readonly string[]) {
  const { values, positionals } = readArguments({
    args: [...args],
    strict: true,
    allowPositionals: true,
    options: {
      spec: { type: "string" },
      contract: { type: "string" },
      config: { type: "string" },
      copy: { type: "string", multiple: true, default: [] },
      format: { type: "string", default: "text" },
      "fail-on": { type: "string", default: "clients" },
      all: { type: "boolean", default: false },
      notice: { type: "string", default: "0" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  const [base, head, ...more] = positionals;
  if (base === undefined || more.length > 0) {
    throw new UsageError("diff compares OLD with NEW: name one, or two");
  }
  return {
    named: values,
    base,
    head,
    print: chosen("--format", values.format, printers),
    failOn: chosen("--fail-on", values["fail-on"], failing),
    isAll: values.all,
    months: monthsOf(values.notice),
  };
}

type Options = NonNullable<ReturnType<typeof parseOptions>>;

function chosen<T>(flag: string, word: string, table: Readonly<Record<string, T>>): T {
  const found = Object.hasOwn(table, word) ? table[word] : undefined;
  if (found !== undefined) return found;
  throw new UsageError(`${flag} ${word}: write ${Object.keys(table).join(", ")}`);
}

function monthsOf(text: string): number {
  const monthsMax = 1200;
  if (/^\d+$/.test(text) && Number(text) <= monthsMax) return Number(text);
  throw new UsageError(`--notice is a whole number of months from 0 to ${monthsMax}`);
}

export async function diff(args: readonly string[], terminal: Terminal): Promise<number> {
  const options = parseOptions(args);
  if (options === undefined) {
    terminal.say(help);
    return 0;
  }
  try {
    const verdict = await compared(options);
    terminal.say(options.print(verdict));
    return breaksAny(verdict) ? 1 : 0;
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    terminal.complain(error.message);
    return 2;
  }
}

async function compared(options: Options): Promise<Verdict> {
  const { named, base, head, failOn, isAll, months } = options;
  const folder = process.cwd();
  const contracts = await contractsOf(named);
  const own = (): string => onlyOne(contracts).spec;
  const older = readName(base, folder);
  const newer: RevisionName =
    head === undefined ? { kind: "file", file: own() } : readName(head, folder);
  const open = (name: RevisionName, other: RevisionName, said: string): Revision => {
    const asked = named.spec === undefined ? withPath(name, other) : name;
    const document = isWhole(asked) ? undefined : (fileOf(other, named.spec) ?? own());
    const copies = copiesFor(asked.kind === "file" ? asked.file : document, contracts);
    const revision = openRevision(asked, { folder, document, copies });
    if (revision !== undefined) return revision;
    throw new UsageError(`${said} is no file and no git revision`);
  };
  const pair = { base: open(older, newer, base), head: open(newer, older, head ?? "") };
  const today = new Date().toISOString().slice(0, 10);
  const changes = compareRevisions(pair, { extensions: [], notice: { today, months } });
  return { base, head: head ?? displayPath(own()), changes, failOn, isAll };
}

/** It says by itself what to read. */
function isWhole(name: RevisionName): boolean {
  return name.kind === "file" || name.path !== undefined;
}

/** A revision is one of what the other side names. */
function withPath(name: RevisionName, other: RevisionName): RevisionName {
  if (name.kind === "file" || other.kind === "file" || name.path !== undefined) return name;
  return { ...name, path: other.path };
}

function fileOf(other: RevisionName, spec: string | undefined): string | undefined {
  if (spec !== undefined) return resolve(spec);
  return other.kind === "file" ? other.file : undefined;
}

/** Those of this very contract before those of the others: what lies elsewhere is the same for all. */
function copiesFor(file: string | undefined, contracts: readonly Job[]): Copies {
  const own = contracts.filter(({ spec }) => spec === file);
  return new Map([...contracts, ...own].flatMap(({ copies }) => [...copies]));
}
