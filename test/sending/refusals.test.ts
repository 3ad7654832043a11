// What is not sent, and why (threat 49): what would fail, what costs too much, what nobody wants any
// more, and what the signer does not sign.

import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { outgoingValues } from "../../service/sending/model.ts";
import {
  queueOutgoingAgain,
  readOutgoing,
  withdrawOutgoing,
} from "../../service/sending/queue.sql.ts";
import { engines } from "../support/engines.ts";
import type { Point } from "../support/dying.ts";
import { query } from "../support/service-parts.ts";
import { addressOf } from "../support/scripted-signer.ts";
import { coin, finalBlocks, openScene, type Scene, usdc, whole } from "./scene.ts";

describe.each(engines)("on %s", (engine) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(engine);
  });
  const alarms = () => scene.alarms.map(([what]) => what);

  const settle = async (process = scene.startProcess()): Promise<void> => {
    for (let round = 0; round < 4; round++) {
      await process.send();
      scene.chain.mine(finalBlocks);
      scene.clock.advance(20_000);
      await process.confirm();
    }
  };

  test("what would fail is never sent, and whoever wanted it hears of it (threat 49)", async () => {
    const poor = {
      action: { kind: "transfer", to: addressOf("x"), contractAddress: null },
    } as const;
    const amountRaw = 10n ** 30n;
    for (let count = 0; count < 50; count++) {
      await scene.queue({ purpose: "x402_settlement", action: { ...poor.action, amountRaw } });
    }
    const good = await scene.queue();
    const process = scene.startProcess();
    for (let round = 0; round < 5; round++) await process.send();
    expect(scene.impossible).toHaveLength(50);
    expect(scene.impossible[0]).toMatchObject({ purpose: "x402_settlement" });
    expect(await scene.nonces()).toEqual([0n]);
    expect(await scene.statusOf(good.id)).toBe("broadcast");
  });

  test("what nobody took back is looked at again later, and why it waits is written down", async () => {
    scene.chain.impossible.push("execution\0reverted: blocked\n");
    const { id } = await scene.queue();
    const process = scene.startProcess();
    await process.send();
    await process.send();
    expect(scene.chain.estimated).toHaveLength(1);
    expect(await scene.problemOf(id)).toBe("execution reverted: blocked ");
    scene.clock.advance(60_000);
    await settle(process);
    expect(await scene.statusOf(id)).toBe("succeeded");
  });

  test("the settlements of a day spend no more gas than they may (threat 49)", async () => {
    // In the middle of a day.
    scene.clock.advance(43_200_000);
    const { maxFeePerGas } = await scene.chain.fees();
    // 50,000 units of gas and a margin of 30 %
    scene.budget.raw = 2n * 65_000n * maxFeePerGas + 1n;
    const settlements = [];
    for (let count = 0; count < 3; count++) {
      settlements.push(await scene.queue({ purpose: "x402_settlement" }));
    }
    const release = await scene.queue();
    const process = scene.startProcess();
    await process.send();
    const statuses = await Promise.all(settlements.map(({ id }) => scene.statusOf(id)));
    expect(statuses.filter((status) => status === "broadcast")).toHaveLength(2);
    expect(await scene.statusOf(release.id)).toBe("broadcast");
    expect(alarms()).toEqual(["gas_budget_used_up"]);
    scene.clock.advance(86_400_000);
    await process.send();
    for (const { id } of settlements) expect(await scene.statusOf(id)).toBe("broadcast");
  });

  test("what the account cannot pay for waits, and others go on", async () => {
    const action = { kind: "transfer", to: addressOf("x"), contractAddress: null } as const;
    const { settlementAddress } = scene.signer.accounts;
    const amountRaw = await scene.chain.balance(settlementAddress, null);
    const large = await scene.queue({ action: { ...action, amountRaw } });
    const small = await scene.queue();
    await scene.startProcess().send();
    expect(await scene.statusOf(large.id)).toBe("queued");
    expect(await scene.statusOf(small.id)).toBe("broadcast");
    expect(alarms()).toEqual(["account_cannot_pay"]);
  });

  test("what is mined in the middle of a turn is not missed twice", async () => {
    const { contractAddress } = usdc;
    const action = { kind: "transfer", to: addressOf("x"), contractAddress } as const;
    // All but what the last one takes is sent, and not mined yet.
    await scene.queue({ action: { ...action, amountRaw: 999n * whole } });
    await scene.startProcess().send();
    const coins = { ...action, contractAddress: null, amountRaw: 1n };
    await scene.queue({ deploymentId: coin.deploymentId, action: coins });
    scene.clock.advance(1_000);
    const last = await scene.queue();
    const reached = (point: Point): Promise<void> => {
      if (point === "claimed") scene.chain.mine(1);
      return Promise.resolve();
    };
    await scene.startProcess({ reached }).send();
    expect(alarms()).toEqual([]);
    expect(await scene.statusOf(last.id)).toBe("broadcast");
  });

  test("what the signer refuses keeps no number, and the next one gets it", async () => {
    const refused = await scene.queue();
    scene.signer.refusals = 1;
    const process = scene.startProcess();
    await expect(process.send()).rejects.toThrow("the limit of the day is used up");
    expect(alarms()).toEqual(["signer_refuses"]);
    expect(await scene.problemOf(refused.id)).toBe("the limit of the day is used up");
    const next = await scene.queue();
    await process.send();
    expect(await scene.statusOf(refused.id)).toBe("queued");
    expect(await scene.statusOf(next.id)).toBe("broadcast");
    expect(await scene.nonces()).toEqual([0n]);
  });

  /** As a newer version might store it. */
  const makeUnreadable = async ({ id }: { readonly id: string }): Promise<void> => {
    const guarded = (how: "disable" | "enable") =>
      sql.raw(`alter table outgoing_transactions ${how} trigger user`);
    await scene.database.transaction(async (inside) => {
      await query(inside, guarded("disable"));
      await query(inside)`
        update outgoing_transactions set action = '{"kind": "settle"}' where id = ${id}`;
      await query(inside, guarded("enable"));
    });
  };

  test("what cannot be read waits alone, however much of it there is, and people hear of it", async () => {
    const unreadable = [];
    for (let count = 0; count < 4; count++) {
      const purpose = count < 3 ? "x402_settlement" : "x402_release";
      unreadable.push(await scene.queue({ purpose }));
    }
    for (const row of unreadable) await makeUnreadable(row);
    scene.clock.advance(1);
    const good = [await scene.queue({ purpose: "x402_settlement" }), await scene.queue()];
    const process = scene.startProcess();
    await process.send();
    for (const { id } of good) expect(await scene.statusOf(id)).toBe("broadcast");
    for (const { id } of unreadable) {
      expect(await scene.statusOf(id)).toBe("queued");
      expect(await scene.problemOf(id)).toBe(`the action of ${id} cannot be read`);
    }
    const told = scene.alarms.map(([what, facts]) => `${what} ${String(facts["outgoing_id"])}`);
    expect(told.toSorted()).toEqual(
      unreadable.map(({ id }) => `action_unreadable ${id}`).toSorted(),
    );
    // Not before a minute.
    await process.send();
    expect(scene.alarms).toHaveLength(4);
    scene.clock.advance(60_000);
    await process.send();
    expect(scene.alarms).toHaveLength(8);
  });

  test("what was signed and cannot be read any more is handed over again, and others go on", async () => {
    const first = await scene.queue();
    const process = scene.startProcess();
    scene.chain.perBlockMax = 0;
    await process.send();
    await makeUnreadable(first);
    const second = await scene.queue();
    await process.send();
    expect(await scene.statusOf(second.id)).toBe("broadcast");
    expect(alarms()).toEqual([]);
    // Both wait too long, and nobody has them any more.
    scene.chain.mine(5);
    scene.clock.advance(20_000);
    scene.chain.dropPool();
    await process.send();
    expect(alarms()).toEqual(["action_unreadable"]);
    const [[bytes], [, newer]] = [await scene.attempts(first.id), await scene.attempts(second.id)];
    expect(scene.chain.waiting).toEqual([bytes?.tx_hash, newer?.tx_hash]);
  });

  test("what has its nonce and cannot be read stops its account, and is told of", async () => {
    const first = await scene.queue();
    const dying = scene.startProcess({
      reached: (point) =>
        point === "claimed" ? Promise.reject(new Error("killed")) : Promise.resolve(),
    });
    await expect(dying.send()).rejects.toThrow("killed");
    await makeUnreadable(first);
    const second = await scene.queue();
    scene.clock.advance(600_000);
    await scene.startProcess().send();
    expect(alarms()).toEqual(["action_unreadable"]);
    expect(await scene.problemOf(first.id)).toBe(`the action of ${first.id} cannot be read`);
    for (const { id } of [first, second]) expect(await scene.statusOf(id)).toBe("queued");
  });

  test("what was taken back is never signed, and what was signed cannot be taken back", async () => {
    const withdraw = (subjectId: string) => {
      const values = { purpose: "x402_release", subjectId, now: scene.clock.now() } as const;
      return scene.database.run(withdrawOutgoing, { ...values, problem: "not wanted" });
    };
    const first = await scene.queue();
    const second = await scene.queue();
    expect(await withdraw(first.subjectId)).toHaveLength(1);
    const process = scene.startProcess();
    await settle(process);
    expect(await withdraw(second.subjectId)).toEqual([]);
    expect(await scene.statusOf(first.id)).toBe("withdrawn");
    expect(await scene.statusOf(second.id)).toBe("succeeded");
    expect(scene.ended).toHaveLength(1);
  });

  test("each thing is queued once, and what it does is never changed", async () => {
    const { subjectId, id } = await scene.queue();
    await expect(scene.queue({ subjectId })).rejects.toMatchObject({
      constraint: "outgoing_transactions_once",
    });
    for (const change of ["amount_raw = 2", "account = 'x'", "action = '{}'"]) {
      const changing = query(scene.database, sql.raw(`update outgoing_transactions set ${change}`));
      await expect(changing).rejects.toMatchObject({ constraint: "outgoing_transactions_fixed" });
    }
    await scene.startProcess().send();
    for (const status of ["queued", "withdrawn"]) {
      const changing = query(
        scene.database,
        sql.raw(`update outgoing_transactions set status = '${status}'`),
      );
      await expect(changing).rejects.toMatchObject({ constraint: "outgoing_transactions_step" });
    }
    expect(await scene.statusOf(id)).toBe("broadcast");
  });

  test.each(["x402_release", "refund", "withdrawal"] as const)(
    "%s: only the rest of a payer is another amount when it is queued again",
    async (purpose) => {
      const draft = (amountRaw: bigint) => ({
        chainId: scene.chain.chainId,
        account: addressOf("ours"),
        signsAs: { role: "settlement" } as const,
        purpose,
        subjectId: "subject_again",
        deploymentId: usdc.deploymentId,
        action: { kind: "transfer", to: addressOf("x"), contractAddress: null, amountRaw } as const,
      });
      const queueAgain = (amountRaw: bigint) =>
        scene.database.run(queueOutgoingAgain, outgoingValues(scene, draft(amountRaw)));
      const read = async () => {
        const subject = { purpose, subjectId: "subject_again" };
        const [row] = await scene.database.run(readOutgoing, subject);
        return row;
      };
      await queueAgain(3n);
      const now = scene.clock.now();
      const out = { purpose, subjectId: "subject_again", now, problem: "its settlement is gone" };
      await scene.database.run(withdrawOutgoing, out);
      await queueAgain(3n);
      expect(await read()).toMatchObject({ status: "queued", last_problem: null });
      await scene.database.run(withdrawOutgoing, out);
      if (purpose === "x402_release") await queueAgain(2n);
      else {
        const refused = { constraint: "outgoing_transactions_fixed" };
        await expect(queueAgain(2n)).rejects.toMatchObject(refused);
      }
      const [status, raw] = purpose === "x402_release" ? ["queued", "2"] : ["withdrawn", "3"];
      expect(await read()).toMatchObject({ status, action: { amountRaw: raw } });
    },
  );
});
