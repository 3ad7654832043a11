// Where nodes say that far less came than the token's log says: people are told, a second node is asked, and
// an operator can have it measured anew.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { engines } from "../support/engines.ts";
import type { TestChain } from "../support/local-chain.ts";
import { price } from "../payments/progress-world.ts";
import { useFaultyEndpoints } from "./faulty-endpoints.ts";
import type { Faults } from "./faulty-endpoint.ts";
import { watchMarked } from "./marked-world.ts";
import { finalBlocks, putCode, startBase, usdc } from "./watched-world.ts";

let local: TestChain;
beforeAll(async () => {
  local = await startBase();
  await putCode(local, usdc, "ShortToken");
  await local.mint(local.accounts[0].address, 10n ** 12n, usdc);
});
afterAll(() => local.close());
const faulty = useFaultyEndpoints(() => local.url);

const arrived = (price * 99n) / 100n;
const half = price / 2n;
const told = (arrivedRaw: bigint): readonly unknown[] => [
  "transfer_brought_little",
  expect.objectContaining({ logged_raw: `${price}`, arrived_raw: `${arrivedRaw}` }),
];

describe.each(engines)("on %s", (engine) => {
  test("nothing before and nothing after: people are told once, and a rescan measures it anew", async () => {
    const world = await watchMarked(local, engine);
    const { look, mine, newPayment, deposits, state, alarms, measured, rescan, status } = world;
    const { number } = await local.newestBlock();
    const { id, pay } = await newPayment();
    state.saidRaw = 0n;
    await pay();
    await mine(finalBlocks);
    await look();
    await look();
    expect(await deposits(id)).toEqual([]);
    expect(alarms).toEqual([told(0n)]);
    expect(alarms[0]?.[1]).toMatchObject({
      chain_id: local.chainId,
      deployment_id: "dep_usdc_base",
      remedy: `compare it with the chain; if more came: chain rescan --chain ${local.chainId} --from ${number + 1n}`,
    });
    // As long as nodes say the same, nothing changes, and it is no news.
    expect((await rescan(number + 1n)).changes).toEqual([]);
    await look();
    expect(alarms).toHaveLength(1);
    state.saidRaw = undefined;
    expect((await rescan(number + 1n, { isDryRun: true })).changes).toHaveLength(1);
    expect(await deposits(id)).toEqual([]);
    expect((await rescan(number + 1n)).changes).toMatchObject([
      { what: "new", amountRaw: arrived },
    ]);
    await look();
    expect(await deposits(id)).toMatchObject([{ amount: `${arrived}`, status: "final" }]);
    expect(await measured()).toEqual([{ logged: `${price}`, arrived: `${arrived}` }]);
    expect(await status(id)).toBe("partially_paid");
    expect(alarms).toHaveLength(1);
  });

  test("what counts already and is not final is corrected; nobody is told twice of the same", async () => {
    const world = await watchMarked(local, engine);
    const { look, mine, newPayment, deposits, state, alarms, rescan, balances } = world;
    const { number } = await local.newestBlock();
    const { id, pay } = await newPayment();
    state.saidRaw = half;
    await pay();
    await mine(2);
    await look();
    expect(await deposits(id)).toMatchObject([{ amount: `${half}`, status: "seen" }]);
    state.saidRaw = half - 1n;
    expect((await rescan(number + 1n)).changes).toMatchObject([
      { what: "corrected", amountRaw: half - 1n, beforeRaw: half },
    ]);
    await look();
    await look();
    expect(alarms).toEqual([told(half), told(half - 1n)]);
    state.saidRaw = undefined;
    await rescan(number + 1n);
    await mine(finalBlocks);
    await look();
    expect(await deposits(id)).toMatchObject([{ amount: `${arrived}`, status: "final" }]);
    expect(await balances()).toMatchObject({ "chain:deposit_addresses": arrived });
    expect(alarms).toHaveLength(2);
  });
});

test("what was measured counts when the catalog says it no more, whoever reads its block again", async () => {
  const world = await watchMarked(local);
  const { look, mine, newPayment, deposits, state, rescan, measured, unmark } = world;
  const { number } = await local.newestBlock();
  const { id, pay } = await newPayment();
  state.saidRaw = 0n;
  await pay();
  await mine(1);
  await look();
  expect(await measured()).toEqual([{ logged: `${price}`, arrived: "0" }]);
  await unmark();
  await mine(finalBlocks);
  await look();
  await look();
  expect((await rescan(number + 1n)).changes).toEqual([]);
  expect(await deposits(id)).toEqual([]);
  state.saidRaw = undefined;
  expect((await rescan(number + 1n)).changes).toMatchObject([{ what: "new", amountRaw: arrived }]);
  expect(await measured()).toEqual([{ logged: `${price}`, arrived: `${arrived}` }]);
});

test("nor does what nodes have not said yet count when the catalog says it no more", async () => {
  const world = await watchMarked(local);
  const { look, mine, newPayment, deposits, state, rescan, measured, unmark, clock } = world;
  const { number } = await local.newestBlock();
  const { id, pay } = await newPayment();
  state.isForgotten = true;
  await pay();
  await mine(1);
  await look();
  await unmark();
  await mine(finalBlocks);
  await look();
  await look();
  expect(await deposits(id)).toEqual([]);
  expect(await rescan(number + 1n)).toMatchObject({ changes: [], unmeasured: 1 });
  state.isForgotten = false;
  clock.advance(3_600_000);
  await look();
  expect(await measured()).toEqual([{ logged: `${price}`, arrived: `${arrived}` }]);
  expect(await deposits(id)).toMatchObject([{ amount: `${arrived}` }]);
});

