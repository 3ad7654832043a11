// Withdrawals with nothing scripted: a real chain, a signer process, PostgreSQL, and senders that are
// processes of their own where they have to die.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { numberToHex, type Hex } from "viem";
import { systemClock } from "../../adapters/system/clock.ts";
import { openPostgres } from "../../adapters/database/postgres.ts";
import { openEvmChain } from "../../adapters/evm/chain.ts";
import { connectSigner, type ConnectedSigner } from "../../adapters/signer-client/client.ts";
import { openKeys, type Keys } from "../../adapters/signer/keys.ts";
import type { SettlementChain } from "../../service/ports/settlement-chain.ts";
import { endChildren, startChild } from "../programs/child.ts";
import { startSigner, type SignerProcess } from "../signer/process.ts";
import { makePostgresDatabase } from "../support/engines.ts";
import { startTestChain, type TestChain } from "../support/local-chain.ts";
import { markLookedAt } from "../support/looked-at.ts";
import { coin, openSceneOn, usdc, whole } from "./scene.ts";
import type { Point } from "../support/dying.ts";

export const quietLog = { info: () => {}, warn: () => {}, error: () => {} };

export interface OnChain {
  readonly node: TestChain;
  readonly chain: SettlementChain;
  readonly signer: ConnectedSigner;
  /** what only the signer process has, for a test that plays a thief */
  readonly keys: Keys;
  /** the one that runs now */
  signerProcess: SignerProcess;
}

/**
 * Call it once in a file: one chain, one signer, with these variables. Its accounts go on from test
 * to test.
 */
export function useChain(variables: Readonly<Record<string, string>> = {}): () => OnChain {
  let made: OnChain | undefined;
  let close = (): Promise<void> => Promise.resolve();
  beforeAll(async () => {
    const node = await startTestChain({ chainNumber: 84_532n });
    close = node.close;
    await placeToken(node);
    const signerProcess = await startSigner(variables);
    const { socketPath, folder } = signerProcess;
    const signer = await connectSigner({ socketPath, clock: systemClock, log: quietLog });
    const seed = Buffer.from(readFileSync(join(folder, "seed"), "utf8").trim(), "hex");
    await node.giveCoin(signer.accounts.hotAddress, 100n * 10n ** 18n);
    await node.mint(signer.accounts.hotAddress, 1_000_000n * whole, usdc.contractAddress);
    const { chainId, url } = node;
    const chain = await openEvmChain({ chainId, urls: [url], clock: systemClock, log: quietLog });
    made = { node, chain, signer, keys: openKeys(seed), signerProcess };
  });
  afterAll(async () => {
    made?.signer.close();
    await endChildren();
    await close();
  });
  return () => {
    if (made === undefined) throw new Error("beforeAll has not run");
    return made;
  };
}

/** How many words of its storage the token's contract begins with; what is in mappings comes later. */
const storageWords = 16;

/** Where the catalog expects it on this chain. */
async function placeToken(node: TestChain): Promise<void> {
  const { rpc, usdAddress } = node;
  await rpc("anvil_setCode", [
    usdc.contractAddress,
    await rpc("eth_getCode", [usdAddress, "latest"]),
  ]);
  for (let slot = 0; slot < storageWords; slot++) {
    const at = numberToHex(slot, { size: 32 });
    const word = await rpc("eth_getStorageAt", [usdAddress, at, "latest"]);
    await rpc("anvil_setStorageAt", [usdc.contractAddress, at, word]);
  }
}

/**
 * In a test: a database of its own, beside the chain of the file. Somebody has looked at what the
 * account did before, unless it is restored from a backup that is older than that.
 */
export async function openChainScene(
  { node, chain, signer }: OnChain,
  { isRestored = false }: { readonly isRestored?: boolean } = {},
) {
  const { url, remove } = await makePostgresDatabase();
  const database = await openPostgres({ url, connectionsMax: 4 });
  onTestFinished(async () => {
    await database.close();
    await remove();
  });
  const scene = await openSceneOn(database, { chain, signer });
  const lookAtAccount = () => markLookedAt(database, chain, signer.accounts.hotAddress);
  if (!isRestored) await lookAtAccount();
  return {
    ...scene,
    url,
    lookAtAccount,
    /** Amounts that have really arrived. */
    arrived: (address: string) => node.balanceOf(address, usdc.contractAddress),
    coinArrived: (address: string) => node.balanceOf(address, coin.contractAddress),
  };
}

export type ChainScene = Awaited<ReturnType<typeof openChainScene>>;

export interface WorkerWish {
  readonly databaseUrl: string;
  readonly rpcUrl: string;
  readonly socketPath: string;
  readonly nowMilliseconds: number;
  readonly steps: readonly ("sweep" | "send" | "confirm")[];
  readonly dieAt: Point;
}

/** A process that kills itself there with SIGKILL. Throws if it gets past it. */
export async function runUntilKilled(
  { node, signerProcess }: OnChain,
  scene: Pick<ChainScene, "url" | "clock">,
  wish: Pick<WorkerWish, "steps" | "dieAt">,
): Promise<void> {
  const complete: WorkerWish = {
    databaseUrl: scene.url,
    rpcUrl: node.url,
    socketPath: signerProcess.socketPath,
    nowMilliseconds: scene.clock.nowMilliseconds(),
    ...wish,
  };
  const child = startChild(["test/sending/dying-worker.ts", JSON.stringify(complete)]);
  const { code, signal } = await child.ended;
  if (signal !== "SIGKILL") throw new Error(`ended with ${code}: ${child.errors()}`);
}

/** An operator's word, while the signer is stopped; then it is started again. */
export async function tellSigner(world: OnChain, words: readonly string[]): Promise<void> {
  const { signerProcess } = world;
  signerProcess.kill("SIGTERM");
  await signerProcess.ended;
  const { folder } = signerProcess;
  const child = startChild(["adapters/signer/main.ts", ...words], { SIGNER_DIR: folder });
  const { code } = await child.ended;
  if (code !== 0) throw new Error(child.errors());
  world.signerProcess = await startSigner({ SIGNER_DIR: folder });
}

/** A transaction of the hot account that no sender of ours knows of. */
export async function useForeign({ chain, keys }: OnChain, nonce: bigint): Promise<Hex> {
  const fees = await chain.fees();
  const { raw, txHash } = await keys.signTransaction({
    chainId: chain.chainId,
    account: { role: "hot" },
    nonce,
    gasUnitsMax: 60_000n,
    maxFeePerGas: fees.maxFeePerGas * 3n,
    maxPriorityFeePerGas: fees.maxPriorityFeePerGas * 3n,
    call: { to: "0x00000000000000000000000000000000000000aa", data: "0x", value: 1n },
  });
  await chain.send(raw);
  // A hash, as the signer makes it.
  return txHash as Hex;
}
