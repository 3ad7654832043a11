// Addresses of payments that cannot be sent from, or that keep nodes busy: none of them keeps an account of ours from
// its turn, nor another address for ever (threat 18).

import { describe, expect, test } from "vitest";
import { SignerRefusal } from "../../service/ports/signer.ts";
import { OutgoingSender } from "../../service/sending/sender.ts";
import type { EstimatingChain, PurposeSteps } from "../../service/sending/ports.ts";
import { engines, openDatabase } from "../support/engines.ts";
import type { Engine } from "../support/projects.ts";
import { ScriptedActionSigner, ScriptedOutgoingChain } from "../support/scripted-outgoing.ts";
import { chainId, ether, openSceneOn, usdc, whole } from "./scene.ts";

const minute = 60_000;

interface Busy {
  readonly milliseconds: number;
  /** in the end */
  readonly answers: boolean;
}

async function open(engine: Engine) {
  const database = await openDatabase(engine);
  const chain = new ScriptedOutgoingChain({ chainId });
  const signer = new ScriptedActionSigner();
  const { settlementAddress, hotAddress } = signer.accounts;
  const fill = (account: string): void => {
    chain.mint(account, null, 100n * ether);
    chain.mint(account, usdc.contractAddress, 1_000n * whole);
  };
  fill(settlementAddress);
  const scene = await openSceneOn(database, { chain, signer });
  const { clock } = scene;
  /** Nodes work on what leaves these. */
  const busy = new Map<string, Busy>();
  /** what nobody has answered */
  const unanswered: string[] = [];
  const { estimate } = chain;
  const slowly: typeof estimate = async (from, action) => {
    const { milliseconds, answers } = busy.get(from) ?? { milliseconds: 0, answers: true };
    clock.advance(milliseconds);
    if (answers) return estimate(from, action);
    unanswered.push(from);
    throw new Error("no answer in time");
  };
  /** Of the signer, for what leaves addresses of payments. */
  const policy = { isRefusing: false };
  const { signAction } = signer;
  const refusing: typeof signAction = (place, intent) =>
    policy.isRefusing && intent.account.role === "deposit"
      ? Promise.reject(new SignerRefusal("the target is not the treasury any more"))
      : signAction(place, intent);
  Object.assign(chain, { estimate: slowly });
  Object.assign(signer, { signAction: refusing });
  const always = [hotAddress];
  // As the hot account has its turn in each round.
  const withdrawal = { gather: () => Promise.resolve(always) } as unknown as PurposeSteps;
  const start = () => {
    const sender = new OutgoingSender({
      ...scene,
      alarm: (what, facts) => void scene.alarms.push([what, facts]),
      chains: [{ chain, signer } satisfies EstimatingChain],
      steps: { withdrawal },
      gasBudgetRaw: () => Promise.resolve(null),
      merchantGasRaw: () => Promise.resolve(null),
      onImpossible: () => Promise.resolve(),
    });
    const [job] = sender.jobs();
    if (job === undefined) throw new Error("there is one chain");
    return job.run;
  };
  const sweep = async (index: number) => {
    const account = signer.addressOf({ role: "deposit", index: BigInt(index) });
    fill(account);
    const { contractAddress } = usdc;
    const action = { kind: "transfer", to: hotAddress, contractAddress, amountRaw: whole } as const;
    const signsAs = { role: "deposit", index: BigInt(index) } as const;
    const { id } = await scene.queue({ purpose: "sweep", account, signsAs, action });
    clock.advance(1);
    return { id, account };
  };
  const sweepMany = async (count: number) => {
    const all: Awaited<ReturnType<typeof sweep>>[] = [];
    for (let index = 0; index < count; index++) all.push(await sweep(index));
    return all;
  };
  const isSent = async (id: string) => (await scene.statusOf(id)) === "broadcast";
  return {
    ...scene,
    chain,
    signer,
    busy,
    unanswered,
    policy,
    always,
    start,
    sweep,
    sweepMany,
    isSent,
  };
}

