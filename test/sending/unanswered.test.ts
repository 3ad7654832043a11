// What no node says anything about, and what waits with it: neither holds up anything else (threat 18).

import { beforeEach, describe, expect, test } from "vitest";
import { jobLimits } from "../../adapters/assembly/job-loop.ts";
import type { Database } from "../../service/ports/database.ts";
import type { ChainAction } from "../../service/ports/signer.ts";
import { deferBesideUnanswered } from "../../service/sending/sender.sql.ts";
import { engines } from "../support/engines.ts";
import { addressOf } from "../support/scripted-signer.ts";
import { query } from "../support/service-parts.ts";
import type { Row } from "../support/table-steps.ts";
import { at, openQueue, otherChain, others, ours, put, queued, reserved } from "./queue-rows.ts";
import { chainId, coin, finalBlocks, openScene, type Scene, usdc } from "./scene.ts";

const toCoin = (name: string) =>
  ({ kind: "transfer", to: addressOf(name), contractAddress: null, amountRaw: 7n }) as const;

/** What a token's owner has signed is handed in. */
function collecting(count: number): ChainAction {
  const from = addressOf(`a payment ${count}`);
  const [to, nonce] = [addressOf("hot"), `0x${String(count).padStart(64, "0")}`];
  const { contractAddress } = usdc;
  const moved = { contractAddress, from, to, amountRaw: 7n, nonce };
  const authorization = { method: "eip3009", ...moved, validAfter: 0n, validBefore: 9n } as const;
  return { kind: "collect", index: 1n, domain: { name: "USDC", version: "2" }, authorization };
}

describe.each(engines)("on %s", (engine) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(engine);
  });

  const settle = async (process = scene.startProcess()): Promise<void> => {
    for (let round = 0; round < 4; round++) {
      await process.send();
      scene.chain.mine(finalBlocks);
      scene.clock.advance(20_000);
      await process.confirm();
    }
  };

  const isFailed = (work: Promise<unknown>) =>
    work.then(
      () => false,
      () => true,
    );

  const problems = async (ids: readonly string[]) => {
    const all = await Promise.all(ids.map((id) => scene.problemOf(id)));
    const count = (start: string) => all.filter((text) => text?.startsWith(start)).length;
    return { asked: count("unanswered: "), beside: count("beside unanswered: ") };
  };

  test("settlements that nobody can say anything about hold up nothing else, however many there are", async () => {
    const { silent } = scene.chain;
    for (let count = 0; count < 40; count++) {
      silent.add((await scene.queue({ purpose: "x402_settlement" })).to);
    }
    scene.clock.advance(60_000);
    const good = await scene.queue();
    const process = scene.startProcess();
    for (let round = 0; round < 20; round++) {
      await process.send().catch(() => undefined);
      scene.clock.advance(2_000);
    }
    expect(await scene.statusOf(good.id)).toBe("broadcast");
    expect(await scene.nonces()).toEqual([0n]);
    // They are sent as soon as somebody knows.
    silent.clear();
    for (let round = 0; round < 4; round++) {
      scene.clock.advance(600_000);
      await settle(process);
    }
    expect(await scene.nonces()).toHaveLength(41);
  });

  test("nor do transfers with the pauses that its job makes after each failure (threat 18)", async () => {
    const { silent } = scene.chain;
    for (let count = 0; count < 40; count++) silent.add((await scene.queue()).to);
    const process = scene.startProcess();
    const turn = async (pause: number): Promise<number> => {
      const hasFailed = await isFailed(process.send());
      scene.clock.advance(hasFailed ? pause : 2_000);
      return hasFailed ? Math.min(pause * 2, jobLimits.backOffMillisecondsMax) : 1_000;
    };
    let pause: number = jobLimits.backOffMilliseconds;
    for (let count = 0; count < 40; count++) pause = await turn(pause);
    const good = await scene.queue();
    await turn(pause);
    expect(await scene.statusOf(good.id)).toBe("broadcast");
  });

  test("what is due of a token that no node answers about goes behind with the first three", async () => {
    const { silentTokens } = scene.chain;
    const ids: string[] = [];
    for (let count = 0; count < 40; count++) ids.push((await scene.queue()).id);
    silentTokens.add(usdc.contractAddress);
    scene.clock.advance(20_000);
    const good = await scene.queue({ deploymentId: coin.deploymentId, action: toCoin("good") });
    const process = scene.startProcess();
    expect(await isFailed(process.send())).toBe(true);
    expect(await problems(ids)).toEqual({ asked: 3, beside: 37 });
    const texts = await Promise.all(ids.map((id) => scene.problemOf(id)));
    expect(texts).toContain("beside unanswered: the token does not answer");
    await process.send();
    expect(await scene.statusOf(good.id)).toBe("broadcast");
    expect(scene.chain.estimated).toHaveLength(4);
    // The three wait as long as they have waited.
    silentTokens.clear();
    scene.clock.advance(10_000);
    expect(await process.send()).toMatchObject({ done: 15 });
    expect(await problems(ids)).toEqual({ asked: 3, beside: 22 });
    for (let round = 0; round < 3; round++) await settle(process);
    expect(await scene.nonces()).toHaveLength(41);
  });

  test("so does what is swept of it", async () => {
    const ids: string[] = [];
    for (let count = 0; count < 9; count++) {
      ids.push((await scene.queue({ purpose: "sweep", action: collecting(count) })).id);
    }
    scene.chain.silentTokens.add(usdc.contractAddress);
    expect(await isFailed(scene.startProcess().send())).toBe(true);
    expect(await problems(ids)).toEqual({ asked: 3, beside: 6 });
  });

  test("nothing goes with those that only their receivers keep nodes from answering about", async () => {
    const { silent } = scene.chain;
    const ids: string[] = [];
    const put = async (draft?: Parameters<Scene["queue"]>[0]): Promise<void> => {
      const { id, to } = await scene.queue(draft);
      ids.push(id);
      silent.add(to);
    };
    for (let count = 0; count < 4; count++) {
      await put({ deploymentId: coin.deploymentId, action: toCoin(`busy ${count}`) });
    }
    const process = scene.startProcess();
    expect(await isFailed(process.send())).toBe(true);
    expect(await problems(ids)).toEqual({ asked: 3, beside: 0 });
    scene.clock.advance(1_000);
    for (let count = 0; count < 4; count++) await put();
    scene.clock.advance(1_000);
    const good = await scene.queue();
    for (let round = 0; round < 2; round++) expect(await isFailed(process.send())).toBe(true);
    expect(await problems(ids)).toEqual({ asked: 8, beside: 0 });
    expect(await scene.statusOf(good.id)).toBe("broadcast");
  });

  test("nor where the chain itself is away", async () => {
    const { silentTokens, faults } = scene.chain;
    const ids: string[] = [];
    for (let count = 0; count < 4; count++) ids.push((await scene.queue()).id);
    silentTokens.add(usdc.contractAddress);
    // What a turn begins with is answered.
    faults.next("fees", { kind: "less" });
    faults.next("fees", { kind: "unavailable" });
    const gone = { code: "chain_unavailable" };
    await expect(scene.startProcess().send()).rejects.toMatchObject(gone);
    expect(await problems(ids)).toEqual({ asked: 3, beside: 0 });
  });
});

