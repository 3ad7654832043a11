// The operator's commands about money that waits for a decision, and about what merchants owe, as text.

import type { Rehearse } from "./rehearsal.ts";
import type { Debts } from "../../service/suspense/debts.ts";
import type { ForgottenRefunds, RememberedRefund } from "../../service/suspense/forgotten.ts";
import type { Suspense } from "../../service/suspense/suspense.ts";
import { OperatorError } from "../../service/operator-error.ts";
import type { Clock } from "../../service/ports/clock.ts";
import { handBookedParts, postingsPart } from "./by-hand.ts";
import { fields, made, type Part, result, type Result, said, shown } from "./results.ts";
import { transactionFields } from "./remembered.ts";
import { listAll } from "./suspense-list.ts";
import { type Command, command, oneOf, optional, place, text } from "./words.ts";

export interface SuspenseOperator {
  readonly clock: Clock;
  readonly suspense: Suspense;
  readonly debts: Debts;
  readonly forgottenRefunds: ForgottenRefunds;
  readonly rehearse: Rehearse<SuspenseOperator>;
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
    },
    dryRun: "rehearsal",
    run: credit,
  }),
  command("suspense return", {
    says: "sends it back; ask the payer first: the sender may be an exchange",
    words: { item, to: text("ADDRESS"), evidence },
    dryRun: "rehearsal",
    run: async ({ to: address, ...given }, { suspense }: SuspenseOperator) => {
      const taken = await suspense.sendBack({ ...given, address });
      return result([...handBookedParts("Return", taken), exitPart(taken.exitId)]);
    },
  }),
  command("suspense write-off", {
    says: "to the platform, which keeps it",
    words: { item, evidence },
    dryRun: "rehearsal",
    run: async (given, { suspense }: SuspenseOperator) => {
      const taken = await suspense.writeOff(given);
      return result([...handBookedParts("Write-off", taken), exitPart(taken.exitId)]);
    },
  }),
  command("suspense cancel", {
    says: "what is to be sent back and is not signed waits for a decision again",
    words: { exit, reason: text("TEXT") },
    dryRun: "rehearsal",
    run: async ({ exit: id, reason }, { suspense }: SuspenseOperator) => {
      await suspense.cancel(id, reason);
      return result(said(`${id} is not sent back; its money waits again.\n`, { exit_id: id }));
    },
  }),
  command("suspense decide", {
    says: "what became of one whose transaction moved something else (alarm unclear_refund)",
    words: { exit, as: oneOf(["sent", "failed"]), reason: text("TEXT") },
    dryRun: "rehearsal",
    run: async ({ exit: id, as: decidedAs, reason }, { suspense }: SuspenseOperator) => {
      await suspense.decide(id, decidedAs, reason);
      const sentence = `${id} counts as ${decidedAs} once its transaction is final.\n`;
      return result(said(sentence, { exit_id: id, decided_as: decidedAs }));
    },
  }),
  command("suspense remember", {
    says:
      "that it was sent back by this mined transaction, which a restored database has forgotten; the " +
      "chain then says what became of it",
    words: { exit, transaction: text("HASH"), reason: text("TEXT") },
    // The chain is asked before: no transaction stays open meanwhile.
    dryRun: async ({ exit: id, transaction, reason }, operator: SuspenseOperator) => {
      const found = await operator.forgottenRefunds.read(id, transaction);
      return await operator.rehearse(async ({ forgottenRefunds }) =>
        result(rememberedPart(await forgottenRefunds.rememberFound(id, found, reason))),
      );
    },
    run: async ({ exit: id, transaction, reason }, { forgottenRefunds }: SuspenseOperator) =>
      result(rememberedPart(await forgottenRefunds.remember(id, transaction, reason))),
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
    },
    dryRun: "rehearsal",
    run: async ({ from, rate, ...given }, { debts }: SuspenseOperator) => {
      if ((from === undefined) !== (rate === undefined)) {
        throw new OperatorError("--from and --rate belong together; neither: it was paid outside.");
      }
      const other =
        from === undefined || rate === undefined ? undefined : { deploymentId: from, rate };
      const settled = await debts.settle({ ...debtOf(given), from: other });
      return result(handBookedParts("Settlement", settled));
    },
  }),
  command("debt write-off", {
    says: "the platform bears it",
    words: { merchant, environment, deployment, amount: text("AMOUNT"), evidence },
    dryRun: "rehearsal",
    run: async (given, { debts }: SuspenseOperator) =>
      result(handBookedParts("Write-off", await debts.writeOff(debtOf(given)))),
  }),
];

interface GivenDebt {
  readonly merchant: string;
  readonly environment: "live" | "test";
  readonly deployment: string;
  readonly amount: string;
  readonly evidence: string;
}

function debtOf(given: GivenDebt) {
  const { merchant: merchantId, deployment: deploymentId } = given;
  const { environment: half, amount, evidence: why } = given;
  return { merchantId, environment: half, deploymentId, amount, evidence: why };
}

function rememberedPart(remembered: RememberedRefund): Part {
  const { exitId, deploymentId, amountRaw, address } = remembered;
  const amount = { amount_raw: amountRaw, deployment_id: deploymentId };
  return fields([
    ["Remembered", "exit_id", exitId],
    ["Amount", "amount", shown(amount, `${amountRaw} of ${deploymentId}`)],
    ["To", "address", address],
    ...transactionFields(remembered),
  ]);
}

function exitPart(id: string): Part {
  return fields([["Way out", "exit_id", made(id)]]);
}

interface GivenCredit {
  readonly item: string;
  readonly payment: string | undefined;
  readonly merchant: string | undefined;
  readonly environment: "live" | "test" | undefined;
  readonly evidence: string;
}

async function credit(given: GivenCredit, { suspense }: SuspenseOperator): Promise<Result> {
  const { payment: paymentId, merchant: merchantId, environment: half } = given;
  const wish = { item: given.item, evidence: given.evidence };
  if (paymentId !== undefined && merchantId === undefined && half === undefined) {
    const { status, postings } = await suspense.accept({ ...wish, paymentId });
    const payment = fields([
      ["Payment", "payment_id", paymentId],
      ["Status", "status", status],
    ]);
    return result([payment, postingsPart(postings)]);
  }
  if (paymentId !== undefined || merchantId === undefined || half === undefined) {
    throw new OperatorError("Say --payment, or --merchant with --environment.");
  }
  const taken = await suspense.credit({ ...wish, owner: { merchantId, environment: half } });
  return result([...handBookedParts("Credit", taken), exitPart(taken.exitId)]);
}
