// What is high enough that a second node has to say it too (threat 27): all that is for us in a block, each
// part reckoned against what is high of its own contract.

import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../../adapters/system/clock.ts";
import { openEvmChain } from "../../adapters/evm/chain.ts";
import { type TestChain, startTestChain } from "../support/local-chain.ts";
import { localSigner } from "../support/local-signer.ts";
import { collectingLog } from "./faulty-endpoint.ts";
import { useFaultyEndpoints } from "./faulty-endpoints.ts";

let local: TestChain;

beforeAll(async () => {
  local = await startTestChain();
  await local.mint(payer(), 10n ** 15n);
});
afterAll(() => local.close());
const faulty = useFaultyEndpoints(() => local.url);

const payer = (): string => local.accounts[0].address;
const people = { us: localSigner("us").address, stranger: localSigner("a stranger").address };

interface Part {
  readonly to: keyof typeof people;
  readonly token?: bigint;
  readonly coin?: bigint;
}

interface Case {
  readonly parts: readonly Part[];
  /** undefined: of no value is it high */
  readonly highToken?: bigint | undefined;
  readonly highCoin?: bigint | undefined;
  readonly isHigh: boolean;
}

const us = (part: Omit<Part, "to">): Part => ({ to: "us", ...part });
const stranger = (part: Omit<Part, "to">): Part => ({ to: "stranger", ...part });
const each = { highToken: 1_000n, highCoin: 10n ** 18n };

const cases: readonly (readonly [string, Case])[] = [
  ["one unit less", { ...each, parts: [us({ token: 999n })], isHigh: false }],
  ["as much", { ...each, parts: [us({ token: 1_000n })], isHigh: true }],
  ["two parts", { ...each, parts: [us({ token: 999n }), us({ token: 1n })], isHigh: true }],
  [
    "half of it, and half of another one",
    { ...each, parts: [us({ token: 500n, coin: 5n * 10n ** 17n })], isHigh: true },
  ],
  [
    "half of it, and less than half of another one",
    { ...each, parts: [us({ token: 499n, coin: 5n * 10n ** 17n })], isHigh: false },
  ],
  [
    "little beside much of a stranger",
    { ...each, parts: [us({ token: 1n }), stranger({ token: 5_000n })], isHigh: false },
  ],
  [
    "nearly as much, and the rest for a stranger",
    { ...each, parts: [us({ token: 999n }), stranger({ token: 1n })], isHigh: false },
  ],
  ["what is high from nothing on", { parts: [us({ token: 1n })], highToken: 0n, isHigh: true }],
  [
    "what is never high",
    { parts: [us({ coin: 9n, token: 999n })], highToken: 1_000n, isHigh: false },
  ],
];

test.each(cases)("%s", async (_name, { parts, highToken, highCoin, isHigh }) => {
  for (const { to, token, coin } of parts) {
    const transfer = { from: payer(), to: people[to] };
    if (token !== undefined) await local.transfer({ ...transfer, amountRaw: token });
    if (coin === undefined) continue;
    await local.transfer({ ...transfer, amountRaw: coin, contractAddress: null });
  }
  const { number } = await local.mine();
  await local.mine(6);
  const away = await faulty({
    answer: ({ id, method }, reply) =>
      method === "eth_chainId"
        ? reply
        : { id, error: { code: -32_005, message: "limit exceeded" } },
  });
  const { log, lines } = collectingLog();
  const chain = await openEvmChain({
    chainId: local.chainId,
    urls: [local.url, away.url],
    clock: systemClock,
    log,
    limits: { callMilliseconds: 2_000, pauseMilliseconds: 1, restMilliseconds: 0 },
    spotCheckEvery: 10_000n,
    highValueRaw: (contract) => (contract === null ? highCoin : highToken),
    ownAddresses: () => Promise.resolve(new Set([people.us])),
  });
  await chain.head();
  const block = chain.block(number, [local.usdAddress, null]);
  if (!isHigh) {
    expect((await block)?.number).toBe(number);
    return;
  }
  await expect(block).rejects.toMatchObject({ code: "chain_unavailable" });
  expect(lines).toContainEqual({
    level: "error",
    text: "endpoints of a chain do not agree",
    fields: {
      chain_id: local.chainId,
      reason: `nobody confirms what came to us in block ${number}`,
    },
  });
});
