// Withdrawals and payout schedules. With an address that may be used they are made and ended at once;
// without one they are only refused, so that no money can move.

import { isObject, type JsonObject, textOf } from "../../../generator/suite/json.ts";
import type { Change } from "../../../test/support/contract-requests.ts";
import { scheduleProblems } from "../list-reads.ts";
import { walk } from "../pages.ts";
import { ChainStopped } from "../session.ts";
import { type CurrencyFact, type DeploymentFact, rawOf } from "./catalog-facts.ts";
import { differences, type Heard, type Life } from "./life.ts";

const withdraw = "requestWithdrawal";
const take = "cancelWithdrawal";
const create = "createPayoutSchedule";
const pause = "pausePayoutSchedule";

export interface MoneyPlace {
  readonly currency: CurrencyFact;
  readonly deployment: DeploymentFact;
  /** that cannot be used yet */
  readonly pending: JsonObject;
  /** that may be used; undefined: none was given */
  readonly address: string | undefined;
}

/** More than anybody has, and less than a token can count. */
const tooMuch = `1${"0".repeat(50)}`;

export async function liveMoney(life: Life, place: MoneyPlace): Promise<void> {
  for (const operationId of [withdraw, create]) await refusals(life, operationId, place);
  const { address } = place;
  if (address === undefined) {
    const operations = [withdraw, take, create, pause];
    life.session.leaveOut("needs a withdraw address that may be used: --withdraw-address ID", [
      ...operations.flatMap((operation) => [200, 201].map((status) => ({ operation, status }))),
      ...[withdraw, create].flatMap((operation) =>
        placeless(operation).map((code) => ({ operation, status: 422, code })),
      ),
      { operation: create, status: 409, code: "schedule_already_exists" },
    ]);
    return;
  }
  await schedules(life, place, address);
  await withdrawals(life, place, address);
}

/** What is looked at after the address. */
function placeless(operation: string): readonly string[] {
  const amounts = ["amount_precision", "amount_too_small", "amount_too_large"];
  return operation === withdraw
    ? [...amounts, "insufficient_balance"]
    : [...amounts, "interval_out_of_range", "first_run_in_past"];
}

/** A body that would do, but for what is changed. */
function bodyOf(
  operationId: string,
  { currency, deployment }: MoneyPlace,
  more: JsonObject,
): JsonObject {
  const place = { currency_id: currency.id, target_chain_id: deployment.chainId };
  return operationId === withdraw
    ? { ...place, amount: tooMuch, ...more }
    : { ...place, interval_secs: 31_622_400, min_send_amount: "1", mode: "notify_only", ...more };
}

async function refusals(life: Life, operationId: string, place: MoneyPlace): Promise<void> {
  const { currency, pending } = place;
  const unknown = { withdraw_address_id: `wad_${"0".repeat(26)}` };
  const refused = (what: string, code: string, more: JsonObject) =>
    life.may(operationId, {
      what,
      change: { body: bodyOf(operationId, place, { ...unknown, ...more }) },
      expected: [`422 ${code}`, "403 ip_not_allowed"],
    });
  const first = await refused("an address that does not exist", "withdraw_address_not_found", {});
  if (first?.status === 403) {
    const codes = [
      "withdraw_address_not_found",
      "withdraw_address_inactive",
      "withdraw_address_chain_mismatch",
    ];
    life.session.leaveOut(
      "on a main network the key has to be bound to addresses",
      codes.map((code) => ({ operation: operationId, status: 422, code })),
    );
    return;
  }
  await refused("a chain that the currency is not on", "chain_not_accepted", {
    target_chain_id: "eip155:0",
  });
  const id = { withdraw_address_id: textOf(pending["id"]) };
  const isPending = pending["status"] === "pending_activation";
  if (isPending)
    await refused("an address that is not active yet", "withdraw_address_inactive", id);
  const other = currency.deployments.find(
    ({ chainId, takesWithdrawals }) => takesWithdrawals && chainId !== textOf(pending["chain_id"]),
  );
  if (other !== undefined && isPending) {
    await refused("an address of another chain", "withdraw_address_chain_mismatch", {
      ...id,
      target_chain_id: other.chainId,
    });
  }
  const closed = currency.deployments.find(({ takesWithdrawals }) => !takesWithdrawals);
  if (closed === undefined) {
    const cell = { operation: operationId, status: 422, code: "withdrawals_disabled" };
    life.session.leaveOut("no deployment of the currency has its withdrawals off", [cell]);
    return;
  }
  await refused("a chain whose withdrawals are off", "withdrawals_disabled", {
    target_chain_id: closed.chainId,
  });
}

/** On which chain the address is: no operation reads it, so it is asked for more than anybody has. */
export async function placeOf(
  life: Life,
  places: readonly Pick<MoneyPlace, "currency" | "deployment">[],
  address: string,
): Promise<Pick<MoneyPlace, "currency" | "deployment">> {
  for (const [index, { currency, deployment }] of places.entries()) {
    const place = { currency_id: currency.id, target_chain_id: deployment.chainId };
    const others = ["withdraw_address_chain_mismatch", "withdrawals_disabled"];
    const isLast = index === places.length - 1;
    const heard = await life.must(withdraw, {
      what: `more than there is, on ${deployment.chainId}`,
      change: { body: { ...place, amount: tooMuch, withdraw_address_id: address } },
      expected: [
        "422 insufficient_balance",
        ...(isLast ? [] : others.map((code) => `422 ${code}`)),
      ],
    });
    if (heard.body["code"] === "insufficient_balance") return { currency, deployment };
  }
  throw new ChainStopped("no chain of the address");
}

