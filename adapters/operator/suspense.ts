// The operator's commands about money that waits for a decision, and about what merchants owe, as text.

import type { Debts } from "../../service/suspense/debts.ts";
import type { SuspenseItem } from "../../service/suspense/items.ts";
import { shownMax } from "../../service/suspense/suspense.ts";
import type { Suspense } from "../../service/suspense/suspense.ts";
import { amountOf } from "../../service/amounts.ts";
import { OperatorError } from "../../service/operator-error.ts";
import type { Clock } from "../../service/ports/clock.ts";
import { handBookedText, preview } from "./by-hand.ts";
import { roughDuration, table } from "./tables.ts";
import { type Command, command, oneOf, optional, place, text } from "./words.ts";

export interface SuspenseOperator {
  readonly clock: Clock;
  readonly suspense: Suspense;
  readonly debts: Debts;
}

const item = place("ITEM");
const evidence = text("TEXT", "why, such as the number of a ticket; it stays in the audit log");
const merchant = text("MERCHANT_ID");
const environment = oneOf(["live", "test"]);
const deployment = text("DEPLOYMENT_ID");
const exit = place("SUSPENSE_EXIT_ID");

export const suspenseCommands: readonly Command<SuspenseOperator>[] = [
  command("suspense list", {
    says: "money that waits for a decision, what is being sent back, and what merchants owe",
    words: {
      merchant: optional(merchant),
      payment: optional(text("PAYMENT_ID")),
      deployment: optional(deployment),
      after: optional(text("ITEM", "goes on after this one")),
    },
    run: listAll,
  }),
  command("suspense credit", {
    says: "to a payment, as if its rules let it count, or whole to the balance of a merchant",
    words: {
      item,
      payment: optional(text("PAYMENT_ID")),
      merchant: optional(merchant),
      environment: optional(environment),
      evidence,
      preview,
    },
    run: credit,
  }),
  command("suspense return", {
    says: "sends it back; ask the payer first: the sender may be an exchange",
    words: { item, to: text("ADDRESS"), evidence, preview },
    run: async ({ to: address, preview: isPreview, ...given }, { suspense }: SuspenseOperator) => {
      const taken = await suspense.sendBack({ ...given, address, isPreview });
      return handBookedText("Return", taken) + exitLine(taken.exitId);
    },
  }),
  command("suspense write-off", {
    says: "to the platform, which keeps it",
    words: { item, evidence, preview },
    run: async ({ preview: isPreview, ...given }, { suspense }: SuspenseOperator) => {
      const taken = await suspense.writeOff({ ...given, isPreview });
      return handBookedText("Write-off", taken) + exitLine(taken.exitId);
    },
  }),
  command("suspense cancel", {
    says: "what is to be sent back and is not signed waits for a decision again",
    words: { exit, reason: text("TEXT") },
    run: async ({ exit: id, reason }, { suspense }: SuspenseOperator) => {
      await suspense.cancel(id, reason);
      return `${id} is not sent back; its money waits again.\n`;
    },
  }),
  command("suspense decide", {
    says: "what became of one whose transaction moved something else (alarm unclear_refund)",
    words: { exit, as: oneOf(["sent", "failed"]), reason: text("TEXT") },
    run: async ({ exit: id, as: decidedAs, reason }, { suspense }: SuspenseOperator) => {
      await suspense.decide(id, decidedAs, reason);
      return `${id} counts as ${decidedAs} once its transaction is final.\n`;
    },
  }),
  command("debt settle", {
    says: "from the merchant's balance in another deployment (--from, --rate), or by what was paid outside",
    words: {
      merchant,
      environment,
      deployment,
      amount: text("AMOUNT"),
      from: optional(text("DEPLOYMENT_ID")),
      rate: optional(text("RATE", "what one whole unit of the debt costs there")),
      evidence,
      preview,
    },
    run: async ({ from, rate, ...given }, { debts }: SuspenseOperator) => {
      if ((from === undefined) !== (rate === undefined)) {
        throw new OperatorError("--from and --rate belong together; neither: it was paid outside.");
      }
      const other =
        from === undefined || rate === undefined ? undefined : { deploymentId: from, rate };
      return handBookedText("Settlement", await debts.settle({ ...debtOf(given), from: other }));
    },
  }),
  command("debt write-off", {
    says: "the platform bears it",
    words: { merchant, environment, deployment, amount: text("AMOUNT"), evidence, preview },
    run: async (given, { debts }: SuspenseOperator) =>
      handBookedText("Write-off", await debts.writeOff(debtOf(given))),
  }),
];

