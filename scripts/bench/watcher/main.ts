// What the watcher takes of a processor and of a node: blocks with nothing for us, with some and with many
// transfers, and catching up. The watcher is the service's, its database a PostgreSQL server of its own, and the node
// a process that answers what was prepared.

import { startPostgresServer } from "../../../test/support/postgres-server.ts";
import type { PostgresServer } from "../../../test/support/postgres-server.ts";
import { readSettings, tidy } from "../service/database.ts";
import { UsageError } from "../../../generator/command/terminal.ts";
import { positive, readCommandLine, worded } from "../../command-line.ts";
import { fillAddresses } from "./addresses.ts";
import { findFaults } from "./check.ts";
import { GrowingChain } from "./growing.ts";
import { kinds, kindsOf, paidInRound } from "./kinds.ts";
import type { Kind } from "./kinds.ts";
import { measureParsing } from "./parsing.ts";
import { secondsPerBlock } from "./prepared-chain.ts";
import { jumpLine, parsingLines, tableLines } from "./report.ts";
import type { Turn } from "./report.ts";
import { startNode } from "./running-node.ts";
import type { RunningNode } from "./running-node.ts";
import { openWatching } from "./watching.ts";

const help = `npm run bench:watcher -- [options]

  --addresses N     payments that wait for their money, each with an address (100000)
  --blocks N        to catch up with, every 100th with one transfer to us (10000)
  --rounds N        how often each kind of block is measured, in turn, after one round that does not count (3)
  --transactions N  of a block, whatever it has for us (100)
  --only KIND,...   of ${kinds.map(({ name }) => name).join(", ")} (all); empty ones are always there
  --nodes N         that the chain has: from two on, what is read again is asked of another one (1)
  --help`;

interface Options {
  readonly addresses: number;
  readonly blocks: number;
  readonly rounds: number;
  readonly transactions: number;
  readonly nodes: number;
  readonly kinds: readonly Kind[];
}

const config = {
  options: {
    ...worded({
      addresses: "100000",
      blocks: "10000",
      rounds: "3",
      transactions: "100",
      nodes: "1",
    }),
    only: { type: "string" },
  },
} as const;

function readOptions(): Options {
  return readCommandLine(help, config, ({ values }) => {
    const options = {
      addresses: positive("addresses", values.addresses, 10_000_000),
      blocks: positive("blocks", values.blocks, 150_000),
      rounds: positive("rounds", values.rounds, 99),
      transactions: positive("transactions", values.transactions, 5_000),
      nodes: positive("nodes", values.nodes, 9),
      kinds: values.only === undefined ? kinds : kindsOf(values.only),
    };
    const paid =
      paidInRound(options.kinds) * (options.rounds + 1) + Math.ceil(options.blocks / jumpEvery);
    if (options.addresses < paid)
      throw new UsageError(`--addresses must be ${paid} or more: so many are paid to`);
    return options;
  });
}

const jumpEvery = 100;
/** Where the chain is when it begins to be watched. */
const firstHead = 100;
/** Before now; the chain has that much room to grow. */
const ageMilliseconds = 4 * 86_400_000;

async function measure(server: PostgresServer, options: Options): Promise<readonly string[]> {
  await server.execute("create database watcher");
  const url = server.url("watcher");
  const genesis = Date.now() - ageMilliseconds;
  const shape = {
    transactions: options.transactions,
    genesisSeconds: Math.floor(genesis / 1_000),
  };
  const nodes: RunningNode[] = [];
  for (let number = 0; number < options.nodes; number++) nodes.push(await startNode(shape));
  for (const node of nodes) await node.grow(firstHead, []);
  const watching = await openWatching(
    url,
    nodes.map((node) => node.url),
  );
  try {
    const createdAt = new Date(genesis + firstHead * secondsPerBlock * 1_000);
    const expiresAt = new Date(Date.now() + ageMilliseconds);
    await fillAddresses(url, { count: options.addresses, createdAt, expiresAt });
    await tidy(url);
    await watching.catchUp();
    const chain = new GrowingChain({ nodes, watching, databasePid: server.pid() }, firstHead);
    await measureRounds(chain, options);
    console.log(jumpLine("Catching up", await chain.jump(options.blocks, jumpEvery)));
    // What the last blocks of it have brought becomes final.
    await chain.follow({ ours: 0, others: 0 }, 1);
    return await findFaults(url, chain);
  } finally {
    await watching.close();
    for (const node of nodes) await node.close();
  }
}

async function measureRounds(chain: GrowingChain, wish: Options): Promise<void> {
  const { rounds } = wish;
  const turns: Turn[] = [];
  const parsings = [];
  for (let round = 0; round <= rounds; round++) {
    for (const kind of wish.kinds) {
      const taken = await chain.follow(kind.content, kind.blocks);
      if (round > 0) turns.push({ round, kind, taken });
    }
    const parsing = measureParsing(10);
    if (round > 0) parsings.push(parsing);
  }
  for (const line of [...tableLines(wish.kinds, turns), "", ...parsingLines(parsings)])
    console.log(line);
}

async function main(options: Options): Promise<void> {
  const server = await startPostgresServer({ isDurable: true });
  try {
    const names = options.kinds.map(({ name }) => name);
    console.log(JSON.stringify({ ...options, kinds: names, ...(await readSettings(server)) }));
    const faults = await measure(server, options);
    for (const fault of faults) console.error(`WRONG: ${fault}`);
    if (faults.length > 0) process.exitCode = 1;
    else
      console.log(
        "\nEvery transfer to us is there, once and final, and the chain was read to its head.",
      );
  } finally {
    await server.remove();
  }
}

// Everything else ends with us.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
await main(readOptions());
