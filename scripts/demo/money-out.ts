// How the shop gets its money: a withdrawal when it asks for one, and payouts by themselves.

import { setTimeout as pause } from "node:timers/promises";
import { amountOf } from "../../service/amounts.ts";
import { usd } from "../client/tool/test-usd.ts";
import type { Cast } from "./cast.ts";
import { demand, DemoFailure, show, tell } from "./narration.ts";

/** Soon, and not before the schedule is made. */
const firstRunMilliseconds = 3_000;
const hourSeconds = 3_600;
const sweepSecondsMax = 60;
const askMilliseconds = 500;

export async function sweep({ server }: Cast): Promise<void> {
  tell("What was paid is swept from the address of the payment to the hot account");
  show((await server.admin("chain", "sweep", "--chain", usd.chainId)).trim());
  const limit = AbortSignal.timeout(sweepSecondsMax * 1000);
  for (;;) {
    const table = await server.admin("chain", "sweeps");
    if (/^swp_.*\bmoved\b/m.test(table)) return show(table.trim());
    if (limit.aborted) throw new DemoFailure(`not swept within ${sweepSecondsMax} s:\n${table}`);
    await pause(askMilliseconds);
  }
}

/** @returns the registered address */
export async function withdraw({ shop, receiver, vault, token }: Cast): Promise<string> {
  tell("The shop registers its vault and withdraws 7.50");
  const { id: addressId } = await shop.withdrawAddresses.registerWithdrawAddress({
    chain_id: usd.chainId,
    address: vault.address,
    label: "vault",
  });
  show(`POST /v1/withdraw-addresses 201: ${addressId}`);
  const before = await vault.balance(token);
  const { id } = await shop.withdrawals.requestWithdrawal({
    currency_id: usd.currencyId,
    target_chain_id: usd.chainId,
    amount: "7.50",
    withdraw_address_id: addressId,
  });
  show(`POST /v1/withdrawals 201: ${id}`);
  const event = await receiver.waitFor("withdrawal.confirmed", id);
  show(`webhook withdrawal.confirmed: ${String(event.data["tx_hash"])}`);
  demand((await vault.balance(token)) === before + 7_500_000n, "the vault has 7.50 more");
  show("the vault has 7.50 more");
  return addressId;
}

export async function payOut(
  { shop, receiver, vault, token }: Cast,
  addressId: string,
): Promise<void> {
  tell("A payout schedule sends the rest by itself");
  const before = await vault.balance(token);
  const { id } = await shop.payoutSchedules.createPayoutSchedule({
    currency_id: usd.currencyId,
    target_chain_id: usd.chainId,
    withdraw_address_id: addressId,
    interval_secs: hourSeconds,
    min_send_amount: "1.00",
    mode: "auto_request",
    first_run_at: new Date(Date.now() + firstRunMilliseconds).toISOString(),
  });
  show(`POST /v1/payout-schedules 201: ${id}`);
  const run = await receiver.waitFor("payout_schedule.run_requested", id);
  show(`webhook payout_schedule.run_requested: ${String(run.data["withdrawal_id"])}`);
  const confirmed = await receiver.waitForAfter("withdrawal.confirmed", run);
  show(`webhook withdrawal.confirmed: ${String(confirmed.data["tx_hash"])}`);
  const got = (await vault.balance(token)) - before;
  demand(got > 0n, "the vault has more");
  show(`the vault has ${amountOf(got, usd.decimals)} more`);
}
