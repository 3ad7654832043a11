// Who goes when: side by side, fewer after conflicts, alone where it is asked for, and nobody waits for long.

import { describe, expect, onTestFinished, test, vi } from "vitest";
import { RightOfWay } from "../../adapters/database/right-of-way.ts";

/** Work that goes on until it is ended, and what has begun. */
function workOn(way: RightOfWay) {
  const log: string[] = [];
  const begin = (kind: "beside" | "alone", name: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const done = way[kind](() => {
      log.push(name);
      return promise;
    });
    return { done, end: () => resolve(name), fail: () => reject(new Error(name)) };
  };
  return { log, begin };
}

const turn = () => new Promise(setImmediate);

test("as many go side by side as may, and the others in the order they came", async () => {
  const { log, begin } = workOn(new RightOfWay(2));
  const [one, two, three, four] = ["1", "2", "3", "4"].map((name) => begin("beside", name));
  await turn();
  expect(log).toEqual(["1", "2"]);
  two?.end();
  await turn();
  expect(log).toEqual(["1", "2", "3"]);
  one?.fail();
  await expect(one?.done).rejects.toThrow("1");
  await turn();
  expect(log).toEqual(["1", "2", "3", "4"]);
  three?.end();
  four?.end();
  expect(await Promise.all([two?.done, three?.done, four?.done])).toEqual(["2", "3", "4"]);
});

test("one that goes alone waits for those under way, and those behind it wait for it", async () => {
  const { log, begin } = workOn(new RightOfWay(4));
  const first = begin("beside", "first");
  const alone = begin("alone", "alone");
  const behind = begin("beside", "behind");
  await turn();
  expect(log).toEqual(["first"]);
  first.end();
  await turn();
  expect(log).toEqual(["first", "alone"]);
  alone.fail();
  await expect(alone.done).rejects.toThrow("alone");
  await turn();
  expect(log).toEqual(["first", "alone", "behind"]);
  behind.end();
  await behind.done;
});

test("after any number of conflicts two go, and after many good ones more again", async () => {
  const way = new RightOfWay(8);
  for (let count = 0; count < 20; count++) way.noteConflict();
  const atOnce = async (): Promise<number> => {
    const { log, begin } = workOn(way);
    const all = Array.from({ length: 8 }, (_, at) => begin("beside", String(at)));
    await turn();
    const count = log.length;
    for (const { end } of all) end();
    await Promise.all(all.map(({ done }) => done));
    return count;
  };
  expect(await atOnce()).toBe(2);
  for (let count = 0; count < 20; count++) await atOnce();
  expect(await atOnce()).toBe(8);
});

function fakeTimers(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
}

test("who has waited for five seconds is refused, with nothing begun, and is in nobody's way", async () => {
  fakeTimers();
  const { log, begin } = workOn(new RightOfWay(2));
  const hanging = [begin("beside", "one"), begin("beside", "another")];
  const alone = begin("alone", "alone");
  const refused = alone.done.catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(4_999);
  const late = begin("beside", "late");
  expect(log).toEqual(["one", "another"]);
  await vi.advanceTimersByTimeAsync(1);
  expect(await refused).toMatchObject({ code: "service_unavailable", retryAfterSeconds: 1 });
  hanging[0]?.end();
  await vi.advanceTimersByTimeAsync(0);
  expect(log).toEqual(["one", "another", "late"]);
  // One that has begun may take longer.
  await vi.advanceTimersByTimeAsync(60_000);
  late.end();
  hanging[1]?.end();
  expect(await Promise.all([late, ...hanging].map(({ done }) => done))).toEqual([
    "late",
    "one",
    "another",
  ]);
});

describe("one that takes longer than a second", () => {
  test("is not waited for by who wants to go alone, nor by those behind", async () => {
    fakeTimers();
    const { log, begin } = workOn(new RightOfWay(8));
    const hanging = begin("beside", "hanging");
    const others = [begin("alone", "alone"), begin("alone", "one more"), begin("beside", "behind")];
    await vi.advanceTimersByTimeAsync(999);
    expect(log).toEqual(["hanging"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(log).toEqual(["hanging", "alone", "one more", "behind"]);
    for (const { end } of others) end();
    await Promise.all(others.map(({ done }) => done));
    hanging.end();
    await hanging.done;
  });

  test("has others beside it, also where it goes alone", async () => {
    fakeTimers();
    const { log, begin } = workOn(new RightOfWay(8));
    const alone = begin("alone", "alone");
    const others = [begin("beside", "behind"), begin("alone", "one more")];
    await vi.advanceTimersByTimeAsync(999);
    expect(log).toEqual(["alone"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(log).toEqual(["alone", "behind", "one more"]);
    for (const { end } of [alone, ...others]) end();
    await Promise.all([alone, ...others].map(({ done }) => done));
    // It is over: who comes now goes alone again.
    const last = begin("alone", "last");
    const behind = begin("beside", "behind the last");
    await vi.advanceTimersByTimeAsync(0);
    expect(log.slice(3)).toEqual(["last"]);
    for (const { end } of [last, behind]) end();
    await Promise.all([last.done, behind.done]);
  });

  test("takes no place of those that go side by side after conflicts, but one of all places", async () => {
    fakeTimers();
    const way = new RightOfWay(4);
    for (let count = 0; count < 5; count++) way.noteConflict();
    const { log, begin } = workOn(way);
    const all = Array.from({ length: 6 }, (_, at) => begin("beside", String(at)));
    await vi.advanceTimersByTimeAsync(999);
    expect(log).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(log).toHaveLength(4);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(log).toHaveLength(4);
    for (const { end } of all) end();
    await Promise.all(all.map(({ done }) => done));
  });
});
