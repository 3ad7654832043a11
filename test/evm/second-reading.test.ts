// A block is asked for twice, and from two nodes. Where they do not tell the same of what is for us, none of
// them is believed alone, however often it is asked for again (threat 27).

import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../../adapters/system/clock.ts";
import { topicOfAddress } from "../../adapters/evm/answers.ts";
import { openEvmChain } from "../../adapters/evm/chain.ts";
import { type TestChain, startTestChain } from "../support/local-chain.ts";
import { localSigner } from "../support/local-signer.ts";
import { type Faults, collectingLog } from "./faulty-endpoint.ts";
import { useFaultyEndpoints } from "./faulty-endpoints.ts";

let local: TestChain;
let people = 0;

beforeAll(async () => {
  local = await startTestChain();
  await local.mint(payer(), 10n ** 15n);
});
afterAll(() => local.close());
const faulty = useFaultyEndpoints(() => local.url);

const payer = (): string => local.accounts[0].address;
const somebody = (): string => localSigner(`twice ${(people += 1)}`).address;

type Log = Readonly<Record<string, unknown>> & { readonly topics: readonly string[] };

function lying(change: (log: Log) => readonly Log[]): Faults {
  return {
    answer: ({ method }, reply) => {
      if (method !== "eth_getLogs") return reply;
      // Logs of the real node.
      return { ...reply, result: (reply.result as readonly Log[]).flatMap(change) };
    },
  };
}

const honest: Faults["answer"] = (_message, reply) => reply;

/** One transfer to us and one to a stranger in an old block, and what is for us there as the chain tells it. */
async function paidBlock() {
  const [ours, stranger] = [somebody(), somebody()];
  await local.transfer({ from: payer(), to: stranger, amountRaw: 1n });
  await local.transfer({ from: payer(), to: ours, amountRaw: 2n });
  const { number } = await local.mine();
  await local.mine(6);
  const open = async (urls: readonly string[]) => {
    const { log, lines } = collectingLog();
    const { chainId } = local;
    const limits = { callMilliseconds: 2_000, pauseMilliseconds: 1, restMilliseconds: 0 };
    const ownAddresses = () => Promise.resolve(new Set([ours]));
    const common = { chainId, clock: systemClock, log, limits, spotCheckEvery: 10_000n };
    const chain = await openEvmChain({ ...common, urls, ownAddresses });
    await chain.head();
    /** What came to us in the block: `unavailable` where nobody is believed. */
    const look = async (isAgain = false): Promise<readonly bigint[] | "unavailable"> => {
      try {
        const block = await chain.block(number, [local.usdAddress], isAgain);
        const all = block?.transfers ?? [];
        return all.filter(({ to }) => to === ours).map(({ amountRaw }) => amountRaw);
      } catch (error) {
        expect(error).toMatchObject({ code: "chain_unavailable" });
        return "unavailable";
      }
    };
    return { look, lines };
  };
  const isTo = (who: string, { topics }: Log): boolean => topics[2] === topicOfAddress(who);
  return { ours, stranger, open, isTo };
}

const nine = `0x${"9".padStart(64, "0")}`;
const unavailable = "unavailable";

test("what the first one made up is not believed when it is its turn again", async () => {
  const { open, ours, isTo } = await paidBlock();
  const liar = await faulty(lying((log) => [isTo(ours, log) ? { ...log, data: nine } : log]));
  const { look, lines } = await open([liar.url, local.url]);
  // Nothing is decided by the first look, and the second one finds what differs.
  expect([await look(), await look()]).toEqual([[9n], [2n]]);
  for (let count = 0; count < 4; count++) expect(await look()).toBe(unavailable);
  expect(lines).toContainEqual(
    expect.objectContaining({ level: "error", text: "endpoints of a chain do not agree" }),
  );
  liar.faults.answer = honest;
  expect(await look()).toEqual([2n]);
});

test("who takes over, or starts again, does not ask the one that made it up and no other", async () => {
  const { open, ours, isTo } = await paidBlock();
  const liar = await faulty(lying((log) => [isTo(ours, log) ? { ...log, data: nine } : log]));
  const before = await open([liar.url, local.url]);
  expect(await before.look()).toEqual([9n]);
  for (let count = 0; count < 3; count++) {
    const { look, lines } = await open([liar.url, local.url]);
    expect([await look(true), await look(true)]).toEqual([unavailable, unavailable]);
    expect(lines).toContainEqual(
      expect.objectContaining({ level: "error", text: "endpoints of a chain do not agree" }),
    );
  }
  liar.faults.answer = honest;
  const after = await open([liar.url, local.url]);
  expect(await after.look(true)).toEqual([2n]);
});

test("who takes over believes one endpoint while the other one is away or has not the block yet", async () => {
  const { open } = await paidBlock();
  const other = await faulty();
  other.faults.answer = ({ id }) => ({ id, error: { code: -32_005, message: "limit exceeded" } });
  expect(await (await open([local.url, other.url])).look(true)).toEqual([2n]);
  other.faults.answer = ({ method }, reply) =>
    method === "eth_getBlockByNumber" ? { ...reply, result: null } : reply;
  expect(await (await open([local.url, other.url])).look(true)).toEqual([2n]);
});

test("what the second one makes up is not believed", async () => {
  const { open, ours, stranger, isTo } = await paidBlock();
  const forged = (log: Log): Log => {
    const [kind = "", from = ""] = log.topics;
    return { ...log, topics: [kind, from, topicOfAddress(ours)] };
  };
  const liar = await faulty(lying((log) => [isTo(stranger, log) ? forged(log) : log]));
  const { look } = await open([local.url, liar.url]);
  expect(await look()).toEqual([2n]);
  for (let count = 0; count < 4; count++) expect(await look()).toBe(unavailable);
  liar.faults.answer = honest;
  expect(await look()).toEqual([2n]);
});

test("what the first one left out is found by the second, if the first has its receipt", async () => {
  const { open, ours, isTo } = await paidBlock();
  const late = await faulty(lying((log) => (isTo(ours, log) ? [] : [log])));
  const { look, lines } = await open([late.url, local.url]);
  expect([await look(), await look()]).toEqual([[], [2n]]);
  expect(lines).toEqual([]);
});

test("what is said differently of strangers holds nothing up", async () => {
  const { open, stranger, isTo } = await paidBlock();
  const liar = await faulty(lying((log) => [isTo(stranger, log) ? { ...log, data: nine } : log]));
  const { look } = await open([liar.url, local.url]);
  for (let count = 0; count < 4; count++) expect(await look()).toEqual([2n]);
});

test("while the other one is away, the word of the one counts", async () => {
  const { open } = await paidBlock();
  const other = await faulty();
  const { look } = await open([local.url, other.url]);
  expect(await look()).toEqual([2n]);
  other.faults.answer = ({ id }) => ({ id, error: { code: -32_005, message: "limit exceeded" } });
  expect(await look()).toEqual([2n]);
});
