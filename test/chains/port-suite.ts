// What every adapter of the port Chain promises. Another adapter brings a driver of
// its own and calls `describeChain`.

import { describe, expect, test } from "vitest";
import type { BlockContent, Chain } from "../../service/ports/chain.ts";
import type { TransferIntent, TransferSigner } from "../support/scripted-signer.ts";

export interface Deposit {
  readonly to: string;
  readonly contractAddress: string | null;
  readonly amountRaw: bigint;
}

/** Does to a chain what its port cannot. Blocks come only when it says so. */
export interface ChainDriver {
  readonly chain: Chain;
  /** Its account has coins and tokens for many transfers. */
  readonly signer: TransferSigner;
  readonly token: string;
  readonly otherToken: string;
  /** A token that refuses every transfer, of which the signer's account has some. */
  readonly refusingToken: string;
  /** An address that never had anything. */
  readonly newAddress: () => string;
  /** Somebody else pays, in a block that is mined by this. */
  readonly deposit: (deposit: Deposit) => Promise<string>;
  readonly mine: (count?: number) => Promise<void>;
  /** Another branch of the same length, without any transaction of the blocks it replaces. */
  readonly reorg: (depth: number) => Promise<void>;
  readonly close?: () => Promise<void>;
}

const hash = /^0x[0-9a-f]{64}$/;

export function describeChain(name: string, open: () => Promise<ChainDriver>): void {
  const promise = (text: string, check: (driver: ChainDriver) => Promise<void>) =>
    test(`promise: ${text}`, async () => {
      const driver = await open();
      try {
        await check(driver);
      } finally {
        await driver.close?.();
      }
    });
  describe(`the chain port of ${name}`, () => {
    describeBlocks(promise);
    describeSending(promise);
    describeReorganisations(promise);
  });
}

type Promised = (text: string, check: (driver: ChainDriver) => Promise<void>) => void;

function describeBlocks(promise: Promised): void {
  promise("says which chain answers", async ({ chain }) => {
    expect((await chain.head()).chainId).toBe(chain.chainId);
  });

  promise("the head is the newest block, and has a name and a time", async ({ chain, mine }) => {
    await mine(2);
    const head = await chain.head();
    const block = await chain.block(head.number, []);
    expect(block).toMatchObject({ number: head.number, hash: head.hash, time: head.time });
    expect(head.hash).toMatch(hash);
    expect(await chain.block(head.number + 1n, [])).toBeUndefined();
  });

  promise("each block names the one before it, and is not older", async ({ chain, mine }) => {
    const { number } = await chain.head();
    await mine(4);
    for (let next = number + 1n; next <= number + 4n; next++) {
      const [before, block] = [await blockAt(chain, next - 1n), await blockAt(chain, next)];
      expect(block.parentHash).toBe(before.hash);
      expect(block.time.getTime()).toBeGreaterThanOrEqual(before.time.getTime());
    }
  });

  promise("a block has the transfers of the contracts asked for, and no others", async (driver) => {
    const { chain, token, otherToken } = driver;
    const to = driver.newAddress();
    const seen = async (contractAddress: string | null, amountRaw: bigint) => {
      const txHash = await driver.deposit({ to, contractAddress, amountRaw });
      const { number } = await chain.head();
      const of = async (contracts: readonly (string | null)[]) =>
        (await blockAt(chain, number, contracts)).transfers.filter((one) => one.to === to);
      expect(await of([])).toEqual([]);
      expect(await of([otherToken])).toEqual([]);
      for (const contracts of [[contractAddress], [null, token, otherToken]]) {
        expect(await of(contracts)).toMatchObject([{ txHash, contractAddress, to, amountRaw }]);
      }
      const [transfer] = await of([contractAddress]);
      expect((transfer?.logIndex ?? 0) < 0).toBe(contractAddress === null);
    };
    await seen(token, 2n ** 70n);
    await seen(null, 12_345n);
  });

  promise("gives an account's balance of each contract as of now", async (driver) => {
    const { chain, token, otherToken } = driver;
    const to = driver.newAddress();
    await driver.deposit({ to, contractAddress: token, amountRaw: 5n });
    await driver.deposit({ to, contractAddress: null, amountRaw: 7n });
    expect(await chain.balance(to, token)).toBe(5n);
    expect(await chain.balance(to, null)).toBe(7n);
    expect(await chain.balance(to, otherToken)).toBe(0n);
  });

  promise("gives the balance after a block, whatever came later", async (driver) => {
    const { chain, token } = driver;
    const to = driver.newAddress();
    const before = await chain.head();
    await driver.deposit({ to, contractAddress: token, amountRaw: 5n });
    await driver.deposit({ to, contractAddress: null, amountRaw: 7n });
    const after = await chain.head();
    for (const [contractAddress, amountRaw] of [
      [token, 5n],
      [null, 7n],
    ] as const) {
      expect(await chain.balanceAt(to, contractAddress, before.hash)).toBe(0n);
      expect(await chain.balanceAt(to, contractAddress, after.hash)).toBe(amountRaw);
      expect(await chain.agreedBalanceAt(to, contractAddress, after.hash)).toBe(amountRaw);
    }
    const unknown = `0x${"12".repeat(32)}`;
    await expect(chain.balanceAt(to, null, unknown)).rejects.toMatchObject({
      code: "chain_unavailable",
    });
  });
}

