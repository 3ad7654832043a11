import { expect, test } from "vitest";
import { decideAgain, isChanged } from "../../service/idempotency/decide-again.ts";

/** Each step's answer, the last one for ever. */
function steps<Result>(...answers: readonly (Result | false)[]) {
  const taken = { count: 0 };
  const step = (): Promise<Result | false> => {
    const answer = answers[Math.min(taken.count, answers.length - 1)] ?? false;
    taken.count += 1;
    return Promise.resolve(answer);
  };
  return { taken, step };
}

test("is decided again until nothing has changed in between, ten times at most", async () => {
  const others = Array.from({ length: 9 }, () => false as const);
  const late = steps(...others, "done");
  expect(await decideAgain("payment", late.step)).toBe("done");
  expect(late.taken.count).toBe(10);

  const never = steps<string>(false);
  await expect(decideAgain("payment", never.step)).rejects.toMatchObject({
    code: "service_unavailable",
    message: "The payment changes too often right now.",
  });
  expect(never.taken.count).toBe(10);
});

test("what a step throws is thrown at once", async () => {
  const gone = () => Promise.reject(new Error("gone"));
  await expect(decideAgain("payment", gone)).rejects.toThrow("gone");
});

test.each([
  [true, true, true],
  [false, true, true],
  [false, false, false],
])("a key that another request has finished is taken: current %s, finished %s", (...facts) => {
  const [isCurrent, isFinished, isDone] = facts;
  expect(isChanged([{ is_current: isCurrent, is_finished: isFinished }])).toBe(isDone);
});

test("what is current and could not be finished had its key taken; no row is a fault", () => {
  const taken = () => isChanged([{ is_current: true, is_finished: false }]);
  expect(taken).toThrow("the idempotency key was finished in between");
  expect(() => isChanged([])).toThrow("the statement has one row");
});
