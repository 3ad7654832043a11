// npm run mutate: see `help`.

import { join } from "node:path";
import { projectsOf } from "../test/support/projects.ts";
import {
  answerLines,
  answersGoal,
  keepAnswers,
  percentNoticed,
  scoreAnswers,
} from "./mutate/answers.ts";
import { areaOf } from "./mutate/areas.ts";
import { changedLines, commitBefore } from "./mutate/changed.ts";
import { chooseMutants } from "./mutate/choose.ts";
import { DocumentTrial } from "./mutate/document-trial.ts";
import { help, readCommand, type Command } from "./mutate/command.ts";
import { readCoverage } from "./mutate/coverage.ts";
import { readEquivalents } from "./mutate/equivalents.ts";
import { Imports } from "./mutate/imports.ts";
import { Journal } from "./mutate/journal.ts";
import { shownEdit, type Mutant } from "./mutate/mutant.ts";
import { type Choice, Nearest } from "./mutate/nearest.ts";
import { eachOf, Pool } from "./mutate/pool.ts";
import { record } from "./mutate/record.ts";
import { percentOf, reportLines, scoresOf } from "./mutate/report.ts";
import { Trial } from "./mutate/trial.ts";
import { TypeCheck } from "./mutate/types.ts";

const root = join(import.meta.dirname, "..");
const say = (line: string): void => void process.stderr.write(`${line}\n`);

process.exitCode = await main(process.argv.slice(2));

async function main(words: readonly string[]): Promise<number> {
  let command: Command;
  try {
    command = readCommand(words);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${help}`);
    return 2;
  }
  if (command.kind === "help") console.log(help);
  if (command.kind === "record") await record(root, testFiles().quick, { jobs: command.jobs, say });
  if (command.kind === "help" || command.kind === "record") return 0;
  if (command.kind === "answers") return answers();
  const { areas, files, ids, commits, sample, seed } = command;
  const base = commits === undefined ? command.base : commitBefore(root, commits);
  const changed = base === undefined ? undefined : changedLines(root, base);
  const mutants = chooseMutants(root, { areas, files, ids, changed, sample, seed });
  if (command.kind === "list") return list(mutants);
  const journal = new Journal(root);
  if (command.kind === "run") await run(command, mutants, journal);
  return report(mutants, journal, command.least);
}

interface TestFiles {
  readonly quick: readonly string[];
  readonly slow: readonly string[];
}

/** Style and texts of statements are held by tests that any change of a text fails. */
function testFiles(): TestFiles {
  const of = (wanted: string): readonly string[] => {
    const project = projectsOf("all", []).find(({ name }) => name === wanted);
    return (project?.files ?? []).filter((path) => !path.startsWith("test/tidy/"));
  };
  return { quick: of("quick"), slow: of("slow") };
}

async function answers(): Promise<number> {
  const score = scoreAnswers(await keepAnswers(root));
  for (const line of answerLines(score)) console.log(line);
  return percentNoticed(score) >= answersGoal ? 0 : 1;
}

function list(mutants: readonly Mutant[]): number {
  for (const mutant of mutants) {
    const { id, path, line, rule } = mutant;
    console.log(`${id} ${path}:${line} ${rule}: ${shownEdit(mutant)}`);
  }
  return 0;
}

async function run(command: Command, mutants: readonly Mutant[], journal: Journal): Promise<void> {
  const { testsMax, jobs, minutes } = command;
  const wanted = mutants.filter(({ id }) => isWanted(command, journal.of(id)?.verdict));
  say(`seed ${command.seed}: ${mutants.length} mutants, ${wanted.length} to be tried`);
  if (wanted.length === 0) return;
  const coverage = readCoverage(root);
  const pool = new Pool(root, { isRecording: false });
  const noticedBy = journal.noticedBy.bind(journal);
  const asked: Choice = { tests: command.ask, more: 0, isCovered: true };
  const nearest =
    command.ask.length > 0
      ? { of: () => asked }
      : new Nearest(new Imports(root), testFiles(), { coverage, testsMax, noticedBy });
  const types = new TypeCheck(root);
  const hasTypeErrors = types.hasErrors.bind(types);
  const trial = new Trial({ root, pool, nearest, hasTypeErrors, warn: say });
  const documentTrial = new DocumentTrial(root, say);
  const endsAt = performance.now() + (minutes ?? Infinity) * 60_000;
  let done = 0;
  try {
    await eachOf(wanted, jobs, async (mutant) => {
      if (performance.now() >= endsAt) return;
      const isDocument = areaOf(mutant.path)?.name === "document";
      const result = await (isDocument ? documentTrial : trial).of(mutant);
      journal.add(result);
      done += 1;
      const { path, line } = mutant;
      const end = result.by === undefined ? result.verdict : `noticed by ${result.by}`;
      say(`${done} of ${wanted.length}: ${path}:${line} ${shownEdit(mutant)}: ${end}`);
    });
  } finally {
    documentTrial.close();
    await pool.close();
  }
}

function isWanted(command: Command, verdict: string | undefined): boolean {
  if (verdict === undefined || command.allAgain) return true;
  return verdict !== "noticed" && command.survivorsAgain;
}

function report(mutants: readonly Mutant[], journal: Journal, least?: number): number {
  const equivalents = readEquivalents();
  const judged = mutants.flatMap((mutant) => {
    const result = journal.of(mutant.id);
    return result === undefined ? [] : [{ mutant, result }];
  });
  for (const line of reportLines(judged, equivalents)) console.log(line);
  console.log(`${judged.length} of ${mutants.length} tried`);
  const scores = scoresOf(judged, equivalents);
  if (least === undefined) return scores.every((one) => percentOf(one) >= one.goal) ? 0 : 1;
  const noticed = scores.reduce((sum, one) => sum + one.noticed, 0);
  const survived = scores.reduce((sum, one) => sum + one.survived, 0);
  const percent = percentOf({ noticed, survived });
  console.log(`${percent.toFixed(1)} % of all noticed, at least ${least} %`);
  return percent >= least ? 0 : 1;
}
