// A chain of the developer's own: anvil with TestUSD and what x402 needs, so that a payment can be
// made on a fresh clone. Its money is worth nothing, and anybody who reaches it can make more: it
// listens on 127.0.0.1 only, and has no place in production.

import { setTimeout as wait } from "node:timers/promises";
import { encodeFunctionData, getAddress, numberToHex, parseAbi } from "viem/utils";
import { startAnvil } from "./anvil.ts";
import { compileContracts } from "./compile.ts";
import { localChainNumber, ownerAddress, testUsdAddress } from "./contract-addresses.ts";
import { contractsFolder, deployLocalContracts } from "./deployment.ts";
import { LocalMiner } from "./miner.ts";
import { localRpc, type LocalRpc } from "./rpc.ts";
import { openStateFolder } from "./state-files.ts";

export interface LocalChainOptions {
  readonly clock: { readonly nowMilliseconds: () => number };
  /** keeps the chain for the next start; absent: it is forgotten */
  readonly stateFolder?: string;
  /** that of the chain before, or else any free one, unless said */
  readonly port?: number;
  /** a block after this long without one */
  readonly idleSeconds?: number;
  /** how long the chain of a server that was killed may take to write its state */
  readonly predecessorMillisecondsMax?: number;
}

export interface LocalChain {
  readonly url: string;
  /** by its CAIP-2 name */
  readonly chainId: string;
  readonly usdAddress: string;
  readonly processId: number;
  readonly rpc: LocalRpc;
  /** a transfer from the chain's owner; answers when it is in a block */
  readonly giveCoin: (to: string, coinRaw: bigint) => Promise<void>;
  /** TestUSD, with 6 decimals; answers when it is in a block */
  readonly giveUsd: (to: string, amountRaw: bigint) => Promise<void>;
  /** settles when the chain has ended, asked for or not */
  readonly ended: Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Below the five minutes after which a chain without blocks counts as stale. */
const idleSecondsDefault = 30;
/** catalog.json asks for 2 confirmations. */
const blocksBehind = 2;
const predecessorMillisecondsDefault = 15_000;
const receiptMillisecondsMax = 10_000;
/** What the owner has at least before it gives coin away. */
const ownerCoinRaw = 10n ** 24n;
const tokenAbi = parseAbi(["function mint(address to, uint256 value)"]);

export async function startLocalChain(options: LocalChainOptions): Promise<LocalChain> {
  const contracts = await compileContracts([contractsFolder]);
  const { stateFolder, idleSeconds = idleSecondsDefault, clock } = options;
  const { predecessorMillisecondsMax = predecessorMillisecondsDefault } = options;
  const state =
    stateFolder === undefined
      ? undefined
      : await openStateFolder(stateFolder, predecessorMillisecondsMax);
  const port = options.port ?? state?.port;
  const anvil = await startAnvil({
    chainNumber: localChainNumber,
    isMiningByHand: true,
    isHistoryShort: true,
    ...(port === undefined ? {} : { port }),
    ...(state === undefined ? {} : { state: state.files }),
  });
  state?.setOwner({ processId: anvil.pid, port: Number(new URL(anvil.url).port) });
  const rpc = localRpc(anvil.url);
  const miner = new LocalMiner({ rpc, clock, idleSeconds, blocksBehind });
  try {
    await deployLocalContracts(rpc, contracts);
    await rpc("evm_setAutomine", [true]);
  } catch (error) {
    await anvil.stop();
    throw error;
  }
  miner.start();
  return {
    url: anvil.url,
    chainId: `eip155:${localChainNumber}`,
    usdAddress: testUsdAddress,
    processId: anvil.pid,
    rpc,
    giveCoin: async (to, coinRaw) => {
      await rpc("anvil_setBalance", [ownerAddress, numberToHex(ownerCoinRaw + coinRaw)]);
      await sendAndWait(rpc, { from: ownerAddress, to, value: numberToHex(coinRaw) });
    },
    giveUsd: async (to, amountRaw) => {
      const data = encodeFunctionData({
        abi: tokenAbi,
        functionName: "mint",
        args: [getAddress(to), amountRaw],
      });
      await sendAndWait(rpc, { from: ownerAddress, to: testUsdAddress, data });
    },
    ended: anvil.ended,
    stop: async () => {
      await miner.stop();
      await anvil.stop();
    },
  };
}

async function sendAndWait(
  rpc: LocalRpc,
  transaction: Readonly<Record<string, string>>,
): Promise<void> {
  const hash = await rpc("eth_sendTransaction", [transaction]);
  const giveUpAt = performance.now() + receiptMillisecondsMax;
  while (performance.now() < giveUpAt) {
    // As the chain's interface has it.
    const receipt = (await rpc("eth_getTransactionReceipt", [hash])) as {
      readonly status: string;
    } | null;
    if (receipt?.status === "0x1") return;
    if (receipt !== null) throw new Error(`the local chain has turned ${String(hash)} back`);
    await wait(20);
  }
  throw new Error(`the local chain has no block with ${String(hash)}`);
}
