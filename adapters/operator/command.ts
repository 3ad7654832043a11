// The operator's commands: text in, text out. The same function runs in a process of its own or,
// when the embedded database belongs to a running server, in that server.

import { NotReachable, OperatorError } from "../../service/operator-error.ts";
import { type ChainOperator, chainCommands } from "./chains.ts";
import { completionCommand } from "./completion.ts";
import { type KeyOperator, keyCommands } from "./keys.ts";
import { type LedgerOperator, ledgerCommands } from "./ledger.ts";
import { type MerchantOperator, merchantCommands } from "./merchants.ts";
import { type SignerOperator, signerCommands } from "./signer.ts";
import { type SubscriptionOperator, subscriptionCommands } from "./subscriptions.ts";
import { type SuspenseOperator, suspenseCommands } from "./suspense.ts";
import { type SystemOperator, systemCommands } from "./system.ts";
import { endingsUsage, optionsUsage, usageOf } from "./usage.ts";
import { type WebhookOperator, webhookCommands } from "./webhooks.ts";
import { type WithdrawalOperator, withdrawalCommands } from "./withdrawals.ts";
import { type AdminAnswer, answerOf, failureOf } from "./answers.ts";
import { NotAsShown } from "./as-shown.ts";
import type { Rehearse } from "./rehearsal.ts";
import { type Result, triedResult } from "./results.ts";
import { type AdminFile, type Command, everywhere, ofAsking, ofChanges } from "./words.ts";
import { readWords, UsageError } from "./words.ts";

/** What the commands work on. */
export interface Operator
  extends
    MerchantOperator,
    KeyOperator,
    SystemOperator,
    LedgerOperator,
    WithdrawalOperator,
    SubscriptionOperator,
    SuspenseOperator,
    WebhookOperator,
    SignerOperator,
    ChainOperator {
  /** Works on all of this in a transaction that is taken back. */
  readonly rehearse: Rehearse<Operator>;
}

export interface AdminRequest {
  readonly words: readonly string[];
  /** what `catalog apply` names, read by whoever stands where its path means something */
  readonly file?: AdminFile;
}

const sections: readonly (readonly Command<Operator>[])[] = [
  merchantCommands,
  keyCommands,
  systemCommands,
  ledgerCommands,
  suspenseCommands,
  withdrawalCommands,
  subscriptionCommands,
  webhookCommands,
  signerCommands,
  chainCommands,
  [completionCommand(() => commandTable)],
];

/** All that there are. */
export const commandTable: readonly Command<Operator>[] = sections.flat();

const commands: ReadonlyMap<string, Command<Operator>> = new Map(
  commandTable.map((command) => [command.name, command]),
);

export const adminCommands: readonly string[] = Array.from(commands.keys());

/** Of one word, such as `status`, or of two; what begins with a dash is none. */
function nameWords(words: readonly string[]): readonly string[] {
  const [first, second] = words;
  if (first === undefined || first.startsWith("-")) return [];
  const isOne = second === undefined || second.startsWith("-") || commands.has(first);
  return isOne ? [first] : [first, second];
}

const nameOf = (words: readonly string[]): string => nameWords(words).join(" ");

/** Of the command that these words name, or of all. */
export function adminUsage(words: readonly string[]): string {
  const named = commands.get(nameOf(words));
  const usages = named === undefined ? sections.map(usageOf) : [usageOf([named])];
  const ends = [
    `every command:\n${optionsUsage(everywhere)}`,
    `every command that changes something:\n${optionsUsage(ofChanges)}`,
    `what moves money or cannot be undone asks for a word at a terminal, and without one needs:\n${optionsUsage(ofAsking)}`,
    endingsUsage(),
  ];
  return `usage: npm run admin -- COMMAND\n\n${[...usages, ...ends].join("\n")}`;
}

interface NamedCommand {
  readonly command: Command<Operator>;
  /** what was typed behind its name */
  readonly given: readonly string[];
}

/** Throws `UsageError`. */
export function namedCommand(words: readonly string[]): NamedCommand {
  const name = nameOf(words);
  if (name === "") throw new UsageError("Say what to do.");
  const command = commands.get(name);
  if (command === undefined) throw new UsageError(`There is no command "${name}".`);
  return { command, given: words.slice(nameWords(words).length) };
}

/** What is wrong with these words, for which nobody needs a database. Undefined: nothing. */
export function wrongWords(words: readonly string[]): AdminAnswer | undefined {
  try {
    const { command, given } = namedCommand(words);
    readWords(command, given);
    return undefined;
  } catch (error) {
    if (error instanceof UsageError) return usageFailure(words, error);
    throw error;
  }
}

function usageFailure(words: readonly string[], { message }: UsageError): AdminAnswer {
  const fix = ["npm run -s admin --", ...nameWords(words), "--help"].join(" ");
  const failure = { ending: "usage", message, fix, usage: adminUsage(words) } as const;
  return failureOf(failure, words.includes("--json"));
}

/** Never throws for what an operator can do wrong. */
export async function runAdmin(
  { words, file }: AdminRequest,
  operator: Operator,
): Promise<AdminAnswer> {
  if (words.includes("--help") || words.includes("-h")) {
    return { exitCode: 0, output: adminUsage(words), errors: "" };
  }
  // Also where the words are wrong in another way.
  const isJson = words.includes("--json");
  try {
    const { command, given } = namedCommand(words);
    const typed = readWords(command, given);
    const isTried = (typed.get("dry-run") ?? []).length > 0;
    const result = isTried
      ? triedResult(await tried(command, operator, (run, on) => run(typed, on, file)))
      : await command.run(typed, operator, file);
    return answerOf(result, isJson);
  } catch (error) {
    if (error instanceof NotAsShown) {
      const { message, now } = error;
      const fix = "Look at it, and run the command again.";
      return failureOf({ ending: "no", message, fix, now }, isJson);
    }
    if (error instanceof OperatorError) {
      const ending = error instanceof NotReachable ? "unreachable" : "no";
      return failureOf({ ending, message: error.message }, isJson);
    }
    if (error instanceof UsageError) return usageFailure(words, error);
    throw error;
  }
}

type Running = (run: Command<Operator>["run"], on: Operator) => Promise<Result>;

async function tried(
  { run, dryRun }: Command<Operator>,
  operator: Operator,
  running: Running,
): Promise<Result> {
  if (typeof dryRun === "function") return await running(dryRun, operator);
  return await operator.rehearse((inside) => running(run, inside));
}
