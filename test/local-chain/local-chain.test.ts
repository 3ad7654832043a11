// The developer's chain: payments become final and expire on it, and it outlives its server.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../../adapters/system/clock.ts";
import {
  exactProxyAddress,
  permit2Address,
  testUsdAddress,
  uptoProxyAddress,
} from "../../adapters/local-chain/contract-addresses.ts";
import {
  catalogWithLocalChain,
  localCatalogPath,
} from "../../adapters/local-chain/local-catalog.ts";
import { startLocalChain, type LocalChain } from "../../adapters/local-chain/local-chain.ts";
import { LocalMiner } from "../../adapters/local-chain/miner.ts";
import { localRpc, type LocalRpc } from "../../adapters/local-chain/rpc.ts";
import { parseCatalogFile } from "../../service/catalog/file.ts";
import { startTestChain } from "../support/local-chain.ts";
import { isAlive, until } from "./processes.ts";

const someone = "0x00000000000000000000000000000000000000Aa";
const balanceCall = { to: testUsdAddress, data: `0x70a08231${someone.slice(2).padStart(64, "0")}` };

let folder = "";
const running: LocalChain[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "merchant-local-chain-"));
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((chain) => chain.stop()));
  rmSync(folder, { recursive: true, force: true });
});

async function start(stateFolder?: string): Promise<LocalChain> {
  const chain = await startLocalChain({
    clock: systemClock,
    ...(stateFolder === undefined ? {} : { stateFolder }),
  });
  running.push(chain);
  return chain;
}

const usdOf = async (rpc: LocalRpc) =>
  BigInt(String(await rpc("eth_call", [balanceCall, "latest"])));
const height = async (rpc: LocalRpc) => BigInt(String(await rpc("eth_blockNumber")));

