// What the EVM adapter saves: who has signed, by the fast library and by the plain one, and calls to
// a node together and one by one. Only ratios mean something: both take turns, in several rounds.
//
//   node scripts/bench/evm.ts

import { RpcEndpoint, endpointLimits } from "../../adapters/evm/endpoint.ts";
import { loadFastRecover, plainRecover } from "../../adapters/evm/signature.ts";
import type { Recover } from "../../adapters/evm/signature.ts";
import { signerOf } from "../../adapters/evm/typed-data.ts";
import type { SignedAuthorization } from "../../service/ports/signer.ts";
import { chainNumber, eip3009, signedBy, wordOf } from "../../test/evm/authorizations.ts";
import { startTestChain } from "../../test/support/local-chain.ts";
import { testAccounts } from "../../test/support/test-accounts.ts";
import { median } from "./measuring.ts";

const rounds = 7;
const signatures = 100;
const calls = 500;

type Measured = Readonly<Record<string, () => Promise<unknown>>>;

/** CPU of this process, in milliseconds, the median of the rounds. */
async function measure(contenders: Measured): Promise<ReadonlyMap<string, number>> {
  const spent = new Map<string, number[]>(Object.keys(contenders).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const [name, run] of Object.entries(contenders)) {
      const before = process.cpuUsage();
      await run();
      const { user, system } = process.cpuUsage(before);
      // The first round is for the compiler.
      if (round > 0) spent.get(name)?.push((user + system) / 1000);
    }
  }
  return new Map(Array.from(spent, ([name, times]) => [name, median(times)]));
}

function report(text: string, times: ReadonlyMap<string, number>, per: number): void {
  const [first = 1] = times.values();
  process.stdout.write(`${text}, CPU here for each\n`);
  for (const [name, time] of times) {
    const each = ((time / per) * 1000).toFixed(0);
    process.stdout.write(
      `  ${name.padEnd(24)} ${each.padStart(6)} µs  x ${(time / first).toFixed(2)}\n`,
    );
  }
}

const [payer] = testAccounts;
const signed: SignedAuthorization[] = [];
for (let index = 0; index < signatures; index++) {
  signed.push(await signedBy(payer, eip3009({ nonce: wordOf(index) })));
}
const fast = await loadFastRecover();
if (fast === undefined) throw new Error("the fast library cannot be loaded here");
const recoverAll = (recover: Recover) => (): Promise<unknown> => {
  const found = signed.map((one) => signerOf(BigInt(chainNumber), one, recover));
  if (found.some((address) => address !== payer.address)) throw new Error("another signer");
  return Promise.resolve();
};
report(
  "Who has signed",
  await measure({ JavaScript: recoverAll(plainRecover), "libsecp256k1 in WASM": recoverAll(fast) }),
  signatures,
);

const chain = await startTestChain();
try {
  const single = new RpcEndpoint(chain.url, { ...endpointLimits, batchMax: 1 });
  const batched = new RpcEndpoint(chain.url);
  const callAll = (endpoint: RpcEndpoint) => () =>
    Promise.all(
      Array.from({ length: calls }, () =>
        endpoint.call("eth_getBalance", [payer.address, "latest"]),
      ),
    );
  const times = await measure({ "one by one": callAll(single), together: callAll(batched) });
  report("Calls to a node", times, calls);
} finally {
  await chain.close();
}
