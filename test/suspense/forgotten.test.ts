// Money was sent back, and the database was put back to a moment before: an operator says by which transaction, and
// the chain says what became of it (threats 19 and 107).

import { describe, expect, test } from "vitest";
import { engines } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { settlementAddress } from "../x402/action-signer.ts";
import { price } from "../x402/scene.ts";
import { local, scene, setStage, shop, useStage } from "../x402/stage.ts";
import { onlyItem, openDesk, sendDown, strayItem } from "./desk.ts";

useStage();

const home = "0x00000000000000000000000000000000000A11cE";
const reason = '--reason "in the log of the signer"';

async function orderReturn(admin: (line: string) => Promise<{ readonly output: string }>) {
  const item = await onlyItem();
  const { output } = await admin(`suspense return ${item} --to ${home} --evidence x`);
  return /(sus_\w+)/.exec(output)?.[0] ?? "";
}

interface Sent {
  readonly to?: string;
  readonly amountRaw?: bigint;
  readonly nonce?: bigint;
  readonly role?: "hot" | "settlement";
}

/** By the process that is lost. Gives the hash. */
async function sendForgotten(sent: Sent = {}): Promise<string> {
  const { chain, signer } = scene;
  const { to = home, amountRaw = price, role = "settlement" } = sent;
  const { hotAddress } = signer.accounts;
  const account = role === "hot" ? hotAddress : settlementAddress;
  const fees = await chain.fees();
  const { txHash, raw } = await signer.signAction(chain.chainId, {
    account: { role },
    nonce: sent.nonce ?? (await chain.minedCount(account)),
    action: { kind: "transfer", to, contractAddress: local.usdAddress, amountRaw },
    gasUnitsMax: 200_000n,
    fees: { ...fees, maxFeePerGas: fees.maxFeePerGas * 3n },
  });
  await chain.send(raw);
  await scene.mine();
  return txHash;
}

const stop = () =>
  query(scene.database)`insert into withdrawal_stops (chain_id, reason, since)
    values ('*', 'restored', now()) returning chain_id`;
const resume = () => query(scene.database)`delete from withdrawal_stops returning chain_id`;
const gas = () =>
  query(scene.database)<{ gas_raw: string | null }>`
    select gas_raw::text from outgoing_transactions where purpose = 'refund'`;

/** One that an operator has ordered, and that waits since all is stopped. */
async function openWaiting() {
  const desk = await openDesk();
  await strayItem();
  await stop();
  const id = await orderReturn(desk.admin);
  return { ...desk, id };
}

describe.each(engines)("on %s", (engine) => {
  test("one that waits is done by it, and not sent again", async () => {
    await setStage(engine);
    const { admin, audited, id } = await openWaiting();
    const had = await local.balanceOf(home);
    const txHash = await sendForgotten();
    const line = `suspense remember ${id} --transaction ${txHash} ${reason}`;
    const rehearsed = await admin(`${line} --dry-run`);
    expect(rehearsed.output).toContain(txHash);
    expect((await gas()).length).toBe(0);
    const { exitCode, output } = await admin(`${line} --json`);
    expect([exitCode, JSON.parse(output)]).toMatchObject([
      0,
      { exit_id: id, address: home, tx_hash: txHash, as: "first" },
    ]);
    await resume();
    await sendDown();
    expect(await local.balanceOf(home)).toBe(had + price);
    expect(await scene.balances()).toEqual({});
    expect(await scene.differences()).toEqual([]);
    const [row] = await gas();
    expect(BigInt(row?.gas_raw ?? 0)).toBeGreaterThan(0n);
    expect(await audited()).toMatchObject([
      { action: "suspense.sent_back" },
      { action: "suspense.remembered", actor: "operator", details: { tx_hash: txHash } },
    ]);
    expect((await admin(line)).errors).toContain("is known here already");
  });

  test("one whose fees were raised is done by the newer transaction, not by what was decided", async () => {
    await setStage(engine);
    const { admin } = await openDesk();
    await strayItem();
    const id = await orderReturn(admin);
    const had = await local.balanceOf(home);
    const nonce = await scene.chain.minedCount(settlementAddress);
    await shop.send();
    const txHash = await sendForgotten({ nonce });
    expect(await local.balanceOf(home)).toBe(had + price);
    for (let round = 0; round < 2; round++) {
      await scene.mine(6);
      await shop.confirm();
    }
    expect(scene.alarms.map(([what]) => what)).toContain("unclear_refund");
    await admin(`suspense decide ${id} --as failed --reason x`);
    const answer = await admin(`suspense remember ${id} --transaction ${txHash} ${reason}`);
    expect(answer).toMatchObject({ exitCode: 0, errors: "" });
    expect(answer.output).toContain("one more of its nonce");
    await shop.confirm();
    expect(await scene.balances()).toEqual({});
    expect(await scene.differences()).toEqual([]);
  });

  test("whoever takes it back at the same time: one of both counts", async () => {
    await setStage(engine);
    const { admin, id } = await openWaiting();
    const txHash = await sendForgotten();
    const [remembered, cancelled, again] = await Promise.all([
      admin(`suspense remember ${id} --transaction ${txHash} ${reason}`),
      admin(`suspense cancel ${id} --reason x`),
      admin(`suspense remember ${id} --transaction ${txHash} ${reason}`),
      shop.send(),
    ]);
    const done = [remembered, cancelled, again].filter(({ exitCode }) => exitCode === 0);
    expect(done).toHaveLength(1);
    await sendDown();
    const held = cancelled.exitCode === 0 ? price : 0n;
    const { "payer:unmatched": waits = 0n, "payer:refunding": under = 0n } = await scene.balances();
    expect([waits, under]).toEqual([held, 0n]);
    expect(await scene.differences()).toEqual([]);
  });

  test("what is refused changes nothing", async () => {
    await setStage(engine);
    const { admin, audited, id } = await openWaiting();
    const { hotAddress } = scene.signer.accounts;
    await local.mint(settlementAddress, 5n * price);
    await local.mint(hotAddress, price);
    await local.giveCoin(hotAddress, 10n ** 18n);
    const refused = async (exit: string, txHash: string, message: string) => {
      const before = [await gas(), await scene.balances(), await audited()];
      const answer = await admin(`suspense remember ${exit} --transaction ${txHash} ${reason}`);
      expect(answer).toMatchObject({ exitCode: 1, output: "" });
      expect(answer.errors).toContain(message);
      expect([await gas(), await scene.balances(), await audited()]).toEqual(before);
    };
    await refused("sus_nobody", "0x12", "There is no sus_nobody.");
    await refused(id, "0x12", "A transaction is named by its hash");
    const other = await sendForgotten({ amountRaw: price - 1n });
    await refused(id, other, `and not what ${id} is to send.`);
    const elsewhere = await sendForgotten({ to: local.ownerAddress });
    await refused(id, elsewhere, `and not what ${id} is to send.`);
    const ofHot = await sendForgotten({ role: "hot" });
    await refused(id, ofHot, `${id} leaves from the settlement account, and ${ofHot} from`);
    const theirs = await local.transfer({
      from: local.ownerAddress,
      to: home,
      amountRaw: price,
    });
    await scene.mine();
    await refused(
      id,
      theirs,
      `${theirs} was sent by none of our accounts on ${scene.chain.chainId}`,
    );
    await admin(`suspense cancel ${id} --reason x`);
    const late = await sendForgotten();
    await refused(
      id,
      late,
      `${id} has ended: it is failed, and its money waits for a decision again`,
    );
  });
});
