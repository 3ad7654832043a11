// What leaves, how much of the signer's limits that takes, and what a database has to do twice, as it is counted.

import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { signerJobs } from "../../adapters/assembly/signer-jobs.ts";
import { DatabaseMetrics } from "../../adapters/metrics/database.ts";
import { harmless } from "../../adapters/metrics/harmless.ts";
import { SendingMetrics } from "../../adapters/metrics/sending.ts";
import { SignerLimitMetrics } from "../../adapters/metrics/signer-limits.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { queries, statement } from "../../service/database/statement.ts";
import type { LimitUse } from "../../service/ports/signer.ts";
import { openDatabase } from "../support/engines.ts";
import { TestClock } from "../support/service-parts.ts";
import { safely } from "./failing-log.ts";
import { samplesOf } from "./exposition.ts";

function open() {
  const registry = new Registry();
  const samples = async () => Object.fromEntries(samplesOf(await registry.metrics()));
  return { registry, clock: new TestClock(), samples };
}

test("what is signed, and what became of it after how long", async () => {
  const { registry, clock, samples } = open();
  const { observer } = new SendingMetrics(registry, clock, safely);
  const of = { chainId: "eip155:1", purpose: "sweep" } as const;
  observer.onSigned({ ...of, isFirst: true });
  observer.onSigned({ ...of, isFirst: false });
  observer.onSigned({ ...of, isFirst: false });
  const queuedAt = clock.now();
  clock.advance(45_000);
  observer.onEnded({ ...of, status: "succeeded", queuedAt, at: clock.now() });
  observer.onEnded({ ...of, status: "replaced", queuedAt, at: clock.now() });
  // Of two machines whose clocks do not agree.
  observer.onEnded({ ...of, status: "reverted", queuedAt: clock.now(), at: queuedAt });
  const found = await samples();
  const named = 'chain_id="eip155:1",purpose="sweep"';
  const signed = (kind: string) => found[`pay_transactions_signed_total{${named},kind="${kind}"}`];
  expect([signed("first"), signed("replacement")]).toEqual([1, 2]);
  const sum = (outcome: string) =>
    found[`pay_transaction_end_seconds_sum{${named},outcome="${outcome}"}`];
  const sums = ["succeeded", "nonce_used_by_another", "reverted"].map(sum);
  expect(sums).toEqual([45, 45, 0]);
});

test("nonces as they were last seen, for five minutes", async () => {
  const { registry, clock, samples } = open();
  const { observer } = new SendingMetrics(registry, clock, safely);
  observer.onNonces({ chainId: "eip155:1", role: "hot", waiting: 9, missing: 9 });
  observer.onNonces({ chainId: "eip155:1", role: "hot", waiting: 3, missing: 1 });
  clock.advance(300_000);
  observer.onNonces({ chainId: "eip155:1", role: "settlement", waiting: 2, missing: 0 });
  const settlement = {
    'pay_sender_nonces_waiting{chain_id="eip155:1",account="settlement"}': 2,
    'pay_sender_nonces_missing{chain_id="eip155:1",account="settlement"}': 0,
  };
  const nonces = async () =>
    Object.fromEntries(Object.entries(await samples()).filter(([name]) => name.includes("nonces")));
  expect(await nonces()).toEqual({
    'pay_sender_nonces_waiting{chain_id="eip155:1",account="hot"}': 3,
    'pay_sender_nonces_missing{chain_id="eip155:1",account="hot"}': 1,
    ...settlement,
  });
  clock.advance(1);
  expect(await nonces()).toEqual(settlement);
});

