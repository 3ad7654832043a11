// The watcher of a chain and the life of payments, together: what the chain does is all that happens.

import { describe, expect, test } from "vitest";
import { CatalogReader } from "../../service/catalog/catalog.ts";
import { ChainWatcher } from "../../service/chains/watcher.ts";
import { Cursors } from "../../service/cursor.ts";
import { DepositAddresses } from "../../service/addresses/deposit-addresses.ts";
import { unkeptIndexes } from "../support/address-indexes.ts";
import { engines, openDatabase } from "../support/engines.ts";
import type { Engine } from "../support/engines.ts";
import { blockSeconds, ScriptedChain } from "../support/scripted-chain.ts";
import { ScriptedAddressSource } from "../support/scripted-signer.ts";
import { base, quotesOf } from "./progress-quotes.ts";
import { lifeMilliseconds, openWorld, price } from "./progress-world.ts";

/** As the shipped catalog has it on this chain. */
const contractAddress = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const confirmations = 12;
/** So many runs end whatever there is to do here. */
const runsMax = 100;
const fee = price / 100n;

async function openChain(engine: Engine) {
  const database = await openDatabase(engine);
  const world = await openWorld(database);
  const { clock, progress } = world;
  const chain = new ScriptedChain({ chainId: base, genesisTime: clock.now(), safeLag: 3n });
  const catalog = new CatalogReader({ database, cursors: new Cursors(new Uint8Array(32)) });
  const watcher = new ChainWatcher({
    database,
    clock,
    catalog,
    chain,
    onTouched: (inside, ids) => progress.refresh(inside, ids),
  });
  const sources = { evm: new ScriptedAddressSource() };
  const addresses = new DepositAddresses({
    database,
    clock,
    sources,
    indexes: unkeptIndexes(database),
  });
  const expiry = world.expiry([base]);
  const look = async () => {
    for (let count = 0; count < runsMax; count++) {
      const run = await watcher.run();
      if (!run.isMore) break;
    }
    await expiry.run();
  };
  const mine = (count = 1) => {
    chain.mine(count);
    clock.advance(count * blockSeconds * 1000);
  };
  mine(20);
  await look();
  const newPayment = async () => {
    const id = await world.addPayment({ quotes: quotesOf({ usdc: `${price}` }) });
    const to = await addresses.open(id, "evm");
    return { id, pay: (amountRaw = price) => chain.deposit({ to, amountRaw, contractAddress }) };
  };
  const told = async (id: string) =>
    (await world.events(id)).map(({ type }) => type.replace("payment.", ""));
  return { ...world, chain, expiry, look, mine, newPayment, told };
}

describe.each(engines)("on %s", (engine) => {
  test("a payment is paid when its block is deep enough, and a small reorganisation is no news", async () => {
    const { chain, look, mine, newPayment, told, status, balances, events } =
      await openChain(engine);
    const { id, pay } = await newPayment();
    const hash = pay();
    mine(3);
    await look();
    expect(await status(id)).toBe("confirming");
    // The transaction is in the other branch as well.
    chain.reorg(3, { transactions: "later", logsBefore: 2 });
    mine();
    await look();
    mine(confirmations);
    await look();
    expect(await status(id)).toBe("paid");
    expect(await told(id)).toEqual(["confirming", "paid"]);
    const [, paid] = await events(id);
    expect(paid?.data).toMatchObject({ tx_hash: hash });
    expect(Number(paid?.data["confirmations"])).toBeGreaterThanOrEqual(confirmations);
    expect(await balances()).toEqual({
      "chain:deposit_addresses": price,
      "merchant:available creator": price - fee,
      "platform:fees": fee,
    });
  });

  test("a reorganisation that loses the transaction takes the payment back, and it expires", async () => {
    const { chain, look, mine, newPayment, told, balances } = await openChain(engine);
    const { id, pay } = await newPayment();
    pay(price / 2n);
    mine(2);
    await look();
    pay(price / 2n);
    mine(2);
    await look();
    chain.reorg(2, { transactions: "dropped", length: 3 });
    await look();
    expect(await told(id)).toEqual(["partially_paid", "confirming", "reorged"]);
    mine(lifeMilliseconds / blockSeconds / 1000 + 1);
    await look();
    expect((await told(id)).slice(3)).toEqual(["underpaid"]);
    expect(await balances()).toMatchObject({ "chain:deposit_addresses": price / 2n });
  });

  test("threat 25: a reorganisation deeper than what counts as final reverses the payment", async () => {
    const { chain, look, mine, newPayment, told, status, balances } = await openChain(engine);
    const { id, pay } = await newPayment();
    pay();
    mine(confirmations + 8);
    await look();
    expect(await status(id)).toBe("paid");
    chain.reorg(confirmations + 8, { transactions: "dropped", length: confirmations + 9 });
    await look();
    expect(await told(id)).toEqual(["confirming", "paid", "reversed"]);
    expect(await balances()).toEqual({});
  });

  test("threat 25: one that puts the transaction into another block takes nothing back", async () => {
    const { chain, look, mine, newPayment, told, balances } = await openChain(engine);
    const { id, pay } = await newPayment();
    pay();
    mine(confirmations + 8);
    await look();
    chain.reorg(confirmations + 8, { transactions: "later" });
    await look();
    mine(confirmations + 8);
    await look();
    expect(await told(id)).toEqual(["confirming", "paid"]);
    expect(await balances()).toMatchObject({ "chain:deposit_addresses": price });
  });

  test("threat 29: nobody answers across the end, and a block of before shows that it was paid", async () => {
    const { chain, expiry, look, mine, newPayment, told, status } = await openChain(engine);
    const paid = await newPayment();
    const unpaid = await newPayment();
    const late = await newPayment();
    paid.pay();
    // The chain goes on, and nobody answers us.
    chain.faults.next("head", { kind: "unavailable" }, Infinity);
    mine(lifeMilliseconds / blockSeconds / 1000);
    late.pay();
    mine(confirmations + 8);
    await expect(look()).rejects.toThrow(expect.objectContaining({ code: "chain_unavailable" }));
    expect((await expiry.run()).done).toBe(0);
    chain.faults.clear();
    await look();
    expect(await status(paid.id)).toBe("paid");
    expect(await told(paid.id)).toEqual(["confirming", "paid"]);
    expect(await told(unpaid.id)).toEqual(["expired"]);
    expect(await status(late.id)).toBe("paid_late");
  });
});
