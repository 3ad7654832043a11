// What chains, nodes and the signer do, as it is counted: the parts that do it are real ones, but for a chain and a
// signer that only answer.

import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openEvmChain } from "../../adapters/evm/chain.ts";
import { ChainMetrics } from "../../adapters/metrics/chains.ts";
import { ReserveMetrics } from "../../adapters/metrics/reserve.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { ServiceError } from "../../service/errors.ts";
import type { Chain, SendResult } from "../../service/ports/chain.ts";
import { NonceTaken, SignerRefusal } from "../../service/ports/signer.ts";
import type { ActionIntent, ActionSigner } from "../../service/ports/signer.ts";
import { drain, startWatching } from "../chains/watching.ts";
import { collectingLog } from "../evm/faulty-endpoint.ts";
import { useFaultyEndpoints } from "../evm/faulty-endpoints.ts";
import { credited, usdc } from "../ledger/fixture.ts";
import { openReserve } from "../ledger/reserve-scene.ts";
import { openDatabase } from "../support/engines.ts";
import { startTestChain, type TestChain } from "../support/local-chain.ts";
import { samplesOf } from "./exposition.ts";

let local: TestChain;
beforeAll(async () => {
  local = await startTestChain();
});
afterAll(() => local.close());
const faulty = useFaultyEndpoints(() => local.url);

function counting() {
  const registry = new Registry();
  const metrics = new ChainMetrics(registry, systemClock);
  return { metrics, samples: async () => samplesOf(await registry.metrics()) };
}

const of = (labels: string) => `pay_rpc_calls_total{chain_id="eip155:31337",${labels}}`;

test("calls of nodes by how they ended, and the endpoint that another one stood in for", async () => {
  const { metrics, samples } = counting();
  const bad = await faulty({
    exchange: (_messages, response) => {
      response.writeHead(500).end("broken");
      return true;
    },
  });
  const chain = await openEvmChain({
    chainId: local.chainId,
    urls: [bad.url, local.url],
    clock: systemClock,
    log: collectingLog().log,
    observer: metrics.observerOf(local.chainId),
  });
  await chain.minedCount(local.ownerAddress);
  await chain.minedCount(local.ownerAddress);
  const found = await samples();
  expect(found.get(of('endpoint="1",method="eth_chainId",outcome="failed"'))).toBe(1);
  expect(found.get(of('endpoint="2",method="eth_chainId",outcome="answered"'))).toBe(1);
  expect(found.get(of('endpoint="2",method="eth_getTransactionCount",outcome="answered"'))).toBe(2);
  const failovers = 'pay_rpc_failovers_total{chain_id="eip155:31337",endpoint="1"}';
  expect(found.get(failovers)).toBe(1);
  const durations = 'pay_rpc_call_duration_seconds_count{chain_id="eip155:31337",endpoint="2"}';
  expect(found.get(durations)).toBe(3);
});

test("an error that a node answers is none of its endpoint", async () => {
  const { metrics, samples } = counting();
  const { url } = await faulty({
    answer: ({ id, method }, reply) =>
      method === "eth_getTransactionCount"
        ? { id, error: { code: -32_000, message: "no" } }
        : reply,
  });
  const chain = await openEvmChain({
    chainId: local.chainId,
    urls: [url],
    clock: systemClock,
    log: collectingLog().log,
    observer: metrics.observerOf(local.chainId),
  });
  await expect(chain.minedCount(local.ownerAddress)).rejects.toThrow("does not answer");
  const found = await samples();
  const method = 'endpoint="1",method="eth_getTransactionCount"';
  expect(found.get(of(`${method},outcome="node_error"`))).toBeGreaterThan(0);
  expect(found.has(of(`${method},outcome="failed"`))).toBe(false);
});

test("what is handed to a chain, by what it says", async () => {
  const { metrics, samples } = counting();
  const results: readonly (SendResult | Error)[] = [
    "accepted",
    "accepted",
    "underpriced",
    new Error("away"),
  ];
  const left = [...results];
  const send: Chain["send"] = () => {
    const next = left.shift();
    return next instanceof Error || next === undefined
      ? Promise.reject(next ?? new Error("none"))
      : Promise.resolve(next);
  };
  const chain = metrics.observe({ chainId: "eip155:1", send });
  for (const result of results) {
    const sending = chain.send(new Uint8Array());
    if (result instanceof Error) await expect(sending).rejects.toThrow("away");
    else expect(await sending).toBe(result);
  }
  const found = await samples();
  const sent = (outcome: string) =>
    found.get(`pay_transactions_sent_total{chain_id="eip155:1",outcome="${outcome}"}`);
  expect(["accepted", "underpriced", "failed"].map(sent)).toEqual([2, 1, 1]);
});

const fees = { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n };
const intent: ActionIntent = {
  account: { role: "hot" },
  nonce: 0n,
  action: { kind: "transfer", to: "0x", contractAddress: null, amountRaw: 1n },
  gasUnitsMax: 21_000n,
  fees,
};

