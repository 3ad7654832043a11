// What is drilled with: a chain, the signer in a folder of its own, PostgreSQL, one process of the service, merchants, and
// an operator, who types the commands of a deployment.

import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { query } from "../../bench/measuring.ts";
import { startNode } from "../../bench/settle/node.ts";
import type { BenchNode } from "../../bench/settle/node.ts";
import { type Admin, openMerchants, withAdmin } from "../../cluster/merchants.ts";
import type { Merchants } from "../../cluster/merchants.ts";
import { freePorts, type Part, waitUntil } from "../../cluster/parts.ts";
import { Receiver } from "../../cluster/receiver.ts";
import { commonEnvironment, isReady, logOf } from "../../cluster/services.ts";
import { servicePart, signerPart, signerPlace } from "../../cluster/services.ts";
import type { Service } from "../../cluster/services.ts";
import { usd } from "../../client/tool/test-usd.ts";
import { Wallet } from "../../demo/wallet.ts";
import { findPostgres, startFirst, urlOf } from "./postgres.ts";
import type { Place } from "./postgres.ts";

export interface Typed {
  readonly exitCode: number;
  readonly output: string;
}

export interface Site {
  readonly place: Place;
  readonly node: BenchNode;
  readonly receiver: Receiver;
  readonly signer: Part;
  readonly service: Service;
  /** that is lost */
  readonly postgres: Part;
  readonly merchants: Merchants;
  readonly hot: string;
  readonly settlement: string;
  /** pays what the load does not */
  readonly wallet: Wallet;
  /** npm run admin -- WORDS */
  readonly admin: (words: readonly string[]) => Promise<Typed>;
  /** npm run signer -- WORDS, while it is stopped */
  readonly mend: (words: readonly string[]) => Promise<Typed>;
  readonly log: (name: "one" | "signer") => readonly LogLine[];
}

export type LogLine = Readonly<Record<string, unknown>>;

export const coinId = "dep_eth_local";
export const payerIndex = 3;
const otherPayerIndex = 5;
const root = join(import.meta.dirname, "..", "..", "..");
/** More than withdrawals can take. */
const hotAmount = "1000000";
const readySecondsMax = 120;

/** As docs/running/signer.md has it: the local chain of the default may begin anew, and a real one does not. */
const policy = {
  chains: {
    [usd.chainId]: {
      gas_per_transaction_raw: "unlimited",
      gas_per_day_raw: "unlimited",
      limits: ["hot", "settlement", "deposit"].map((account) => ({
        account,
        contract_address: "any",
        per_transaction_raw: "unlimited",
        per_day_raw: "unlimited",
      })),
    },
  },
};

interface Wish {
  readonly folder: string;
  readonly merchants: number;
  /** where withdrawals go */
  readonly vault: string;
}

/** What it has started ends with the guard of its folder, but for the chain and the receiver. */
export async function openSite({ folder, merchants: count, vault }: Wish): Promise<Site> {
  const [postgresPort = 0, servicePort = 0] = await freePorts(2);
  const place = { folder, programs: findPostgres(), port: postgresPort };
  const node = await startNode();
  const receiver = new Receiver();
  await receiver.start();
  const postgres = await startFirst(place);
  const policyFile = join(folder, "policy.json");
  writeFileSync(policyFile, JSON.stringify(policy));
  const signer = signerPart(folder, { SIGNER_POLICY: policyFile });
  signer.start();
  const environment = {
    ...commonEnvironment(folder, node.url),
    DATABASE_URL: urlOf(place),
    TRUSTED_PROXIES: "127.0.0.1/32",
  };
  const part = servicePart("one", folder, { ...environment, PORT: String(servicePort) });
  const url = `http://127.0.0.1:${servicePort}`;
  const service: Service = { name: "one", url, by: "servers", part };
  part.start();
  await untilReady(service);
  // Two who withdraw.
  const opening = { services: [service, service], count, vault, receiver };
  const { merchants, accounts } = await withAdmin(environment, urlOf(place), async (admin) => {
    const opened = await openMerchants(admin, opening);
    return { merchants: opened, accounts: await fund(admin, urlOf(place), node) };
  });
  const wallet = new Wallet(node.url, usd.chainNumber, otherPayerIndex);
  await node.giveUsd([wallet.address]);
  const signing = { ...signerPlace(folder), SIGNER_POLICY: policyFile };
  return {
    ...accounts,
    place,
    node,
    receiver,
    signer,
    service,
    postgres,
    merchants,
    wallet,
    admin: (words) => type("adapters/admin.ts", words, environment),
    mend: (words) => type("adapters/signer/main.ts", words, signing),
    log: (name) => linesOf(logOf(name, folder)),
  };
}

export async function untilReady({ url }: Service): Promise<void> {
  await waitUntil("the service is ready", () => isReady(url), readySecondsMax);
}

/** The accounts have what they pay with, and the ledger knows of it. */
async function fund(admin: Admin, url: string, node: BenchNode) {
  const accounts = await query(url, "select account, role from own_accounts");
  const payer = new Wallet(node.url, usd.chainNumber, payerIndex);
  await node.giveUsd([payer.address]);
  const book = async (deployment: string, amount: string, account: string): Promise<void> => {
    const given = { deployment, amount, account };
    const words = Object.entries(given).flatMap(([name, value]) => [`--${name}`, value]);
    await admin(["ledger", "fund", ...words]);
  };
  for (const { account, role } of accounts) {
    await node.giveCoin(String(account));
    await book(coinId, "1000000", String(role));
  }
  const [hot, settlement] = ["hot", "settlement"].map((role) =>
    String(accounts.find((row) => row["role"] === role)?.["account"]),
  ) as [string, string]; // as many as were asked for
  await payer.sendToken(usd.address, `0x${hot.slice(2)}`, BigInt(hotAmount) * 10n ** 6n);
  await book(usd.deploymentId, hotAmount, "hot");
  return { hot, settlement };
}

const typedMillisecondsMax = 60_000;

function type(
  program: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Typed> {
  return new Promise((resolve) => {
    const options = {
      cwd: root,
      env: { PATH: process.env["PATH"], ...environment },
      timeout: typedMillisecondsMax,
    };
    const child = execFile(
      process.execPath,
      [join(root, program), ...words],
      options,
      (_, output, errors) => {
        resolve({ exitCode: child.exitCode ?? 1, output: `${output}${errors}` });
      },
    );
  });
}

function linesOf(path: string): readonly LogLine[] {
  const lines = readFileSync(path, "utf8").split("\n");
  // The log has an object in each line; a line that is being written is read the next time.
  return lines
    .filter((line) => line.startsWith("{") && line.endsWith("}"))
    .map((line) => JSON.parse(line) as LogLine);
}