test("what is too little to count after it was measured anew is gone", async () => {
  const { look, mine, newPayment, deposits, state, rescan, measured } = await watchMarked(local);
  const { number } = await local.newestBlock();
  const { id, pay } = await newPayment();
  await pay();
  await mine();
  await look();
  state.saidRaw = 0n;
  expect((await rescan(number + 1n)).changes).toMatchObject([{ what: "gone", amountRaw: arrived }]);
  expect(await deposits(id)).toMatchObject([{ status: "orphaned" }]);
  expect(await measured()).toEqual([{ logged: `${price}`, arrived: "0" }]);
});

test("what has become final stays as it is booked, and the operator hears of it", async () => {
  const world = await watchMarked(local);
  const { look, mine, newPayment, deposits, state, rescan, measured, balances } = world;
  const { number } = await local.newestBlock();
  const { id, pay } = await newPayment();
  state.saidRaw = half;
  await pay();
  await mine(finalBlocks);
  await look();
  const before = await balances();
  state.saidRaw = undefined;
  const report = await rescan(number + 1n);
  expect(report.changes).toMatchObject([{ what: "final", amountRaw: arrived, beforeRaw: half }]);
  await look();
  expect(await deposits(id)).toMatchObject([{ amount: `${half}`, status: "final" }]);
  expect(await measured()).toEqual([{ logged: `${price}`, arrived: `${half}` }]);
  expect(await balances()).toEqual(before);
});

test("what nodes have forgotten stays as it was measured", async () => {
  const { look, mine, newPayment, deposits, state, rescan } = await watchMarked(local);
  const { number } = await local.newestBlock();
  const { id, pay } = await newPayment();
  await pay();
  await mine();
  await look();
  state.isForgotten = true;
  expect(await rescan(number + 1n)).toMatchObject({ changes: [], same: 1, unmeasured: 0 });
  expect(await deposits(id)).toMatchObject([{ amount: `${arrived}`, status: "seen" }]);
});

test("nine tenths of what the log says is told to nobody; less is", async () => {
  const { look, mine, newPayment, deposits, state, alarms } = await watchMarked(local);
  const [first, second] = [await newPayment(), await newPayment()];
  const nineTenths = (price * 9n) / 10n;
  state.saidRaw = nineTenths;
  await first.pay();
  await mine();
  await look();
  expect(await deposits(first.id)).toMatchObject([{ amount: `${nineTenths}` }]);
  expect(alarms).toEqual([]);
  await mine();
  state.saidRaw = nineTenths - 1n;
  await second.pay();
  await mine();
  await look();
  expect(alarms).toEqual([told(nineTenths - 1n)]);
});

/** Nobody ever had anything. */
const empty: Faults = {
  answer: ({ method, params }, reply) =>
    method === "eth_call" && typeof params[1] === "object"
      ? { ...reply, result: `0x${"0".repeat(64)}` }
      : reply,
};

describe("where several nodes are asked", () => {
  test("and two differ on far less, nothing counts until two say the same", async () => {
    const liar = await faulty(empty);
    const world = await watchMarked(local, "PostgreSQL", [liar.url, local.url]);
    const { look, mine, newPayment, deposits, clock, measured, lines } = world;
    const { id, pay } = await newPayment();
    await pay();
    await mine(2);
    await look();
    expect(await measured()).toEqual([{ logged: `${price}`, arrived: null }]);
    expect(await deposits(id)).toEqual([]);
    expect(lines).toContainEqual(
      expect.objectContaining({ level: "error", text: "endpoints of a chain do not agree" }),
    );
    delete liar.faults.answer;
    clock.advance(60_000);
    await look();
    expect(await deposits(id)).toMatchObject([{ amount: `${arrived}` }]);
  });

  test("and two of three say the same, that counts", async () => {
    const liar = await faulty(empty);
    const urls = [liar.url, (await faulty()).url, local.url];
    const world = await watchMarked(local, "PostgreSQL", urls);
    const { look, mine, newPayment, deposits, alarms } = world;
    const { id, pay } = await newPayment();
    await pay();
    await mine(2);
    await look();
    expect(await deposits(id)).toMatchObject([{ amount: `${arrived}` }]);
    expect(alarms).toEqual([]);
  });

  test("and only one answers, it decides nothing that is far less", async () => {
    const liar = await faulty(empty);
    const away = await faulty({
      answer: ({ method }, reply) =>
        method === "eth_call" ? { error: { code: -32_000, message: "missing trie node" } } : reply,
    });
    const world = await watchMarked(local, "PostgreSQL", [liar.url, away.url]);
    const { look, mine, newPayment, measured } = world;
    const { pay } = await newPayment();
    await pay();
    await mine(2);
    await look();
    expect(await measured()).toEqual([{ logged: `${price}`, arrived: null }]);
  });
});
