// The operator's commands about chains: what is sent on them, what is kept where,
// and reading one again, as text.

import type { ChainOperations, SweepPreview } from "../../service/sweeps/operations.ts";
import type { ChainRescan, RescanReport } from "../../service/chains/rescan.ts";
import type { RescanChange } from "../../service/chains/rescan-changes.ts";
import type { ChainSettings } from "../../service/sweeps/settings.ts";
import type { PaymentTroubles } from "../../service/payments/troubles.ts";
import { table } from "./tables.ts";
import { type Command, command, flag, optional, text, wholeNumber } from "./words.ts";

export interface ChainOperator {
  readonly chainOperations: ChainOperations;
  readonly chainSettings: ChainSettings;
  readonly chainRescan: ChainRescan;
  readonly paymentTroubles: Pick<PaymentTroubles, "list">;
}

const limit = text("AMOUNT|none");

export const chainCommands: readonly Command<ChainOperator>[] = [
  command("chain sweep", {
    says:
      "what arrived for payments that are over is brought together now, also where that failed " +
      "a short while ago, or costs more gas than it brings",
    words: { chain: text("CHAIN_ID"), preview: flag("what it would cost; nothing is ordered") },
    run: async ({ chain, preview }, { chainOperations }: ChainOperator) => {
      if (preview) return sweepPreviewText(await chainOperations.previewSweep(chain));
      await chainOperations.orderSweep(chain);
      return `${chain} is swept with the next run of its job.\n`;
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
    run: async ({ deployment, max }, { chainSettings }: ChainOperator) => {
      await chainSettings.setFloat(deployment, amountOrNone(max));
      return `Deployment  ${deployment}\nFloat       ${max}\n`;
    },
  }),
  command("chain gas-budget", {
    says: "what x402 settlements may cost in a day (UTC), in its coin",
    words: {
      chain: text("CHAIN_ID"),
      "per-day": limit,
      "per-merchant": optional(text("AMOUNT", "of that, for one merchant; default: a quarter")),
    },
    run: async (given, { chainSettings }: ChainOperator) => {
      const { chain, "per-day": perDay, "per-merchant": perMerchant } = given;
      await chainSettings.setGasBudget(chain, amountOrNone(perDay), perMerchant ?? null);
      const part = perMerchant ?? (perDay === "none" ? "none" : "a quarter");
      return `Chain       ${chain}\nPer day     ${perDay}\nMerchant    ${part}\n`;
    },
  }),
  command("chain settings", {
    says: "both, and what the hot account has by the ledger",
    words: {},
    run: listSettings,
  }),
  command("chain rescan", {
    says: "reads a chain again from this block on, and says what is stored otherwise",
    words: {
      chain: text("CHAIN_ID"),
      from: wholeNumber("BLOCK"),
      yes: flag("puts it right"),
    },
    run: async ({ chain, from, yes }, { chainRescan }: ChainOperator) =>
      rescanText(await chainRescan.run(chain, from, { isDryRun: !yes }), !yes),
  }),
  command("chain troubles", {
    says: "payments of which something could not be worked out",
    words: {},
    run: listTroubles,
  }),
];

/** It has to be said: a limit must not go because somebody forgot a word. */
function amountOrNone(given: string): string | null {
  return given === "none" ? null : given;
}

async function listSweeps(_: unknown, { chainOperations }: ChainOperator): Promise<string> {
  const rows = (await chainOperations.sweeps()).map((sweep) => [
    sweep.id,
    sweep.deploymentId,
    sweep.address,
    sweep.status,
    sweep.target,
    sweep.amountRaw.toString(),
    sweep.createdAt.toISOString(),
    sweep.problem ?? "-",
  ]);
  const heading = ["SWEEP", "DEPLOYMENT", "ADDRESS", "STATUS", "TO", "RAW", "SINCE", "PROBLEM"];
  return table([heading, ...rows]);
}

async function listOutgoing(_: unknown, { chainOperations }: ChainOperator): Promise<string> {
  const rows = (await chainOperations.openOutgoing()).map((outgoing) => [
    outgoing.id,
    outgoing.chainId,
    outgoing.account,
    outgoing.purpose,
    outgoing.subjectId,
    outgoing.status,
    outgoing.txHash ?? "-",
    outgoing.createdAt.toISOString(),
    outgoing.problem ?? "-",
  ]);
  const heading = ["OUTGOING", "CHAIN", "ACCOUNT", "PURPOSE", "SUBJECT", "STATUS", "HASH"];
  return table([[...heading, "SINCE", "PROBLEM"], ...rows]);
}

async function listSettings(_: unknown, { chainSettings }: ChainOperator): Promise<string> {
  const budgets = (await chainSettings.budgets()).map(
    ({ chainId, perDay, perMerchant, isDefault }) => [
      chainId,
      perDay ?? "none",
      perMerchant ?? "none",
      isDefault ? "default" : "operator",
    ],
  );
  const floats = (await chainSettings.floats()).map(({ deploymentId, max, onHot }) => [
    deploymentId,
    max ?? "none",
    onHot,
  ]);
  const chains = table([["CHAIN", "GAS PER DAY", "PER MERCHANT", "SET BY"], ...budgets]);
  return `${chains}\n${table([["DEPLOYMENT", "FLOAT", "ON HOT ACCOUNT"], ...floats])}`;
}

/** More than a person reads; the numbers below count all. */
const shownMax = 200;

function rescanText(report: RescanReport, isDryRun: boolean): string {
  const rows = report.changes
    .slice(0, shownMax)
    .map((change) => [
      change.what,
      change.paymentId ?? "nobody's",
      change.deploymentId,
      rawText(change),
      `${change.txHash} ${change.logIndex}`,
      change.blockNumber.toString(),
    ]);
  const more = report.changes.length - rows.length;
  const count = (what: string) => report.changes.filter((change) => change.what === what).length;
  const heading = ["DEPOSIT", "PAYMENT", "DEPLOYMENT", "RAW", "TRANSACTION", "BLOCK"];
  const lines = [
    `Blocks ${report.fromNumber} to ${report.toNumber}: ${report.otherBlocks} are other ones than stored.`,
    `Deposits: ${report.same} as stored, ${count("gone")} gone, ${count("moved")} in another block, ` +
      `${count("new")} new, ${count("kept")} kept that cannot be read again.`,
    ...measuredLines(report),
    isDryRun ? "Nothing was changed; --yes does it." : "Done.",
  ];
  const list = rows.length === 0 ? "" : table([heading, ...rows]);
  return `${list}${more > 0 ? `and ${more} more\n` : ""}${lines.join("\n")}\n`;
}

function rawText({ amountRaw, beforeRaw }: RescanChange): string {
  return beforeRaw === undefined ? amountRaw.toString() : `${beforeRaw}, now ${amountRaw}`;
}

function measuredLines({ unmeasured, changes }: RescanReport): readonly string[] {
  const count = (what: string) => changes.filter((change) => change.what === what).length;
  const [corrected, final] = [count("corrected"), count("final")];
  const lines: string[] = [];
  if (unmeasured > 0) {
    lines.push(
      `${unmeasured} count when the nodes say what they have brought (alarm transfer_unmeasured).`,
    );
  }
  if (corrected > 0)
    lines.push(`${corrected} are corrected: measured anew, they have brought something else.`);
  if (final > 0) {
    lines.push(
      `${final} are final and stay as they are booked, though the nodes say something else now: ` +
        "see docs/running/catalog.md, tokens that keep a part.",
    );
  }
  return lines;
}

async function listTroubles(_: unknown, { paymentTroubles }: ChainOperator): Promise<string> {
  const rows = (await paymentTroubles.list()).map((trouble) => [
    trouble.paymentId,
    trouble.since.toISOString(),
    String(trouble.tries),
    trouble.nextTryAt.toISOString(),
    trouble.error,
  ]);
  return table([["PAYMENT", "SINCE", "TRIES", "NEXT", "ERROR"], ...rows]);
}

function sweepPreviewText(rows: readonly SweepPreview[]): string {
  const heading = ["DEPLOYMENT", "ADDRESSES", "AMOUNT", "GAS UNITS, ABOUT"];
  const lines = rows.map(({ deploymentId, addresses, amount, gasUnits }) => [
    deploymentId,
    addresses.toString(),
    amount,
    gasUnits.toString(),
  ]);
  return `Preview: nothing was ordered.\n${table([heading, ...lines])}`;
}
