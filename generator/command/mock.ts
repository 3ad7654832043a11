// A server that answers by a contract, without code: generate mock --spec FILE.

import type { Line } from "../mock/mock.ts";
import { latencyMillisecondsMax } from "../mock/preferences.ts";
import type { Running, ServerOptions } from "../mock/server.ts";
import { DocumentError, formatProblems, visible } from "../problems.ts";
import { displayPath } from "../write/plan.ts";
import { readArguments } from "./arguments.ts";
import { contractsOf, onlyOne } from "./contract.ts";
import { commandName } from "./name.ts";
import { type Terminal, UsageError } from "./terminal.ts";
import { nextChange } from "./watch.ts";

const help = `Usage: ${commandName} mock [--spec FILE | --contract NAME] [options]

Serves an OpenAPI document without a line of code: routes and validation as a generated server has them, answers
from the examples of the document, else values that its schemas allow. Nothing is written.

  --spec FILE       the contract, YAML or JSON           (that of the configuration)
  --contract NAME   which contract of the configuration, where it has several
  --port N          0 takes any that is free             (4010)
  --host ADDRESS    who can reach it                     (127.0.0.1)
  --seed N          the same seed, the same answers      (1)
  --dynamic         draw values, whatever examples there are
  --state           keep what is made, changed and removed, in memory
  --latency MS      how late answers come; MIN-MAX draws (0)
  --faults PERCENT  of so many requests something breaks (0)
  --delay MS        between the items of a stream        (100)
  --cors ORIGIN     browsers of this origin may ask; "*" is any
  --explain         what is wrong with a request in a header, where the contract's body has no place for it
  --copy URI=PATH   where copies of other machines' files lie
  --allow CODE      what is wrong with the document and may be, as without mock
  --watch           serve the contract anew whenever it changes
  --help            this text

A request says in "Prefer" what it wants: code=409, example=NAME, dynamic=true, latency=300,
fault=reset|truncated|500|503. The document is served at /openapi.json.

Exit code 1: the document is wrong, or the port is taken. 2: the command line is wrong.`;

