// The operator's commands: text in, text out. The same function runs in a process of its own or,
// when the embedded database belongs to a running server, in that server.

import { parseArgs } from "node:util";
import type { ApiKeys, ApiKey, IssuedKey } from "../service/api-keys.ts";
import type { Audit, AuditAnchor } from "../service/audit.ts";
import type { Jobs } from "../service/jobs.ts";
import type { LedgerOperations } from "../service/ledger-operations.ts";
import type { Merchant, Merchants } from "../service/merchants.ts";
import { OperatorError } from "../service/operator-error.ts";
import type { Clock } from "../service/ports/clock.ts";
import type { Resealed } from "../service/resealing.ts";
import { isRole, roles, scopes } from "../service/scopes.ts";
import { fundLedger, ledgerUsage, listBalances } from "./admin-ledger.ts";
import { unfreezeDeployment, verifyLedger } from "./admin-ledger.ts";
import {
  addMerchant,
  listMerchants,
  setMerchantFee,
  setMerchantStatus,
} from "./admin-merchants.ts";
import * as subscriptions from "./admin-subscriptions.ts";
import { auditTable, jobTable, table, verdictText } from "./admin-tables.ts";
import * as withdrawals from "./admin-withdrawals.ts";
import { parseDurationMilliseconds, parseMoment } from "./duration.ts";

/** What the commands work on. */
export interface Operator
  extends withdrawals.WithdrawalOperator, subscriptions.SubscriptionOperator {
  readonly clock: Clock;
  readonly merchants: Merchants;
  readonly apiKeys: ApiKeys;
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

export interface AdminAnswer {
  readonly exitCode: 0 | 1 | 2;
  readonly output: string;
  readonly errors: string;
}

/** Wrong words, as opposed to a wish that cannot be granted. */
class UsageError extends Error {}

const auditLimitStandard = 50;
const auditLimitMax = 1000;

export const adminUsage = `usage: npm run admin -- COMMAND

  merchant create --name NAME
  merchant list
  merchant suspend MERCHANT_ID       every request of its keys is refused from now on
  merchant activate MERCHANT_ID
  merchant fee --merchant MERCHANT_ID --bps NUMBER
                                     basis points of what payments receive, for those made from now on

  key create --merchant MERCHANT_ID (--scopes SCOPE,... | --role ROLE | --no-scopes) [--live]
             [--cidr RANGE]...       addresses it may be used from; default: any
             [--expires WHEN]        90d, 2027-01-31 or 2027-01-31T12:00:00Z; default: never
  key rotate KEY_ID [--overlap 24h]  a second key with the same rights; the old one ends after the
             [--expires WHEN|never]  overlap, 0 to 7d; the new one lives as long as the old one
                                     was made to live, unless --expires says otherwise
  key revoke KEY_ID                  at once and for ever
  key list [--merchant MERCHANT_ID]

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
A secret is shown once, by the command that makes it. Keys are test keys unless --live is given.
SCOPES  ${wrapped(scopes)}
ROLES   ${Object.entries(roles)
  .map(([name, list]) => `${name}: ${list.join(" ")}`)
  .join("\n        ")}
`;

function wrapped(words: readonly string[]): string {
  const half = Math.ceil(words.length / 2);
  return [words.slice(0, half), words.slice(half)].map((line) => line.join(" ")).join("\n        ");
}

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
  scopes: { type: "string" },
  role: { type: "string" },
  "no-scopes": { type: "boolean" },
  live: { type: "boolean" },
  cidr: { type: "string", multiple: true },
  expires: { type: "string" },
  overlap: { type: "string" },
  "dry-run": { type: "boolean" },
  after: { type: "string" },
  bps: { type: "string" },
  limit: { type: "string" },
  head: { type: "string" },
  deployment: { type: "string" },
  amount: { type: "string" },
  reference: { type: "string" },
  ...withdrawals.withdrawalOptions,
  ...subscriptions.subscriptionOptions,
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
  ["merchant list", { run: (_, { merchants }) => listMerchants(merchants), takes: [], places: [] }],
  ["merchant suspend", { run: setStatus("suspended"), takes: [], places: ["MERCHANT_ID"] }],
  ["merchant fee", { run: setFee, takes: ["merchant", "bps"], places: [] }],
  ["merchant activate", { run: setStatus("active"), takes: [], places: ["MERCHANT_ID"] }],
  [
    "key create",
    {
      run: createKey,
      takes: ["merchant", "scopes", "role", "no-scopes", "live", "cidr", "expires"],
      places: [],
    },
  ],
  ["key rotate", { run: rotateKey, takes: ["overlap", "expires"], places: ["KEY_ID"] }],
  ["key revoke", { run: revokeKey, takes: [], places: ["KEY_ID"] }],
  ["key list", { run: listKeys, takes: ["merchant"], places: [] }],
  ["catalog apply", { run: applyCatalog, takes: ["dry-run"], places: ["FILE"] }],
  ["secrets reseal", { run: reseal, takes: [], places: [] }],
  ["job list", { run: listJobs, takes: [], places: [] }],
  ["audit list", { run: listAudit, takes: ["after", "limit"], places: [] }],
  ["audit verify", { run: verifyAudit, takes: ["head"], places: [] }],
  ...[...withdrawals.withdrawalCommands, ...subscriptions.subscriptionCommands].map(
    ([name, { run, ...rest }]): [string, Command] => [
      name,
      { ...rest, run: async (words, operator) => done(await run(words, operator)) },
    ],
  ),
  ["ledger verify", { run: (_, { ledger }) => verifyLedger(ledger), takes: [], places: [] }],
  ["ledger balances", { run: ledgerBalances, takes: ["merchant"], places: [] }],
  ["ledger fund", { run: fund, takes: ["deployment", "amount", "reference"], places: [] }],
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

function createMerchant({ values }: Words, { merchants }: Operator): Promise<AdminAnswer> {
  return addMerchant(merchants, given(values.name, "name"));
}

function setStatus(status: Merchant["status"]): Run {
  return ({ places: [id = ""] }, { merchants }) => setMerchantStatus(merchants, id, status);
}

function setFee({ values }: Words, { merchants }: Operator): Promise<AdminAnswer> {
  const bps = Number(wholeNumber(given(values.bps, "bps"), "bps"));
  return setMerchantFee(merchants, given(values.merchant, "merchant"), bps);
}

async function createKey({ values }: Words, operator: Operator): Promise<AdminAnswer> {
  const issued = await operator.apiKeys.create({
    merchantId: given(values.merchant, "merchant"),
    environment: values.live === true ? "live" : "test",
    scopes: scopesOf(values),
    cidrs: values.cidr ?? [],
    expiresAt: expiryOf(values, operator),
    role: values.role !== undefined && isRole(values.role) ? values.role : undefined,
  });
  return done(issuedText(issued), secretNote);
}

async function rotateKey(
  { values, places: [keyId = ""] }: Words,
  operator: Operator,
): Promise<AdminAnswer> {
  const overlapMilliseconds = parseDurationMilliseconds(values.overlap ?? "24h");
  if (overlapMilliseconds === undefined) {
    throw new UsageError("--overlap is a duration such as 24h, 7d or 0.");
  }
  const { expires } = values;
  const expiresAt =
    expires === undefined ? undefined : expires === "never" ? null : expiryOf(values, operator);
  const issued = await operator.apiKeys.rotate({ keyId, overlapMilliseconds, expiresAt });
  const old = await operator.apiKeys.get(keyId);
  const end = `Old key     ${keyId} until ${old.expiresAt?.toISOString() ?? "revoked"}\n`;
  return done(issuedText(issued) + end, secretNote);
}

async function revokeKey(
  { places: [keyId = ""] }: Words,
  operator: Operator,
): Promise<AdminAnswer> {
  const key = await operator.apiKeys.revoke(keyId);
  return done(`${key.id} is revoked since ${key.revokedAt?.toISOString() ?? "now"}.\n`);
}

async function listKeys({ values }: Words, operator: Operator): Promise<AdminAnswer> {
  const now = new Date(operator.clock.nowMilliseconds());
  const keys = await operator.apiKeys.list(values.merchant ?? null);
  const rows = keys.map((key) => [
    key.id,
    key.merchantId,
    keyState(key, now),
    key.expiresAt?.toISOString() ?? "never",
    key.cidrs.join(",") || "any address",
    key.scopes.join(",") || "no scopes",
  ]);
  return done(table([["KEY", "MERCHANT", "STATE", "EXPIRES", "FROM", "SCOPES"], ...rows]));
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
  return await fundLedger(ledger, { deploymentId, amount, reference: values.reference });
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

function wholeNumber(text: string | undefined, name: OptionName): bigint | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,18}$/.test(text)) return BigInt(text);
  throw new UsageError(`--${name} is a whole number.`);
}