function describeSending(promise: Promised): void {
  promise("the same intent is signed as the same bytes, another one as others", async (driver) => {
    const intent = await intentOf(driver, {});
    const first = await driver.signer.sign(driver.chain.chainId, intent);
    expect(await driver.signer.sign(driver.chain.chainId, intent)).toEqual(first);
    expect(first.txHash).toMatch(hash);
    for (const change of [{ amountRaw: 2n }, { nonce: intent.nonce + 1n }]) {
      const other = await driver.signer.sign(driver.chain.chainId, { ...intent, ...change });
      expect(other.txHash).not.toBe(first.txHash);
    }
  });

  for (const kind of ["coin", "token"] as const) {
    promise(`a transfer of a ${kind} moves what was signed, and has a receipt`, async (driver) => {
      const { chain, signer } = driver;
      const contractAddress = kind === "coin" ? null : driver.token;
      const intent = await intentOf(driver, { contractAddress, amountRaw: 1_000n });
      const { raw, txHash } = await signer.sign(chain.chainId, intent);
      const before = await chain.balance(signer.address, null);
      expect(await chain.send(raw)).toBe("accepted");
      expect(await chain.receipt(txHash)).toBeUndefined();
      await driver.mine();
      const receipt = await chain.receipt(txHash);
      const { to, amountRaw } = intent;
      const transfer = { txHash, contractAddress, from: signer.address, to, amountRaw };
      expect(receipt).toMatchObject({ txHash, isSuccess: true, transfers: [transfer] });
      const { number, transfers } = await blockAt(chain, receipt?.block.number ?? 0n, [
        contractAddress,
      ]);
      expect(receipt?.block.number).toBe(number);
      expect(transfers).toContainEqual(receipt?.transfers[0]);
      expect(await chain.balance(to, contractAddress)).toBe(amountRaw);
      const cost = receipt?.gasCostRaw ?? 0n;
      expect(cost).toBeGreaterThan(0n);
      const spent = cost + (kind === "coin" ? amountRaw : 0n);
      expect(await chain.balance(signer.address, null)).toBe(before - spent);
    });
  }

  promise(
    "a transfer that fails costs its gas and its number, and moves nothing",
    async (driver) => {
      const { chain, signer, refusingToken } = driver;
      const intent = await intentOf(driver, { contractAddress: refusingToken });
      const { raw, txHash } = await signer.sign(chain.chainId, intent);
      const before = await chain.balance(signer.address, refusingToken);
      await chain.send(raw);
      await driver.mine();
      const receipt = await chain.receipt(txHash);
      expect(receipt).toMatchObject({ isSuccess: false, transfers: [] });
      expect(receipt?.gasCostRaw).toBeGreaterThan(0n);
      expect(await chain.balance(signer.address, refusingToken)).toBe(before);
      expect(await chain.minedCount(signer.address)).toBe(intent.nonce + 1n);
      const { number } = await chain.head();
      expect((await blockAt(chain, number, [refusingToken])).transfers).toEqual([]);
    },
  );

  promise(
    "what is mined says who has sent it, which nonce it has, and what it moves",
    async (driver) => {
      const { chain, signer, token } = driver;
      for (const contractAddress of [null, token]) {
        const intent = await intentOf(driver, { contractAddress });
        const { raw, txHash } = await signer.sign(chain.chainId, intent);
        await chain.send(raw);
        expect(await chain.minedTransaction(txHash)).toBeUndefined();
        await driver.mine();
        const { to, amountRaw, nonce, fees } = intent;
        const found = await chain.minedTransaction(txHash);
        const transfer = { contractAddress, to, amountRaw };
        expect(found).toMatchObject({ txHash, account: signer.address, nonce, fees, transfer });
        expect(Buffer.from(found?.raw ?? [])).toEqual(Buffer.from(raw));
        expect(found?.blockNumber).toBe((await chain.receipt(txHash))?.block.number);
      }
      expect(await chain.minedTransaction(`0x${"7".repeat(64)}`)).toBeUndefined();
    },
  );

  promise(
    "to send the same bytes again is harmless, before and after they are mined",
    async (driver) => {
      const { chain, signer } = driver;
      const intent = await intentOf(driver, {});
      const { raw } = await signer.sign(chain.chainId, intent);
      await chain.send(raw);
      expect(await chain.send(raw)).toBe("known");
      await driver.mine();
      expect(["known", "nonce_used"]).toContain(await chain.send(raw));
      await driver.mine();
      expect(await chain.balance(intent.to, intent.contractAddress)).toBe(intent.amountRaw);
    },
  );

  promise("a used number is used, for another transaction too", async (driver) => {
    const { chain, signer } = driver;
    const intent = await intentOf(driver, {});
    await chain.send((await signer.sign(chain.chainId, intent)).raw);
    await driver.mine();
    const other = await signer.sign(chain.chainId, { ...intent, to: driver.newAddress() });
    expect(await chain.send(other.raw)).toBe("nonce_used");
    expect(await chain.receipt(other.txHash)).toBeUndefined();
  });

  promise("counts mined transactions, not those that wait", async (driver) => {
    const { chain, signer } = driver;
    const first = await intentOf(driver, {});
    const second = { ...first, nonce: first.nonce + 1n };
    for (const intent of [first, second]) {
      await chain.send((await signer.sign(chain.chainId, intent)).raw);
    }
    expect(await chain.minedCount(signer.address)).toBe(first.nonce);
    await driver.mine();
    expect(await chain.minedCount(signer.address)).toBe(second.nonce + 1n);
  });

  promise("one that comes before its number waits until its turn", async (driver) => {
    const { chain, signer } = driver;
    const first = await intentOf(driver, {});
    const later = await signer.sign(chain.chainId, { ...first, nonce: first.nonce + 1n });
    expect(await chain.send(later.raw)).toBe("accepted");
    await driver.mine();
    expect(await chain.receipt(later.txHash)).toBeUndefined();
    await chain.send((await signer.sign(chain.chainId, first)).raw);
    await driver.mine();
    expect(await chain.receipt(later.txHash)).toMatchObject({ isSuccess: true });
  });

  promise("better paid, a second one for a number takes the place of the first", async (driver) => {
    const { chain, signer } = driver;
    const intent = await intentOf(driver, {});
    const fees = {
      maxFeePerGas: intent.fees.maxFeePerGas * 2n,
      maxPriorityFeePerGas: intent.fees.maxPriorityFeePerGas * 2n,
    };
    const first = await signer.sign(chain.chainId, intent);
    const second = await signer.sign(chain.chainId, { ...intent, fees });
    await chain.send(first.raw);
    expect(await chain.send(second.raw)).toBe("accepted");
    await driver.mine();
    expect(await chain.receipt(first.txHash)).toBeUndefined();
    expect(await chain.receipt(second.txHash)).toMatchObject({ isSuccess: true });
  });

  promise("badly paid, a second one for a number is not taken", async (driver) => {
    const { chain, signer } = driver;
    const intent = await intentOf(driver, {});
    const second = await signer.sign(chain.chainId, { ...intent, to: driver.newAddress() });
    await chain.send((await signer.sign(chain.chainId, intent)).raw);
    expect(await chain.send(second.raw)).toBe("underpriced");
  });

  promise("what the account cannot pay for is not taken", async (driver) => {
    const { chain, signer } = driver;
    const amountRaw = await chain.balance(signer.address, null);
    const intent = await intentOf(driver, { contractAddress: null, amountRaw });
    const { raw } = await signer.sign(chain.chainId, intent);
    expect(await chain.send(raw)).toBe("unfunded");
  });
}