describe.each(engines)("on %s, of all that is in the queue", (engine) => {
  let database: Database;
  beforeEach(async () => {
    ({ database } = await openQueue(engine));
  });

  test("those go behind that are due, of these tokens and this account, and have no nonce", async () => {
    const rows: Readonly<Record<string, Row>> = {
      old: { last_problem: "account_cannot_pay" },
      asked: { last_problem: "unanswered: nobody was there" },
      just_due: { not_before: at(100) },
      withdrawal: { purpose: "withdrawal" },
      third_token: { deployment_id: coin.deploymentId },
      not_due: { not_before: at(101) },
      settlement: { purpose: "x402_settlement" },
      other_token: { deployment_id: "dep_dai_ethereum" },
      subject: { deployment_id: "dep_dai_ethereum", subject_id: "wdr_beside" },
      subject_later: {
        deployment_id: "dep_dai_ethereum",
        subject_id: "wdr_later",
        not_before: at(101),
      },
      other_account: { account: others },
      elsewhere: { chain_id: otherChain },
      taken_out: { status: "withdrawn" },
      about_to_be_signed: reserved,
    };
    for (const [name, row] of Object.entries(rows)) {
      await put(database, `out_${name}`, { ...queued, ...row });
    }
    await database.run(deferBesideUnanswered, {
      chainId,
      account: ours,
      deploymentIds: [usdc.deploymentId, coin.deploymentId],
      subjectIds: ["wdr_beside", "wdr_later"],
      problem: `beside unanswered: ${"x".repeat(500)}`,
      now: at(100),
      notBefore: at(110),
    });
    const waiting = await query(database)<{ id: string; not_before: Date; length: number }>`
      select id, not_before, length(last_problem) as length from outgoing_transactions
      where last_problem is not null order by id`;
    const lengths = { asked: 28, just_due: 400, old: 400, subject: 400, third_token: 400 };
    expect(waiting).toEqual(
      Object.entries({ ...lengths, withdrawal: 400 }).map(([name, length]) => ({
        id: `out_${name}`,
        not_before: at(110),
        length,
      })),
    );
  });
});