/** Undefined: help is asked for. Throws `UsageError` and `ConfigurationError`. */
async function parseOptions(args: readonly string[], answered: ServerOptions["answered"]) {
  const { values } = readArguments({
    args: [...args],
    strict: true,
    options: {
      spec: { type: "string" },
      contract: { type: "string" },
      port: { type: "string", default: "4010" },
      host: { type: "string", default: "127.0.0.1" },
      seed: { type: "string", default: "1" },
      dynamic: { type: "boolean", default: false },
      state: { type: "boolean", default: false },
      latency: { type: "string", default: "0" },
      faults: { type: "string", default: "0" },
      delay: { type: "string", default: "100" },
      cors: { type: "string" },
      explain: { type: "boolean", default: false },
      copy: { type: "string", multiple: true, default: [] },
      allow: { type: "string", multiple: true, default: [] },
      watch: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  const { spec, copies, allow, basePath } = onlyOne(await contractsOf(values));
  const [least, most = least] = values.latency.split("-");
  const latency = [
    numberOf("--latency", least, latencyMillisecondsMax),
    numberOf("--latency", most, latencyMillisecondsMax),
  ] as const;
  if (latency[0] > latency[1])
    throw new UsageError("--latency MIN-MAX: the first is the smaller one");
  if (values.host.trim() === "") throw new UsageError("--host: name an address, such as 127.0.0.1");
  if (values.cors !== undefined && !/^(?:\*|[!-~]+)$/.test(values.cors)) {
    throw new UsageError('--cors: write "*", or an origin such as http://localhost:3000');
  }
  const options: ServerOptions = {
    spec,
    copies,
    allow,
    basePath,
    host: values.host,
    port: numberOf("--port", values.port, 65_535),
    seed: numberOf("--seed", values.seed, Number.MAX_SAFE_INTEGER),
    isDynamic: values.dynamic,
    hasState: values.state,
    explains: values.explain,
    troubles: {
      latencyMilliseconds: latency,
      faultPercent: numberOf("--faults", values.faults, 100),
    },
    streamDelayMilliseconds: numberOf("--delay", values.delay, latencyMillisecondsMax),
    cors: values.cors,
    answered,
  };
  return { options, isWatching: values.watch };
}

function numberOf(name: string, text: string | undefined, most: number): number {
  const number = Number(text);
  if (text === undefined || !/^\d+$/.test(text) || number > most) {
    throw new UsageError(`${name} is a whole number from 0 to ${most}`);
  }
  return number;
}

const shownViolations = 5;
/** Editors write a file in several steps. */
const settleMilliseconds = 100;

/** One line; what is wrong with a request stands behind it. */
export function textOfLine(line: Line): string {
  const { method, target, operationId, status, milliseconds, refusal } = line;
  const name = operationId === undefined ? "" : ` ${operationId}`;
  const what = status === 0 ? "connection broken" : String(status);
  const start = `${what} ${method} ${target}${name} ${milliseconds.toFixed(0)} ms`;
  if (refusal === undefined) return visible(start);
  const { violations, message, available = [] } = refusal;
  const shown = violations
    .slice(0, shownViolations)
    .map(({ in: part, pointer, rule }) => `${part} ${pointer} ${rule}`);
  const rest = violations.length - shown.length;
  const more = rest > 0 ? [`${rest} more`] : [];
  const there = available.length === 0 ? [] : [`there is ${available.join(", ")}`];
  return visible(`${start}  ${[message, ...shown, ...more, ...there].join("; ")}`);
}

/** @returns the exit code of what cannot be served; else it serves until the process ends */
export async function mock(args: readonly string[], terminal: Terminal): Promise<number> {
  const parsed = await parseOptions(args, (line) => terminal.say(textOfLine(line)));
  if (parsed === undefined) {
    terminal.say(help);
    return 0;
  }
  const { options, isWatching } = parsed;
  const { startMock } = await import("../mock/server.ts");
  let running: Running;
  const startedAt = Date.now();
  try {
    running = await startMock(options);
  } catch (error) {
    terminal.complain(whyNotServed(error, options));
    return 1;
  }
  for (const one of formatProblems(running.reading.warnings)) terminal.complain(one);
  const { model } = running.reading;
  terminal.say(visible(`${model.title}: ${running.operations} operations on ${running.url}`));
  if (!isWatching) return new Promise<never>(() => undefined);
  return watchContract(running, { options, terminal, startedAt });
}

/** Throws what is a defect of ours. */
function whyNotServed(error: unknown, { host, port }: ServerOptions): string {
  if (error instanceof DocumentError) return error.message;
  // of the system's calls: to find the address, and to listen there
  if (!(error instanceof Error && "syscall" in error && "code" in error)) throw error;
  if (error.code === "EADDRINUSE") return `port ${port} is taken: name another --port`;
  return `${host} and port ${port} are nothing to listen on here (${String(error.code)}): name another --host or --port`;
}

interface Watching {
  readonly options: ServerOptions;
  readonly terminal: Terminal;
  /** before the contract was read; milliseconds */
  readonly startedAt: number;
}

async function watchContract(
  running: Running,
  { options: { spec }, terminal, startedAt }: Watching,
): Promise<never> {
  let { files } = running.reading;
  let since = startedAt;
  for (;;) {
    terminal.say(`watching ${files.map(displayPath).join(", ")}`);
    await nextChange(files, since);
    await new Promise((settled) => {
      setTimeout(settled, settleMilliseconds);
    });
    // what is saved from here on may not be read
    since = Date.now();
    try {
      const { warnings, files: read } = await running.reload();
      files = read;
      for (const one of formatProblems(warnings)) terminal.complain(one);
      terminal.say(`${displayPath(spec)} is served anew`);
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      terminal.complain(error.message);
      terminal.complain("the contract as it was is still served");
      if (error.files.length > 0) files = error.files;
    }
  }
}
