// npm run drill:rolling: two servers behind haproxy are restarted one after the other, under a load of signed requests, and
// nobody must notice.

import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { positive, readCommandLine } from "../../command-line.ts";
import { guard } from "../../cluster/guard.ts";
import { Part, waitUntil } from "../../cluster/parts.ts";
import { BalancerMissing } from "./balancer.ts";
import { findFaults } from "./judging.ts";
import { openPages } from "./pages.ts";
import { openSite, type Server, type Site, startLoad, untilReady } from "./site.ts";

const help = `npm run drill:rolling -- [options]

Starts PostgreSQL, a chain, the signer, two servers and haproxy with docs/running/deploy/haproxy.cfg on this machine,
sends signed requests over TLS, restarts one server after the other, and looks whether any request failed, any webhook
was lost, any open checkout page did not come back. Linux, with Debian's haproxy.

  --rounds N       how often both are restarted (10)
  --requests N     at least so many; it goes on after the last restart until there are (100000)
  --per-second N   requests, whether or not the ones before are answered (500)
  --customers N    merchants who send them (250)
  --pages N        checkout pages that are open all the time (20)
  --keep           leaves logs and configurations where they are
  --help

Exit codes: 0 nobody noticed, 1 somebody did, 2 this was typed wrongly or something is not installed.
`;

interface Options {
  readonly rounds: number;
  readonly requests: number;
  readonly perSecond: number;
  readonly customers: number;
  readonly pages: number;
  readonly isKept: boolean;
}

const number = (standard: string) => ({ type: "string", default: standard }) as const;
const config = {
  options: {
    rounds: number("10"),
    requests: number("100000"),
    "per-second": number("500"),
    customers: number("250"),
    pages: number("20"),
    keep: { type: "boolean", default: false },
  },
} as const;

function readOptions(): Options {
  return readCommandLine(help, config, ({ values }) => ({
    rounds: positive("rounds", values.rounds, 1_000),
    requests: positive("requests", values.requests, 100_000_000),
    perSecond: positive("per-second", values["per-second"], 5_000),
    customers: positive("customers", values.customers, 2_000),
    // One for each address of a loopback network.
    pages: positive("pages", values.pages, 200),
    isKept: values.keep,
  }));
}

interface Restart {
  readonly server: string;
  /** from the signal to its end, and from there until requests go to it again */
  readonly stopSeconds: number;
  readonly startSeconds: number;
}

/** As `systemctl restart`, and nobody goes on to the next server before this one is in use again. */
async function restart({ balancer }: Site, server: Server): Promise<Restart> {
  const from = performance.now();
  await server.part.stop();
  const stopped = performance.now();
  server.part.start();
  await untilReady(server);
  await waitUntil(`haproxy uses ${server.name}`, () => balancer.isUp(server.name));
  const seconds = (milliseconds: number) => milliseconds / 1_000;
  return {
    server: server.name,
    stopSeconds: seconds(stopped - from),
    startSeconds: seconds(performance.now() - stopped),
  };
}

async function drill(site: Site, options: Options): Promise<readonly string[]> {
  const pages = await openPages(site, options.pages);
  const startedAt = performance.now();
  const load = await startLoad(site, options.perSecond);
  const restarts: Restart[] = [];
  for (let round = 1; round <= options.rounds; round++) {
    for (const server of site.servers) restarts.push(await restart(site, server));
    console.log(
      `round ${round} of ${options.rounds}: ${restarts.slice(-2).map(textOf).join("; ")}`,
    );
  }
  // The first ten seconds, until the rate is reached, count half.
  const secondsWanted = options.requests / options.perSecond + 6;
  const secondsLeft = secondsWanted - (performance.now() - startedAt) / 1_000;
  if (secondsLeft > 0) await new Promise((resolve) => setTimeout(resolve, secondsLeft * 1_000));
  const result = await load.stop();
  const seconds = (performance.now() - startedAt) / 1_000;
  const came = await pages.end();
  const faults = await findFaults({ site, result, pages: came, restarts: restarts.length });
  const count = Object.values(result.counts).reduce((sum, one) => sum + one, 0);
  const short =
    count < options.requests ? [`${count} requests, fewer than ${options.requests}`] : [];
  const { p50, p99, most } = result.milliseconds;
  for (const [name, times] of Object.entries(result.counts)) console.log(`  ${times} ${name}`);
  console.log(
    `${restarts.length} restarts, ${count} requests (${Math.round(count / seconds)} a second), ${result.failureCount} failed; ` +
      `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(0)} ms, longest ${most.toFixed(0)} ms; ` +
      `${site.receiver.taken.size} webhooks; ${came.length} pages opened their stream ` +
      `${came.reduce((sum, { opened }) => sum + opened, 0)} times`,
  );
  return [...faults, ...short];
}

function textOf({ server, stopSeconds, startSeconds }: Restart): string {
  return `${server} stopped in ${stopSeconds.toFixed(1)} s, in use again after ${startSeconds.toFixed(1)} s`;
}

async function main(options: Options): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "merchant-rolling-")));
  const own = guard(folder, options);
  if (options.isKept) console.log(`logs in ${folder}`);
  let faults: readonly string[] = ["it did not come to its end"];
  try {
    const site = await openSite(folder, options.customers);
    try {
      faults = [...(await drill(site, options)), ...Part.surprises];
    } finally {
      await site.close();
    }
  } finally {
    Part.endAll();
    await own.end();
  }
  for (const fault of faults.slice(0, 50)) console.log(`WRONG: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
  else console.log("Nobody noticed: no request failed, every webhook came, every page came back.");
}

// The guard sees to the rest.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
try {
  await main(readOptions());
} catch (error) {
  if (!(error instanceof BalancerMissing)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
process.exit();
