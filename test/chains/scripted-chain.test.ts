// The scripted chain keeps what the port promises, and the promises that only it makes: other tests
// lean on it.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ScriptedChain, type ReorgWish } from "../support/scripted-chain.ts";
import { addressOf, decodeTransfer, ScriptedKeys } from "../support/scripted-signer.ts";
import type { TransferIntent } from "../support/scripted-signer.ts";
import { describeChain } from "./port-suite.ts";

const token = addressOf("token");
const refusingToken = addressOf("refusing token");
const ether = 10n ** 18n;

function openScripted() {
  const chain = new ScriptedChain({ safeLag: 2n, finalizedLag: 4n });
  const signer = new ScriptedKeys();
  chain.mint(signer.address, null, 10n * ether);
  for (const contract of [token, refusingToken]) chain.mint(signer.address, contract, 10n ** 12n);
  chain.reverting.add(refusingToken);
  return { chain, signer };
}

describeChain("the scripted chain", () => {
  const { chain, signer } = openScripted();
  let addresses = 0;
  return Promise.resolve({
    chain,
    signer,
    token,
    otherToken: addressOf("other token"),
    refusingToken,
    newAddress: () => addressOf(`fresh ${(addresses += 1)}`),
    deposit: (deposit) => {
      const txHash = chain.deposit(deposit);
      chain.mine();
      return Promise.resolve(txHash);
    },
    mine: (count) => Promise.resolve(chain.mine(count)),
    reorg: (depth) => Promise.resolve(chain.reorg(depth, { transactions: "dropped" })),
    close: () => Promise.resolve(chain.assertConserved()),
  });
});

async function signed(
  { chain, signer }: ReturnType<typeof openScripted>,
  change: Partial<TransferIntent> = {},
) {
  const nonce = await chain.minedCount(signer.address);
  const fees = await chain.fees();
  const to = addressOf("a customer");
  const intent = { nonce, to, contractAddress: token, amountRaw: 1n, fees, ...change };
  return { intent, ...(await signer.sign(chain.chainId, intent)) };
}

describe("the scripted chain", () => {
  test("says the same with the same calls", async () => {
    const heads = [1, 2].map(async () => {
      const { chain } = openScripted();
      chain.deposit({ to: addressOf("a"), amountRaw: 1n });
      chain.mine(3);
      chain.reorg(2);
      return await chain.head();
    });
    const [one, other] = await Promise.all(heads);
    expect(one).toEqual(other);
  });

  test("signed bytes say what was signed", async () => {
    const parts = openScripted();
    const { intent, raw } = await signed(parts);
    const { chainId } = parts.chain;
    const { address } = parts.signer;
    expect(decodeTransfer(raw)).toEqual({ chainId, from: address, source: address, intent });
  });

  test("what offers too little waits until the price falls", async () => {
    const parts = openScripted();
    const { chain } = parts;
    const { raw, txHash } = await signed(parts);
    chain.baseFee *= 10n;
    expect(await chain.send(raw)).toBe("accepted");
    chain.mine(3);
    expect(chain.waiting).toEqual([txHash]);
    chain.baseFee /= 10n;
    chain.mine();
    expect(await chain.receipt(txHash)).toMatchObject({ isSuccess: true });
    chain.acceptedFeeMin = 10n ** 15n;
    expect(await chain.send((await signed(parts)).raw)).toBe("underpriced");
  });

  test("an emptied pool forgets, and a reorganisation may bring back to it", async () => {
    const parts = openScripted();
    const { chain } = parts;
    const { raw, txHash } = await signed(parts);
    await chain.send(raw);
    chain.dropPool();
    chain.mine();
    expect(await chain.receipt(txHash)).toBeUndefined();
    await chain.send(raw);
    chain.mine();
    chain.reorg(1, { transactions: "pool" });
    expect(await chain.receipt(txHash)).toBeUndefined();
    chain.mine();
    expect(await chain.receipt(txHash)).toMatchObject({ isSuccess: true });
  });

  test("fails as planned, so many times, and then answers again", async () => {
    const { chain } = openScripted();
    chain.mine(5);
    chain.faults.next("head", { kind: "unavailable" }, 2);
    chain.faults.next("head", { kind: "old", blocks: 3 });
    chain.faults.next("head", { kind: "other_chain" });
    for (let count = 0; count < 2; count++) {
      await expect(chain.head()).rejects.toMatchObject({ code: "chain_unavailable" });
    }
    expect((await chain.head()).number).toBe(2n);
    expect((await chain.head()).chainId).not.toBe(chain.chainId);
    expect(await chain.head()).toMatchObject({ number: 5n, safeNumber: 3n, finalizedNumber: 1n });
  });

  test("an answer that got lost was given all the same", async () => {
    const parts = openScripted();
    const { chain } = parts;
    const { raw } = await signed(parts);
    chain.faults.next("send", { kind: "lost" });
    await expect(chain.send(raw)).rejects.toMatchObject({ code: "chain_unavailable" });
    expect(await chain.send(raw)).toBe("known");
  });

  test("a call hangs until it is let go", async () => {
    const { chain } = openScripted();
    const hanging = chain.faults.hang("head");
    const head = chain.head();
    await hanging.reached;
    chain.mine();
    hanging.release();
    expect((await head).number).toBe(1n);
  });

  test("a reorganisation moves transactions and logs as asked", async () => {
    const { chain } = openScripted();
    const to = addressOf("a");
    const hash = chain.deposit({ to, amountRaw: 1n, contractAddress: token });
    chain.mine(2);
    const place = async () => {
      const receipt = await chain.receipt(hash);
      return receipt && [receipt.block.number, receipt.transfers[0]?.logIndex];
    };
    expect(await place()).toEqual([1n, 0]);
    chain.reorg(2, { logsBefore: 3 });
    expect(await place()).toEqual([1n, 3]);
    chain.reorg(2, { transactions: "later" });
    expect(await place()).toEqual([2n, 0]);
    chain.reorg(2, { drop: [hash] });
    expect(await place()).toBeUndefined();
  });

  test("whatever happens, nothing is made or lost but by mint, deposits and gas", async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant("deposit"), amount: fc.bigInt(1n, 1000n) }),
      fc.record({ do: fc.constant("send"), amount: fc.bigInt(1n, 10n ** 12n) }),
      fc.record({ do: fc.constant("mine"), amount: fc.bigInt(1n, 3n) }),
      fc.record({ do: fc.constant("reorg"), amount: fc.bigInt(1n, 5n) }),
    );
    const kinds: readonly ReorgWish["transactions"][] = ["same", "later", "dropped", "pool"];
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const parts = openScripted();
        const { chain } = parts;
        for (const { do: kind, amount } of steps) {
          const contractAddress = amount % 2n === 0n ? token : null;
          const wish = { to: addressOf(`user ${amount % 3n}`), contractAddress, amountRaw: amount };
          if (kind === "deposit") chain.deposit(wish);
          if (kind === "send") await chain.send((await signed(parts, wish)).raw);
          if (kind === "mine") chain.mine(Number(amount));
          const transactions = kinds[Number(amount % 4n)] ?? "same";
          if (kind === "reorg") chain.reorg(Number(amount), { transactions });
          chain.assertConserved();
        }
      }),
    );
  });
});
