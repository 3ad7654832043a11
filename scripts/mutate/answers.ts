// `--answers`: whether the contract suite's judge notices single faults of the answers that the suite gets.

import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codeOf, type Answer } from "../../generator/suite/answer-judge.ts";
import { judgeAnswer } from "../../test/support/contract-answers.ts";
import { type Operation, operations } from "../../test/support/contract-document.ts";
import { RelationJudge } from "../../test/support/relations/judge.ts";
import { faultsOf, type AnswerFault, type KeptAnswer } from "./answer-faults.ts";

/** Of each operation, status and code. */
const answersMax = 3;
export const answersGoal = 98;

export interface AnswersScore {
  readonly answers: number;
  readonly faults: number;
  readonly passed: readonly AnswerFault[];
  /** by kind: how many, and how many of them passed */
  readonly kinds: ReadonlyMap<string, readonly [number, number]>;
}

/** Throws where the suite fails as it is. */
export async function keepAnswers(root: string): Promise<readonly KeptAnswer[]> {
  const folder = mkdtempSync(join(tmpdir(), "answers-"));
  try {
    const words = ["scripts/launch.mjs", "vitest", "run", "--mode", "quick", "test/contract/"];
    const child = spawn(process.execPath, words, {
      cwd: root,
      env: { ...process.env, KEEP_ANSWERS: folder },
      stdio: ["ignore", "ignore", "inherit"],
    });
    const code = await new Promise((resolve) => child.once("close", resolve));
    if (code !== 0) throw new Error("test/contract fails as it is: npm test -- test/contract/");
    return readdirSync(folder).flatMap((name) => {
      const lines = readFileSync(join(folder, name), "utf8").trim().split("\n");
      return lines.map((line) => JSON.parse(line) as KeptAnswer); // what `readAnswer` has written
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** In the order in which they came: what one says is held against those before it. */
export function scoreAnswers(kept: readonly KeptAnswer[]): AnswersScore {
  const relations = new RelationJudge({ isStandard: true });
  const counts = new Map<string, number>();
  const kinds = new Map<string, readonly [number, number]>();
  const passed: AnswerFault[] = [];
  let [answers, faults] = [0, 0];
  for (const answer of kept) {
    const isChosen = isAmongFirst(answer, counts) && isFine(answer, relations);
    for (const fault of isChosen ? faultsOf(answer) : []) {
      const isPassed = isFine(fault.answer, relations);
      const [count, passes] = kinds.get(fault.kind) ?? [0, 0];
      kinds.set(fault.kind, [count + 1, passes + (isPassed ? 1 : 0)]);
      faults += 1;
      if (isPassed) passed.push(fault);
    }
    if (isChosen) answers += 1;
    const operation = operationOf(answer);
    if (operation !== undefined) relations.judge(toJudge(answer), operation, answer.asked);
  }
  return { answers, faults, passed, kinds };
}

function isAmongFirst(answer: KeptAnswer, counts: Map<string, number>): boolean {
  const cell = `${answer.operation} ${answer.status} ${codeOf(toJudge(answer)) ?? ""}`;
  const count = counts.get(cell) ?? 0;
  counts.set(cell, count + 1);
  return count < answersMax;
}

function isFine(answer: KeptAnswer, relations: RelationJudge): boolean {
  const operation = operationOf(answer);
  const judged = toJudge(answer);
  if (judgeAnswer(judged, operation).length > 0) return false;
  if (operation === undefined) return true;
  return relations
    .try(judged, operation, answer.asked)
    .every(({ problem }) => problem === undefined);
}

function operationOf({ operation }: KeptAnswer): Operation | undefined {
  return operations.find(({ operationId }) => operationId === operation);
}

function toJudge({ status, headers, body }: KeptAnswer): Answer {
  return { status, headers: new Headers(headers), body };
}

export function percentNoticed({ faults, passed }: AnswersScore): number {
  return faults === 0 ? 100 : (100 * (faults - passed.length)) / faults;
}

export function answerLines(score: AnswersScore): readonly string[] {
  const places = new Map<string, number>();
  for (const { kind, place } of score.passed) {
    const name = `${kind}: ${place}`;
    places.set(name, (places.get(name) ?? 0) + 1);
  }
  const kinds = [...score.kinds].toSorted(([, [, a]], [, [, b]]) => b - a);
  return [
    "passed most often:",
    ...[...places]
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, 40)
      .map(([name, count]) => `${String(count).padStart(6)}  ${name}`),
    "",
    "kind                   faults    passed",
    ...kinds.map(
      ([kind, [count, passes]]) =>
        `${kind.padEnd(20)}${String(count).padStart(9)}${String(passes).padStart(10)}`,
    ),
    "",
    `${score.answers} answers, ${score.faults} faults, ${score.faults - score.passed.length} noticed: ` +
      `${percentNoticed(score).toFixed(1)} % of ${answersGoal}`,
  ];
}
