// A withdrawal was sent, and the database was put back to a moment before: an operator says by which
// transaction, and the chain says what became of it (threat 19).

import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import type { Owner } from "../../service/owner.ts";
import { rememberOwnAccounts } from "../../service/withdrawals/own-accounts.ts";
import { engines } from "../support/engines.ts";
import { addressOf } from "../support/scripted-signer.ts";
import { query } from "../support/service-parts.ts";
import { openForgotten, reason } from "./forgotten-scene.ts";
import type { ForgottenScene } from "./forgotten-scene.ts";
import { chainId, coin, usdc, whole } from "./scene.ts";

const ether = 10n ** 18n;

describe.each(engines)("on %s", (engine) => {
  let scene: ForgottenScene;
  let owner: Owner;
  let addressId: string;
  let address: string;
  let id: string;

  beforeEach(async () => {
    scene = await openForgotten(engine);
    ({ owner, addressId, address } = scene);
    ({ id } = await scene.request(owner, addressId, "100"));
  });

  const run = (text: string) => query(scene.database, sql.raw(text));
  const freeze = () =>
    run(`insert into deployment_freezes (deployment_id, reason, since)
      values ('${usdc.deploymentId}', 'a difference', now())`);

  const asked = () => scene.transferOf(100n);
  const sendForgotten: ForgottenScene["sendForgotten"] = (transfer, sending) =>
    scene.sendForgotten(transfer, sending);

  /** The service finds out, and stops. */
  const startAgain = async () => {
    const process = scene.startProcess();
    await process.send();
    return process;
  };

  const gasOf = async () => {
    const rows = await query(
      scene.database,
      sql<{ raw: string | null }>`select gas_raw::text as raw from outgoing_transactions
        where subject_id = ${sql.lit(id)}`,
    );
    return rows[0]?.raw;
  };

  test("one that waits is confirmed by it, and not sent again", async () => {
    const txHash = await sendForgotten(asked());
    await startAgain();
    expect(await scene.statusOf(id)).toBe("pending");
    const remembered = await scene.forgotten.remember(
      id,
      txHash.toUpperCase().replace("0X", "0x"),
      reason,
    );
    expect(remembered).toMatchObject({ as: "first", address, transaction: { txHash, nonce: 0n } });
    expect(await scene.statusOf(id)).toBe("broadcast");
    await scene.policy.resume(chainId);
    await scene.settle();
    expect(await scene.statusOf(id)).toBe("confirmed");
    expect(scene.sentTo()).toEqual([100n * whole]);
    expect(await scene.balances()).toEqual({ available: 900n, withdrawing: 0n, isWhole: true });
    // Nobody has to take the gas by hand.
    expect(BigInt((await gasOf()) ?? 0)).toBeGreaterThan(0n);
    expect(await scene.eventsOf(id)).toEqual([
      "withdrawal.requested",
      "withdrawal.processing",
      "withdrawal.broadcast",
      "withdrawal.confirmed",
    ]);
    expect(await scene.attempts(id)).toMatchObject([{ tx_hash: txHash, nonce: 0n }]);
    const entries = await scene.audit.list({ after: undefined, limit: 50 });
    const entry = entries.find(({ action }) => action === "withdrawal.remembered");
    expect(entry).toMatchObject({ actor: "operator", subject: { type: "withdrawal", id } });
    expect(JSON.parse(entry?.details ?? "")).toMatchObject({ tx_hash: txHash, nonce: "0", reason });
  });

  test("the next one leaves with the next nonce", async () => {
    const txHash = await sendForgotten(asked());
    await startAgain();
    await scene.forgotten.remember(id, txHash, reason);
    await scene.policy.resume(chainId);
    const { id: nextId } = await scene.request(owner, addressId, "7");
    await scene.settle();
    expect(await scene.statusOf(nextId)).toBe("confirmed");
    expect(await scene.attempts(nextId)).toMatchObject([{ nonce: 1n }]);
    expect(scene.sentTo()).toEqual([100n * whole, 7n * whole]);
    expect(scene.alarms.map(([what]) => what)).toEqual(["account_used_by_others"]);
  });

  test("so is one of coin", async () => {
    await scene.fund(owner, ether, coin);
    const { id: coinId } = await scene.request(owner, addressId, { amount: "0.25", ...coin });
    const transfer = { to: address, contractAddress: null, amountRaw: ether / 4n };
    const txHash = await sendForgotten(transfer);
    await startAgain();
    await scene.forgotten.remember(coinId, txHash, reason);
    await scene.settle();
    expect(await scene.statusOf(coinId)).toBe("confirmed");
    expect(await scene.statusOf(id)).toBe("pending");
  });

  test.each([
    [
      "above a limit",
      () => scene.policy.setLimits(usdc.deploymentId, { single: "5", daily: null }),
    ],
    ["of a suspended merchant", () => run(`update merchants set status = 'suspended'`)],
    ["to a disabled address", () => scene.addresses.disable(addressId)],
    ["of what is frozen", freeze],
    ["while all are stopped", () => scene.policy.stop("*", "a look")],
  ])("also one %s: it has left", async (_, hold) => {
    await hold();
    const { id: heldId } = await scene.request(owner, addressId, "100").catch(() => ({ id }));
    const txHash = await sendForgotten(asked());
    await startAgain();
    await scene.forgotten.remember(heldId, txHash, reason);
    await scene.settle();
    expect(await scene.statusOf(heldId)).toBe("confirmed");
    expect(scene.sentTo()).toEqual([100n * whole]);
  });

  test("one whose fees were raised is confirmed by the newer transaction, and its gas is booked", async () => {
    const process = await startAgain();
    const [first] = await scene.attempts(id);
    scene.chain.dropPool();
    // The backup is of now; then the process that is lost has raised the fees.
    const txHash = await sendForgotten(asked(), { nonce: first?.nonce ?? 0n });
    await scene.settle(process);
    await scene.settle(process);
    expect(await scene.statusOf(id)).toBe("broadcast");
    expect(scene.alarms.map(([what]) => what)).toContain("unclear_transfer");
    expect(await scene.forgotten.remember(id, txHash, reason)).toMatchObject({ as: "further" });
    await scene.settle(process);
    expect(await scene.statusOf(id)).toBe("confirmed");
    expect(BigInt((await gasOf()) ?? 0)).toBeGreaterThan(0n);
    expect(await scene.balances()).toEqual({ available: 900n, withdrawing: 0n, isWhole: true });
    const all = await scene.eventsOf(id);
    expect(all.at(-1)).toBe("withdrawal.confirmed");
    expect(await scene.attempts(id)).toMatchObject([
      { tx_hash: first?.tx_hash },
      { tx_hash: txHash },
    ]);
  });

  test("what the chain says counts, and not what was decided before it was remembered", async () => {
    const process = await startAgain();
    scene.chain.dropPool();
    const txHash = await sendForgotten(asked(), { nonce: 0n });
    await scene.settle(process);
    await scene.settle(process);
    await scene.policy.decide(id, "failed", "a mistake");
    await scene.forgotten.remember(id, txHash, reason);
    await scene.settle(process);
    expect(await scene.statusOf(id)).toBe("confirmed");
    expect(await scene.balances()).toEqual({ available: 900n, withdrawing: 0n, isWhole: true });
  });

  test("a nonce that was used for nothing: it was given up, and its address is not to blame", async () => {
    const process = await startAgain();
    scene.chain.dropPool();
    const nothing = { to: scene.hotAddress, contractAddress: null, amountRaw: 0n };
    const txHash = await sendForgotten(nothing, { nonce: 0n });
    expect(await scene.forgotten.remember(id, txHash, reason)).toMatchObject({ as: "further" });
    await scene.settle(process);
    expect(await scene.statusOf(id)).toBe("failed");
    expect(await scene.balances()).toEqual({ available: 1000n, withdrawing: 0n, isWhole: true });
    const rows = await run(`select reason, (select count(*) from withdraw_addresses
      where waits_until is not null) as waiting from withdrawals`);
    expect(rows).toEqual([{ reason: "given_up", waiting: 0n }]);
  });

  test("what was decided before about another transaction does not count for this one", async () => {
    const process = await startAgain();
    scene.chain.dropPool();
    const txHash = await sendForgotten(asked(), { nonce: 0n });
    await scene.settle(process);
    await scene.settle(process);
    await scene.policy.decide(id, "failed", "a mistake");
    await scene.forgotten.remember(id, txHash, reason);
    const before = scene.alarms.length;
    // It has moved less than what was asked for: somebody has to say so again.
    scene.chain.faults.next("receipt", { kind: "less" }, Number.POSITIVE_INFINITY);
    await scene.settle(process);
    expect(await scene.statusOf(id)).toBe("broadcast");
    expect(scene.alarms.slice(before).map(([what]) => what)).toContain("unclear_transfer");
    expect(await scene.balances()).toEqual({ available: 900n, withdrawing: 100n, isWhole: true });
  });

  test("a reorganisation takes it back: it is sent as it was, and once", async () => {
    const txHash = await sendForgotten(asked());
    const process = await startAgain();
    await scene.forgotten.remember(id, txHash, reason);
    scene.chain.reorg(1, { transactions: "dropped" });
    await scene.policy.resume(chainId);
    scene.clock.advance(20_000);
    await scene.settle(process);
    await scene.settle(process);
    expect(await scene.statusOf(id)).toBe("confirmed");
    expect(scene.sentTo()).toEqual([100n * whole]);
  });

  describe("is refused, and nothing is written, for", () => {
    const refused = async (wanted: string, txHash: string, message: string) => {
      const before = await contents();
      await expect(scene.forgotten.remember(wanted, txHash, reason)).rejects.toThrow(message);
      expect(await contents()).toEqual(before);
    };
    const contents = () =>
      query(
        scene.database,
        sql`select (select json_agg(w order by id) from withdrawals w) as withdrawals,
          (select json_agg(o order by id) from outgoing_transactions o) as outgoing,
          (select json_agg(a order by tx_hash) from outgoing_attempts a) as attempts,
          (select count(*) from sender_nonces) as nonces, (select count(*) from events) as events,
          (select count(*) from audit_entries) as entries`,
      );

    test("what is no hash, no withdrawal, or not mined", async () => {
      const txHash = await sendForgotten(asked());
      await startAgain();
      await refused(id, "0x12", "A transaction is named by its hash");
      await refused("wdr_nobody", txHash, "There is no withdrawal wdr_nobody.");
      await refused(id, `0x${"7".repeat(64)}`, "is not mined on eip155:84532");
    });

    test("a transaction of somebody else", async () => {
      const txHash = scene.chain.deposit({
        to: address,
        amountRaw: 100n * whole,
        contractAddress: usdc.contractAddress,
      });
      scene.chain.mine();
      await startAgain();
      await refused(id, txHash, `${txHash} is of a kind that no signer of ours makes`);
      const thief = addressOf("somebody else with a key");
      scene.chain.mint(thief, null, ether);
      scene.chain.mint(thief, usdc.contractAddress, 500n * whole);
      const theirs = await sendForgotten(asked(), { account: thief });
      await refused(id, theirs, `${theirs} was sent by none of our accounts on ${chainId}`);
    });

    test("one of an account of ours that pays no withdrawals", async () => {
      const { settlementAddress } = scene.signer.accounts;
      scene.chain.mint(settlementAddress, null, ether);
      scene.chain.mint(settlementAddress, usdc.contractAddress, 500n * whole);
      const txHash = await sendForgotten(asked(), { account: settlementAddress });
      await refused(id, txHash, "was sent by none of our accounts");
      const { database, clock } = scene;
      await rememberOwnAccounts({ database, clock }, [
        { account: settlementAddress, role: "settlement" },
      ]);
      await run(`insert into sender_accounts (chain_id, account)
        values ('${chainId}', '${settlementAddress}')`);
      await refused(id, txHash, `${settlementAddress} pays no withdrawals: ${txHash} is none.`);
    });

    test.each([
      ["another amount", { amountRaw: 99n * whole }, "and not what"],
      ["another recipient", { to: addressOf("somebody else") }, "and not what"],
      ["another token", { contractAddress: addressOf("a token") }, "and not what"],
      ["the coin", { contractAddress: null }, "and not what"],
    ])("one of %s", async (_, change, message) => {
      scene.chain.mint(scene.hotAddress, addressOf("a token"), 500n * whole);
      const txHash = await sendForgotten({ ...asked(), ...change });
      await startAgain();
      await refused(id, txHash, message);
    });

    test("one that has failed on the chain", async () => {
      scene.chain.reverting.add(usdc.contractAddress);
      const txHash = await sendForgotten(asked());
      scene.chain.reverting.clear();
      await startAgain();
      await refused(id, txHash, `${txHash} has failed on the chain: nothing was sent by it`);
    });

    test("one that is known, of this withdrawal or of another one", async () => {
      const txHash = await sendForgotten(asked());
      await startAgain();
      const { id: other } = await scene.request(owner, addressId, "100");
      await scene.forgotten.remember(id, txHash, reason);
      const known = `${txHash} is known here already: it is of the withdrawal ${id}.`;
      await refused(id, txHash, known);
      await refused(other, txHash, known);
    });

    test("one with the nonce of another one", async () => {
      const process = await startAgain();
      scene.chain.dropPool();
      const txHash = await sendForgotten(asked(), { nonce: 0n });
      const { id: other } = await scene.request(owner, addressId, "100");
      await refused(other, txHash, `belongs to the withdrawal ${id} here: say it of that one.`);
      // What is under way has a nonce, and no second one.
      const second = await sendForgotten(asked(), { nonce: 1n });
      await refused(id, second, `${id} was sent with the nonce 0 of ${scene.hotAddress}`);
      await process.confirm();
    });

    test.each([
      ["another one's payment", { to: addressOf("another"), amountRaw: 5n }],
      ["coin", { to: addressOf("another"), contractAddress: null, amountRaw: 5n }],
    ])(
      "%s that has used its nonce: it was not sent, and that one is not lost in it",
      async (...[, change]) => {
        await startAgain();
        scene.chain.dropPool();
        const txHash = await sendForgotten({ ...asked(), ...change }, { nonce: 0n });
        await refused(id, txHash, `That is something else than ${id} sends, so ${id} was not sent`);
        const { id: other } = await scene.request(owner, addressId, "5");
        await refused(
          other,
          txHash,
          `belongs to the withdrawal ${id} here. That is something else`,
        );
      },
    );

    test("one that has ended, and says what there is to do", async () => {
      const txHash = await sendForgotten(asked());
      await startAgain();
      await scene.cancel(owner, id);
      await refused(id, txHash, `${id} is cancelled, and its merchant has the money again`);
      const { id: rejected } = await scene.request(owner, addressId, "100");
      await scene.policy.reject(rejected, "a doubt");
      await refused(
        rejected,
        txHash,
        `${rejected} is rejected, and its merchant has the money again`,
      );
    });

    test("a chain that does not answer, or is not there", async () => {
      const txHash = await sendForgotten(asked());
      await startAgain();
      for (const method of ["receipt", "minedTransaction"] as const) {
        scene.chain.faults.next(method, { kind: "unavailable" });
        await refused(id, txHash, "The chain does not answer. Nothing was changed.");
      }
      await run(`update withdrawals set chain_id = 'eip155:1'`);
      await refused(id, txHash, "eip155:1 is not connected.");
    });

    test("a reason of nothing", async () => {
      const txHash = await sendForgotten(asked());
      await startAgain();
      await expect(scene.forgotten.remember(id, txHash, " ")).rejects.toThrow("Give a reason");
    });
  });
});
