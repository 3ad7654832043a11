// npm run signer: the process that has the keys. It signs what `ActionIntent` describes,
// within the limits of its policy, for whoever may open its socket, and does nothing else: it has no
// network, and no database.
//
//   npm run signer
//   npm run signer -- init                         once: makes the seed
//   npm run signer -- release|next|clock|journal   an operator's word, while no signer runs
//   npm run signer -- mended                       lists those; see docs/running/signer.md

import { thisMachine } from "../configuration/machine.ts";
import { systemClock } from "../system/clock.ts";
import { closeInspectorDoor } from "../system/inspector.ts";
import { boundEnding, endProcess } from "../system/ending.ts";
import { buildLogger } from "../system/logging.ts";
import { openStandardOutput } from "../system/standard-output.ts";
import { signerListens, signerMistakeExitCode } from "../signer-client/protocol.ts";
import { SigningDesk } from "./desk.ts";
import { initSigner } from "./init.ts";
import { openSigner } from "./open.ts";
import { listMends, mendingCommands, mendJournal } from "./mending.ts";
import { checkProduction } from "./production.ts";
import { listenForIntents } from "./server.ts";
import { parseSettings } from "./settings.ts";
import { SignerStartError } from "./start-error.ts";

closeInspectorDoor();

/** From the signal to the end; what is signed by then is in the journal. */
const endMillisecondsMax = 10_000;
/** Of a server, over a channel whose end is the end of that one, however it came. */
const isChild = process.argv.includes("--child");
const words = process.argv.slice(2).filter((word) => word !== "--child");

try {
  const settings = parseSettings(process.env);
  checkProduction(settings, thisMachine);
  const [command, ...rest] = words;
  if (command !== undefined && mendingCommands.includes(command)) {
    process.stdout.write(`${mendJournal(settings, words, systemClock.nowMilliseconds())}\n`);
  } else if (command === "mended") process.stdout.write(`${listMends(settings)}\n`);
  else if (command === "init") process.stdout.write(`${initSigner(settings, rest)}\n`);
  else if (command === undefined) await run(settings);
  else
    throw new SignerStartError(
      `"${command}" is no command; there are: init, ${mendingCommands.join(", ")}, mended`,
    );
} catch (error) {
  if (!(error instanceof SignerStartError)) throw error;
  process.stderr.write(`${error.message.trimEnd()}\n`);
  process.exitCode = signerMistakeExitCode;
}

async function run(settings: ReturnType<typeof parseSettings>): Promise<void> {
  const output = openStandardOutput();
  const log = buildLogger(settings.logLevel, output);
  const opened = openSigner(settings);
  const { keys, policy, usage } = opened;
  const { socketPath, socketAccess: access, cell } = settings;
  const desk = new SigningDesk({ keys, cell, policy, usage, clock: systemClock });
  const server = await listenForIntents({ socketPath, access, desk, log });
  let isEnding = false;
  const end = (): void => {
    if (isEnding) return;
    isEnding = true;
    boundEnding(endMillisecondsMax);
    void server.close().then(() => {
      opened.close();
      endProcess(output, 0);
    });
  };
  process.once("SIGTERM", end);
  // A terminal interrupts the whole group: our parent decides when it has no more to sign.
  process.on("SIGINT", isChild ? () => undefined : end);
  if (isChild) {
    process.once("disconnect", end);
    // It may have died while we were starting.
    if (!process.connected) end();
  }
  const { hotAddress, settlementAddress } = desk.accounts;
  const accounts = { hot_address: hotAddress, settlement_address: settlementAddress };
  const chains = [...policy.keys()];
  log.info({ socket: socketPath, cell, ...accounts, chains }, "the signer listens");
  // Who is not there any more need not hear it.
  if (isChild) process.send?.(signerListens, undefined, undefined, () => undefined);
}
