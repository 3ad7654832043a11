// Two processes and any number of requests: one payment is settled by one authorization, once.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "../support/engines.ts";
import type { TestChain } from "../support/local-chain.ts";
import { settlementAddress } from "./action-signer.ts";
import { authorize, otherPayer, payer } from "./payers.ts";
import { merchant, openScene, price, startX402Chain } from "./scene.ts";

let local: TestChain;

beforeAll(async () => {
  local = await startX402Chain();
  for (const { address } of [payer, otherPayer]) await local.mint(address, 10n ** 12n);
});
afterAll(() => local.close());

function tally(values: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

describe("a hundred requests at once, from two processes, with two authorizations", () => {
  test("make one transfer of one payer", async () => {
    const scene = await openScene(await openDatabase("PostgreSQL"), local);
    const chains = [await scene.openChain(), await scene.openChain()];
    // The clock is shared, and a waiting request must not use up the time of all others.
    const processes = chains.map((chain) =>
      scene.startProcess({ chain, waitMilliseconds: 2_000_000_000 }),
    );
    const id = await scene.addPayment({ lifeMilliseconds: 4_000_000_000 });
    const commands = [
      await authorize(scene, id),
      await authorize(scene, id, { payer: otherPayer }),
    ];
    const before = await local.balanceOf(settlementAddress);
    const answers = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const process = processes[index % 2];
        const command = commands[Math.floor(index / 2) % 2];
        if (process === undefined || command === undefined) throw new Error("two of each");
        try {
          const { isSettled, txHash } = await process.x402.settle(merchant, command);
          return `${command.payload.from} ${isSettled} ${txHash}`;
        } catch (error) {
          return `${command.payload.from} ${(error as { code: string }).code}`;
        }
      }),
    );
    const sent = await scene.sent();
    expect(sent).toHaveLength(1);
    const counts = tally(answers);
    const winners = Object.keys(counts).filter((one) => one.includes(" true "));
    expect(winners).toHaveLength(1);
    const [winner = ""] = winners;
    expect(winner.endsWith(`true ${sent[0]}`)).toBe(true);
    expect(counts[winner]).toBe(50);
    const losers = Object.keys(counts).filter((one) => one !== winner);
    for (const one of losers) expect(one).toMatch(/settlement_in_progress|payment_already_settled/);
    expect(await local.balanceOf(settlementAddress)).toBe(before + price);
    expect(await scene.settlements(id)).toHaveLength(1);
  });

  test("with one authorization for two payments settle one of them", async () => {
    const scene = await openScene(await openDatabase("PostgreSQL"), local);
    const processes = [
      scene.startProcess(),
      scene.startProcess({ chain: await scene.openChain() }),
    ];
    const ids = [await scene.addPayment(), await scene.addPayment()];
    const command = await authorize(scene, ids[0] ?? "");
    const answers = await Promise.all(
      processes.flatMap(({ x402 }) =>
        ids.map(async (paymentId) => {
          try {
            await x402.settle(merchant, { ...command, paymentId });
            return paymentId;
          } catch (error) {
            return (error as { code: string }).code;
          }
        }),
      ),
    );
    expect(await scene.sent()).toHaveLength(1);
    const counts = tally(answers);
    expect(counts["x402_authorization_used"]).toBe(2);
    expect(new Set(ids.map((id) => counts[id] ?? 0))).toEqual(new Set([0, 2]));
  });
});

describe("settlements of many payments at once, from two processes", () => {
  test("are written together, and one that is refused spoils none of the others", async () => {
    const scene = await openScene(await openDatabase("PostgreSQL"), local);
    const chains = [await scene.openChain(), await scene.openChain()];
    const processes = chains.map((chain) =>
      scene.startProcess({ chain, waitMilliseconds: 2_000_000_000 }),
    );
    const ids: string[] = [];
    const commands = [];
    for (let number = 0; number < 12; number += 1) {
      const id = await scene.addPayment({ lifeMilliseconds: 4_000_000_000 });
      ids.push(id);
      commands.push({ ...(await authorize(scene, id)), paymentId: id });
    }
    // What was signed for the first one, for the last one as well.
    const stolen = { ...commands[0], paymentId: ids.at(-1) ?? "" } as (typeof commands)[0];
    const before = await local.balanceOf(settlementAddress);
    const answers = await Promise.all(
      [...commands, stolen].flatMap((command) =>
        processes.map(async ({ x402 }) => {
          try {
            const { isSettled } = await x402.settle(merchant, command);
            return `settled ${isSettled}`;
          } catch (error) {
            return (error as { code: string }).code;
          }
        }),
      ),
    );
    const counts = tally(answers);
    expect(counts["settled true"]).toBe(24);
    expect(answers.slice(24).filter((answer) => answer === "settled true")).toEqual([]);
    expect(await local.balanceOf(settlementAddress)).toBe(before + 12n * price);
    expect(await scene.sent()).toHaveLength(12);
    for (const id of ids) {
      expect(await scene.settlements(id)).toMatchObject([{ status: "settled" }]);
      const types = await scene.events(id);
      for (const type of ["x402.settlement_submitted", "x402.settled"]) {
        expect(types.filter((one) => one === type)).toHaveLength(1);
      }
    }
    await scene.mine(20);
    await scene.watch();
    for (const process of processes) await process.reconcile();
    expect(await scene.differences()).toEqual([]);
  });
});
