// The operator's commands about chains: what is sent on them, what is kept where,
// and reading one again, as text.

import type { Rehearse } from "./rehearsal.ts";
import type { ChainOperations, SweepPreview } from "../../service/sweeps/operations.ts";
import type { ChainRescan, RescanReport } from "../../service/chains/rescan.ts";
import type { ChainSettings } from "../../service/sweeps/settings.ts";
import type { ForgottenSweeps, RememberedSweep } from "../../service/sweeps/forgotten.ts";
import type { Foreign, UndecidedSends } from "../../service/sweeps/undecided.ts";
import type { PaymentTroubles } from "../../service/payments/troubles.ts";
import { deedText } from "../../service/sending/forgotten.ts";
import { asShown, codeOf, lookFor } from "./as-shown.ts";
import { transactionFields } from "./remembered.ts";
import { boundChanges, rescanPart } from "./rescan.ts";
import { fields, listing, made, type Part, result, type Result, said, shown } from "./results.ts";
import { type Command, command, oneOf, optional, place, text, wholeNumber } from "./words.ts";

export interface ChainOperator {
  readonly chainOperations: ChainOperations;
  readonly chainSettings: ChainSettings;
  readonly chainRescan: ChainRescan;
  readonly forgottenSweeps: ForgottenSweeps;
  readonly undecidedSends: UndecidedSends;
  readonly paymentTroubles: Pick<PaymentTroubles, "list">;
  readonly rehearse: Rehearse<ChainOperator>;
}

const limit = text("AMOUNT|none");

export const chainCommands: readonly Command<ChainOperator>[] = [
  command("chain sweep", {
    says:
      "what arrived for payments that are over is brought together now, also where that failed " +
      "a short while ago, or costs more gas than it brings",
    words: { chain: text("CHAIN_ID") },
    dryRun: "rehearsal",
    run: async ({ chain }, { chainOperations }: ChainOperator) => {
      const rows = await chainOperations.previewSweep(chain);
      await chainOperations.orderSweep(chain);
      const sentence = `${chain} is swept with the next run of its job.\n`;
      return result([said(sentence, { chain_id: chain }), sweepablePart(rows)]);
    },
  }),
  command("chain sweeps", { says: "the newest", words: {}, run: listSweeps }),
  command("chain outgoing", {
    says: "what waits to be sent or is not final, and why",
    words: {},
    run: listOutgoing,
  }),
  command("chain float", {
    says: "what the hot account keeps; more goes to TREASURY_ADDRESS",
    words: { deployment: text("DEPLOYMENT_ID"), max: limit },
    dryRun: "rehearsal",
    run: async ({ deployment, max }, { chainSettings }: ChainOperator) => {
      await chainSettings.setFloat(deployment, amountOrNone(max));
      return result(
        fields([
          ["Deployment", "deployment_id", deployment],
          ["Float", "max", shown(amountOrNone(max), max)],
        ]),
      );
    },
  }),
  command("chain gas-budget", {
    says: "what x402 settlements may cost in a day (UTC), in its coin",
    words: {
      chain: text("CHAIN_ID"),
      "per-day": limit,
      "per-merchant": optional(text("AMOUNT", "of that, for one merchant; default: a quarter")),
    },
    dryRun: "rehearsal",
    run: async (given, { chainSettings }: ChainOperator) => {
      const { chain, "per-day": perDay, "per-merchant": perMerchant } = given;
      await chainSettings.setGasBudget(chain, amountOrNone(perDay), perMerchant ?? null);
      const part = perMerchant ?? (perDay === "none" ? "none" : "a quarter");
      return result(
        fields([
          ["Chain", "chain_id", chain],
          ["Per day", "per_day", shown(amountOrNone(perDay), perDay)],
          ["Merchant", "per_merchant", shown(perMerchant ?? null, part)],
        ]),
      );
    },
  }),
  command("chain settings", {
    says: "both, and what the hot account has by the ledger",
    words: {},
    run: listSettings,
  }),
  command("chain decide", {
    says:
      "that a sweep, the coin for one or what goes back to an x402 payer was not sent by the unknown transaction that " +
      "has its nonce (alarm number_used_by_another)",
    words: {
      subject: place("SUBJECT_ID"),
      transaction: text("HASH"),
      as: oneOf(["failed"]),
      reason: text("TEXT"),
    },
    // The chain is asked before: no transaction stays open meanwhile.
    dryRun: async ({ subject, transaction, reason }, operator: ChainOperator) => {
      const foreign = await operator.undecidedSends.read(subject, transaction);
      return await operator.rehearse(async ({ undecidedSends }) => {
        await undecidedSends.decideForeign(foreign, reason);
        return result(decidedPart(foreign));
      });
    },
    run: async ({ subject, transaction, reason }, { undecidedSends }: ChainOperator) =>
      result(decidedPart(await undecidedSends.decideFailed(subject, transaction, reason))),
  }),
  command("chain remember", {
    says:
      "that this mined transaction was a sweep, the coin for one, or what the settlement account had " +
      "too much of, which a restored database has forgotten; the chain then says what became of it",
    words: { chain: place("CHAIN_ID"), transaction: text("HASH"), reason: text("TEXT") },
    // The chain is asked before: no transaction stays open meanwhile.
    dryRun: async ({ chain, transaction, reason }, operator: ChainOperator) => {
      const found = await operator.forgottenSweeps.read(chain, transaction);
      return await operator.rehearse(async ({ forgottenSweeps }) =>
        result(rememberedPart(await forgottenSweeps.rememberFound(found, reason))),
      );
    },
    run: async ({ chain, transaction, reason }, { forgottenSweeps }: ChainOperator) =>
      result(rememberedPart(await forgottenSweeps.remember(chain, transaction, reason))),
  }),
  command("chain rescan", {
    says: "reads a chain again from this block on, and says what is stored otherwise",
    words: {
      chain: text("CHAIN_ID"),
      from: wholeNumber("BLOCK"),
      "as-shown": asShown,
    },
    // The chain is asked for minutes: no transaction stays open meanwhile.
    dryRun: rescan(true),
    run: rescan(false),
  }),
  command("chain troubles", {
    says: "payments of which something could not be worked out",
    words: {},
    run: listTroubles,
  }),
];

