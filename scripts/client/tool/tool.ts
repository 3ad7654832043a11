// The developer tool: finds the command, and says how it ended.

import { type Command, readArguments } from "./command.ts";
import { saidOf, UsageError } from "./failures.ts";
import { listen } from "./listen.ts";
import { nearest } from "./nearest.ts";
import { Output } from "./output.ts";
import { pay } from "./pay.ts";
import { sign } from "./sign.ts";
import { trigger } from "./trigger.ts";
import { verify } from "./verify.ts";

const commands: Readonly<Record<string, Command>> = { listen, trigger, verify, pay, sign };

const name = "merchant-payments";
const names = Object.keys(commands);

const help = `The developer tool of the merchant crypto payment service.

  ${name} COMMAND [options]

${names.map((one) => `  ${one.padEnd(9)} ${commands[one]?.summary ?? ""}`).join("\n")}

  ${name} COMMAND --help says more of each.

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
  const [word, ...more] = words;
  if (word === undefined || word === "help" || word === "--help") {
    process[word === undefined ? "stderr" : "stdout"].write(help);
    return word === undefined ? 2 : 0;
  }
  const command = Object.hasOwn(commands, word) ? commands[word] : undefined;
  if (command === undefined) {
    const meant = nearest(word, names);
    const guess = meant === undefined ? `There are ${names.join(", ")}.` : `Did you mean ${meant}?`;
    process.stderr.write(`there is no command ${word}. ${guess}\n${name} --help says more\n`);
    return 2;
  }
  const typed = program ?? `${name} ${word}`;
  try {
    const given = readArguments(command.options, more);
    if (given.isSet("help")) process.stdout.write(`${command.help(typed)}\n`);
    else await command.run(given, new Output(given.isSet("json")));
    return 0;
  } catch (error) {
    const said = saidOf(error);
    if (said === undefined) throw error;
    const isUsage = error instanceof UsageError;
    process.stderr.write(`${said}\n${isUsage ? `${typed} --help says more\n` : ""}`);
    return isUsage ? 2 : 1;
  }
}
