// Whatever happens to the rest of an authorization and in whatever order (its settlement gone and back, what
// was sent failed or arrived, operators decide): it is due once, and the books say who has it (threat 48).

import fc from "fast-check";
import { expect, test } from "vitest";
import { openDatabase } from "../support/engines.ts";
import { price } from "../payments/progress-world.ts";
import { fee, openRestWorld, rest, used } from "./rest-world.ts";
import type { Life, Look, RestWorld, Step } from "./rest-world.ts";

function possible({ state, isItem, balances }: Look): readonly Step[] {
  const { is_there: isThere, release, exit_status: exit, order_status: order } = state;
  const [isQueued, hasNonce] = [release === "queued", state.has_nonce];
  const isOrdered = exit === "waiting";
  const when = (isPossible: boolean, ...steps: readonly Step[]) => (isPossible ? steps : []);
  return [
    ...when(isThere, "taken"),
    ...when(!isThere, "back"),
    ...when(isQueued && (isThere || hasNonce), "release signed"),
    ...when(isThere && isQueued && !hasNonce && !isItem, "release hindered"),
    ...when(isThere && isQueued && !hasNonce, "nonce reserved"),
    ...when(isQueued && hasNonce, "nonce freed"),
    ...when(isWithoutEnd(state), "looked after"),
    ...when(release === "broadcast", "release failed", "release sent", "release moved nothing"),
    ...when(isItem, "written off"),
    ...when(isItem && release !== "succeeded", "ordered", "credited"),
    ...when(isOrdered && order !== "broadcast", "order gathered", "order cancelled"),
    ...when(isOrdered && order === "broadcast", "order failed", "order sent"),
    ...when((balances["merchant:debt"] ?? 0n) > 0n, "debt borne"),
    ...when((balances["merchant:available"] ?? 0n) > 0n, "spent"),
  ];
}

/** Nothing sends it, and only the job ends it. */
function isWithoutEnd({ is_there: isThere, release, has_nonce: hasNonce }: Look["state"]): boolean {
  return !isThere && release === "queued" && !hasNonce;
}

/** Who has what, from what has happened alone. */
function expected({ state, balances }: Look) {
  const { is_there: isThere, release, is_released: isReleased, way, exit_status: exit } = state;
  const isSent = isReleased || (way === "sent_back" && exit === "done");
  // What waits in the queue had its nonce when its settlement went.
  const isOnItsWay = release === "broadcast" || (release === "queued" && !isThere);
  const isUnderWay = isOnItsWay || exit === "waiting";
  const isKept = way === "written_off";
  const isGiven = way === "credited";
  const isDue = !isSent && !isKept && !isGiven && (isThere || isUnderWay);
  const spent = balances["merchant:withdrawing"] ?? 0n;
  const borne = BigInt(state.borne_raw);
  const ofMerchant = isThere ? used - fee + (isGiven ? rest : 0n) : 0n;
  const owed = !isThere && (isSent || isUnderWay) ? rest : 0n;
  return {
    due: isDue ? rest : 0n,
    merchant: ofMerchant - owed - spent + borne,
    fees: (isThere ? fee + (isKept ? rest : 0n) : 0n) - borne,
    chain: (isThere ? price : 0n) - (isSent ? rest : 0n),
  };
}

function found({ balances, refundingRaw, feesRaw, chainRaw }: Look) {
  const of = (kind: string): bigint => balances[kind] ?? 0n;
  return {
    due: of("payer:refund_due") + refundingRaw,
    merchant: of("merchant:available") - of("merchant:debt"),
    fees: feesRaw,
    chain: chainRaw,
  };
}

/** What is due is sent, or is on its way, or somebody can decide about it. */
function check(look: Look, taken: readonly Step[]): void {
  const steps = taken.join(", ");
  expect({ steps, ...found(look) }).toEqual({ steps, ...expected(look) });
  const { release, exit_status: exit } = look.state;
  const isEnded = found(look).due === 0n;
  const isAlive = look.isItem || exit === "waiting" || ["queued", "broadcast"].includes(release);
  expect({ steps, isAlive: isEnded || isAlive }).toEqual({ steps, isAlive: true });
  const isLeft = taken.at(-1) === "looked after" && (isWithoutEnd(look.state) || !isEnded);
  expect({ steps, isLeft }).toEqual({ steps, isLeft: false });
  expect({ steps, isEnded, isItem: look.isItem && isEnded }).toMatchObject({ isItem: false });
}

/** Each state that it can come to, and each step from there, is tried. @returns how many states there are */
async function tryAll(world: RestWorld, isWanted: (step: Step) => boolean): Promise<number> {
  const states = new Map<string, State>();
  const enter = async (life: Life, steps: readonly Step[]): Promise<State> => {
    const look = await life.look();
    check(look, steps);
    const key = JSON.stringify(look, textOf);
    const state = states.get(key) ?? {
      steps: [...steps],
      untried: possible(look).filter(isWanted),
    };
    states.set(key, state);
    return state;
  };
  for (let from: State | undefined = { steps: [], untried: [] }; from !== undefined;) {
    const life = await world.begin();
    const steps = [...from.steps];
    for (const step of steps) await life[step]();
    let state = await enter(life, steps);
    for (let step = state.untried.pop(); step !== undefined; step = state.untried.pop()) {
      steps.push(step);
      await life[step]();
      state = await enter(life, steps);
    }
    await life.end();
    from = [...states.values()].find(({ untried }) => untried.length > 0);
  }
  return states.size;
}

interface State {
  /** that have led there */
  readonly steps: readonly Step[];
  readonly untried: Step[];
}

function textOf(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}

const byMerchant: ReadonlySet<Step> = new Set(["debt borne", "spent"]);

test("in every state that it can come to, a rest is due once, and every order leads on", async () => {
  const world = await openRestWorld(await openDatabase("PostgreSQL"));
  // A hundred states: nothing was left out.
  expect(await tryAll(world, (step) => !byMerchant.has(step))).toBeGreaterThan(100);
});

test("also where the merchant spends what it has, and the platform bears what it owes", async () => {
  const world = await openRestWorld(await openDatabase("PostgreSQL"));
  const choices = fc.array(fc.nat(100), { minLength: 6, maxLength: 16 });
  await fc.assert(
    fc.asyncProperty(choices, async (chosen) => {
      const life = await world.begin();
      const steps: Step[] = [];
      for (const choice of chosen) {
        const ways = possible(await life.look());
        const step = ways[choice % Math.max(1, ways.length)];
        if (step === undefined) break;
        steps.push(step);
        await life[step]();
        check(await life.look(), steps);
      }
      await life.end();
    }),
    { numRuns: 30 },
  );
});
