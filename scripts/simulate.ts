// Plays the simulation of test/simulation and prints what happened in it:
// npm run simulate -- --seed 42 --steps 20000

import { openPostgres } from "../adapters/database/postgres.ts";
import { openPglite } from "../adapters/database/pglite.ts";
import { flags, positive, readCommandLine, seedOf, worded } from "./command-line.ts";
import { simulate } from "../test/simulation/simulation.ts";
import { SimulationError } from "../test/simulation/world.ts";
import { startPostgresServer } from "../test/support/postgres-server.ts";

const help = `Plays a long life of the service with everything going wrong, from a seed.

  npm run simulate -- [options]

  --seed N      what happens (by the time of day when left out, and printed)
  --steps N     how much of it (2000)
  --embedded    on the embedded database instead of a PostgreSQL server
  --wild        both processes really at once: finds what taking turns cannot, and the same seed
                is no longer the same run
  --help

Exit code 1: something was not as it must be; what, and how to see it again, is printed.`;

const config = {
  options: {
    ...worded({ seed: String(Date.now() % 2_147_483_647), steps: "2000" }),
    ...flags("embedded", "wild"),
  },
} as const;
const options = readCommandLine(help, config, ({ values }) => ({
  ...values,
  seed: seedOf(values.seed),
  steps: positive("steps", values.steps, Number.MAX_SAFE_INTEGER),
}));
process.exitCode = await play(options);

async function play({ seed, steps }: typeof options): Promise<number> {
  console.log(`seed ${seed}, ${steps} steps`);
  const place = options.embedded ? await openEmbedded() : await openServer();
  try {
    const isWild = options.wild;
    const onProgress = (line: string) => process.stderr.write(`${line}\n`);
    const { counts, days } = await simulate(place.database, { seed, steps, isWild, onProgress });
    for (const [name, count] of counts) console.log(`${String(count).padStart(8)}  ${name}`);
    console.log(`${days} days went by, and everything adds up.`);
    return 0;
  } catch (error) {
    if (!(error instanceof SimulationError)) throw error;
    console.error(error.message);
    return 1;
  } finally {
    await place.remove();
  }
}

async function openEmbedded() {
  const database = await openPglite({ folder: undefined });
  return { database, remove: database.close };
}

async function openServer() {
  const server = await startPostgresServer({ isDurable: false });
  try {
    await server.execute("create database simulation");
    const database = await openPostgres({ url: server.url("simulation"), connectionsMax: 6 });
    const remove = async (): Promise<void> => {
      await database.close();
      await server.remove();
    };
    return { database, remove };
  } catch (error) {
    await server.remove();
    throw error;
  }
}
