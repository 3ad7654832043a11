// The operator's commands: text in, text out. The same function runs in a process of its own or,
// when the embedded database belongs to a running server, in that server.

import { parseArgs } from "node:util";
import type { Audit, AuditAnchor } from "../../service/audit/audit.ts";
import type { Jobs } from "../../service/jobs/jobs.ts";
import type { LedgerOperations } from "../../service/ledger/operations.ts";
import type { Merchant, Merchants } from "../../service/merchants/merchants.ts";
import { OperatorError } from "../../service/operator-error.ts";
import type { Resealed } from "../../service/secrets/resealing.ts";
import * as chains from "./chains.ts";
import { fundLedger, ledgerUsage, listBalances } from "./ledger.ts";
import { unfreezeDeployment, verifyLedger } from "./ledger.ts";
import { type KeyOperator, keyCommands, keyNotes, keyOptions, keyUsage } from "./keys.ts";
import { merchantTable, merchantText } from "./merchants.ts";
import * as subscriptions from "./subscriptions.ts";
import { auditTable, jobTable, table, verdictText } from "./tables.ts";
import * as withdrawals from "./withdrawals.ts";
import { type AdminAnswer, done, given, UsageError, wholeNumber } from "./words.ts";

/** What the commands work on. */
export interface Operator
  extends
    KeyOperator,
    withdrawals.WithdrawalOperator,
    subscriptions.SubscriptionOperator,
    chains.ChainOperator {
  readonly merchants: Merchants;
  readonly jobs: Pick<Jobs, "list">;
  readonly audit: Audit;
  readonly ledger: LedgerOperations;
  /** Gives the difference, a line each. */
  readonly applyCatalog: (
    file: AdminFile,
    options: { readonly isDryRun: boolean },
  ) => Promise<readonly string[]>;
  readonly reseal: () => Promise<readonly Resealed[]>;
}

export interface AdminFile {
  readonly name: string;
  readonly text: string;
}

export interface AdminRequest {
  readonly words: readonly string[];
  /** what `catalog apply` names, read by whoever stands where its path means something */
  readonly file?: AdminFile;
}

const auditLimitStandard = 50;
const auditLimitMax = 1000;

export const adminUsage = `usage: npm run admin -- COMMAND

  merchant create --name NAME
  merchant list
  merchant suspend MERCHANT_ID       every request of its keys is refused from now on
  merchant activate MERCHANT_ID
  merchant fee --merchant MERCHANT_ID --bps NUMBER
                                     basis points of what payments receive, for those made from now on

${keyUsage}
  catalog apply FILE [--dry-run]     brings currencies and deployments to what the file says
  secrets reseal                     seals what ENCRYPTION_KEYS_OLDER sealed with ENCRYPTION_KEY

  job list                           how the background jobs are doing
  audit list [--after NUMBER]        who changed what: the newest entries, or those after one
             [--limit NUMBER]        1 to ${auditLimitMax}; default: ${auditLimitStandard}
  audit verify [--head NUMBER:HASH]  whether the log is as it was written, and prints its head; with
                                     a head of before, whether that is still part of it

${ledgerUsage}
${withdrawals.withdrawalUsage}

${subscriptions.subscriptionUsage}

${chains.chainUsage}${keyNotes}`;

/** Never throws for what an operator can do wrong; exit code 1: refused, 2: wrong words. */
export async function runAdmin(request: AdminRequest, operator: Operator): Promise<AdminAnswer> {
  try {
    return await dispatch(request, operator);
  } catch (error) {
    if (error instanceof OperatorError) {
      return { exitCode: 1, output: "", errors: `${error.message}\n` };
    }
    if (error instanceof UsageError || isParseArgsError(error)) {
      return { exitCode: 2, output: "", errors: `${error.message}\n\n${adminUsage}` };
    }
    throw error;
  }
}

const options = {
  name: { type: "string" },
  merchant: { type: "string" },
  ...keyOptions,
  "dry-run": { type: "boolean" },
  after: { type: "string" },
  bps: { type: "string" },
  limit: { type: "string" },
  head: { type: "string" },
  deployment: { type: "string" },
  amount: { type: "string" },
  reference: { type: "string" },
  account: { type: "string" },
  ...withdrawals.withdrawalOptions,
  ...subscriptions.subscriptionOptions,
  ...chains.chainOptions,
  help: { type: "boolean", short: "h" },
} as const;

type OptionName = keyof typeof options;

function parseWords(words: readonly string[]) {
  return parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
}

interface Words {
  readonly values: ReturnType<typeof parseWords>["values"];
  readonly places: readonly string[];
}

type Run = (words: Words, operator: Operator, file: AdminFile | undefined) => Promise<AdminAnswer>;

interface Command {
  readonly run: Run;
  readonly takes: readonly OptionName[];
  /** what follows the two words of the command */
  readonly places: readonly string[];
}

