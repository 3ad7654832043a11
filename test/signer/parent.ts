// A server as far as its signer is concerned: starts it as a child, connects, and lives until killed.

import { join } from "node:path";
import { systemClock } from "../../adapters/system/clock.ts";
import { startSignerChild } from "../../adapters/signer-client/child.ts";
import { connectSigner } from "../../adapters/signer-client/client.ts";

const folder = process.argv[2] ?? "";
const socketPath = join(folder, "signer.sock");
const log = { warn: () => undefined, error: () => undefined };
const output = { write: () => undefined };
const child = await startSignerChild({ folder, socketPath, logLevel: "silent", log, output });
const signer = await connectSigner({ socketPath, clock: systemClock, log });
const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n };
const to = signer.accounts.settlementAddress;
for (const nonce of [0n, 1n, 2n]) {
  const action = { kind: "transfer", to, contractAddress: null, amountRaw: 1n } as const;
  const intent = { account: { role: "hot" }, nonce, action, gasUnitsMax: 60_000n, fees } as const;
  await signer.signAction("eip155:31337", intent);
}
process.stdout.write(`${child.pid()}\n`);
setInterval(() => undefined, 60_000);