describe.each(engines)("on %s", (engine) => {
  test("twenty addresses whose transaction nobody signs anew leave a release its turn", async () => {
    const { chain, policy, clock, ...scene } = await open(engine);
    chain.perBlockMax = 0;
    await scene.sweepMany(20);
    const send = scene.start();
    await send();
    expect(chain.waiting).toHaveLength(20);
    policy.isRefusing = true;
    chain.mine(5);
    clock.advance(minute);
    for (let round = 0; round < 12; round++) {
      await send();
      clock.advance(2_000);
    }
    const release = await scene.queue();
    clock.advance(2_000);
    await send();
    expect(await scene.isSent(release.id)).toBe(true);
  });

  test("an address that comes after twenty that failed has its turn in the next round", async () => {
    const { policy, clock, ...scene } = await open(engine);
    policy.isRefusing = true;
    await scene.sweepMany(20);
    const send = scene.start();
    await send();
    policy.isRefusing = false;
    // They are due again, and older.
    clock.advance(minute);
    const { id } = await scene.sweep(20);
    const found = await send();
    expect(await scene.isSent(id)).toBe(true);
    expect(found.done).toBe(20);
  });

  test("addresses that keep nodes busy take no round longer than 10 seconds, and one turn more", async () => {
    const { busy, clock, ...scene } = await open(engine);
    const sweeps = await scene.sweepMany(100);
    for (const { account } of sweeps) {
      busy.set(account, { milliseconds: 25_000, answers: false });
    }
    clock.advance(minute);
    const send = scene.start();
    const release = await scene.queue();
    const began = clock.nowMilliseconds();
    expect(await send()).toMatchObject({ isMore: true, isHindered: true });
    expect(clock.nowMilliseconds() - began).toBe(25_000);
    expect(await scene.isSent(release.id)).toBe(true);
  });

  test("at 10 seconds a round is over, and the others have theirs in the next ones", async () => {
    const { chain, busy, ...scene } = await open(engine);
    const sweeps = await scene.sweepMany(9);
    for (const { account } of sweeps) busy.set(account, { milliseconds: 2_500, answers: true });
    const send = scene.start();
    expect(await send()).toMatchObject({ done: 4, isMore: true });
    expect(await send()).toMatchObject({ done: 4, isMore: true });
    // Nothing is handed over again.
    chain.mine(2);
    expect(await send()).toMatchObject({ done: 1, isMore: false });
  });

  test("just below them it goes on", async () => {
    const { busy, ...scene } = await open(engine);
    const sweeps = await scene.sweepMany(3);
    for (const { account } of sweeps) busy.set(account, { milliseconds: 4_999, answers: true });
    expect(await scene.start()()).toMatchObject({ done: 3, isMore: false });
  });

  test("an address has its turn however long those of our own accounts take, and they theirs", async () => {
    const { chain, signer, busy, ...scene } = await open(engine);
    const { hotAddress, settlementAddress } = signer.accounts;
    const [one, two] = await scene.sweepMany(2);
    const signsAs = { role: "hot" } as const;
    chain.mint(hotAddress, null, ether);
    chain.mint(hotAddress, usdc.contractAddress, whole);
    for (const account of [hotAddress, settlementAddress]) {
      busy.set(account, { milliseconds: 60_000, answers: true });
    }
    const refund = await scene.queue({ account: hotAddress, signsAs, purpose: "refund" });
    const release = await scene.queue();
    expect(await scene.start()()).toMatchObject({ done: 3, isMore: true });
    const sent = [refund.id, release.id, one?.id ?? "", two?.id ?? ""].map(scene.isSent);
    expect(await Promise.all(sent)).toEqual([true, true, true, false]);
  });

  test("a good address is not kept waiting by older ones that keep nodes busy and come again", async () => {
    const { busy, clock, ...scene } = await open(engine);
    const sweeps = await scene.sweepMany(60);
    for (const { account } of sweeps) {
      busy.set(account, { milliseconds: 25_000, answers: false });
    }
    clock.advance(minute);
    const send = scene.start();
    for (let round = 0; round < 30; round++) await send();
    expect(scene.unanswered).toHaveLength(30);
    const { id } = await scene.sweep(60);
    // Those that had no turn yet are older; the ones that had theirs are due again, and go behind.
    for (let round = 0; round < 31; round++) await send();
    expect(await scene.isSent(id)).toBe(true);
  });

  test("nor where nothing else goes well, so that the job fails as a whole", async () => {
    const { busy, clock, always, ...scene } = await open(engine);
    always.length = 0;
    const sweeps = await scene.sweepMany(40);
    for (const { account } of sweeps) {
      busy.set(account, { milliseconds: 25_000, answers: false });
    }
    clock.advance(minute);
    const send = scene.start();
    const { id } = await scene.sweep(40);
    for (let round = 0; round < 40; round++) {
      await expect(send()).rejects.toThrow("no answer in time");
    }
    expect(scene.alarms).toEqual([]);
    expect(await send()).toMatchObject({ done: 1 });
    expect(await scene.isSent(id)).toBe(true);
  });

  test("twenty-four releases over two hours wait for no address that the signer refuses", async () => {
    const { chain, policy, clock, ...scene } = await open(engine);
    policy.isRefusing = true;
    await scene.sweepMany(30);
    const send = scene.start();
    const late: number[] = [];
    for (let one = 0; one < 24; one++) {
      const release = await scene.queue();
      await send();
      if (!(await scene.isSent(release.id))) late.push(one);
      chain.mine(10);
      for (let round = 0; round < 10; round++) {
        clock.advance(30_000);
        await send();
      }
    }
    expect(late).toEqual([]);
  });
});
