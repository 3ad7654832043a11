// A process that plans sweeps, sends or confirms and kills itself at a point: SIGKILL cannot be
// caught, so nothing of what it was doing is finished. Its wish is JSON, see WorkerWish.

import { randomFillSync } from "node:crypto";
import { systemClock } from "../../adapters/system/clock.ts";
import { openPostgres } from "../../adapters/database/postgres.ts";
import { openEvmChain } from "../../adapters/evm/chain.ts";
import { buildIdentifiers } from "../../adapters/system/identifiers.ts";
import { systemRandom } from "../../adapters/system/random.ts";
import { connectSigner } from "../../adapters/signer-client/client.ts";
import { CatalogReader } from "../../service/catalog/catalog.ts";
import { Cursors } from "../../service/cursor.ts";
import { OutgoingConfirmer } from "../../service/sending/confirmer.ts";
import { OutgoingSender } from "../../service/sending/sender.ts";
import { sweepEnds } from "../../service/sweeps/ends.ts";
import { Sweeps } from "../../service/sweeps/sweeps.ts";
import { withdrawalSending } from "../../service/withdrawals/sending.ts";
import type { WorkerWish } from "../withdrawals/on-chain.ts";
import { clockOf } from "../support/clock.ts";

// The test wrote it.
const wish = JSON.parse(process.argv[2] ?? "") as WorkerWish;
const { rpcUrl, socketPath, nowMilliseconds, steps, dieAt } = wish;
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const clock = clockOf(() => nowMilliseconds);
const database = await openPostgres({ url: wish.databaseUrl, connectionsMax: 2 });
const signer = await connectSigner({ socketPath, clock: systemClock, log });
const options = { chainId: "eip155:84532", urls: [rpcUrl], clock: systemClock, log };
const chain = await openEvmChain(options);
const fillRandom = (bytes: Uint8Array): void => void randomFillSync(bytes);
const ports = {
  database,
  clock,
  random: systemRandom,
  identifiers: buildIdentifiers({ clock, fillRandom }),
  catalog: new CatalogReader({ database, cursors: new Cursors(Buffer.alloc(32, 7), []) }),
  alarm: (what: string) => void process.stderr.write(`${what}\n`),
  reached: (point: string) => {
    if (point === dieAt) process.kill(process.pid, "SIGKILL");
    return Promise.resolve();
  },
};
const ends = sweepEnds(ports);
const withdrawals = withdrawalSending(ports);
const nothing = (): Promise<void> => Promise.resolve();
const configuration = () => ({
  treasuryAddress: null,
  floatRawMax: () => Promise.resolve(null),
  minimumRaw: () => null,
});
const jobs = {
  sweep: new Sweeps({ ...ports, chains: [{ chain, signer }], configuration }).jobs(),
  send: new OutgoingSender({
    ...ports,
    chains: [{ chain, signer }],
    steps: { withdrawal: withdrawals.steps },
    onImpossible: async (found) => {
      if (found.purpose === "withdrawal") await withdrawals.onImpossible(found);
      else await ends.onImpossible(found);
    },
    gasBudgetRaw: () => Promise.resolve(null),
    merchantGasRaw: () => Promise.resolve(null),
  }).jobs(),
  confirm: new OutgoingConfirmer({
    ...ports,
    chains: [chain],
    onEnded: {
      ...ends.onEnded,
      withdrawal: withdrawals.onEnded,
      x402_settlement: nothing,
      x402_release: nothing,
      refund: nothing,
    },
  }).jobs(),
};
for (const step of steps) await jobs[step][0]?.run();
process.stderr.write("it went past its end\n");
process.exit(1);
