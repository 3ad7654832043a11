// What `npm run mutate` is asked for.

import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { areas } from "./areas.ts";

export const help = `Puts one small fault at a time into the code and looks whether a test notices.

  npm run mutate -- [options]

which mutants:
  --area NAME        ${areas.map(({ name }) => name).join(", ")}; may be repeated
  --no-document      not of the contract, where one takes minutes
  --file PART        files with this in their path; may be repeated
  --id ID            this one, whatever became of it; may be repeated
  --changed COMMIT   only on lines that were changed since that commit
  --commits N        only on lines that the last N commits have changed
  --sample N         so many of each area, drawn by the seed
  --seed TEXT        ("1")
  --again            also those whose end an earlier run has written down as survived
  --fresh            also those that were noticed before

how:
  --minutes N        begins with no further one after so long
  --jobs N           so many at a time (half of the cores, at least one)
  --tests N          test files that are asked about one mutant, the nearest first (12)
  --ask TEST         these test files and no others; may be repeated
  --least PERCENT    of all together, in place of the goals of the areas

instead:
  --list             only says which
  --report           what all runs so far have written down
  --answers          faults of the contract suite's answers, and whether its judge notices
  --record           first writes down which test runs which line: without it, imports decide
                     which tests are near. About twice as long as npm test
  --help

Nothing on the disk is changed: the tests' processes load another text in place of one file. What
became of each is kept in node_modules/.cache/mutate; a run that was stopped goes on there.
Exit code 1: an area is below its goal. 2: it was asked for what there is not.`;

export interface Command {
  readonly kind: "help" | "list" | "report" | "record" | "answers" | "run";
  readonly areas: readonly string[];
  readonly files: readonly string[];
  readonly ids: readonly string[];
  readonly base: string | undefined;
  /** lines that so many commits have changed */
  readonly commits: number | undefined;
  /** percent of all together that must be noticed; undefined: the goal of each area */
  readonly least: number | undefined;
  readonly sample: number | undefined;
  readonly seed: string;
  readonly survivorsAgain: boolean;
  readonly allAgain: boolean;
  readonly minutes: number | undefined;
  readonly jobs: number;
  readonly testsMax: number;
  /** paths of test files, in place of the nearest; empty: the nearest */
  readonly ask: readonly string[];
}

/** Throws with what to say instead. */
export function readCommand(words: readonly string[]): Command {
  const { values } = parseArgs({
    args: [...words],
    options: {
      area: { type: "string", multiple: true, default: [] },
      "no-document": { type: "boolean", default: false },
      file: { type: "string", multiple: true, default: [] },
      id: { type: "string", multiple: true, default: [] },
      changed: { type: "string" },
      commits: { type: "string" },
      least: { type: "string" },
      sample: { type: "string" },
      seed: { type: "string", default: "1" },
      again: { type: "boolean", default: false },
      fresh: { type: "boolean", default: false },
      minutes: { type: "string" },
      jobs: { type: "string" },
      tests: { type: "string" },
      ask: { type: "string", multiple: true, default: [] },
      list: { type: "boolean", default: false },
      report: { type: "boolean", default: false },
      record: { type: "boolean", default: false },
      answers: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const unknown = values.area.find((name) => !areas.some((one) => one.name === name));
  if (unknown !== undefined) {
    throw new Error(`--area ${unknown}: there is ${areas.map(({ name }) => name).join(", ")}`);
  }
  const kinds = (["help", "list", "report", "record", "answers"] as const).filter(
    (kind) => values[kind],
  );
  if (values.changed !== undefined && values.commits !== undefined) {
    throw new Error("either --changed or --commits");
  }
  if (kinds.length > 1) throw new Error(`either --${kinds.join(" or --")}`);
  return {
    kind: kinds[0] ?? "run",
    areas: values["no-document"] ? codeAreas(values.area) : values.area,
    files: values.file,
    ids: values.id,
    base: values.changed,
    commits: countOf("--commits", values.commits),
    least: countOf("--least", values.least),
    sample: countOf("--sample", values.sample),
    seed: values.seed,
    survivorsAgain: values.again || values.fresh,
    allAgain: values.fresh || values.id.length > 0,
    minutes: values.minutes === undefined ? undefined : minutesOf(values.minutes),
    jobs: countOf("--jobs", values.jobs) ?? Math.max(1, Math.floor(availableParallelism() / 2)),
    testsMax: countOf("--tests", values.tests) ?? 12,
    ask: values.ask,
  };
}

function countOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new Error(`${name} ${text}: a whole number from 1 on`);
  return Number(text);
}

function codeAreas(wanted: readonly string[]): readonly string[] {
  const names = wanted.length > 0 ? wanted : areas.map(({ name }) => name);
  return names.filter((name) => name !== "document");
}

function minutesOf(text: string): number {
  if (!/^\d{1,4}(?:\.\d)?$/.test(text)) throw new Error(`--minutes ${text}: a number such as 1.5`);
  return Number(text);
}
