// A server process as far as the indexes of deposit addresses go: takes some, a few at a time, and
// writes them on its standard output. Its wish is JSON, see WorkerWish.

import { systemClock } from "../../adapters/system/clock.ts";
import { openPostgres } from "../../adapters/database/postgres.ts";
import { connectSigner } from "../../adapters/signer-client/client.ts";
import { AddressIndexes } from "../../service/addresses/indexes.ts";

export interface WorkerWish {
  readonly databaseUrl: string;
  readonly socketPath: string;
  readonly rounds: number;
}

const atOnce = 10;

if (import.meta.main) {
  // The test wrote it.
  const wish = JSON.parse(process.argv[2] ?? "") as WorkerWish;
  const log = { warn: () => undefined, error: () => undefined };
  const { socketPath, databaseUrl: url } = wish;
  const database = await openPostgres({ url, connectionsMax: atOnce });
  const keeper = await connectSigner({ socketPath, clock: systemClock, log });
  const alarm = (): void => undefined;
  const indexes = new AddressIndexes({ database, clock: systemClock, keeper, alarm });
  const taken: bigint[] = [];
  for (let round = 0; round < wish.rounds; round++) {
    taken.push(...(await Promise.all(Array.from({ length: atOnce }, () => indexes.next()))));
  }
  process.stdout.write(`${JSON.stringify(taken.map(String))}\n`);
  keeper.close();
  await database.close();
}