/** What is asked of a signer that answers so, or throws this. */
function asking(refusal: Error | undefined) {
  const { metrics, samples } = counting();
  const answer = <Answer>(value: Answer) =>
    refusal === undefined ? Promise.resolve(value) : Promise.reject(refusal);
  const signer: Pick<ActionSigner, "signAction" | "nextNonce"> = {
    signAction: () => answer({ txHash: "0x1", raw: new Uint8Array() }),
    nextNonce: () => answer(7n),
  };
  return { signer: metrics.observeSigner(signer), samples };
}

test.each([
  ["done", undefined],
  ["refused", new SignerRefusal("above a limit")],
  ["nonce_taken", new NonceTaken("signed for something else")],
  ["failed", new ServiceError("chain_unavailable", "away")],
])("what the signer is asked for: %s", async (outcome, error) => {
  const { signer, samples } = asking(error);
  const [signed, nonce] = await Promise.allSettled([
    signer.signAction("eip155:1", intent),
    signer.nextNonce("eip155:1", "hot"),
  ]);
  if (error === undefined)
    expect([signed, nonce]).toMatchObject([{ value: { txHash: "0x1" } }, { value: 7n }]);
  else expect([signed, nonce]).toMatchObject([{ reason: error }, { reason: error }]);
  const found = await samples();
  for (const kind of ["transfer", "nonce"]) {
    const labels = `{chain_id="eip155:1",kind="${kind}",outcome="${outcome}"}`;
    expect(found.get(`pay_signer_requests_total${labels}`)).toBe(1);
  }
  expect(found.get("pay_signer_request_duration_seconds_count")).toBe(2);
});

test("what rules count the changes of is there from the beginning", async () => {
  const { metrics, samples } = counting();
  void metrics.observerOf("eip155:1");
  const found = await samples();
  const refused = '{chain_id="eip155:1",kind="nonce",outcome="refused"}';
  expect(found.get(`pay_signer_requests_total${refused}`)).toBe(0);
  expect(found.get('pay_chain_reorganization_depth_blocks_count{chain_id="eip155:1"}')).toBe(0);
});

describe("reorganisations", () => {
  test("by how many blocks are gone, each once, when it is written", async () => {
    const { metrics, samples } = counting();
    const { onReorganised } = metrics;
    const watching = await startWatching(await openDatabase("PostgreSQL"));
    const watcher = watching.watcher({ onReorganised });
    const { chain, mine } = watching;
    mine(5);
    await drain(watcher);
    for (const depth of [1, 3]) {
      chain.reorg(depth, { transactions: "same" });
      mine();
      await drain(watcher);
    }
    const found = await samples();
    const name = "pay_chain_reorganization_depth_blocks";
    expect(found.get(`${name}_count{chain_id="${chain.chainId}"}`)).toBe(2);
    expect(found.get(`${name}_sum{chain_id="${chain.chainId}"}`)).toBe(4);
  });
});

describe("the reserve", () => {
  test("as it was last compared, for two hours", async () => {
    const registry = new Registry();
    const { post, held, inFlight, check, clock } = await openReserve("PostgreSQL");
    const { onMeasured } = new ReserveMetrics(registry, clock);
    await post("deposit_credited", "a", credited(100n));
    held.set(usdc, 99n);
    inFlight.set(usdc, 3n);
    await check({ onMeasured });
    const samples = async () => Object.fromEntries(samplesOf(await registry.metrics()));
    const expected = {
      [`pay_reserve_held_raw{deployment_id="${usdc}"}`]: 99,
      [`pay_reserve_in_flight_raw{deployment_id="${usdc}"}`]: 3,
      [`pay_reserve_owed_raw{deployment_id="${usdc}"}`]: 100,
      [`pay_reserve_missing_raw{deployment_id="${usdc}"}`]: 0,
      [`pay_reserve_compared_timestamp_seconds{deployment_id="${usdc}"}`]:
        clock.nowMilliseconds() / 1000,
    };
    expect(await samples()).toEqual(expected);
    clock.advance(7_200_000);
    expect(await samples()).toEqual(expected);
    clock.advance(1);
    expect(await samples()).toEqual({});
  });

  test("also where it is too small", async () => {
    const { post, held, check } = await openReserve("PostgreSQL");
    await post("deposit_credited", "a", credited(100n));
    held.set(usdc, 99n);
    const told: bigint[] = [];
    await check({ onMeasured: ({ heldRaw }) => told.push(heldRaw) });
    expect(told).toEqual([99n]);
  });

  test("and to the last unit, beyond what a number can tell apart", async () => {
    const registry = new Registry();
    const { clock } = await openReserve("PostgreSQL");
    const owedRaw = 10n ** 20n + 1n;
    new ReserveMetrics(registry, clock).onMeasured({
      deploymentId: usdc,
      heldRaw: 10n ** 20n,
      inFlightRaw: 0n,
      owedRaw,
    });
    const name = `pay_reserve_missing_raw{deployment_id="${usdc}"}`;
    expect(samplesOf(await registry.metrics()).get(name)).toBe(1);
  });
});
