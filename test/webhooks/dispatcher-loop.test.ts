import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { DispatcherLoop, loopLimits } from "../../adapters/webhooks/dispatcher-loop.ts";
import type { LoopLimits, LoopPorts } from "../../adapters/webhooks/dispatcher-loop.ts";
import { engines } from "../support/engines.ts";
import { endChildren, startChild } from "../programs/child.ts";
import { openScripted } from "./scripted-sender.ts";

afterEach(endChildren);

/** Far away, so that nothing here happens because of the time. */
const never = 2 ** 30;
const patient: LoopLimits = {
  ...loopLimits,
  idleMilliseconds: never,
  slowMilliseconds: never,
  restMillisecondsMax: 0,
  backOffMilliseconds: never,
};

type Claim = LoopPorts["dispatcher"]["claim"];
type Claimed = Awaited<ReturnType<Claim>>[number];

// The loop hands it on and looks at two of its columns for the log.
const work = { row: { id: "dlv_1", endpoint_id: "whe_1" }, token: "t" } as unknown as Claimed;

/** Rounds of the loop that a test lets happen one by one. */
class Rounds {
  readonly rooms: number[] = [];
  #waiting: { count: number; resolve: () => void } | undefined;
  #answers: (() => readonly Claimed[])[] = [];

  readonly claim: Claim = (room) => {
    this.rooms.push(room);
    const { count, resolve } = this.#waiting ?? { count: Infinity, resolve: () => {} };
    if (this.rooms.length >= count) resolve();
    try {
      return Promise.resolve(this.#answers.shift()?.() ?? []);
    } catch (error) {
      return Promise.reject(error);
    }
  };

  answer(...answers: (() => readonly Claimed[])[]): this {
    this.#answers = answers;
    return this;
  }

  async reached(count: number): Promise<void> {
    if (this.rooms.length >= count) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting = { count, resolve };
    await promise;
  }
}

function startLoop(rounds: Rounds, change: Partial<LoopPorts> = {}) {
  const errors: string[] = [];
  const log = { debug: () => {}, error: (_: object, text?: string) => errors.push(text ?? "") };
  const loop = new DispatcherLoop({
    dispatcher: { claim: rounds.claim, deliver: () => Promise.resolve(true), hasMore: false },
    // The one form of the logger's methods that the loop uses.
    log: log as LoopPorts["log"],
    limits: patient,
    ...change,
  });
  onTestFinished(async () => void (await loop.stop(0)));
  loop.start();
  return { loop, errors };
}

const times = <Value>(count: number, value: Value): Value[] =>
  Array.from({ length: count }, () => value);

describe("a round", () => {
  test("follows a full one at once, and another one waits until somebody wakes the loop", async () => {
    const deliver = () => new Promise<boolean>(() => {});
    const rounds = new Rounds().answer(
      () => times(4, work),
      () => [],
    );
    const limits = { ...patient, inFlightMax: 8 };
    const { loop } = startLoop(rounds, {
      limits,
      dispatcher: { claim: rounds.claim, deliver, hasMore: false },
    });
    await rounds.reached(1);
    loop.wake();
    await rounds.reached(2);
    loop.wake();
    await rounds.reached(3);
    expect(rounds.rooms).toEqual([8, 4, 4]);
  });

  test("follows one at once that has not been at all endpoints", async () => {
    const rounds = new Rounds().answer(() => [work]);
    const deliver = () => new Promise<boolean>(() => {});
    let stops = 3;
    const dispatcher = {
      claim: rounds.claim,
      deliver,
      get hasMore() {
        stops -= 1;
        return stops > 0;
      },
    };
    startLoop(rounds, { dispatcher });
    await rounds.reached(3);
    await new Promise(setImmediate);
    expect(rounds.rooms).toEqual([128, 127, 127]);
  });

  test("never asks for more than there is room for, and asks again when there is room", async () => {
    const held: (() => void)[] = [];
    const deliver = () => new Promise<boolean>((resolve) => held.push(() => resolve(true)));
    const rounds = new Rounds().answer(
      () => times(2, work),
      () => times(1, work),
    );
    const limits = { ...patient, inFlightMax: 2 };
    const { loop } = startLoop(rounds, {
      limits,
      dispatcher: { claim: rounds.claim, deliver, hasMore: false },
    });
    await rounds.reached(1);
    loop.wake();
    await new Promise(setImmediate);
    expect(rounds.rooms).toEqual([2]);
    held.shift()?.();
    await rounds.reached(2);
    expect(rounds.rooms).toEqual([2, 1]);
  });

  test("has room again for each attempt that has become slow, up to a bound of those", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const held: (() => void)[] = [];
    const deliver = () => new Promise<boolean>((resolve) => held.push(() => resolve(true)));
    const rounds = new Rounds().answer(...times(4, () => [work]));
    const limits = { ...patient, inFlightMax: 1, slowMilliseconds: 100, slowMax: 2 };
    const { loop } = startLoop(rounds, {
      limits,
      dispatcher: { claim: rounds.claim, deliver, hasMore: false },
    });
    onTestFinished(() => {
      vi.useRealTimers();
      for (const end of held) end();
    });
    const asked = async (milliseconds: number): Promise<number> => {
      await vi.advanceTimersByTimeAsync(milliseconds);
      loop.wake();
      await new Promise(setImmediate);
      return rounds.rooms.length;
    };
    expect([await asked(0), await asked(99)]).toEqual([1, 1]);
    expect([await asked(1), await asked(100)]).toEqual([2, 3]);
    // Three are slow, one more than may be: it takes up the only place.
    expect([await asked(100), await asked(100)]).toEqual([3, 3]);
    held.shift()?.();
    expect(await asked(0)).toBe(4);
    expect(rounds.rooms).toEqual([1, 1, 1, 1]);
  });

  test("has no more room while what receivers have answered is not recorded", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const held: (() => void)[] = [];
    const deliver: LoopPorts["dispatcher"]["deliver"] = (_, onAttempted) =>
      new Promise((resolve) => {
        held.push(() => resolve(true));
        onAttempted?.();
      });
    const rounds = new Rounds().answer(...times(4, () => [work]));
    const limits = { ...patient, inFlightMax: 1, slowMilliseconds: 100, slowMax: 2 };
    const dispatcher = { claim: rounds.claim, deliver, hasMore: false };
    const { loop } = startLoop(rounds, { limits, dispatcher });
    onTestFinished(() => {
      vi.useRealTimers();
      for (const end of held) end();
    });
    await vi.advanceTimersByTimeAsync(1_000);
    loop.wake();
    await new Promise(setImmediate);
    expect(rounds.rooms).toEqual([1]);
  });

