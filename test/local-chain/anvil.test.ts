// The program behind the local chain: nothing of it is left afterwards, and what goes wrong is said.

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startAnvil } from "../../adapters/local-chain/anvil.ts";
import { localRpc } from "../../adapters/local-chain/rpc.ts";
import { homeOf, homes, isAlive, until, watchersOf } from "./processes.ts";

const options = { chainNumber: 31_337n, isMiningByHand: true };

test("a stopped chain leaves no process, no folder and nothing in the home folder", async () => {
  const hadFolder = existsSync(join(homedir(), ".foundry"));
  const anvil = await startAnvil(options);
  const home = homeOf(anvil.pid);
  expect(homes()).toContain(home);
  await localRpc(anvil.url)("anvil_mine", ["0x20"]);
  await anvil.stop();
  await anvil.ended;
  expect(isAlive(anvil.pid)).toBe(false);
  expect(existsSync(home)).toBe(false);
  await until(() => watchersOf(anvil.pid).length === 0);
  expect(existsSync(join(homedir(), ".foundry"))).toBe(hadFolder);
  await anvil.stop();
});

test("it says when it has ended by itself", async () => {
  const anvil = await startAnvil(options);
  process.kill(anvil.pid, "SIGKILL");
  await anvil.ended;
  await expect(localRpc(anvil.url)("eth_chainId")).rejects.toThrow("fetch failed");
});

test("several run beside each other, each on its own port and with its own chain", async () => {
  const numbers = [31_337n, 84_532n, 1_000_001n];
  const started = await Promise.all(
    numbers.map((chainNumber) => startAnvil({ ...options, chainNumber })),
  );
  const answered = await Promise.all(started.map(({ url }) => localRpc(url)("eth_chainId")));
  expect(answered.map((answer) => BigInt(String(answer)))).toEqual(numbers);
  await Promise.all(started.map(({ stop }) => stop()));
});

test("a taken port is said, with the words of the program", async () => {
  const anvil = await startAnvil(options);
  const port = Number(new URL(anvil.url).port);
  await expect(startAnvil({ ...options, port })).rejects.toThrow(/did not start.*in use/is);
  await anvil.stop();
});

test("web pages of others cannot ask it", async () => {
  const anvil = await startAnvil(options);
  const response = await fetch(anvil.url, {
    method: "POST",
    headers: { "content-type": "application/json", origin: "https://elsewhere.example" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] }),
  });
  expect(response.headers.get("access-control-allow-origin")).toBeNull();
  await response.text();
  await anvil.stop();
});
