// npm run demo: everything on this machine, with real signed requests and real transactions on a
// chain that is made for it. Nothing of it is left afterwards.

import {
  NoResponseError,
  ResponseError,
  UnexpectedResponseError,
} from "../client/merchant-payments.ts";
import { readCommandLine } from "../command-line.ts";
import { ToolFailure } from "../client/tool/failures.ts";
import { assemble } from "./cast.ts";
import type { Cast } from "./cast.ts";
import { payOut, sweep, withdraw } from "./money-out.ts";
import { demand, DemoFailure, DemoStopped, seconds, show, tell, write } from "./narration.ts";
import { acceptMoney, makePayment, payExact, payInParts, payUpto } from "./payments.ts";
import { startServer } from "./server.ts";
import type { DemoServer } from "./server.ts";

/** What is said in a sentence. */
const failures = [
  DemoFailure,
  DemoStopped,
  NoResponseError,
  ResponseError,
  ToolFailure,
  UnexpectedResponseError,
];
const usage = `npm run demo [-- --end]

A shop on this machine: a server, a chain and real signed requests, and what comes of them, told as it happens. Nothing of
it is left afterwards.

  --end   does not wait in the end for somebody who looks
  --help`;

const config = { options: { end: { type: "boolean", default: false } } } as const;
const isWatched =
  readCommandLine(usage, config, ({ values }) => !values.end) && process.stdin.isTTY;
// The listeners stay: npm hands on the Ctrl-C that a terminal has sent already, and a second one must
// not end this process before it has tidied up.
const stopped = new Promise<void>((resolve) => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => resolve());
  // The terminal was closed, or whoever was reading has gone.
  process.stdout.on("error", () => resolve());
});

let server: DemoServer | undefined;
let cast: Cast | undefined;
try {
  tell("A server starts, with a database and a chain of its own");
  server = await startServer(stopped);
  show(`the service: ${server.url}\nthe chain:   ${server.rpcUrl}`);
  const story = play(server);
  // Whoever is asked to stop in the middle does not wait for its end.
  await Promise.race([story, stopped.then(() => Promise.reject(new DemoStopped()))]);
} catch (error) {
  if (!failures.some((kind) => error instanceof kind)) throw error;
  const what = error instanceof DemoStopped ? "was stopped before its end" : "has failed";
  const said = error instanceof Error ? error.message : "";
  write(`\n${seconds()}  The demo ${what}${said && `: ${said}`}.\n`);
  process.exitCode = 1;
} finally {
  await cast?.receiver.stop();
  await server?.stop();
}
if (process.exitCode !== 1) write(`\n${seconds()}  The demo has ended: all of it was so.\n`);
// A story that was stopped in the middle may still wait for something.
process.exit();

async function play(started: DemoServer): Promise<void> {
  cast = await assemble(started);
  await acceptMoney(cast);
  await payInParts(cast);
  await payExact(cast);
  await payUpto(cast);
  await sweep(cast);
  const addressId = await withdraw(cast);
  await payOut(cast, addressId);
  showEvents(cast);
  await showLedger(cast);
  await leaveOpen(cast);
}

function showEvents({ receiver }: Cast): void {
  const { events, refused } = receiver;
  tell(`The shop got ${events.length} events; their signatures were checked one by one`);
  const counts = new Map<string, number>();
  for (const { type } of events) counts.set(type, (counts.get(type) ?? 0) + 1);
  show(Array.from(counts, ([type, count]) => `${String(count).padStart(3)}  ${type}`).join("\n"));
  demand(refused === 0, `${refused} deliveries had a wrong signature`);
}

async function showLedger({ server: { admin }, shopId }: Cast): Promise<void> {
  tell("The ledger: what the chain holds is what is owed");
  show((await admin("ledger", "balances")).trim());
  tell("The shop's part of it");
  show((await admin("ledger", "balances", "--merchant", shopId)).trim());
  const verdict = await admin("ledger", "verify");
  show(verdict.trim());
}

async function leaveOpen(all: Cast): Promise<void> {
  const payment = await makePayment(all, "12.00", { expires_in_secs: 3600 });
  tell(`A page to look at: ${payment.pageUrl}`);
  if (!isWatched) return;
  show("It stays open until Ctrl-C.");
  await stopped;
}
