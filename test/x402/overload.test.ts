// More settlements than the chain takes: what is let in settles, and what is not hears when to come again.

import { expect, test } from "vitest";
import { ServiceError } from "../../service/errors.ts";
import type { SettleCommand } from "../../service/x402/model.ts";
import { query } from "../support/service-parts.ts";
import { settlementAddress } from "./action-signer.ts";
import { authorize } from "./payers.ts";
import { merchant, partner, price } from "./scene.ts";
import type { Process } from "./scene.ts";
import { expectPaid, impatient, local, scene, shop, useStage } from "./stage.ts";

useStage();

/** Another process has the account, and sends nothing. */
async function occupyAccount(): Promise<() => Promise<unknown>> {
  const expires = new Date(scene.clock.nowMilliseconds() + 60_000);
  await query(scene.database)`insert into sender_accounts
      (chain_id, account, lease_token, lease_expires_at)
    values (${local.chainId}, ${settlementAddress}, 'another', ${expires})
    on conflict (chain_id, account)
      do update set lease_token = 'another', lease_expires_at = ${expires}
    returning account`;
  return () =>
    query(scene.database)`update sender_accounts set lease_token = null, lease_expires_at = null
      returning account`;
}

interface Signed {
  readonly id: string;
  readonly command: SettleCommand;
}

async function signedOf(owner: typeof merchant | typeof partner, count: number): Promise<Signed[]> {
  const all: Signed[] = [];
  for (let number = 0; number < count; number += 1) {
    const id = await scene.addPayment({ owner });
    all.push({ id, command: await authorize(scene, id) });
  }
  return all;
}

/** Those that were refused, as who comes too many is, and of which nothing is kept. */
async function settleAll(
  owner: typeof merchant | typeof partner,
  signed: readonly Signed[],
  { x402 }: Pick<Process, "x402"> = impatient(),
): Promise<readonly Signed[]> {
  const asked = await Promise.allSettled(signed.map(({ command }) => x402.settle(owner, command)));
  const refused: Signed[] = [];
  for (const [index, answer] of asked.entries()) {
    const one = signed[index];
    if (answer.status === "fulfilled") expect(answer.value.isSettled).toBe(false);
    else if (one !== undefined) {
      expect(answer.reason).toBeInstanceOf(ServiceError);
      expect(answer.reason).toMatchObject({ code: "service_unavailable", retryAfterSeconds: 2 });
      expect(await scene.settlements(one.id)).toEqual([]);
      refused.push(one);
    }
  }
  return refused;
}

test("as many are let in as leave soon, of each merchant half; the others hear when to come again, and settle then", async () => {
  const leaveAccount = await occupyAccount();
  const before = await local.balanceOf(settlementAddress);
  const mine = await signedOf(merchant, 20);
  const theirs = await signedOf(partner, 18);
  const refused = await settleAll(merchant, mine);
  expect(refused).toHaveLength(4);
  // Whoever crowds leaves room for the others.
  const theirRefused = await settleAll(partner, theirs);
  expect(theirRefused).toHaveLength(2);

  await leaveAccount();
  // Sixteen at a time, as nodes take them.
  for (let round = 0; round < 4; round += 1) {
    await shop.send();
    await scene.mine();
  }
  for (const { command } of refused) {
    expect(await shop.x402.settle(merchant, command)).toMatchObject({ isSettled: true });
  }
  for (const { command } of theirRefused) {
    expect(await shop.x402.settle(partner, command)).toMatchObject({ isSettled: true });
  }
  for (const { id } of [...mine, ...theirs]) await expectPaid(id);
  const moved = (await local.balanceOf(settlementAddress)) - before;
  expect(moved).toBe(price * 38n);
});

test("two processes let in what each has room for at most, and nothing of it is lost", async () => {
  const leaveAccount = await occupyAccount();
  const before = await local.balanceOf(settlementAddress);
  const all = await signedOf(merchant, 40);
  const halves = [all.slice(0, 20), all.slice(20)];
  const processes = [impatient(), impatient()];
  const refusals = await Promise.all(
    halves.map((half, index) => settleAll(merchant, half, processes[index])),
  );
  const refused = refusals.flat();
  // What is entering is known to its own process alone: sixteen of a merchant by each, if all come in one moment.
  expect(all.length - refused.length).toBeGreaterThanOrEqual(16);
  expect(all.length - refused.length).toBeLessThanOrEqual(2 * 16);
  // What is stored counts for both.
  for (const process of processes)
    expect(await settleAll(merchant, refused, process)).toEqual(refused);

  await leaveAccount();
  for (let round = 0; round < 4; round += 1) {
    await shop.send();
    await scene.mine();
  }
  for (const { command } of refused) {
    expect(await shop.x402.settle(merchant, command)).toMatchObject({ isSettled: true });
  }
  for (const { id } of all) await expectPaid(id);
  expect((await local.balanceOf(settlementAddress)) - before).toBe(price * 40n);
});

test("what cannot be sent now takes no place, nor what nobody has signed", async () => {
  await occupyAccount();
  expect(await settleAll(merchant, await signedOf(merchant, 16))).toEqual([]);
  const [next] = await signedOf(merchant, 1);
  if (next === undefined) throw new Error("there is one");
  const { command } = next;
  const { signature } = command.payload;
  const forged = { ...command, payload: { ...command.payload, signature: flipped(signature) } };
  await expect(impatient().x402.settle(merchant, forged)).rejects.toMatchObject({
    code: "x402_invalid_signature",
  });
  expect(await settleAll(merchant, [next])).toEqual([next]);
  await query(scene.database)`update outgoing_transactions
    set not_before = ${new Date(scene.clock.nowMilliseconds() + 60_000)} returning id`;
  expect(await settleAll(merchant, [next])).toEqual([]);
});

/** Of the same form, and somebody else's. */
function flipped(signature: string): string {
  const digit = signature.charAt(10) === "0" ? "1" : "0";
  return `${signature.slice(0, 10)}${digit}${signature.slice(11)}`;
}

test("who waits is answered in its time, also where a clock is set back again and again", async () => {
  await occupyAccount();
  const [one] = await signedOf(merchant, 1);
  if (one === undefined) throw new Error("there is one");
  const waiting = scene.startProcess({
    waitMilliseconds: 5_000,
    onPause: () => Promise.resolve(scene.clock.advance(-60_000)),
  });
  expect(await waiting.x402.settle(merchant, one.command)).toMatchObject({ isSettled: false });
});