function scopesOf(values: Words["values"]): readonly string[] {
  const ways = [values.scopes, values.role, values["no-scopes"]].filter((one) => one !== undefined);
  if (ways.length !== 1) throw new UsageError("Give one of --scopes, --role and --no-scopes.");
  if (values.scopes !== undefined) {
    return values.scopes
      .split(",")
      .map((scope) => scope.trim())
      .filter((scope) => scope !== "");
  }
  if (values.role === undefined) return [];
  if (isRole(values.role)) return roles[values.role];
  throw new UsageError(`There is no role "${values.role}".`);
}

function expiryOf({ expires }: Words["values"], { clock }: Operator): Date | null {
  if (expires === undefined) return null;
  const moment = parseMoment(expires, clock.nowMilliseconds());
  if (moment !== undefined) return moment;
  throw new UsageError("--expires is a duration such as 90d, or a date such as 2027-01-31.");
}

function given(value: string | undefined, name: OptionName): string {
  if (value !== undefined && value.trim() !== "") return value;
  throw new UsageError(`--${name} is missing.`);
}

const secretNote = "The secret is shown this once: it cannot be read again, only rotated.\n";

function done(output: string, errors = ""): AdminAnswer {
  return { exitCode: 0, output, errors };
}

function issuedText({ key, secret }: IssuedKey): string {
  const lines = [
    ["API key", key.id],
    ["API secret", secret],
    ["Merchant", key.merchantId],
    ["Scopes", key.scopes.join(" ") || "none"],
    ["From", key.cidrs.join(" ") || "any address"],
    ["Expires", key.expiresAt?.toISOString() ?? "never"],
  ];
  return lines.map(([name = "", value]) => `${name.padEnd(11)} ${value}\n`).join("");
}

function keyState(key: ApiKey, now: Date): string {
  if (key.revokedAt !== null) return "revoked";
  return key.expiresAt !== null && key.expiresAt <= now ? "expired" : "active";
}

function isParseArgsError(error: unknown): error is Error {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return String(error.code).startsWith("ERR_PARSE_ARGS_");
}
