// What nobody plans for: a database from a backup, blocks that were final and are gone, a signer that
// refuses, rows that cannot be decided, a slow node. Nothing is paid twice, nothing holds up the
// rest, and somebody hears of it (threats 14, 18 and 19).

import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { ledgerValues } from "../../service/ledger/ledger.ts";
import type { Owner } from "../../service/owner.ts";
import { SignerRefusal } from "../../service/ports/signer.ts";
import type { ActionSigner } from "../../service/ports/signer.ts";
import { amountRawOf } from "../../service/sending/model.ts";
import { leaseMilliseconds } from "../../service/sending/lease.ts";
import { postTransaction } from "../../service/ledger/ledger.sql.ts";
import { engines } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { addressOf, ScriptedKeys } from "../support/scripted-signer.ts";
import { chainId, finalBlocks, openScene, type Scene, usdc, whole } from "./scene.ts";

describe.each(engines)("on %s", (engine) => {
  let scene: Scene;
  let owner: Owner;
  let addressId: string;
  let address: string;
  beforeEach(async () => {
    scene = await openScene(engine);
    owner = await scene.newOwner();
    await scene.fund(owner, 1000n * whole);
    ({ id: addressId, address } = await scene.register(owner));
  });
  const ask = async (amount: string) => (await scene.request(owner, addressId, amount)).id;
  const alarms = () => scene.alarms.map(([what]) => what);
  const confirmAll = async (process = scene.startProcess()) => {
    scene.chain.mine(finalBlocks);
    scene.clock.advance(20_000);
    await process.confirm();
  };
  /** Somebody else with the key uses the next nonce. */
  const useNonce = async (nonce: bigint) => {
    const { chain, hotAddress } = scene;
    const intent = { nonce, to: addressOf("somebody"), contractAddress: null, amountRaw: 1n };
    const stranger = new ScriptedKeys(hotAddress);
    const foreign = await stranger.sign(chain.chainId, { ...intent, fees: await chain.fees() });
    await chain.send(foreign.raw);
    chain.mine();
    return foreign.txHash;
  };

  test("a database that forgot what it sent sends nothing until somebody has looked", async () => {
    const process = scene.startProcess();
    await ask("1");
    await process.send();
    await confirmAll(process);
    const id = await ask("100");
    // As in the backup: what was sent after it was made is pending again.
    await useNonce(1n);
    await process.send();
    expect(await scene.statusOf(id)).toBe("pending");
    expect(alarms()).toEqual(["account_used_by_others"]);
    const entry = (await scene.audit.list({ after: undefined, limit: 1 }))[0];
    expect(entry).toMatchObject({ actor: "system", action: "withdrawals.stopped" });
    await scene.policy.resume(chainId);
    await process.send();
    expect(await scene.statusOf(id)).toBe("broadcast");
    expect(await scene.nonces()).toEqual([0n, 2n]);
    // The next time is another find.
    await useNonce(3n);
    await ask("1");
    await process.send();
    expect(alarms()).toEqual(["account_used_by_others", "account_used_by_others"]);
    expect(await scene.nonces()).toEqual([0n, 2n]);
  });

  test("a chain that is stopped for another reason hides nothing that others have sent", async () => {
    const process = scene.startProcess();
    await ask("1");
    await process.send();
    await confirmAll(process);
    await scene.policy.stop(chainId, "a doubt");
    await useNonce(1n);
    await ask("1");
    await process.send();
    expect(alarms()).toEqual(["account_used_by_others"]);
    const [entry] = await scene.audit.list({ after: undefined, limit: 1 });
    expect(entry).toMatchObject({ actor: "system", action: "withdrawals.stopped" });
    expect(entry?.details).toContain('"was_stopped":true');
  });

  test("a confirmed one whose block is gone after all is sent again, and the queue drains", async () => {
    const process = scene.startProcess();
    await ask("1");
    await process.send();
    await confirmAll(process);
    scene.chain.reorg(finalBlocks, { transactions: "dropped" });
    expect(scene.chain.transfersTo(address)).toHaveLength(0);
    const later = await ask("2");
    await process.send();
    await confirmAll(process);
    expect(alarms()).toEqual(["final_transaction_lost"]);
    expect(scene.chain.transfersTo(address).map(({ amountRaw }) => amountRaw)).toEqual([
      whole,
      2n * whole,
    ]);
    expect(await scene.statusOf(later)).toBe("confirmed");
    expect(await scene.isLedgerWhole()).toBe(true);
  });

  test("a failed one whose block is gone is never sent again, and is an alarm", async () => {
    const process = scene.startProcess();
    scene.chain.reverting.add(usdc.contractAddress);
    const id = await ask("1");
    await process.send();
    await confirmAll(process);
    expect(await scene.statusOf(id)).toBe("failed");
    scene.chain.reorg(finalBlocks, { transactions: "dropped" });
    scene.chain.reverting.clear();
    scene.clock.advance(20_000);
    await process.send();
    expect(alarms()).toEqual(["transaction_reverted", "final_transaction_lost"]);
    expect(scene.chain.waiting).toEqual([]);
  });

  test("what the signer refuses does not hold up the others, and can be cancelled", async () => {
    const refused = await ask("666");
    const fine = await ask("1");
    const { signer } = scene;
    const strict: ActionSigner = {
      accounts: signer.accounts,
      nextNonce: signer.nextNonce,
      signAction: async (chain, intent) => {
        if (amountRawOf(intent.action) === 666n * whole) throw new SignerRefusal("above the limit");
        return signer.signAction(chain, intent);
      },
    };
    const process = scene.startProcess({ signer: strict });
    await expect(process.send()).rejects.toThrow("above the limit");
    await process.send();
    expect(await scene.statusOf(fine)).toBe("broadcast");
    expect(scene.alarms).toMatchObject([["signer_refuses", { withdrawal_id: refused }]]);
    await scene.cancel(owner, refused);
    expect(await scene.nonces()).toEqual([0n]);
    expect(await scene.isLedgerWhole()).toBe(true);
  });

  test("a replacement that the signer refuses leaves what is there to be mined", async () => {
    const id = await ask("1");
    await scene.startProcess().send();
    scene.chain.perBlockMax = 0;
    scene.chain.mine(5);
    scene.chain.dropPool();
    const broken: ActionSigner = {
      accounts: scene.signer.accounts,
      nextNonce: scene.signer.nextNonce,
      signAction: () => Promise.reject(new Error("fees above the limit")),
    };
    await expect(scene.startProcess({ signer: broken }).send()).rejects.toThrow("fees above");
    scene.chain.perBlockMax = 10;
    await confirmAll();
    expect(await scene.statusOf(id)).toBe("confirmed");
    expect(await scene.attempts(id)).toHaveLength(1);
  });

  test("what cannot be decided does not hold up the others", async () => {
    const stuck = await ask("1");
    const fine = await ask("1");
    const process = scene.startProcess();
    await process.send();
    // Something has posted its end before: a fault of ours.
    const postings = [
      { account: "chain:hot", deploymentId: usdc.deploymentId, owner: null, amountRaw: 1n },
      { account: "platform:fees", deploymentId: usdc.deploymentId, owner: null, amountRaw: -1n },
    ] as const;
    const fault = { kind: "withdrawal_settled", reference: stuck, occurredAt: scene.clock.now() };
    await scene.database.run(postTransaction, ledgerValues(scene, { ...fault, postings }));
    await expect(confirmAll(process)).rejects.toMatchObject({ name: "UniqueViolation" });
    await process.confirm();
    expect([await scene.statusOf(stuck), await scene.statusOf(fine)]).toEqual([
      "broadcast",
      "confirmed",
    ]);
  });

  test("nothing fails while one of its transactions was not asked about", async () => {
    const id = await ask("1");
    const process = scene.startProcess();
    await process.send();
    scene.chain.dropPool();
    await useNonce(0n);
    await process.confirm();
    scene.chain.mine(finalBlocks);
    scene.clock.advance(20_000);
    const late = scene.startProcess({
      reached: async (point) => {
        if (point !== "asked") return;
        await query(scene.database, sql`update outgoing_transactions set tx_hash = '0xanother'`);
      },
    });
    await late.confirm();
    expect(alarms()).not.toContain("unclear_transfer");
    scene.clock.advance(20_000);
    await process.confirm();
    expect(alarms()).toContain("unclear_transfer");
    expect(await scene.statusOf(id)).toBe("broadcast");
  });

  test("the sender says how long the oldest has waited", async () => {
    await ask("1");
    scene.clock.advance(7_000);
    const process = scene.startProcess();
    expect(await process.send()).toMatchObject({ done: 1, lagMilliseconds: 7_000 });
    expect(await process.send()).toMatchObject({ done: 0, lagMilliseconds: 0 });
  });

  test("when nobody says what is final, nothing is, and somebody hears of it", async () => {
    const id = await ask("1");
    const process = scene.startProcess();
    await process.send();
    await query(scene.database, sql`delete from capabilities where key = 'finality'`);
    await confirmAll(process);
    expect(await scene.statusOf(id)).toBe("broadcast");
    expect(alarms()).toEqual(["finality_unknown"]);
  });

  test("whoever is slow keeps the account for as long as it works", async () => {
    const wanted = 8;
    for (let count = 0; count < wanted; count++) await ask("1");
    const other = scene.startProcess();
    const slow = scene.startProcess({
      reached: async (point) => {
        if (point !== "sent") return;
        scene.clock.advance(leaseMilliseconds / 3);
        expect(await other.send()).toMatchObject({ done: 0, isMore: false });
      },
    });
    await slow.send();
    expect(scene.chain.waiting).toHaveLength(wanted);
    scene.chain.mine();
    expect(scene.chain.transfersTo(address)).toHaveLength(wanted);
    expect(await scene.nonces()).toEqual(Array.from({ length: wanted }, (_, at) => BigInt(at)));
  });
});