async function refuseValues(life: Life, place: MoneyPlace, address: string): Promise<void> {
  const refused = (operationId: string, code: string, more: JsonObject) =>
    life.may(operationId, {
      what: code.replaceAll("_", " "),
      change: { body: bodyOf(operationId, place, { withdraw_address_id: address, ...more }) },
      expected: [`422 ${code}`],
    });
  for (const [operationId, member] of [
    [withdraw, "amount"],
    [create, "min_send_amount"],
  ] as const) {
    await refused(operationId, "amount_precision", { [member]: `1.${"1".repeat(60)}` });
    await refused(operationId, "amount_too_large", { [member]: "9".repeat(90) });
  }
  await refused(withdraw, "amount_too_small", { amount: "0" });
  await refused(create, "amount_too_small", { min_send_amount: "0" });
  await refused(withdraw, "insufficient_balance", {});
  await refused(create, "interval_out_of_range", { interval_secs: 1 });
  await refused(create, "first_run_in_past", { first_run_at: "2020-01-01T00:00:00Z" });
}

async function schedules(life: Life, place: MoneyPlace, address: string): Promise<void> {
  await refuseValues(life, place, address);
  const body = bodyOf(create, place, { withdraw_address_id: address });
  const { deployment } = place;
  const { min_send_amount = "" } = body;
  const expected = {
    ...body,
    currency_chain_id: deployment.id,
    min_send_raw: rawOf(textOf(min_send_amount), deployment.decimals),
    status: "active",
    enabled: true,
  };
  const check = (heard: JsonObject) => [
    ...differences(heard, expected),
    ...scheduleProblems(heard, Date.now()),
  ];
  const made = await life.mustTwice(create, {
    what: "that only tells",
    change: { body },
    expected: ["201"],
    check,
  });
  await life.may(create, {
    what: "another one for the same place",
    change: { body },
    expected: ["409 schedule_already_exists"],
    check: ({ details }) =>
      differences(isObject(details) ? details : {}, { schedule_id: made.body["id"] }),
  });
  await listed(life, made.body, "active");
  const paused = await pausedBy(life, made);
  await life.replay(pause, paused);
  await listed(life, made.body, "paused");
}

function pausedBy(life: Life, { body }: Heard): Promise<Heard> {
  const { updated_at: _, ...schedule } = body;
  const ended = { ...schedule, status: "paused", enabled: false, retired_at: null };
  const path = { id: textOf(body["id"]) };
  const check = (heard: JsonObject) => differences(heard, ended);
  return life.must(pause, { what: "the schedule", change: { path }, expected: ["200"], check });
}

async function listed(life: Life, { id = "" }: JsonObject, status: string): Promise<void> {
  let isThere = false;
  await walk(life.session, {
    operationId: "listPayoutSchedules",
    member: "schedules",
    limit: 100,
    filter: `status=${status}`,
    checkPage: ({ body, headers }) => {
      isThere ||= JSON.stringify(body).includes(`"id":"${textOf(id)}"`);
      return isThere || headers.has("Link") ? [] : [`body /schedules: lacks ${textOf(id)}`];
    },
  });
}

async function withdrawals(life: Life, place: MoneyPlace, address: string): Promise<void> {
  const { currency, deployment } = place;
  const amount = deployment.decimals === 0 ? "1" : `0.${"0".repeat(deployment.decimals - 1)}1`;
  const change: Change = {
    body: bodyOf(withdraw, place, { amount, withdraw_address_id: address }),
  };
  const made = await life.may(withdraw, {
    what: "the smallest amount",
    change,
    expected: ["201", "422 insufficient_balance", "422 amount_too_small"],
    check: (body, { status }) =>
      status === 201 ? debitProblems(body, { currency, deployment }) : [],
  });
  if (made?.status !== 201) {
    life.session.leaveOut("the balance is too small for a withdrawal", [
      { operation: withdraw, status: 201 },
      { operation: take, status: 200 },
    ]);
    return;
  }
  await life.replay(withdraw, made);
  const path = { id: textOf(made.body["id"]) };
  const ended = await life.may(take, {
    what: "the withdrawal",
    change: { path },
    expected: ["200", "409 withdrawal_not_cancellable"],
    check: (body, { status }) => (status === 200 ? differences(body, { status: "cancelled" }) : []),
  });
  if (ended?.status === 200) await life.replay(take, ended);
}

function debitProblems(
  body: JsonObject,
  { currency, deployment }: Pick<MoneyPlace, "currency" | "deployment">,
): readonly string[] {
  const [sent, fee, total] = ["send_amount_raw", "withdrawal_fee_raw", "total_debit_raw"].map(
    (name) => BigInt(textOf(body[name])),
  );
  const sum = (sent ?? 0n) + (fee ?? 0n);
  return [
    ...differences(body, {
      currency_id: currency.id,
      currency_chain_id: deployment.id,
      target_chain_id: deployment.chainId,
      send_amount_raw: "1",
      status: "pending",
    }),
    ...(sum === total ? [] : [`body /total_debit_raw: is ${total} in place of ${sum}`]),
  ];
}

export async function liveSubscription(life: Life, id: string | undefined): Promise<void> {
  if (id === undefined) return;
  const path = { id };
  const check = (body: JsonObject) =>
    differences(body, { id, status: "cancelled", next_bill_at: null });
  const asked = { change: { path }, expected: ["200"] as const, check };
  await life.mustTwice("cancelSubscription", { what: "the given one", ...asked });
  await life.may("cancelSubscription", { what: "it once more", ...asked });
}
