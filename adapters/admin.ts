// npm run admin: an operator's command, here or in the server that holds the embedded database. Loading modules is
// most of what a command costs, so that each is loaded where it turns out to be needed.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { inspect } from "node:util";
import type { AdminRequest, Operator } from "./operator/command.ts";
import { type AdminAnswer, failureOf } from "./operator/answers.ts";
import { confirmationOf } from "./operator/confirmations.ts";
import { openTerminal } from "./operator/terminal.ts";
import { UsageError } from "./operator/words.ts";
import { askServer } from "./operator/socket.ts";
import { NotReachable, OperatorError } from "../service/operator-error.ts";
import { systemClock } from "./system/clock.ts";
import { parseConfiguration } from "./configuration/configuration.ts";
import type { Configuration } from "./configuration/configuration.ts";
import { closeInspectorDoor } from "./system/inspector.ts";

closeInspectorDoor();

const words = process.argv.slice(2);
const isJson = words.includes("--json");

const answer = await performAsked().catch(problemAnswer);
process.stdout.write(answer.output);
process.stderr.write(answer.errors);
process.exitCode = answer.exitCode;

/** What a watch prints is printed while it goes on. */
async function performWatched(): Promise<AdminAnswer | undefined> {
  const { watch, watchOf } = await import("./operator/watching.ts");
  const wanted = watchOf(words);
  if (wanted === undefined) return undefined;
  const ending = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => ending.abort());
  }
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // Whoever has read along has gone.
    if (error.code !== "EPIPE") throw error;
    ending.abort();
  });
  const { wrongWords } = await import("./operator/command.ts");
  const wrong = wrongWords(wanted.words);
  if (wrong !== undefined) return wrong;
  const ended = await watch(wanted, {
    perform: (typed) => perform(typed).catch(problemAnswer),
    write: (text) => void process.stdout.write(text),
    now: systemClock.now,
    isScreen: process.stdout.isTTY,
    signal: ending.signal,
  });
  return { ...ended, output: "", errors: "" };
}

/** What moves money or cannot be undone is done only when somebody says that it is meant. */
async function performAsked(): Promise<AdminAnswer> {
  if (words[0] === "status" && !isHelp(words)) {
    const watched = await performWatched();
    if (watched !== undefined) return watched;
  }
  const confirmation = confirmationOf(words);
  if (confirmation === undefined) return await perform(words);
  const { performConfirmed } = await import("./operator/confirming.ts");
  return await performConfirmed(words, confirmation, { terminal: openTerminal(process), perform });
}

async function perform(typed: readonly string[]): Promise<AdminAnswer> {
  // Help needs no database.
  if (typed.length === 0 || isHelp(typed)) {
    const { adminUsage } = await import("./operator/command.ts");
    return { exitCode: typed.length === 0 ? 2 : 0, output: adminUsage(typed), errors: "" };
  }
  // Nor does completion, whose command works on nothing.
  if (typed[0] === "completion") {
    const { runAdmin } = await import("./operator/command.ts");
    return await runAdmin({ words: typed }, {} as Operator);
  }
  const request: AdminRequest = { words: typed, ...readNamedFile(typed) };
  const configuration = parseConfiguration(process.env);
  if (configuration.databaseUrl === undefined) {
    const given = await askServer(configuration.dataDirectory, request);
    if (given !== undefined) return given;
  }
  return await performHere(request, configuration);
}

function isHelp(typed: readonly string[]): boolean {
  return typed.includes("--help") || typed.includes("-h");
}

async function performHere(
  request: AdminRequest,
  configuration: Configuration,
): Promise<AdminAnswer> {
  const { runAdmin, wrongWords } = await import("./operator/command.ts");
  const wrong = wrongWords(request.words);
  if (wrong !== undefined) return wrong;
  if (configuration.databaseUrl === undefined) {
    // A new one, where somebody has left out DATABASE_URL, would take what is meant for the service.
    const { demandEmbeddedDatabase } = await import("./configuration/data-directory.ts");
    demandEmbeddedDatabase(configuration.dataDirectory);
  }
  const { openService } = await import("./assembly/service.ts");
  const { buildLogger } = await import("./system/logging.ts");
  const log = buildLogger("warn", { write: (line) => process.stderr.write(line) });
  const ports = { configuration, clock: systemClock, log };
  const service = await openService(configuration, {
    ...ports,
    sender: { send: () => Promise.reject(new Error("an operator's command sends no webhooks")) },
    watching: [...configuration.chains.rpcUrls.keys()],
    readChains: async (knowledge) => {
      const { openReadChains } = await import("./assembly/chains.ts");
      return await openReadChains(ports, knowledge);
    },
  });
  try {
    return await runAdmin(request, service.operator);
  } finally {
    await service.close();
  }
}

/** The file that `catalog apply` names is read here: the server may stand in another folder. */
function readNamedFile(typed: readonly string[]): Pick<AdminRequest, "file"> {
  const [subject, verb, ...rest] = typed;
  const name = rest.find((word) => !word.startsWith("-"));
  if (subject !== "catalog" || verb !== "apply" || name === undefined) return {};
  // npm changes the folder, and says where it was called.
  const path = resolve(process.env["INIT_CWD"] ?? process.cwd(), name);
  try {
    return { file: { name, text: readFileSync(path, "utf8") } };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`${name} cannot be read: ${reason}`);
  }
}

async function problemAnswer(error: unknown): Promise<AdminAnswer> {
  if (error instanceof UsageError) {
    const { message } = error;
    const fix = "npm run -s admin -- status --help";
    return failureOf({ ending: "usage", message, fix }, isJson);
  }
  if (error instanceof OperatorError) {
    const ending = error instanceof NotReachable ? "unreachable" : "no";
    return failureOf({ ending, message: error.message }, isJson);
  }
  const { startProblem } = await import("./assembly/start-problem.ts");
  const problem = startProblem(error);
  if (problem !== undefined) return failureOf({ ending: "unreachable", message: problem }, isJson);
  return failureOf({ ending: "failed", message: inspect(error) }, isJson);
}