describe("it outlives its server", () => {
  test("stopped, with every contract in its place", async () => {
    const first = await start(folder);
    await first.giveUsd(someone, 7n);
    await first.giveCoin(someone, 8n);
    const [heightBefore, codes] = [await height(first.rpc), await codesOf(first.rpc)];
    await first.stop();
    const second = await start(folder);
    expect(await usdOf(second.rpc)).toBe(7n);
    expect(await second.rpc("eth_getBalance", [someone, "latest"])).toBe("0x8");
    expect(await height(second.rpc)).toBe(heightBefore);
    expect(await codesOf(second.rpc)).toEqual(codes);
    // A watcher that has not read the last blocks yet asks what was before them.
    const before = `0x${(heightBefore - 1n).toString(16)}`;
    expect(await second.rpc("eth_getBalance", [someone, before])).toBe("0x0");
  });

  test("where it was, so that a wallet finds it again; elsewhere if somebody else is there", async () => {
    const first = await start(folder);
    await first.stop();
    const second = await start(folder);
    expect(second.url).toBe(first.url);
    await second.stop();
    const stranger = createServer().listen(Number(new URL(first.url).port), "127.0.0.1");
    await once(stranger, "listening");
    const third = await start(folder);
    expect(third.url).not.toBe(first.url);
    await third.giveUsd(someone, 7n);
    await third.stop();
    stranger.close();
    await once(stranger, "close");
    // From now on there.
    expect((await start(folder)).url).toBe(third.url);
  });

  test("in a folder that is named as seen from here", async () => {
    const seenFromHere = relative(process.cwd(), folder);
    const first = await start(seenFromHere);
    await first.giveUsd(someone, 7n);
    await first.stop();
    expect(readdirSync(folder)).toContain("chain.new.json");
    expect(await usdOf((await start(seenFromHere)).rpc)).toBe(7n);
  });

  test("killed: its chain ends by itself and keeps its state", async () => {
    const owner = spawn(process.execPath, [join(import.meta.dirname, "chain-owner.ts"), folder], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const printed: readonly unknown[] = await once(createInterface(owner.stdout), "line");
    // As the owner's process prints it.
    const { url, processId } = JSON.parse(String(printed[0])) as { url: string; processId: number };
    const rpc = localRpc(url);
    await rpc("anvil_setBalance", [someone, "0x9"]);
    await rpc("evm_mine");
    owner.kill("SIGKILL");
    // The next start waits for the end of the chain before.
    const second = await start(folder);
    expect(isAlive(processId)).toBe(false);
    expect(await second.rpc("eth_getBalance", [someone, "latest"])).toBe("0x9");
  });

  test("with half a state written: what was whole before is taken", async () => {
    const first = await start(folder);
    await first.giveUsd(someone, 7n);
    await first.stop();
    await (await start(folder)).stop();
    expect(readdirSync(folder)).toContain("chain.json");
    writeFileSync(join(folder, "chain.new.json"), '{"block":');
    expect(await usdOf((await start(folder)).rpc)).toBe(7n);
  });

  test("and two servers cannot have the same one", async () => {
    await start(folder);
    const again = startLocalChain({
      clock: systemClock,
      stateFolder: folder,
      predecessorMillisecondsMax: 100,
    });
    await expect(again).rejects.toThrow(/Another local chain/);
  });
});

const codesOf = (rpc: LocalRpc) =>
  Promise.all(
    [testUsdAddress, permit2Address, exactProxyAddress, uptoProxyAddress].map((address) =>
      rpc("eth_getCode", [address, "latest"]),
    ),
  );

test("a transaction has its block at once, and two more behind it soon", async () => {
  const chain = await start();
  await chain.giveUsd(someone, 7n);
  const paid = await height(chain.rpc);
  expect(await usdOf(chain.rpc)).toBe(7n);
  await until(async () => (await height(chain.rpc)) === paid + 2n);
});

test("the miner adds blocks behind a transaction or after an idle time, and no others", async () => {
  const chain = await startTestChain();
  let now = 0;
  const { rpc } = chain;
  const clock = { nowMilliseconds: () => now };
  const miner = new LocalMiner({ rpc, clock, idleSeconds: 30, blocksBehind: 2 });
  const added = async (turns: number) => {
    const before = await height(rpc);
    for (let turn = 0; turn < turns; turn += 1) await miner.turn();
    return (await height(rpc)) - before;
  };
  await chain.mint(someone, 1n);
  now = Number((await chain.newestBlock()).timestamp) * 1_000;
  expect(await added(5)).toBe(2n);
  expect(await added(5)).toBe(0n);
  now += 31_000;
  expect(await added(1)).toBe(1n);
  await chain.close();
});

describe("the catalog", () => {
  const shipped = new URL("../../adapters/catalog/catalog.json", import.meta.url);
  const merged = catalogWithLocalChain(readFileSync(shipped, "utf8"));
  const currencies = parseCatalogFile(merged, "merged");
  const local = currencies.flatMap(({ code, deployments }) =>
    deployments
      .filter(({ chainId }) => chainId === "eip155:31337")
      .map((deployment) => ({ code, ...deployment })),
  );

  test("has the two assets of the local chain, and all that is shipped", () => {
    expect(local.map(({ code, id }) => [code, id])).toEqual([
      ["USDC", "dep_usdc_local"],
      ["ETH", "dep_eth_local"],
    ]);
    const idsOf = (text: string) =>
      parseCatalogFile(text, "catalog").flatMap((one) => one.deployments.map(({ id }) => id));
    expect(idsOf(merged)).toEqual(
      expect.arrayContaining([...idsOf(readFileSync(shipped, "utf8"))]),
    );
  });

  test("is a catalog file by itself", () => {
    expect(parseCatalogFile(readFileSync(localCatalogPath, "utf8"), "local")).toHaveLength(2);
  });

  test("says of the contracts what they say of themselves", async () => {
    const chain = await start();
    const token = local.find(({ assetKind }) => assetKind === "token");
    expect(token?.contractAddress).toBe(chain.usdAddress);
    expect(`${token?.chainId}`).toBe(chain.chainId);
    const parametersOf = (key: string) =>
      token?.capabilities.find((one) => one.scope === "x402" && one.key === key)?.parameters;
    const domainSeparator = await chain.rpc("eth_call", [
      { to: chain.usdAddress, data: "0x3644e515" },
      "latest",
    ]);
    expect(parametersOf("eip3009")).toMatchObject({ domain_separator: domainSeparator });
    expect(parametersOf("permit2")).toEqual({ address: exactProxyAddress });
    expect(parametersOf("permit2_upto_proxy")).toEqual({ address: uptoProxyAddress });
  });
});