  test("claims nothing where slow ones were answered, and their places are taken", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const held: { readonly end: () => void; readonly answer: () => void }[] = [];
    const deliver: LoopPorts["dispatcher"]["deliver"] = (_, onAttempted) =>
      new Promise((resolve) => {
        held.push({ end: () => resolve(true), answer: () => onAttempted?.() });
      });
    const rounds = new Rounds().answer(...times(4, () => [work]));
    const limits = { ...patient, inFlightMax: 1, slowMilliseconds: 100, slowMax: 9 };
    const dispatcher = { claim: rounds.claim, deliver, hasMore: false };
    const { loop } = startLoop(rounds, { limits, dispatcher });
    onTestFinished(() => {
      vi.useRealTimers();
      for (const { end } of held) end();
    });
    const look = async (milliseconds: number): Promise<readonly number[]> => {
      await vi.advanceTimersByTimeAsync(milliseconds);
      loop.wake();
      await new Promise(setImmediate);
      return rounds.rooms;
    };
    await look(0);
    await look(100);
    expect(await look(100)).toEqual([1, 1, 1]);
    // Two slow ones are answered and not recorded: three take up the one place.
    for (const { answer } of held.slice(0, 2)) answer();
    expect(await look(0)).toEqual([1, 1, 1]);
    for (const { end } of held.slice(0, 2)) end();
    expect(await look(0)).toEqual([1, 1, 1]);
    expect(await look(100)).toEqual([1, 1, 1, 1]);
  });

  test("waits after an error, twice as long after each further one, up to a bound, and as usual after success", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const fail = () => {
      throw new Error("the database is away");
    };
    const rounds = new Rounds().answer(...times(5, fail), () => [], fail);
    const limits = {
      ...patient,
      idleMilliseconds: 700,
      backOffMilliseconds: 100,
      backOffMillisecondsMax: 500,
    };
    const { errors } = startLoop(rounds, { limits });
    const turn = () => new Promise(setImmediate);
    let made = 1;
    for (const wait of [100, 200, 400, 500, 500, 700, 100]) {
      await turn();
      await vi.advanceTimersByTimeAsync(wait - 1);
      await turn();
      expect([wait, rounds.rooms.length]).toEqual([wait, made]);
      await vi.advanceTimersByTimeAsync(1);
      await turn();
      made += 1;
      expect([wait, rounds.rooms.length]).toEqual([wait, made]);
    }
    expect(errors).toEqual(times(6, "webhook deliveries cannot be claimed"));
  });

  test.each([
    ["as long as its claim has taken", 30, 30],
    ["but no longer than its bound", 500, 50],
  ])("rests %s: who wakes it meanwhile is served with the others", async (_, takes, rests) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const rounds = new Rounds();
    const claim: Claim = async (room) => {
      const found = rounds.claim(room);
      await new Promise((resolve) => void setTimeout(resolve, takes));
      return found;
    };
    const deliver = () => Promise.resolve(true);
    const limits = { ...patient, restMillisecondsMax: 50 };
    const { loop } = startLoop(rounds, { limits, dispatcher: { claim, deliver, hasMore: false } });
    await vi.advanceTimersByTimeAsync(takes);
    loop.wake();
    await vi.advanceTimersByTimeAsync(rests - 1);
    loop.wake();
    expect(rounds.rooms).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(rounds.rooms).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(takes + rests + 1_000);
    expect(rounds.rooms).toHaveLength(2);
    // After a quiet time nobody waits.
    loop.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(rounds.rooms).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(takes);
    expect(await loop.stop(never)).toBe(true);
  });

  test("is not made by a second loop, however often it is started", async () => {
    const rounds = new Rounds();
    const { loop } = startLoop(rounds);
    loop.start();
    loop.start();
    await rounds.reached(1);
    await new Promise(setImmediate);
    expect(rounds.rooms).toHaveLength(1);
  });

  test("that fails is logged and comes again, later and later", async () => {
    const fail = (): never => {
      throw new Error("the database is away");
    };
    const rounds = new Rounds().answer(fail, fail, fail, fail);
    const limits = { ...patient, backOffMilliseconds: 1, backOffMillisecondsMax: 4 };
    const { errors } = startLoop(rounds, { limits });
    await rounds.reached(5);
    expect(errors).toEqual(times(4, "webhook deliveries cannot be claimed"));
  });
});

