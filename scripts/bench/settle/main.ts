// Measures x402 settlements end to end: signed by a payer, asked for over HTTP, sent to a real chain with a
// block each second, confirmed there and booked. With ever more clients until no more are settled; then ten
// times as many as fit are asked for, and none may be lost.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSignerChild } from "../../../adapters/signer-client/child.ts";
import type { SignerChild } from "../../../adapters/signer-client/child.ts";
import { checksumAddress } from "../../../service/evm-address.ts";
import { startPostgresServer } from "../../../test/support/postgres-server.ts";
import type { PostgresServer } from "../../../test/support/postgres-server.ts";
import { query } from "../measuring.ts";
import { makeServiceDatabase, readSettings, tidy } from "../service/database.ts";
import { productionEnvironment } from "../service/environment.ts";
import { flags, positive, readCommandLine, worded } from "../../command-line.ts";
import { countingSettings } from "../service/statement-costs.ts";
import { withService } from "../service/running.ts";
import { startBenchService } from "../service/service.ts";
import { findFaults } from "./check.ts";
import type { SettlePlan } from "./load-plan.ts";
import { startNode } from "./node.ts";
import type { BenchNode } from "./node.ts";
import { makePayers } from "./payers.ts";
import { withLoad } from "./running.ts";
import { openShops } from "./shops.ts";
import { measureAll } from "./steps.ts";
import type { Options } from "./steps.ts";

const help = `npm run bench:settle -- [options]

  --clients N,... how many ask at once, one after the other until no more is settled (32,64,128,256)
  --seconds N     how long each time (20)
  --warm-up N     seconds before the first of them that do not count (10)
  --overload N    seconds with ten times as many as fit; 0: none (5)
  --shops N       merchants (8)
  --payers N      accounts that pay (32)
  --profile       one step more, of the service under V8's profiler, and its time by part and function
  --statements    one step more, and the database's time by statement
  --help`;

interface Wish extends Options {
  readonly shops: number;
  readonly payers: number;
}

const config = {
  options: {
    ...worded({
      clients: "32,64,128,256",
      seconds: "20",
      "warm-up": "10",
      overload: "5",
      shops: "8",
      payers: "32",
    }),
    ...flags("profile", "statements"),
  },
} as const;

function readOptions(): Wish {
  return readCommandLine(help, config, ({ values }) => {
    return {
      // Fewer than the connections that the service takes from one address.
      clients: values.clients.split(",").map((text) => positive("clients", text, 400)),
      seconds: positive("seconds", values.seconds, 120),
      warmUpSeconds: positive("warm-up", values["warm-up"], 60),
      overloadSeconds: values.overload === "0" ? 0 : positive("overload", values.overload, 60),
      shops: positive("shops", values.shops, 90),
      payers: positive("payers", values.payers, 200),
      isProfiling: values.profile,
      isCounting: values.statements,
    };
  });
}

interface Places {
  readonly server: PostgresServer;
  readonly node: BenchNode;
  readonly signer: SignerChild;
  readonly environment: Readonly<Record<string, string>>;
  readonly scratch: string;
}

async function prepare(places: Places, wish: Wish): Promise<Omit<SettlePlan, "url">> {
  const { server, node, environment } = places;
  const service = await startBenchService({ ...environment, LOG_LEVEL: "warn" });
  const shops = await openShops(service, wish.shops);
  await service.close();
  const [own] = await query(
    server.url("service"),
    "select account from own_accounts where role = 'settlement'",
  );
  const payers = makePayers(wish.payers);
  const payTo = checksumAddress(String(own?.["account"]));
  await node.giveCoin(payTo);
  await node.giveUsd(payers.map(({ address }) => address));
  return { shops, payers, payTo };
}

async function measure(places: Places, wish: Wish): Promise<readonly string[]> {
  const { server, node, signer, environment, scratch } = places;
  const prepared = await prepare(places, wish);
  const databaseUrl = server.url("service");
  await tidy(databaseUrl);
  const place = { name: "service", scratch };
  return withService(place, { environment, isDelivering: true }, async (service) => {
    const plan = { ...prepared, url: service.url };
    return withLoad(scratch, plan, async (load) => {
      const watched = {
        databaseUrl,
        databasePid: server.pid(),
        servicePid: service.pid,
        signerPid: signer.pid() ?? 0,
        clientPid: load.pid,
        node,
      };
      const all = await measureAll({ load, service, watched, scratch }, wish);
      return findFaults({ node, databaseUrl, payTo: plan.payTo, ...all });
    });
  });
}

async function main(wish: Wish): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), "bench-settle-"));
  process.once("exit", () => rmSync(scratch, { recursive: true, force: true }));
  const opened: (() => Promise<void>)[] = [];
  try {
    const server = await startPostgresServer({
      isDurable: true,
      settings: wish.isCounting ? countingSettings : {},
    });
    opened.push(() => server.remove());
    console.log(JSON.stringify({ ...wish, ...(await readSettings(server)) }));
    const node = await startNode();
    opened.push(() => node.stop());
    const signerSocket = join(scratch, "signer", "signer.sock");
    const signer = await startSigner(scratch, signerSocket);
    opened.push(() => signer.stop());
    const environment = {
      ...productionEnvironment(await makeServiceDatabase(server)),
      EVM_RPC_URLS: `eip155:31337=${node.url}`,
      SIGNER_SOCKET: signerSocket,
    };
    const faults = await measure({ server, node, signer, environment, scratch }, wish);
    for (const fault of faults) console.error(`WRONG: ${fault}`);
    if (faults.length > 0) process.exitCode = 1;
    else console.log("\nEach settlement is on the chain once, and in the ledger. None is lost.");
  } finally {
    for (const close of opened.toReversed()) await close();
  }
}

function startSigner(scratch: string, socketPath: string): Promise<SignerChild> {
  const log = { warn: console.error, error: console.error };
  // Nobody reads what it writes about each signature.
  const output = { write: () => undefined };
  return startSignerChild({
    folder: join(scratch, "signer"),
    socketPath,
    logLevel: "info",
    log,
    output,
  });
}

// Everything else ends with us.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
await main(readOptions());
