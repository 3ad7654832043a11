// What is said of currencies beside what breaks the contract: no more than an answer has, and no more is
// looked for, however many names a body has.

import { expect, test } from "vitest";
import { acceptanceProblems } from "../../service/catalog/acceptance-rules.ts";

const problemsMax = 100;
const names = 6_000;

test("of thousands of unknown names a hundred are looked for", () => {
  const wanted = new Map(Array.from({ length: names }, (_, at) => [`cur_nobody_${at}`, null]));
  const problems = acceptanceProblems({ version: 1n, currencies: [] }, wanted);
  expect(problems.map(({ code }) => code)).toEqual(
    Array.from({ length: problemsMax }, () => "currency_not_found"),
  );
});
