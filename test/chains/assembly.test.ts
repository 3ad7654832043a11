// The service watches the chains that it is given, and no others.

import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { openService } from "../../adapters/assembly/service.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { parseConfiguration } from "../../adapters/configuration/configuration.ts";
import { buildLogger } from "../../adapters/system/logging.ts";
import { openDatabase } from "../support/engines.ts";
import { ScriptedChain } from "../support/scripted-chain.ts";

test("each chain that is handed in has a job; with none, none runs", async () => {
  const database = await openDatabase("PostgreSQL");
  const configuration = parseConfiguration({
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    NODE_ENV: "test",
  });
  const log = buildLogger("silent", { write: () => undefined });
  const watchers = async (chains?: readonly ScriptedChain[]) => {
    const ports = { clock: systemClock, log, database, ...(chains && { chains }) };
    const service = await openService(configuration, ports);
    const names = (await service.operator.jobs.list()).map(({ name }) => name);
    await service.close();
    return names.filter((name) => name.startsWith("watch-"));
  };
  expect(await watchers()).toEqual([]);
  const chains = ["eip155:1", "eip155:8453"].map((chainId) => new ScriptedChain({ chainId }));
  expect(await watchers(chains)).toEqual(["watch-eip155-1", "watch-eip155-8453"]);
});