interface GivenDebt {
  readonly merchant: string;
  readonly environment: "live" | "test";
  readonly deployment: string;
  readonly amount: string;
  readonly evidence: string;
  readonly preview: boolean;
}

function debtOf(given: GivenDebt) {
  const { merchant: merchantId, deployment: deploymentId, preview: isPreview } = given;
  const { environment: half, amount, evidence: why } = given;
  return { merchantId, environment: half, deploymentId, amount, evidence: why, isPreview };
}

function exitLine(id: string | undefined): string {
  return id === undefined ? "" : `Way out    ${id}\n`;
}

interface GivenCredit {
  readonly item: string;
  readonly payment: string | undefined;
  readonly merchant: string | undefined;
  readonly environment: "live" | "test" | undefined;
  readonly evidence: string;
  readonly preview: boolean;
}

async function credit(given: GivenCredit, { suspense }: SuspenseOperator): Promise<string> {
  const { payment: paymentId, merchant: merchantId, environment: half, preview: isPreview } = given;
  const wish = { item: given.item, evidence: given.evidence, isPreview };
  if (paymentId !== undefined && merchantId === undefined && half === undefined) {
    const { status, postings } = await suspense.accept({ ...wish, paymentId });
    const booked = { transactionId: isPreview ? undefined : paymentId, postings };
    return `${handBookedText("Credit", booked)}Status     ${status}\n`;
  }
  if (paymentId !== undefined || merchantId === undefined || half === undefined) {
    throw new OperatorError("Say --payment, or --merchant with --environment.");
  }
  const taken = await suspense.credit({ ...wish, owner: { merchantId, environment: half } });
  return handBookedText("Credit", taken) + exitLine(taken.exitId);
}

interface Filter {
  readonly merchant: string | undefined;
  readonly payment: string | undefined;
  readonly deployment: string | undefined;
  readonly after: string | undefined;
}

async function listAll(
  { merchant: merchantId, payment: paymentId, deployment: deploymentId, after }: Filter,
  { suspense, debts, clock }: SuspenseOperator,
): Promise<string> {
  const now = clock.nowMilliseconds();
  const age = (since: Date): string => roughDuration(now - since.getTime());
  const items = await suspense.list({ merchantId, paymentId, deploymentId, after });
  const itemHeading = ["ITEM", "ACCOUNT", "AGE", "OF", "PAYMENT", "DEPLOYMENT", "AMOUNT", "SENDER"];
  const waiting = await suspense.waiting({ merchantId, deploymentId });
  const exitHeading = ["BEING SENT BACK", "ITEM", "AGE", "DEPLOYMENT", "AMOUNT", "TO", "STATE"];
  const owed = paymentId === undefined ? await debts.list({ merchantId, deploymentId }) : [];
  const debtHeading = ["DEBT OF", "AGE", "DEPLOYMENT", "AMOUNT"];
  return [
    table([itemHeading, ...shown(items).map((one) => itemRow(one, age))]) +
      moreLine(items, `--after ${items[shownMax - 1]?.id ?? ""}`),
    table([
      exitHeading,
      ...shown(waiting).map((one) => [
        one.id,
        one.item,
        age(one.since),
        one.deploymentId,
        one.amount,
        one.address,
        [one.sending ?? "not queued", one.problem].filter((word) => word !== null).join(": "),
      ]),
    ]) + moreLine(waiting, narrower),
    table([
      debtHeading,
      ...shown(owed).map((one) => [
        `${one.owner.merchantId} ${one.owner.environment}`,
        one.since === null ? "-" : age(one.since),
        one.deploymentId,
        one.amount,
      ]),
    ]) + moreLine(owed, narrower),
  ].join("\n");
}

const narrower = "--merchant or --deployment";

function shown<Row>(rows: readonly Row[]): readonly Row[] {
  return rows.slice(0, shownMax);
}

/** Nothing is left out in silence. */
function moreLine(rows: readonly unknown[], how: string): string {
  return rows.length > shownMax ? `There are more than ${shownMax}: see them with ${how}\n` : "";
}

function itemRow(one: SuspenseItem, age: (since: Date) => string): readonly string[] {
  const { owner, paymentId, paymentStatus } = one;
  return [
    one.id,
    one.account,
    age(one.since),
    owner === null ? "-" : `${owner.merchantId} ${owner.environment}`,
    paymentId === null ? "-" : `${paymentId} ${paymentStatus ?? ""}`.trim(),
    one.deploymentId,
    amountOf(one.amountRaw, one.decimals),
    one.sender ?? "-",
  ];
}
