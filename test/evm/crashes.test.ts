// A watcher that is killed at any step, of a real chain that is reorganised meanwhile, behind nodes
// that fail: in the end every payment has what its address has (threats 24, 26, 27 and 28).

import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { WatcherStep } from "../../service/chains/watcher.ts";
import { watcherSteps } from "../chains/watching.ts";
import { openDatabase } from "../support/engines.ts";
import type { TestChain } from "../support/local-chain.ts";
import { type FaultyEndpoint, startFaultyEndpoint } from "./faulty-endpoint.ts";
import { finalBlocks, startBase, usdc, watchBase } from "./watched-world.ts";
import type { Watched } from "./watched-world.ts";

const faults = ["logs left out", "no answer", "another chain"] as const;

const event = fc.oneof(
  fc.record({
    kind: fc.constantFrom("token", "coin", "contract"),
    user: fc.nat(1),
    cents: fc.integer({ min: 1, max: 900 }),
  }),
  fc.record({ kind: fc.constant("mine"), count: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: fc.constant("reorg"), depth: fc.integer({ min: 1, max: 4 }), keep: fc.nat(3) }),
  fc.record({ kind: fc.constant("killed"), step: fc.constantFrom(...watcherSteps) }),
  fc.record({ kind: fc.constant("fault"), fault: fc.constantFrom(...faults) }),
  fc.record({ kind: fc.constant("run") }),
);
type Event = typeof event extends fc.Arbitrary<infer One> ? One : never;

class Killed extends Error {}

let local: TestChain;
let node: FaultyEndpoint;
let treasury: string;
beforeAll(async () => {
  local = await startBase();
  node = await startFaultyEndpoint(local.url);
  treasury = await local.deploy("Payer");
  const from = local.accounts[0].address;
  await local.transfer({ from, to: treasury, amountRaw: 10n ** 19n, contractAddress: null });
  await local.mine(6);
});
afterAll(async () => {
  await node.close();
  await local.close();
});

const unit = { token: 10_000n, coin: 10n ** 13n } as const;

type User = Awaited<ReturnType<Watched["newPayment"]>>;

async function pay({ to, pay: send }: User, kind: string, cents: number): Promise<string> {
  const amountRaw = BigInt(cents) * (kind === "token" ? unit.token : unit.coin);
  if (kind !== "contract") return await send(amountRaw, kind === "token" ? usdc : null);
  return await local.write(local.accounts[0].address, {
    contract: "Payer",
    address: treasury,
    functionName: "pay",
    parameters: [to, amountRaw],
  });
}

function fail(fault: (typeof faults)[number]): void {
  node.faults.answer = (message, reply) => {
    if (fault === "another chain" && message.method === "eth_chainId") {
      return { ...reply, result: "0x1" };
    }
    if (fault === "logs left out" && message.method === "eth_getLogs")
      return { ...reply, result: [] };
    return reply;
  };
  node.faults.exchange = (_messages, response) =>
    fault === "no answer" && Boolean(response.destroy());
}

function heal(): void {
  node.faults.answer = (_message, reply) => reply;
  node.faults.exchange = () => false;
}

/** Whatever is thrown on purpose; everything else is a mistake. */
async function survive(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    const isOnPurpose = error instanceof Killed || String(error).includes("does not answer");
    if (!isOnPurpose) throw error;
  });
}

async function play(watched: Watched, users: readonly User[], events: readonly Event[]) {
  const { look, watcher, mine, keepTime } = watched;
  let hashes: `0x${string}`[] = [];
  for (const one of events) {
    if ("cents" in one) {
      const [user = users[0]] = users.slice(one.user);
      if (user === undefined) throw new Error("there are users");
      hashes.push(`0x${(await pay(user, one.kind, one.cents)).slice(2)}`);
    } else if ("count" in one) {
      await mine(one.count);
    } else if ("depth" in one) {
      await mine();
      const kept = hashes.slice(0, one.keep);
      hashes = [];
      await local.reorg(one.depth, await stillMined(kept, one.depth));
      await keepTime();
    } else if ("step" in one) {
      const onStep = (step: WatcherStep) => {
        if (step === one.step) throw new Killed();
      };
      await survive(look(watcher({ onStep })));
    } else if ("fault" in one) {
      fail(one.fault);
      await survive(look());
      heal();
    } else {
      await survive(look());
    }
  }
}

/** Of these, what is in one of the newest blocks: the rest cannot be mined again. */
async function stillMined(hashes: readonly `0x${string}`[], depth: number) {
  const { number } = await local.newestBlock();
  const receipts = await Promise.all(hashes.map((hash) => local.receipt(hash)));
  return hashes.filter((_hash, index) => {
    const receipt = receipts[index];
    return receipt !== undefined && receipt.blockNumber > number - BigInt(depth);
  });
}

test("every payment has in the end what is at its address", async () => {
  const scripts = fc.array(event, { minLength: 6, maxLength: 18 });
  await fc.assert(
    fc.asyncProperty(scripts, async (events) => {
      const watched = await watchBase(local, await openDatabase("PostgreSQL"), [node.url]);
      const eth = `${10n ** 18n}`;
      const users = [
        await watched.newPayment({ usdc: "25000000", eth }),
        await watched.newPayment({ usdc: "25000000", eth }),
      ];
      await play(watched, users, events);
      await watched.mine(finalBlocks + 5);
      // An endpoint that was bad rests, and its chain is asked again.
      await watched.look();
      for (const { id, to } of users) {
        const sums = new Map<string, bigint>();
        for (const { deployment_id: deployment, amount, status } of await watched.deposits(id)) {
          if (status === "orphaned") continue;
          expect(status).toBe("final");
          sums.set(deployment, (sums.get(deployment) ?? 0n) + BigInt(amount));
        }
        expect(sums.get("dep_usdc_base") ?? 0n).toBe(await local.balanceOf(to, usdc));
        expect(sums.get("dep_eth_base") ?? 0n).toBe(await local.balanceOf(to, null));
      }
    }),
    { numRuns: 5, interruptAfterTimeLimit: 90_000 },
  );
});