function describeReorganisations(promise: Promised): void {
  promise(
    "another branch has other names from the fork on, and the same before it",
    async (driver) => {
      const { chain } = driver;
      await driver.mine(4);
      const { number } = await chain.head();
      const before = await blocksBetween(chain, [number - 3n, number]);
      await driver.reorg(2);
      await driver.mine();
      const after = await blocksBetween(chain, [number - 3n, number]);
      expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
      expect(after[2]?.parentHash).toBe(before[1]?.hash);
      expect(after[2]?.hash).not.toBe(before[2]?.hash);
      expect(after[3]?.hash).not.toBe(before[3]?.hash);
    },
  );

  promise("what was in abandoned blocks never happened, and may be sent again", async (driver) => {
    const { chain, signer, token } = driver;
    const to = driver.newAddress();
    const intent = await intentOf(driver, {});
    const { raw, txHash } = await signer.sign(chain.chainId, intent);
    await chain.send(raw);
    await driver.mine();
    await driver.deposit({ to, contractAddress: token, amountRaw: 5n });
    await driver.reorg(2);
    expect(await chain.receipt(txHash)).toBeUndefined();
    expect(await chain.minedCount(signer.address)).toBe(intent.nonce);
    expect(await chain.balance(to, token)).toBe(0n);
    const { number } = await chain.head();
    const blocks = await blocksBetween(chain, [number - 1n, number], [token, null]);
    expect(blocks.flatMap(({ transfers }) => transfers)).toEqual([]);

    expect(["accepted", "known"]).toContain(await chain.send(raw));
    await driver.mine();
    expect(await chain.receipt(txHash)).toMatchObject({ isSuccess: true });
    expect(await chain.balance(intent.to, intent.contractAddress)).toBe(intent.amountRaw);
  });
}

/** The next number, one token to a new address, at what the chain asks for. */
async function intentOf(
  { chain, signer, token, newAddress }: ChainDriver,
  change: Partial<TransferIntent>,
): Promise<TransferIntent> {
  const nonce = await chain.minedCount(signer.address);
  const fees = await chain.fees();
  return { nonce, to: newAddress(), contractAddress: token, amountRaw: 1n, fees, ...change };
}

async function blockAt(
  chain: Chain,
  number: bigint,
  contracts: readonly (string | null)[] = [],
): Promise<BlockContent> {
  const block = await chain.block(number, contracts);
  if (block === undefined) throw new Error(`there is no block ${number}`);
  return block;
}

async function blocksBetween(
  chain: Chain,
  [from, upTo]: readonly [bigint, bigint],
  contracts: readonly (string | null)[] = [],
): Promise<readonly BlockContent[]> {
  const blocks: BlockContent[] = [];
  for (let number = from; number <= upTo; number++) {
    blocks.push(await blockAt(chain, number, contracts));
  }
  return blocks;
}