test("of each limit of the signer how much is used, by deployment, as the job asks it", async () => {
  const { registry, clock, samples } = open();
  const database = await openDatabase("PostgreSQL");
  const { onLimitUses } = new SignerLimitMetrics(registry, clock);
  const contractAddress = "0x036CbD53842c5426634e7929541eC2318f3dCF7e";
  const token = contractAddress.toLowerCase();
  const amount = { limit: "amount", role: "hot", mostRaw: 2n ** 70n } as const;
  const uses: readonly LimitUse[] = [
    { limit: "gas", role: null, contractAddress: null, usedRaw: 0n, mostRaw: 5n },
    { limit: "numbers", role: "hot", contractAddress: null, usedRaw: 1n, mostRaw: 3n },
    { ...amount, contractAddress: token, usedRaw: 2n ** 69n },
    { ...amount, contractAddress: null, usedRaw: 2n ** 71n },
    { ...amount, contractAddress: `0x${"9".repeat(40)}`, usedRaw: 2n ** 68n },
    { ...amount, contractAddress: `0x${"8".repeat(40)}`, usedRaw: 0n },
  ];
  const asked: string[] = [];
  const signer = {
    accounts: { hotAddress: "0x1", settlementAddress: "0x2", depositPublicKey: "xpub" },
    journalPosition: () => Promise.resolve({ count: 1n, head: "0".repeat(32) }),
    reconfirm: () => Promise.resolve(),
    limitUses: (chainId: string) => {
      asked.push(chainId);
      return Promise.resolve(chainId === "eip155:1" ? uses : []);
    },
  };
  const one = { chainId: "eip155:1", chainFamily: "evm" } as const;
  const deployments = [
    { ...one, id: "dep_usdc", contractAddress },
    { ...one, id: "dep_eth", contractAddress: null },
    { ...one, chainId: "eip155:8453", id: "dep_other", contractAddress },
  ];
  // Of a deployment only this is read.
  const catalog = { allDeployments: () => Promise.resolve(deployments as never) };
  const settlementChains = [{ chainId: "eip155:1" }, { chainId: "eip155:8453" }];
  const alarm = () => undefined;
  const parts = { database, clock, alarm, signer, catalog, settlementChains };
  for (const job of signerJobs(parts)) await job.run();
  expect(asked).toEqual([]);
  const [, job] = signerJobs({ ...parts, onLimitUses });
  expect(job?.name).toBe("read-signer-limits");
  await job?.run();
  expect(asked).toEqual(["eip155:1", "eip155:8453"]);
  const name = (labels: string) => `pay_signer_limit_used_ratio{chain_id="eip155:1",${labels}}`;
  const shown = {
    [name('limit="gas",account="none",deployment_id="none"')]: 0,
    [name('limit="numbers",account="hot",deployment_id="none"')]: 0.333333,
    [name('limit="amount",account="hot",deployment_id="dep_usdc"')]: 0.5,
    [name('limit="amount",account="hot",deployment_id="dep_eth"')]: 2,
    [name('limit="amount",account="hot",deployment_id="none"')]: 0.25,
  };
  expect(await samples()).toEqual(shown);
  clock.advance(300_001);
  expect(await samples()).toEqual({});
});

const addMerchant = statement<{ readonly now: Date }>("add_a_counted_merchant")((p) =>
  queries.insertInto("merchants").values({ id: "mer_1", name: "0", created_at: p.now }),
);
const readMerchants = statement<object>("read_counted_merchants")(() =>
  queries.selectFrom("merchants").select("name"),
);
const renameMerchant = statement<{ readonly name: string }>("rename_counted_merchant")((p) =>
  queries.updateTable("merchants").set({ name: p.name }).where("id", "=", "mer_1"),
);

test("a transaction that lost against another one and is run again, each time", async () => {
  const { registry, samples } = open();
  const opened = await openDatabase("PostgreSQL");
  await opened.run(addMerchant, { now: new Date(0) });
  const database = new DatabaseMetrics(registry, systemClock).observe(opened);
  let left = 2;
  await database.transaction(async (inside) => {
    await inside.run(readMerchants, {});
    if (left > 0) await opened.run(renameMerchant, { name: String(left--) });
    await inside.run(renameMerchant, { name: "done" });
  });
  const repeated = async () => (await samples())["pay_database_transactions_repeated_total"];
  expect(await repeated()).toBe(2);
  await database.transaction((inside) => inside.run(readMerchants, {}));
  expect(await repeated()).toBe(2);
});

test("what cannot be counted is told of once, and stops nothing", () => {
  const told: string[] = [];
  const guard = harmless({ warn: (_, message) => void told.push(message) });
  const { clock } = open();
  const { observer } = new SendingMetrics(new Registry(), clock, guard);
  const wrong = { chainId: "eip155:1", purpose: "sweep", status: "succeeded" } as const;
  for (let count = 0; count < 2; count++) {
    observer.onEnded({ ...wrong, queuedAt: new Date(Number.NaN), at: clock.now() });
  }
  expect(told).toEqual(["something could not be counted"]);
  expect(guard((one: number) => one + 1)(1)).toBe(2);
});
