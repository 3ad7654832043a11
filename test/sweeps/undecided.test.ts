// The nonce of what was sent for a sweep was used by a transaction that is not known here. It may be our own one, with
// fees that were raised since a backup: so it is not over until somebody has looked (threat 121).

import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { Audit } from "../../service/audit/audit.ts";
import { ChainOperations } from "../../service/sweeps/operations.ts";
import type { ChainAction } from "../../service/ports/signer.ts";
import { chainId, coin, ether, finalBlocks, usdc, whole } from "../sending/scene.ts";
import { dyingAt } from "../support/dying.ts";
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

  const decide = (subjectId: string, txHash: string, why = reason) =>
    scene.undecided.decideFailed(subjectId, txHash, why);
  const outgoing = () => new ChainOperations(scene).openOutgoing();
  const problems = async () => (await outgoing()).map(({ problem }) => problem);
  const alarmed = () =>
    scene.alarms.flatMap(([what, facts]) => (what === "number_used_by_another" ? [facts] : []));
  const statuses = async () => (await scene.sweeps()).map(({ status }) => status).toSorted();
  const decisions = async () => {
    const entries = await new Audit(scene).list({ after: undefined, limit: 50 });
    return entries.filter(({ action }) => action === "outgoing.decided");
  };
  /** What a stranger has the nonce for. */
  const nothing = (): ChainAction => ({
    kind: "transfer",
    to: scene.settlement,
    contractAddress: null,
    amountRaw: 0n,
  });
  const useNonce = (action = nothing()) =>
    scene.sendForgotten(settlementRole, action, { nonce: 0n });

  /** As it is shown to whoever decides, and not looked at. */
  const foreign = async (subjectId: string, txHash: string) => {
    const marks = sql<{ id: string; unclear_at: Date }>`
      select id, unclear_at from outgoing_transactions`;
    const [row] = await query(scene.database, marks);
    if (row === undefined) throw new Error("nothing was sent");
    const { id: outgoingId, unclear_at: unclearAt } = row;
    return { purpose: "sweep", subjectId, outgoingId, unclearAt, txHash, does: "" } as const;
  };

  /** As its job would, had the settlement account too much. */
  const planConsolidation = () =>
    query(
      scene.database,
      sql`insert into sweeps (id, kind, chain_id, deployment_id, address, method, target, target_address,
          amount_raw, covered_raw, status, created_at, updated_at)
        values ('swp_1', 'consolidation', ${sql.lit(chainId)}, ${sql.lit(coin.deploymentId)},
          ${sql.lit(scene.settlement)}, 'transfer', 'hot', ${sql.lit(scene.hot)}, 5, 5, 'moving', now(), now())`,
    );

  /** It is final now that an unknown one has the nonce. */
  const undecidedSweep = async () => {
    const sweep = await scene.sweepUnderWay();
    const txHash = await useNonce();
    await scene.settle(sweep.process);
    return { ...sweep, txHash };
  };

  test("one whose newer transaction is forgotten waits, and is remembered", async () => {
    const { action, id, process } = await scene.sweepUnderWay();
    const txHash = await useNonce(action);
    await process.confirm();
    expect(alarmed()).toMatchObject([{ account: scene.settlement, nonce: "0" }]);
    scene.chain.mine(finalBlocks);
    for (let looks = 0; looks < 3; looks++) {
      scene.clock.advance(20_000);
      await process.confirm();
    }
    // As soon as it is seen, and once more when that is final.
    expect(alarmed()).toHaveLength(2);
    expect(await statuses()).toEqual(["moving"]);
    expect(await outgoing()).toMatchObject([
      { nonce: 0n, problem: expect.stringContaining("not known here: chain remember") as unknown },
    ]);
    await expect(decide(id, txHash)).rejects.toThrow(
      `is just what ${id} sends: say it with "chain`,
    );
    const remembered = await scene.forgotten.remember(chainId, txHash, reason);
    expect(remembered).toMatchObject({ subjectId: id, as: "further", isPlanned: false });
    expect(await problems()).toEqual([null]);
    await expect(decide(id, txHash)).rejects.toThrow("the chain says what becomes of it");
    await scene.settle(process);
    expect(await statuses()).toEqual(["moved"]);
    expect(scene.chain.transfersTo(scene.hot)).toHaveLength(1);
    expect(await scene.balance("chain:hot")).toBe(100n * whole);
    expect(await scene.balance("platform:gas", coin.deploymentId)).toBeGreaterThan(0n);
    expect(await scene.isLedgerWhole()).toBe(true);
    scene.chain.assertConserved();
  });

  test("what has sent nothing for it is shown, and it is swept by another one", async () => {
    const { id, process } = await scene.sweepUnderWay();
    const txHash = await useNonce();
    const elsewhere = await scene.sendForgotten(settlementRole, nothing());
    await expect(decide(id, txHash)).rejects.toThrow(`Nothing of ${id} waits for that`);
    await scene.settle(process);
    await expect(decide(id, txHash, " ")).rejects.toThrow("reason");
    await expect(decide(id, elsewhere)).rejects.toThrow("look for the one that has that");
    await expect(decide(id, `0x${"7".repeat(64)}`)).rejects.toThrow("is not mined");
    const { contractAddress } = usdc;
    const strangers = scene.chain.deposit({ to: scene.hot, amountRaw: whole, contractAddress });
    scene.chain.mine();
    await expect(decide(id, strangers)).rejects.toThrow("look for the one that has that");
    scene.alarms.length = 0;
    expect(await decide(id, txHash)).toMatchObject({ purpose: "sweep" });
    await expect(decide(id, txHash)).rejects.toThrow("or somebody has said it");
    expect(await problems()).toEqual([null]);
    // Without a moment's wait.
    await process.confirm();
    expect(await statuses()).toEqual(["failed"]);
    expect(alarmed()).toEqual([]);
    scene.clock.advance(86_400_000);
    await scene.resume();
    await scene.settle(process);
    expect(await statuses()).toEqual(["failed", "moved"]);
    expect(await scene.balance("chain:hot")).toBe(100n * whole);
    const [entry, ...others] = await decisions();
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ actor: "operator", subject: { type: "sweep", id } });
    const details = { decided_as: "failed", tx_hash: txHash, reason };
    expect(JSON.parse(entry?.details ?? "")).toEqual(details);
  });

  test("what was said is forgotten where it turns out to be ours", async () => {
    const { action, process, id } = await scene.sweepUnderWay();
    const txHash = await useNonce(action);
    await scene.settle(process);
    await scene.undecided.decideForeign(await foreign(id, txHash), reason);
    await scene.forgotten.remember(chainId, txHash, reason);
    const marks = sql`select unclear_at, decided_at from outgoing_transactions`;
    expect(await query(scene.database, marks)).toEqual([{ unclear_at: null, decided_at: null }]);
    await scene.settle(process);
    expect(await statuses()).toEqual(["moved"]);
    expect(await scene.balance("chain:hot")).toBe(100n * whole);
  });

  test("it is over when the chain takes the unknown one back, and the nonce is lost anew", async () => {
    const { id, txHash, process } = await undecidedSweep();
    const { number } = await scene.chain.head();
    const depth = Number(number) - 3;
    const asked = await scene.undecided.read(id, txHash);
    await scene.undecided.decideForeign(asked, reason);
    scene.chain.reorg(depth, { transactions: "dropped" });
    scene.chain.dropPool();
    const marks = sql`select status, unclear_at is null as is_clear, decided_at is null as is_open
      from outgoing_transactions`;
    const under = { status: "broadcast", is_clear: false, is_open: false };
    await process.confirm();
    // One look may be a node's that lags.
    expect(await query(scene.database, marks)).toEqual([under]);
    scene.clock.advance(20_000);
    await process.confirm();
    const over = { status: "broadcast", is_clear: true, is_open: true };
    expect(await query(scene.database, marks)).toEqual([over]);
    await useNonce();
    scene.clock.advance(20_000);
    await scene.settle(process);
    expect(await statuses()).toEqual(["moving"]);
    expect(await problems()).toEqual([expect.stringContaining("not known here")]);
    // What was asked about the first loss is no answer to this one.
    await expect(scene.undecided.decideForeign(asked, reason)).rejects.toThrow(
      `Nothing of ${id} waits for that`,
    );
  });

  test("two operators at once say it once", async () => {
    const { id, txHash, process } = await undecidedSweep();
    const said = await Promise.allSettled([decide(id, txHash), decide(id, txHash)]);
    expect(said.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await decisions()).toHaveLength(1);
    const processes = [process, scene.startProcess()];
    await Promise.all(processes.map((one) => one.confirm()));
    expect(await statuses()).toEqual(["failed"]);
    expect(scene.alarms.filter(([what]) => what === "sweep_failed")).toHaveLength(1);
  });

  test("a process that dies before or after it ends what was decided leaves it to the next", async () => {
    for (const point of ["asked", "ended"] as const) {
      scene = await openForgotten(engine);
      const { id, txHash } = await undecidedSweep();
      await decide(id, txHash);
      const { reached, died } = dyingAt(point);
      void scene.startProcess({ reached }).confirm();
      await died;
      await scene.startProcess().confirm();
      expect(await statuses()).toEqual(["failed"]);
      expect(await decisions()).toHaveLength(1);
    }
  });

  test("one that is remembered while the chain is asked is not put back", async () => {
    const { action, process, id } = await scene.sweepUnderWay();
    const txHash = await useNonce(action);
    await process.confirm();
    scene.chain.mine(finalBlocks);
    scene.clock.advance(20_000);
    const looking = scene.startProcess({
      reached: async (point) => {
        if (point === "asked") await scene.forgotten.remember(chainId, txHash, reason);
      },
    });
    await looking.confirm();
    expect(await problems()).toEqual([null]);
    await expect(decide(id, txHash)).rejects.toThrow("the chain says what becomes of it");
    await process.confirm();
    expect(await statuses()).toEqual(["moved"]);
  });

  test("what is said is looked at, also where the chain had not said what it has moved", async () => {
    const { id, process, txHash } = await undecidedSweep();
    await query(scene.database, sql`update outgoing_transactions set unmeasured_at = updated_at`);
    await decide(id, txHash);
    await process.confirm();
    expect(await statuses()).toEqual(["failed"]);
  });

  test("whoever says it needs no node that knows the balances of an old block", async () => {
    const { action, id, process } = await scene.sweepUnderWay();
    const marked = sql`insert into capabilities
      values (${sql.lit(usdc.deploymentId)}, 'withdrawal', 'transfer_fee', 'supported', '{}', 1, null)`;
    await query(scene.database, marked);
    await query(scene.database, sql`update catalog set version = version + 1`);
    const txHash = await useNonce(action);
    await scene.settle(process);
    scene.chain.faults.next("balanceAt", { kind: "unavailable" }, Infinity);
    await expect(scene.forgotten.read(chainId, txHash)).rejects.toThrow("with an archive node");
    await expect(decide(id, txHash)).rejects.toThrow(`is just what ${id} sends`);
  });

  test("the command shows it first, and then does it", async () => {
    const { id, txHash } = await undecidedSweep();
    const words = ["chain", "decide", id, "--transaction", txHash, "--as", "failed"];
    const before = await scene.contents();
    const tried = await scene.run(...words, "--reason", reason, "--dry-run");
    expect(tried.output).toContain("failed, with the next look at the chain");
    expect(tried.output).toContain("a transfer of 0 of the coin");
    expect(await scene.contents()).toEqual(before);
    const done = await scene.run(...words, "--reason", reason, "--json");
    expect(JSON.parse(done.output)).toEqual({
      subject_id: id,
      purpose: "sweep",
      decided_as: "failed",
      tx_hash: txHash,
      does: expect.stringContaining("a transfer of 0") as unknown,
    });
    const again = await scene.run(...words, "--reason", reason);
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
      const txHash = await useNonce();
      await scene.settle(process);
      expect(await scene.statusOf(id)).toBe("broadcast");
      expect(await decide(subjectId, txHash)).toMatchObject({ purpose });
      await scene.settle(process);
      expect(await scene.statusOf(id)).toBe("replaced");
      expect(await decisions()).toMatchObject([{ subject: { type: subjectType, id: subjectId } }]);
    },
  );

  test("withdrawals and refunds have words of their own for it", async () => {
    await scene.queue({ purpose: "refund", subjectId: "sxt_1" });
    await scene.startProcess().send();
    scene.chain.dropPool();
    const txHash = await useNonce();
    await query(scene.database, sql`update outgoing_transactions set unclear_at = updated_at`);
    expect(await problems()).toEqual([null]);
    await expect(decide("sxt_1", txHash)).rejects.toThrow("Nothing of sxt_1 waits for that");
    await expect(
      scene.undecided.decideForeign(await foreign("sxt_1", txHash), reason),
    ).rejects.toThrow("Nothing of sxt_1 waits for that");
  });

  test("a settlement's authorization says itself whether it was used: nobody is asked", async () => {
    const { id } = await scene.queue({ purpose: "x402_settlement" });
    const process = scene.startProcess();
    await process.send();
    scene.chain.dropPool();
    await useNonce();
    await scene.settle(process);
    expect(await scene.statusOf(id)).toBe("replaced");
    expect(alarmed()).not.toEqual([]);
  });
});
