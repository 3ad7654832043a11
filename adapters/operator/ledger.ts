// The operator's commands about the ledger, as text.

import { verdictLines } from "../../service/ledger/verifier.ts";
import type {
  Freeze,
  LedgerOperations,
  ShownDifference,
  ShownRound,
} from "../../service/ledger/operations.ts";
import { handBookedParts } from "./by-hand.ts";
import { asShown, codeOf, lookFor } from "./as-shown.ts";
import { type Column, fields, listing, type Part, result, type Result } from "./results.ts";
import { allSnakeCased, said, snakeCased, type Value } from "./results.ts";
import { type Command, command, oneOf, optional, text } from "./words.ts";

export interface LedgerOperator {
  readonly ledger: LedgerOperations;
}

const deployment = text("DEPLOYMENT_ID");
const amount = text("AMOUNT");
const accounts = ["hot", "settlement", "treasury"] as const;
const hash = text("TX_HASH", "of the transfer that has done it; it counts once");

export const ledgerCommands: readonly Command<LedgerOperator>[] = [
  command("ledger verify", {
    says: "recomputes every balance from its postings; exit 1: one differs",
    words: {},
    run: verifyLedger,
  }),
  command("ledger balances", {
    says: "default: all merchants added up, what differs from the chains, what is frozen",
    words: { merchant: optional(text("MERCHANT_ID")) },
    run: listBalances,
  }),
  command("ledger fund", {
    says: "you have sent coins there; a reference counts once",
    words: {
      deployment,
      amount,
      account: optional(oneOf(accounts, "default: hot")),
      reference: optional(text("TX_HASH")),
    },
    dryRun: "rehearsal",
    run: async (given, { ledger }: LedgerOperator) =>
      result(
        handBookedParts(
          "Funding",
          await ledger.own.fund({ ...given, deploymentId: given.deployment }),
        ),
      ),
  }),
  command("ledger move", {
    says: "you have carried coins from one account of yours to another",
    words: {
      deployment,
      amount,
      from: oneOf(accounts),
      to: oneOf(accounts),
      reference: hash,
    },
    dryRun: "rehearsal",
    run: async (given, { ledger }: LedgerOperator) =>
      result(
        handBookedParts(
          "Move",
          await ledger.own.move({ ...given, deploymentId: given.deployment }),
        ),
      ),
  }),
  command("ledger take", {
    says: "you have sent coins from there to somewhere else",
    words: {
      deployment,
      amount,
      account: oneOf(accounts),
      of: oneOf(
        ["fees", "capital", "gas"],
        "what was earned, what you have put in, or what your own transaction has cost",
      ),
      reference: hash,
    },
    dryRun: "rehearsal",
    run: async (given, { ledger }: LedgerOperator) =>
      result(
        handBookedParts(
          "Taking",
          await ledger.own.take({ ...given, deploymentId: given.deployment }),
        ),
      ),
  }),
  command("ledger unfreeze", {
    says: "withdrawals go on; until the next check, if the gap is still there",
    words: { deployment, "as-shown": asShown },
    dryRun: "rehearsal",
    run: async ({ deployment: id, "as-shown": code }, { ledger }: LedgerOperator) => {
      const look = lookFor<Freeze>({ code, bound: boundFreeze, part: freezePart });
      const freeze = await ledger.unfreeze(id, look);
      const end = said(`Withdrawals of ${id} go on. It was frozen:\n`);
      return result([end, freezePart(freeze)], { shownAs: codeOf(boundFreeze(freeze)) });
    },
  }),
];

function boundFreeze({ deploymentId, since, reason }: Freeze): Value {
  return [deploymentId, since, reason];
}

function freezePart({ deploymentId, since, reason }: Freeze): Part {
  return fields([
    ["Deployment", "deployment_id", deploymentId],
    ["Since", "since", since],
    // Nobody else freezes: the comparison of what is there with what is owed.
    ["By", "by", "system"],
    ["Reason", "reason", reason],
  ]);
}

/** Exit code 1: something differs. */
async function verifyLedger(_: unknown, { ledger }: LedgerOperator): Promise<Result> {
  const verdict = await ledger.verify();
  const lines = verdictLines(verdict).map((line) => `${line}\n`);
  const isWell = verdict.differencesCount === 0;
  const values = { agrees: isWell, ...snakeCased(verdict) };
  return result(said(lines.join(""), values), { isWell });
}

type ShownBalance = Awaited<ReturnType<LedgerOperations["balances"]>>[number];

const balanceColumns: readonly Column<ShownBalance>[] = [
  ["DEPLOYMENT", "deployment_id", (one) => one.deploymentId],
  ["ACCOUNT", "account", (one) => one.account],
  ["RAW", "amount_raw", (one) => one.raw],
  ["AMOUNT", "amount", (one) => one.amount],
];
const environmentColumn: Column<ShownBalance> = [
  "ENVIRONMENT",
  "environment",
  (one) => one.environment,
];

async function listBalances(
  { merchant }: { readonly merchant: string | undefined },
  { ledger }: LedgerOperator,
): Promise<Result> {
  const balances = await ledger.balances(merchant ?? null);
  if (merchant !== undefined) {
    return result(listing("balances", balances, [environmentColumn, ...balanceColumns]));
  }
  return result([
    listing("balances", balances, balanceColumns),
    lines("differences", await ledger.differences(), differenceText),
    lines("address_rounds", await ledger.addressRounds(), roundText),
    lines("freezes", await ledger.freezes(), freezeText),
  ]);
}

/** A line for each, and none where there is none. */
function lines<One extends object>(
  key: string,
  all: readonly One[],
  text: (one: One) => string,
): Part {
  return said(all.map((one) => `${text(one)}\n`).join(""), { [key]: allSnakeCased(all) });
}

function differenceText({ deploymentId, account, above, ...difference }: ShownDifference): string {
  const { held, booked, blockNumber, since } = difference;
  const word = above.startsWith("-") ? "GAP    " : "SURPLUS";
  const numbers = `${held} held, ${booked} booked, after block ${blockNumber}`;
  return `${word}     ${deploymentId} ${account}: ${above} since ${since.toISOString()} (${numbers})`;
}

function roundText({ deploymentId, last, running, leftOut }: ShownRound): string {
  const pages = (runs: number) => (runs === 1 ? "1 run" : `${runs} runs`);
  const ended =
    last === null
      ? "no round has ended yet"
      : `the last round ended ${last.endedAt.toISOString()}, ${last.addresses} in ` +
        `${pages(last.runs)} since ${last.startedAt.toISOString()}`;
  const now =
    running === null
      ? ""
      : `; ${running.addresses} in ${pages(running.runs)} since ${running.startedAt.toISOString()}`;
  const missing =
    leftOut === null
      ? ""
      : `; LEFT OUT ${leftOut.addresses} since ${leftOut.since.toISOString()}, asked again in the next run`;
  return `COMPARED    ${deploymentId} addresses of payments: ${ended}${now}${missing}`;
}

function freezeText({ deploymentId, since, reason }: Freeze): string {
  return `FROZEN      ${deploymentId} since ${since.toISOString()}: ${reason}`;
}
