// The list of money that waits for a decision, of what is being sent back, and of what merchants owe.

import { amountOf } from "../../service/amounts.ts";
import type { Clock } from "../../service/ports/clock.ts";
import type { Debt, Debts } from "../../service/suspense/debts.ts";
import type { SuspenseItem } from "../../service/suspense/items.ts";
import { shownMax, type Suspense, type WaitingExit } from "../../service/suspense/suspense.ts";
import { ownerCell } from "./by-hand.ts";
import { type Cell, type Column, listing, type Part, result, type Result } from "./results.ts";
import { said, shown } from "./results.ts";
import { roughDuration } from "./tables.ts";

interface Waiting {
  readonly clock: Clock;
  readonly suspense: Pick<Suspense, "list" | "waiting">;
  readonly debts: Pick<Debts, "list">;
}

interface Filter {
  readonly merchant: string | undefined;
  readonly payment: string | undefined;
  readonly deployment: string | undefined;
  readonly after: string | undefined;
}

type Age = (since: Date) => Cell;

/** The command. */
export async function listAll(
  { merchant: merchantId, payment: paymentId, deployment: deploymentId, after }: Filter,
  { suspense, debts, clock }: Waiting,
): Promise<Result> {
  const now = clock.nowMilliseconds();
  const age: Age = (since) => shown(since, roughDuration(now - since.getTime()));
  const items = await suspense.list({ merchantId, paymentId, deploymentId, after });
  const waiting = await suspense.waiting({ merchantId, deploymentId });
  const owed = paymentId === undefined ? await debts.list({ merchantId, deploymentId }) : [];
  const narrower = "--merchant or --deployment";
  const gap = said("\n");
  return result([
    listing("items", some(items), itemColumns(age)),
    morePart("items", items, `--after ${items[shownMax - 1]?.id ?? ""}`),
    gap,
    listing("exits", some(waiting), exitColumns(age)),
    morePart("exits", waiting, narrower),
    gap,
    listing("debts", some(owed), debtColumns(age)),
    morePart("debts", owed, narrower),
  ]);
}

function some<Row>(rows: readonly Row[]): readonly Row[] {
  return rows.slice(0, shownMax);
}

/** Nothing is left out in silence. */
function morePart(what: string, rows: readonly unknown[], how: string): Part {
  const isMore = rows.length > shownMax;
  const sentence = `There are more than ${shownMax}: see them with ${how}\n`;
  return said(isMore ? sentence : "", { [`has_more_${what}`]: isMore });
}

const itemColumns = (age: Age): readonly Column<SuspenseItem>[] => [
  ["ITEM", "id", (one) => one.id],
  ["ACCOUNT", "account", (one) => one.account],
  ["AGE", "since", (one) => age(one.since)],
  ["OF", "owner", ({ owner }) => owner && ownerCell(owner.merchantId, owner.environment)],
  ["PAYMENT", "payment", paymentCell],
  ["DEPLOYMENT", "deployment_id", (one) => one.deploymentId],
  ["AMOUNT", "amount", (one) => amountOf(one.amountRaw, one.decimals)],
  ["SENDER", "sender", (one) => one.sender],
];

function paymentCell({ paymentId, paymentStatus }: SuspenseItem): Cell {
  if (paymentId === null) return null;
  const text = `${paymentId} ${paymentStatus ?? ""}`.trim();
  return shown({ id: paymentId, status: paymentStatus }, text);
}

const exitColumns = (age: Age): readonly Column<WaitingExit>[] => [
  ["BEING SENT BACK", "id", (one) => one.id],
  ["ITEM", "item", (one) => one.item],
  ["AGE", "since", (one) => age(one.since)],
  ["DEPLOYMENT", "deployment_id", (one) => one.deploymentId],
  ["AMOUNT", "amount", (one) => one.amount],
  ["TO", "address", (one) => one.address],
  ["STATE", "state", stateCell],
];

function stateCell({ sending, problem }: WaitingExit): Cell {
  const text = [sending ?? "not queued", problem].filter((word) => word !== null).join(": ");
  return shown({ sending, problem }, text);
}

const debtColumns = (age: Age): readonly Column<Debt>[] => [
  ["DEBT OF", "owner", ({ owner }) => ownerCell(owner.merchantId, owner.environment)],
  ["AGE", "since", ({ since }) => since && age(since)],
  ["DEPLOYMENT", "deployment_id", (one) => one.deploymentId],
  ["AMOUNT", "amount", (one) => one.amount],
];
