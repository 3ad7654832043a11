// Relations of values: each holds for real answers, and each notices an answer that has the right form and the
// wrong value.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { Json } from "../support/contract-document.ts";
import { judgeAnswer } from "../support/contract-answers.ts";
import { RelationJudge, relationNames } from "../support/relations/judge.ts";
import { useService } from "../support/service.ts";
import { plantedValues } from "./planted-values.ts";
import { type Answered, Conversation, withClosedChain } from "./value-answers.ts";

const service = useService("PostgreSQL", { hasChain: true, changeCatalog: withClosedChain });
let answers: readonly Answered[] = [];
/** by the place of the answer: they have seen all before it */
const judges: RelationJudge[] = [];
const met = new Set<string>();

beforeAll(async () => {
  answers = await new Conversation(service, await service.newMerchant()).haveAll();
});

function judgeAt(place: number): RelationJudge {
  const known = judges[place];
  if (known !== undefined) return known;
  const judge = new RelationJudge({ isStandard: true });
  for (const { answer, operation, asked } of answers.slice(0, place)) {
    judge.judge(answer, operation, asked);
  }
  judges[place] = judge;
  return judge;
}

test("nothing is wrong with the answers as they are, and they meet every relation", () => {
  const judge = new RelationJudge({ isStandard: true });
  const wrong = answers.flatMap(({ name, answer, operation, asked }) => {
    const found = judgeAnswer(answer, operation).map(({ place, problem }) => ({ place, problem }));
    const related = judge.judge(answer, operation, asked);
    for (const { relation } of related) met.add(relation);
    return [...found, ...related]
      .filter(({ problem }) => problem !== undefined)
      .map(({ place, problem }) => ({ name, status: answer.status, place, problem }));
  });
  expect(wrong).toEqual([]);
  expect(relationNames.filter((name) => !met.has(name))).toEqual([]);
});

test("a catalog is compared with what its own key was told before, and with nothing that nobody known was told", () => {
  const told = answers.find(({ operation }) => operation.operationId === "getCurrency");
  if (told?.asked === undefined) throw new Error("the conversation asks for a currency");
  const { answer, operation, asked } = told;
  const text = JSON.stringify(answer.body).replace(
    /"evidence_version":\d+/,
    '"evidence_version":99',
  );
  const other = { ...answer, body: JSON.parse(text) as Json };
  const wrongOf = (first: Answered["asked"] | undefined, second = first): number => {
    const judge = new RelationJudge({ isStandard: true });
    judge.judge(answer, operation, first);
    const found = judge.judge(other, operation, second);
    const ofCatalog = found.filter(({ relation }) => relation.includes("catalog"));
    return ofCatalog.filter(({ problem }) => problem !== undefined).length;
  };
  expect(wrongOf(asked)).toBe(1);
  expect(wrongOf(undefined)).toBe(0);
});

test("the document on mutants says how many there are", () => {
  const text = readFileSync(join(import.meta.dirname, "../../docs/mutation.md"), "utf8");
  expect(text).toContain(`by ${relationNames.length} relations of values`);
  expect(text.replaceAll("\n", " ")).toContain(`plants ${plantedValues.length} wrong values`);
});

test("there are at least 250 faults, and each relation has one", () => {
  expect(plantedValues.length).toBeGreaterThanOrEqual(250);
  const names = plantedValues.map(({ relation, name }) => `${relation}: ${name}`);
  expect(new Set(names).size).toBe(plantedValues.length);
  const noticed = new Set(plantedValues.map(({ relation }) => relation));
  expect(relationNames.filter((name) => !noticed.has(name))).toEqual([]);
  expect(relationNames).toHaveLength(new Set(relationNames).size);
});

test.each(plantedValues)("$relation: $name", ({ of, plant, relation }) => {
  const place = answers.findIndex(({ name }) => name === of);
  const answered = answers[place];
  if (answered === undefined) throw new Error(`there is no answer of the name ${of}`);
  const faulty = plant(answered, answers);
  expect(judgeAnswer(faulty.answer, faulty.operation)).toEqual([]);
  const found = judgeAt(place).try(faulty.answer, faulty.operation, faulty.asked);
  const named = found.filter(({ problem }) => problem !== undefined);
  expect(named.map((one) => one.relation)).toContain(relation);
});