describe("a delivery", () => {
  test("that fails is logged, and the loop goes on", async () => {
    const rounds = new Rounds().answer(() => [work]);
    const deliver = () => Promise.reject(new Error("the database is away"));
    const { errors } = startLoop(rounds, {
      dispatcher: { claim: rounds.claim, deliver, hasMore: false },
    });
    await rounds.reached(2);
    expect(errors).toEqual(["a webhook delivery attempt cannot be recorded"]);
  });
});

describe("stopping", () => {
  test("waits for what is under way, and takes nothing more", async () => {
    const held = Promise.withResolvers<boolean>();
    const rounds = new Rounds().answer(() => [work]);
    const dispatcher = { claim: rounds.claim, deliver: () => held.promise, hasMore: false };
    const { loop } = startLoop(rounds, { dispatcher });
    await rounds.reached(1);
    const stopped = loop.stop(never);
    held.resolve(true);
    expect(await stopped).toBe(true);
    loop.wake();
    loop.start();
    await new Promise(setImmediate);
    expect(rounds.rooms).toHaveLength(1);
  });

  test("does not wait beyond its deadline", async () => {
    const rounds = new Rounds().answer(() => [work]);
    const deliver = () => new Promise<boolean>(() => {});
    const dispatcher = { claim: rounds.claim, deliver, hasMore: false };
    const { loop } = startLoop(rounds, { dispatcher });
    await rounds.reached(1);
    expect(await loop.stop(1)).toBe(false);
  });

  test("a loop that was never started is done at once", async () => {
    const dispatcher = new Rounds();
    const loop = new DispatcherLoop({
      dispatcher: {
        claim: dispatcher.claim,
        deliver: () => Promise.resolve(true),
        hasMore: false,
      },
      log: { debug: () => {}, error: () => {} },
    });
    expect(await loop.stop(never)).toBe(true);
  });
});

test("an idle loop does not keep the process alive", async () => {
  const program = `
    import { DispatcherLoop } from "./adapters/webhooks/dispatcher-loop.ts";
    new DispatcherLoop({
      dispatcher: { claim: () => Promise.resolve([]) },
        log: { debug() {}, error() {} },
    }).start();`;
  const child = startChild(["--input-type=module", "--eval", program]);
  expect(await child.ended).toEqual({ code: 0, signal: null });
});

describe.each(engines)("on %s", (engine) => {
  test("events are delivered without anybody asking, by each commit's wake-up", async () => {
    const { outbox, sender } = await openScripted(engine);
    await outbox.addEndpoint();
    const all = Promise.withResolvers<void>();
    sender.follow(() => {
      if (sender.sent.length === 20) all.resolve();
      return { kind: "answered", status: 200 };
    });
    const { loop } = startLoop(new Rounds(), { dispatcher: outbox.dispatcher });
    for (let count = 0; count < 20; count++) {
      await outbox.record({ resourceId: `pay_${count % 7}` });
      loop.wake();
    }
    await all.promise;
    expect(await loop.stop(never)).toBe(true);
    const statuses = (await outbox.deliveries()).map(({ status }) => status);
    expect(statuses).toEqual(times(20, "delivered"));
  });
});
