// The nonce of what was sent for a sweep was used by a transaction that is not known here. It may be our own one, with
// fees that were raised since a backup: so it is not over until somebody has looked (threat 121).

import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { Audit } from "../../service/audit/audit.ts";
import { ChainOperations } from "../../service/sweeps/operations.ts";
import type { ChainAction } from "../../service/ports/signer.ts";
import { chainId, coin, ether, whole } from "../sending/scene.ts";
import { engines } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { openForgotten, reason } from "./forgotten-scene.ts";
import type { ForgottenScene } from "./forgotten-scene.ts";

const settlementRole = { role: "settlement" } as const;

describe.each(engines)("on %s", (engine) => {
  let scene: ForgottenScene;
  beforeEach(async () => {
    scene = await openForgotten(engine);
  });

  const decide = (subjectId: string, why = reason) =>
    new ChainOperations(scene).decideFailed(subjectId, why);
  const problems = async () =>
    (await new ChainOperations(scene).openOutgoing()).map(({ problem }) => problem);
  const alarmed = () =>
    scene.alarms.filter(([what]) => what === "number_used_by_another").length > 0;
  const statuses = async () => (await scene.sweeps()).map(({ status }) => status);
  const nothing = (): ChainAction => ({
    kind: "transfer",
    to: scene.settlement,
    contractAddress: null,
    amountRaw: 0n,
  });

  /** As its job would, had the settlement account too much. */
  const planConsolidation = () =>
    query(
      scene.database,
      sql`insert into sweeps (id, kind, chain_id, deployment_id, address, method, target, target_address,
          amount_raw, covered_raw, status, created_at, updated_at)
        values ('swp_1', 'consolidation', ${sql.lit(chainId)}, ${sql.lit(coin.deploymentId)},
          ${sql.lit(scene.settlement)}, 'transfer', 'hot', ${sql.lit(scene.hot)}, 5, 5, 'moving', now(), now())`,
    );

  /** A sweep is under way whose transaction the chain will never have. Gives what it was to do. */
  const sweepUnderWay = async () => {
    await scene.arrived(1n);
    const process = scene.startProcess();
    await process.sweep();
    const action = await scene.queuedAction();
    await process.send();
    scene.chain.dropPool();
    const [sweep] = await scene.sweeps();
    return { action, id: sweep?.id ?? "", process };
  };

  test("one whose newer transaction is forgotten waits, and is remembered", async () => {
    const { action, id, process } = await sweepUnderWay();
    const txHash = await scene.sendForgotten(settlementRole, action, { nonce: 0n });
    await scene.settle(process);
    expect(alarmed()).toBe(true);
    expect(await statuses()).toEqual(["moving"]);
    expect(await problems()).toEqual([expect.stringContaining("not known here: chain remember")]);
    const remembered = await scene.forgotten.remember(chainId, txHash, reason);
    expect(remembered).toMatchObject({ subjectId: id, as: "further", isPlanned: false });
    expect(await problems()).toEqual([null]);
    await expect(decide(id)).rejects.toThrow("the chain says what becomes of it");
    await scene.settle(process);
    expect(await statuses()).toEqual(["moved"]);
    expect(scene.chain.transfersTo(scene.hot)).toHaveLength(1);
    expect(await scene.balance("chain:hot")).toBe(100n * whole);
    expect(await scene.balance("platform:gas", coin.deploymentId)).toBeGreaterThan(0n);
    expect(await scene.isLedgerWhole()).toBe(true);
    scene.chain.assertConserved();
  });

  test("what has sent nothing for it is said, and it is swept by another one", async () => {
    const { id, process } = await sweepUnderWay();
    await expect(decide(id)).rejects.toThrow(`Nothing of ${id} waits for that`);
    await scene.sendForgotten(settlementRole, nothing(), { nonce: 0n });
    await expect(decide(id)).rejects.toThrow(`Nothing of ${id} waits for that`);
    await scene.settle(process);
    await expect(decide(id, " ")).rejects.toThrow("reason");
    expect(await decide(id)).toBe("sweep");
    await expect(decide(id)).rejects.toThrow("or somebody has said it");
    expect(await problems()).toEqual([null]);
    await scene.settle(process);
    expect(await statuses()).toEqual(["failed"]);
    scene.clock.advance(86_400_000);
    await scene.settle(process);
    expect((await statuses()).toSorted()).toEqual(["failed", "moved"]);
    expect(await scene.balance("chain:hot")).toBe(100n * whole);
    const entries = await new Audit(scene).list({ after: undefined, limit: 50 });
    const entry = entries.find(({ action }) => action === "sweep.decided");
    expect(entry).toMatchObject({ actor: "operator", subject: { type: "sweep", id } });
    expect(JSON.parse(entry?.details ?? "")).toEqual({ decided_as: "failed", reason });
  });

  test("what was said is forgotten where it turns out to be ours", async () => {
    const { action, id, process } = await sweepUnderWay();
    const txHash = await scene.sendForgotten(settlementRole, action, { nonce: 0n });
    await scene.settle(process);
    await decide(id);
    await scene.forgotten.remember(chainId, txHash, reason);
    await scene.settle(process);
    expect(await statuses()).toEqual(["moved"]);
    expect(await scene.balance("chain:hot")).toBe(100n * whole);
  });

  test("the command shows it first, and then does it", async () => {
    const { id, process } = await sweepUnderWay();
    await scene.sendForgotten(settlementRole, nothing(), { nonce: 0n });
    await scene.settle(process);
    const words = ["chain", "decide", id, "--as", "failed", "--reason", reason];
    const before = await scene.contents();
    const tried = await scene.run(...words, "--dry-run");
    expect(tried.output).toContain(`The sweep ${id} counts as failed with the next look`);
    expect(await scene.contents()).toEqual(before);
    const done = await scene.run(...words, "--json");
    expect(JSON.parse(done.output)).toEqual({
      subject_id: id,
      purpose: "sweep",
      decided_as: "failed",
    });
    const again = await scene.run(...words);
    expect([again.exitCode, again.errors]).toEqual([
      1,
      expect.stringContaining(`Nothing of ${id} waits for that`),
    ]);
  });

  test.each([
    ["sweep_gas", "swp_1", "sweep"],
    ["consolidation", "swp_1", "sweep"],
    ["x402_release", "x4s_1", "x402_settlement"],
  ] as const)(
    "a %s ends by what is said, and not before",
    async (purpose, subjectId, subjectType) => {
      await planConsolidation();
      const action: ChainAction = {
        kind: "transfer",
        to: scene.hot,
        contractAddress: null,
        amountRaw: ether,
      };
      const { deploymentId } = coin;
      const { id } = await scene.queue({ purpose, subjectId, action, deploymentId });
      const process = scene.startProcess();
      await process.send();
      scene.chain.dropPool();
      await scene.sendForgotten(settlementRole, nothing(), { nonce: 0n });
      await scene.settle(process);
      expect(alarmed()).toBe(true);
      expect(await scene.statusOf(id)).toBe("broadcast");
      expect(await decide(subjectId)).toBe(purpose);
      await scene.settle(process);
      expect(await scene.statusOf(id)).toBe("replaced");
      const entries = await new Audit(scene).list({ after: undefined, limit: 50 });
      expect(entries.map(({ subject }) => subject)).toContainEqual(
        expect.objectContaining({ type: subjectType, id: subjectId }),
      );
    },
  );

  test("a settlement's authorization says itself whether it was used: nobody is asked", async () => {
    const { id } = await scene.queue({ purpose: "x402_settlement" });
    const process = scene.startProcess();
    await process.send();
    scene.chain.dropPool();
    await scene.sendForgotten(settlementRole, nothing(), { nonce: 0n });
    await scene.settle(process);
    expect(await scene.statusOf(id)).toBe("replaced");
  });
});
