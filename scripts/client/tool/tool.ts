// The developer tool: finds the command, and says how it ended.

import { readFileSync } from "node:fs";
import { type Command, readArguments } from "./command.ts";
import { saidOf, UsageError } from "./failures.ts";
import { nearest } from "./nearest.ts";
import { Output } from "./output.ts";
import { printable } from "./printable.ts";

interface Entry {
  /** in one line */
  readonly summary: string;
  /** loaded when it is wanted: who signs a request need not wait for the client of all operations */
  readonly load: () => Promise<Command>;
}

const commands: Readonly<Record<string, Entry>> = {
  listen: {
    summary: "sends the merchant's events on to a program on this machine",
    load: async () => (await import("./listen.ts")).listen,
  },
  trigger: {
    summary: "makes a payment and brings an event about on the local chain",
    load: async () => (await import("./trigger.ts")).trigger,
  },
  verify: {
    summary: "verifies a webhook that was written into files",
    load: async () => (await import("./verify.ts")).verify,
  },
  pay: {
    summary: "pays the page of a payment on the local chain",
    load: async () => (await import("./pay.ts")).pay,
  },
  sign: {
    summary: "prints a signed request, as a curl to paste",
    load: async () => (await import("./sign.ts")).sign,
  },
};

const name = "merchant-payments";
const names = Object.keys(commands);

const help = `The developer tool of the merchant crypto payment service.

  ${name} COMMAND [options]

${names.map((one) => `  ${one.padEnd(9)} ${commands[one]?.summary ?? ""}`).join("\n")}

  ${name} COMMAND --help says more of each, --version which one this is.

npx --no -- ${name} runs the one that the shop has installed; without --no npx may load what a stranger has published.

Where the service is, and who asks, comes from PAY_URL, MERCHANT_API_KEY and MERCHANT_API_SECRET.
It ends with 0 when it is done, with 1 when it failed, and with 2 when it was called wrongly.
`;

/**
 * Runs a command, and says on standard error why it did not do it.
 *
 * @param program how the command is typed; by the name of the tool when left out
 * @returns the exit code: 0 done, 1 failed, 2 called wrongly
 */
export async function runTool(words: readonly string[], program?: string): Promise<0 | 1 | 2> {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", failUnlessGone);
  const [word, ...more] = asked(words);
  if (word === undefined || word === "--help") {
    process[word === undefined ? "stderr" : "stdout"].write(help);
    return word === undefined ? 2 : 0;
  }
  if (word === "--version") {
    process.stdout.write(`${versionOf()}\n`);
    return 0;
  }
  const entry = Object.hasOwn(commands, word) ? commands[word] : undefined;
  if (entry === undefined) {
    const meant = nearest(word, names);
    const guess = meant === undefined ? `There are ${names.join(", ")}.` : `Did you mean ${meant}?`;
    process.stderr.write(
      printable(`there is no command ${word}. ${guess}\n${name} --help says more\n`),
    );
    return 2;
  }
  const typed = program ?? `${name} ${word}`;
  const command = await entry.load();
  try {
    const given = readArguments(command.options, more);
    if (given.isSet("help")) process.stdout.write(`${command.help(typed)}\n`);
    else await command.run(given, new Output(given.isSet("json")));
    return 0;
  } catch (error) {
    const said = saidOf(error);
    if (said === undefined) throw error;
    const isUsage = error instanceof UsageError;
    process.stderr.write(printable(`${said}\n${isUsage ? `${typed} --help says more\n` : ""}`));
    return isUsage ? 2 : 1;
  }
}

/** `help COMMAND` is `COMMAND --help`. */
function asked(words: readonly string[]): readonly string[] {
  const [word, of] = words;
  if (word === "-h") return ["--help"];
  if (word !== "help") return words;
  return of === undefined ? ["--help"] : [of, "--help"];
}

/** Of the package. */
function versionOf(): string {
  const text = readFileSync(new URL("../../../package.json", import.meta.url), "utf8");
  const { version } = JSON.parse(text) as { readonly version: string };
  return version;
}

/** Whoever was reading may go (`| head`): the rest is said to nobody. A disk that is full is another matter. */
function failUnlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}
