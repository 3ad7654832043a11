// The operator's commands about chains: what is sent on them, what is kept where,
// and reading one again, as text.

import type { ChainOperations } from "../../service/sweeps/operations.ts";
import type { ChainRescan, RescanReport } from "../../service/chains/rescan.ts";
import type { ChainSettings } from "../../service/sweeps/settings.ts";
import type { PaymentTroubles } from "../../service/payments/troubles.ts";
import { table } from "./tables.ts";
import { given, wholeNumber } from "./words.ts";

export interface ChainOperator {
  readonly chainOperations: ChainOperations;
  readonly chainSettings: ChainSettings;
  readonly chainRescan: ChainRescan;
  readonly paymentTroubles: Pick<PaymentTroubles, "list">;
}

export const chainUsage = `  chain sweep --chain CHAIN_ID       what arrived for payments that are over is brought together now,
                                     also where that failed a short while ago
  chain sweeps                       the newest
  chain outgoing                     what waits to be sent or is not final, and why
  chain float --deployment DEPLOYMENT_ID --max AMOUNT|none
                                     what the hot account keeps; more goes to TREASURY_ADDRESS
  chain gas-budget --chain CHAIN_ID --per-day AMOUNT|none
                                     what x402 settlements may cost in a day (UTC), in its coin
  chain settings                     both, and what the hot account has by the ledger
  chain rescan --chain CHAIN_ID --from BLOCK [--yes]
                                     reads a chain again from this block on, and says what is stored
                                     otherwise; with --yes, puts it right
  chain troubles                     payments of which something could not be worked out
`;

export const chainOptions = {
  max: { type: "string" },
  "per-day": { type: "string" },
  from: { type: "string" },
  yes: { type: "boolean" },
} as const;

interface Words {
  readonly values: {
    readonly chain?: string | undefined;
    readonly deployment?: string | undefined;
    readonly max?: string | undefined;
    readonly "per-day"?: string | undefined;
    readonly from?: string | undefined;
    readonly yes?: boolean | undefined;
  };
  readonly places: readonly string[];
}

interface ChainCommand {
  readonly run: (words: Words, operator: ChainOperator) => Promise<string>;
  readonly takes: readonly (keyof Words["values"])[];
  readonly places: readonly string[];
}

export const chainCommands: readonly (readonly [string, ChainCommand])[] = [
  ["chain sweep", { run: orderSweep, takes: ["chain"], places: [] }],
  ["chain sweeps", { run: listSweeps, takes: [], places: [] }],
  ["chain outgoing", { run: listOutgoing, takes: [], places: [] }],
  ["chain float", { run: setFloat, takes: ["deployment", "max"], places: [] }],
  ["chain gas-budget", { run: setGasBudget, takes: ["chain", "per-day"], places: [] }],
  ["chain settings", { run: listSettings, takes: [], places: [] }],
  ["chain rescan", { run: rescan, takes: ["chain", "from", "yes"], places: [] }],
  ["chain troubles", { run: listTroubles, takes: [], places: [] }],
];

async function orderSweep({ values }: Words, { chainOperations }: ChainOperator): Promise<string> {
  const chain = given(values.chain, "chain");
  await chainOperations.orderSweep(chain);
  return `${chain} is swept with the next run of its job.\n`;
}

async function listSweeps(_: Words, { chainOperations }: ChainOperator): Promise<string> {
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

async function listOutgoing(_: Words, { chainOperations }: ChainOperator): Promise<string> {
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

async function setFloat({ values }: Words, { chainSettings }: ChainOperator): Promise<string> {
  const deploymentId = given(values.deployment, "deployment");
  const max = given(values.max, "max");
  await chainSettings.setFloat(deploymentId, amountOrNone(max));
  return `Deployment  ${deploymentId}\nFloat       ${max}\n`;
}

async function setGasBudget({ values }: Words, { chainSettings }: ChainOperator): Promise<string> {
  const chainId = given(values.chain, "chain");
  const perDay = given(values["per-day"], "per-day");
  await chainSettings.setGasBudget(chainId, amountOrNone(perDay));
  return `Chain       ${chainId}\nPer day     ${perDay}\n`;
}

/** It has to be said: a limit must not go because somebody forgot a word. */
function amountOrNone(text: string): string | null {
  return text === "none" ? null : text;
}

async function listSettings(_: Words, { chainSettings }: ChainOperator): Promise<string> {
  const budgets = (await chainSettings.budgets()).map(({ chainId, perDay, isDefault }) => [
    chainId,
    perDay ?? "none",
    isDefault ? "default" : "operator",
  ]);
  const floats = (await chainSettings.floats()).map(({ deploymentId, max, onHot }) => [
    deploymentId,
    max ?? "none",
    onHot,
  ]);
  const chains = table([["CHAIN", "GAS PER DAY", "SET BY"], ...budgets]);
  return `${chains}\n${table([["DEPLOYMENT", "FLOAT", "ON HOT ACCOUNT"], ...floats])}`;
}

async function rescan({ values }: Words, { chainRescan }: ChainOperator): Promise<string> {
  const chainId = given(values.chain, "chain");
  const from = wholeNumber(given(values.from, "from"), "from") ?? 0n;
  const isDryRun = values.yes !== true;
  return rescanText(await chainRescan.run(chainId, from, { isDryRun }), isDryRun);
}

/** More than a person reads; the numbers below count all. */
const shownMax = 200;

function rescanText(report: RescanReport, isDryRun: boolean): string {
  const rows = report.changes
    .slice(0, shownMax)
    .map((change) => [
      change.what,
      change.paymentId,
      change.deploymentId,
      change.amountRaw.toString(),
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
    isDryRun ? "Nothing was changed; --yes does it." : "Done.",
  ];
  const list = rows.length === 0 ? "" : table([heading, ...rows]);
  return `${list}${more > 0 ? `and ${more} more\n` : ""}${lines.join("\n")}\n`;
}

async function listTroubles(_: Words, { paymentTroubles }: ChainOperator): Promise<string> {
  const rows = (await paymentTroubles.list()).map((trouble) => [
    trouble.paymentId,
    trouble.since.toISOString(),
    String(trouble.tries),
    trouble.nextTryAt.toISOString(),
    trouble.error,
  ]);
  return table([["PAYMENT", "SINCE", "TRIES", "NEXT", "ERROR"], ...rows]);
}
