// A process that settles what it is told to, or sends what is queued, and dies at a step: by itself, so that nothing after that
// step happens, and nobody has time to tidy up.

import { systemClock } from "../../adapters/system/clock.ts";
import { openPostgres } from "../../adapters/database/postgres.ts";
import { openEvmChain } from "../../adapters/evm/chain.ts";
import { testUsdAddress } from "../../adapters/local-chain/contract-addresses.ts";
import { localRpc } from "../../adapters/local-chain/rpc.ts";
import { CatalogReader } from "../../service/catalog/catalog.ts";
import { Cursors } from "../../service/cursor.ts";
import { PaymentProgress } from "../../service/payments/progress.ts";
import { collectingLog } from "../evm/faulty-endpoint.ts";
import { buildServiceParts, TestClock } from "../support/service-parts.ts";
import { testActionSigner } from "./action-signer.ts";
import { merchant, startProcess } from "./scene.ts";
import { commandOf } from "../../handlers/x402.ts";
import type { SettleX402PaymentRequest } from "../../generated/types.ts";

function given(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`the worker needs ${name}`);
  return value;
}

const database = await openPostgres({ url: given("WORKER_DATABASE"), connectionsMax: 2 });
const url = given("WORKER_CHAIN");
const clock = new TestClock();
clock.advance(Number(given("WORKER_NOW")) - clock.nowMilliseconds());
const parts = buildServiceParts(database, clock);
const chainId = given("WORKER_CHAIN_ID");
const { log } = collectingLog();
const rpc = localRpc(url);
const mine = async () => {
  await rpc("evm_mine");
  return newestBlock();
};
// The chain's clock is the test's business: nothing here asks for more than the number.
const newestBlock = () => Promise.resolve({ number: 0n, hash: "0x" as const, timestamp: 0n });
const { x402, reconcile, send } = startProcess(
  {
    ...parts,
    clock,
    catalog: new CatalogReader({ database, cursors: new Cursors(Buffer.alloc(32, 7), []) }),
    local: { chainId, usdAddress: testUsdAddress, mine, newestBlock },
    chain: await openEvmChain({ chainId, urls: [url], clock: systemClock, log }),
    signer: testActionSigner(),
    alarm: () => undefined,
    progress: new PaymentProgress(parts),
  },
  {
    reached: (point) => {
      if (point === given("WORKER_POINT")) process.kill(process.pid, "SIGKILL");
      return Promise.resolve();
    },
  },
);
const request = given("WORKER_REQUEST");
if (request === "") await send();
else {
  // Written by the test that started this process.
  const body = JSON.parse(request) as SettleX402PaymentRequest;
  await x402.settle(merchant, commandOf(body));
  await reconcile();
}
process.stdout.write("survived\n");
process.exit(0);