const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ["merchant create", { run: createMerchant, takes: ["name"], places: [] }],
  ["merchant list", { run: listMerchants, takes: [], places: [] }],
  ["merchant suspend", { run: setStatus("suspended"), takes: [], places: ["MERCHANT_ID"] }],
  ["merchant fee", { run: setFee, takes: ["merchant", "bps"], places: [] }],
  ["merchant activate", { run: setStatus("active"), takes: [], places: ["MERCHANT_ID"] }],
  ...keyCommands,
  ["catalog apply", { run: applyCatalog, takes: ["dry-run"], places: ["FILE"] }],
  ["secrets reseal", { run: reseal, takes: [], places: [] }],
  ["job list", { run: listJobs, takes: [], places: [] }],
  ["audit list", { run: listAudit, takes: ["after", "limit"], places: [] }],
  ["audit verify", { run: verifyAudit, takes: ["head"], places: [] }],
  ...[
    ...withdrawals.withdrawalCommands,
    ...subscriptions.subscriptionCommands,
    ...chains.chainCommands,
  ].map(([name, { run, ...rest }]): [string, Command] => [
    name,
    { ...rest, run: async (words, operator) => done(await run(words, operator)) },
  ]),
  ["ledger verify", { run: (_, { ledger }) => verifyLedger(ledger), takes: [], places: [] }],
  ["ledger balances", { run: ledgerBalances, takes: ["merchant"], places: [] }],
  [
    "ledger fund",
    { run: fund, takes: ["deployment", "amount", "account", "reference"], places: [] },
  ],
  ["ledger unfreeze", { run: unfreeze, takes: ["deployment"], places: [] }],
]);

export const adminCommands: readonly string[] = Array.from(commands.keys());

async function dispatch(request: AdminRequest, operator: Operator): Promise<AdminAnswer> {
  const { values, positionals } = parseWords(request.words);
  if (values.help === true) return done(adminUsage);
  const name = positionals.slice(0, 2).join(" ");
  if (name === "") throw new UsageError("Say what to do.");
  const command = commands.get(name);
  if (command === undefined) throw new UsageError(`There is no command "${name}".`);
  const foreign = Object.keys(values).filter((one) => !command.takes.some((each) => each === one));
  if (foreign.length > 0) throw new UsageError(`"${name}" takes no --${foreign.join(", --")}.`);
  const places = positionals.slice(2);
  if (places.length !== command.places.length) {
    const wanted = command.places.length === 0 ? "nothing more" : command.places.join(" ");
    throw new UsageError(`"${name}" takes ${wanted}.`);
  }
  return command.run({ values, places }, operator, request.file);
}

async function createMerchant({ values }: Words, { merchants }: Operator): Promise<AdminAnswer> {
  return done(merchantText(await merchants.create(given(values.name, "name"))));
}

function setStatus(status: Merchant["status"]): Run {
  return async ({ places: [id = ""] }, { merchants }) =>
    done(merchantText(await merchants.setStatus(id, status)));
}

async function setFee({ values }: Words, { merchants }: Operator): Promise<AdminAnswer> {
  const bps = Number(wholeNumber(given(values.bps, "bps"), "bps"));
  return done(merchantText(await merchants.setFee(given(values.merchant, "merchant"), bps)));
}

async function listMerchants(_: Words, { merchants }: Operator): Promise<AdminAnswer> {
  return done(await merchantTable(merchants));
}

async function applyCatalog(
  { values }: Words,
  operator: Operator,
  file: AdminFile | undefined,
): Promise<AdminAnswer> {
  if (file === undefined) throw new UsageError("catalog apply needs the text of its file.");
  const lines = await operator.applyCatalog(file, { isDryRun: values["dry-run"] === true });
  return done(lines.map((line) => `${line}\n`).join(""));
}

async function listJobs(_words: Words, operator: Operator): Promise<AdminAnswer> {
  return done(jobTable(await operator.jobs.list()));
}

async function reseal(_words: Words, operator: Operator): Promise<AdminAnswer> {
  const report = await operator.reseal();
  const rows = report.map((one) => [one.place, String(one.resealed), String(one.upToDate)]);
  return done(table([["SECRETS", "SEALED ANEW", "UP TO DATE"], ...rows]));
}

async function listAudit({ values }: Words, operator: Operator): Promise<AdminAnswer> {
  const limit = Number(wholeNumber(values.limit, "limit") ?? auditLimitStandard);
  if (limit < 1 || limit > auditLimitMax) {
    throw new UsageError(`--limit is a number from 1 to ${auditLimitMax}.`);
  }
  const after = wholeNumber(values.after, "after");
  return done(auditTable(await operator.audit.list({ after, limit })));
}

async function verifyAudit({ values }: Words, operator: Operator): Promise<AdminAnswer> {
  const verdict = await operator.audit.verify(anchorOf(values));
  const errors = verdict.problems.map((problem) => `${problem}\n`).join("");
  return { exitCode: errors === "" ? 0 : 1, output: verdictText(verdict), errors };
}

function ledgerBalances({ values }: Words, { ledger }: Operator): Promise<AdminAnswer> {
  return listBalances(ledger, values.merchant);
}

async function fund({ values }: Words, { ledger }: Operator): Promise<AdminAnswer> {
  const deploymentId = given(values.deployment, "deployment");
  const amount = given(values.amount, "amount");
  const { account, reference } = values;
  return await fundLedger(ledger, { deploymentId, amount, account, reference });
}

async function unfreeze({ values }: Words, { ledger }: Operator): Promise<AdminAnswer> {
  return await unfreezeDeployment(ledger, given(values.deployment, "deployment"));
}

function anchorOf({ head }: Words["values"]): AuditAnchor | undefined {
  if (head === undefined) return undefined;
  const [, sequence, hash] = /^(\d{1,18}):([0-9a-f]{64})$/.exec(head) ?? [];
  if (sequence !== undefined && hash !== undefined) return { sequence: BigInt(sequence), hash };
  throw new UsageError("--head is what audit verify printed: a number, a colon and 64 hex digits.");
}

function isParseArgsError(error: unknown): error is Error {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return String(error.code).startsWith("ERR_PARSE_ARGS_");
}
