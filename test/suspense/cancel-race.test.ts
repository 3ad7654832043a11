// What an operator takes back, or decides about, while another process puts it into the queue and sends it
// (threat 107).

import { expect, test } from "vitest";
import { refundSending } from "../../service/suspense/refunds.ts";
import { listRefundsToQueue } from "../../service/suspense/refunds.sql.ts";
import type { Statement } from "../../service/ports/database.ts";
import { engines } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { price } from "../x402/scene.ts";
import { local, scene, setStage, shop, useStage } from "../x402/stage.ts";
import { onlyItem, openDesk, sendDown, strayItem } from "./desk.ts";

useStage();

const home = "0x00000000000000000000000000000000000A11cE";

const queued = () =>
  query(scene.database)<{ status: string }>`
    select status from outgoing_transactions where purpose = 'refund' order by id`;

async function orderReturn(admin: (line: string) => Promise<{ readonly output: string }>) {
  const item = await onlyItem();
  const { output } = await admin(`suspense return ${item} --to ${home} --evidence x`);
  return /(sus_\w+)/.exec(output)?.[0] ?? "";
}

test.each(engines)(
  "an order that is taken back while another process puts it into the queue leaves nothing there (%s)",
  async (engine) => {
    await setStage(engine);
    const { admin, suspense } = await openDesk();
    await strayItem();
    const id = await orderReturn(admin);
    const { database } = scene;
    let cancelled = 0;
    const run = async <Values, Row>(statement: Statement<Values, Row>, values: Values) => {
      const rows = await database.run(statement, values);
      if (statement.name === listRefundsToQueue.name && rows.length > 0) {
        // Between its look and what it does next.
        await suspense.cancel(id, "changed my mind");
        cancelled += 1;
      }
      return rows;
    };
    const racing = { ...scene, database: { run, transaction: database.transaction } };
    await refundSending(racing).steps.gather({ chain: scene.chain, signer: scene.signer });
    expect(cancelled).toBe(1);
    expect(await queued()).toEqual([]);
    const had = await local.balanceOf(home);
    await sendDown();
    expect(await local.balanceOf(home)).toBe(had);
    expect(await scene.balances()).toEqual({ "chain:settlement": price, "payer:unmatched": price });
    await orderReturn(admin);
    await sendDown();
    expect(await local.balanceOf(home)).toBe(had + price);
    expect(await queued()).toEqual([{ status: "succeeded" }]);
    expect(await scene.differences()).toEqual([]);
  },
);

test("what is in the queue, and was taken back, is taken out of it by the next round", async () => {
  const { admin } = await openDesk();
  await strayItem();
  const id = await orderReturn(admin);
  await query(scene.database)`insert into withdrawal_stops (chain_id, reason, since)
    values ('*', 'test', now()) returning chain_id`;
  await shop.send();
  await admin(`suspense cancel ${id} --reason x`);
  // As a process of before has left it.
  await query(scene.database)`update outgoing_transactions set status = 'queued'
    where purpose = 'refund' returning id`;
  await shop.send();
  expect(await queued()).toEqual([{ status: "withdrawn" }]);
});

test("what became of it is decided only when it was sent, and nobody else can say", async () => {
  const { admin, audited } = await openDesk();
  await strayItem();
  const id = await orderReturn(admin);
  const decide = () => admin(`suspense decide ${id} --as failed --reason x`);
  const refusal = {
    exitCode: 1,
    output: "",
    errors:
      `${id} is not unclear: the chain says what becomes of it. Where it cannot, the alarm ` +
      "unclear_refund tells.\n",
  };
  expect(await decide()).toEqual(refusal);
  await shop.send();
  expect(await decide()).toEqual(refusal);
  await scene.mine(6);
  expect(await decide()).toEqual(refusal);
  await shop.confirm();
  expect((await decide()).errors).toBe(`${id} has ended: it is done.\n`);
  expect((await audited()).map(({ action }) => action)).toEqual(["suspense.sent_back"]);
  expect(await scene.balances()).toEqual({});
});