function rescan(isDryRun: boolean) {
  return async (
    given: {
      readonly chain: string;
      readonly from: bigint;
      readonly "as-shown": string | undefined;
    },
    { chainRescan }: ChainOperator,
  ): Promise<Result> => {
    const { chain, from, "as-shown": code } = given;
    const bound = (report: RescanReport) => boundChanges(chain, report);
    const look = lookFor<RescanReport>({ code, bound, part: rescanPart });
    const report = await chainRescan.run(chain, from, { isDryRun, look });
    return result([rescanPart(report), said("Done.\n")], { shownAs: codeOf(bound(report)) });
  };
}

/** It has to be said: a limit must not go because somebody forgot a word. */
function amountOrNone(given: string): string | null {
  return given === "none" ? null : given;
}

async function listSweeps(_: unknown, { chainOperations }: ChainOperator): Promise<Result> {
  return result(
    listing("sweeps", await chainOperations.sweeps(), [
      ["SWEEP", "id", (sweep) => sweep.id],
      ["DEPLOYMENT", "deployment_id", (sweep) => sweep.deploymentId],
      ["ADDRESS", "address", (sweep) => sweep.address],
      ["STATUS", "status", (sweep) => sweep.status],
      ["TO", "target", (sweep) => sweep.target],
      ["RAW", "amount_raw", (sweep) => sweep.amountRaw],
      ["SINCE", "created_at", (sweep) => sweep.createdAt],
      ["PROBLEM", "problem", (sweep) => sweep.problem],
    ]),
  );
}

async function listOutgoing(_: unknown, { chainOperations }: ChainOperator): Promise<Result> {
  return result(
    listing("outgoing", await chainOperations.openOutgoing(), [
      ["OUTGOING", "id", (one) => one.id],
      ["CHAIN", "chain_id", (one) => one.chainId],
      ["ACCOUNT", "account", (one) => one.account],
      ["PURPOSE", "purpose", (one) => one.purpose],
      ["SUBJECT", "subject_id", (one) => one.subjectId],
      ["STATUS", "status", (one) => one.status],
      ["NONCE", "nonce", (one) => one.nonce],
      ["HASH", "tx_hash", (one) => one.txHash],
      ["SINCE", "created_at", (one) => one.createdAt],
      ["PROBLEM", "problem", (one) => one.problem],
    ]),
  );
}

async function listSettings(_: unknown, { chainSettings }: ChainOperator): Promise<Result> {
  const none = shown(null, "none");
  return result([
    listing("gas_budgets", await chainSettings.budgets(), [
      ["CHAIN", "chain_id", ({ chainId }) => chainId],
      ["GAS PER DAY", "per_day", ({ perDay }) => perDay ?? none],
      ["PER MERCHANT", "per_merchant", ({ perMerchant }) => perMerchant ?? none],
      ["SET BY", "set_by", ({ isDefault }) => (isDefault ? "default" : "operator")],
    ]),
    said("\n"),
    listing("floats", await chainSettings.floats(), [
      ["DEPLOYMENT", "deployment_id", ({ deploymentId }) => deploymentId],
      ["FLOAT", "max", ({ max }) => max ?? none],
      ["ON HOT ACCOUNT", "on_hot", ({ onHot }) => onHot],
    ]),
  ]);
}

async function listTroubles(_: unknown, { paymentTroubles }: ChainOperator): Promise<Result> {
  return result(
    listing("payments", await paymentTroubles.list(), [
      ["PAYMENT", "payment_id", (trouble) => trouble.paymentId],
      ["SINCE", "since", (trouble) => trouble.since],
      ["TRIES", "tries", (trouble) => trouble.tries],
      ["NEXT", "next_try_at", (trouble) => trouble.nextTryAt],
      ["ERROR", "error", (trouble) => trouble.error],
    ]),
  );
}

function rememberedPart(remembered: RememberedSweep): Part {
  const { subjectId, purpose, isPlanned, transaction } = remembered;
  return fields([
    ["Remembered", "subject_id", isPlanned ? made(subjectId) : subjectId],
    ["Purpose", "purpose", purpose],
    ["Does", "does", deedText(transaction)],
    ...transactionFields(remembered),
  ]);
}

function decidedPart({ subjectId, purpose, txHash, does }: Foreign): Part {
  return fields([
    ["Decided", "subject_id", subjectId],
    ["Purpose", "purpose", purpose],
    ["As", "decided_as", shown("failed", "failed, with the next look at the chain")],
    ["Transaction", "tx_hash", txHash],
    ["Does", "does", does],
  ]);
}

/** What it moves, and at most how much gas that takes. */
function sweepablePart(rows: readonly SweepPreview[]): Part {
  return listing("sweepable", rows, [
    ["DEPLOYMENT", "deployment_id", ({ deploymentId }) => deploymentId],
    ["ADDRESSES", "addresses", ({ addresses }) => addresses],
    ["AMOUNT", "amount", ({ amount }) => amount],
    ["GAS UNITS, ABOUT", "gas_units", ({ gasUnits }) => gasUnits],
  ]);
}
