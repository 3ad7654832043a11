// What statements of x402 decide by that no played life has a case for: each row that must not count differs from one that does in one thing.

import { expect, test } from "vitest";
import {
  findArrivalOf,
  findMovedArrival,
  findUnderWay,
  listArrivalHashes,
} from "../../service/x402/arrivals.sql.ts";
import { readSettlementStates } from "../../service/x402/reconciler.sql.ts";
import { settlementAddress } from "./action-signer.ts";
import { queryOf } from "./found-looks.ts";
import { payer, stranger } from "./payers.ts";
import { deploymentId, merchant, price } from "./scene.ts";
import { impatient, local, scene, signedPayment, useStage } from "./stage.ts";

useStage();

const looks = queryOf(() => scene.database);
const txHash = `0x${"ab".repeat(32)}`;
const elsewhere = `0x${"cd".repeat(32)}`;

interface Arrival {
  readonly chainId?: string;
  readonly txHash?: string;
  readonly logIndex: number;
  readonly deploymentId?: string;
  readonly paymentId?: string | null;
  readonly sender?: string;
  readonly source?: string;
  readonly amountRaw?: bigint;
  readonly address?: string;
  readonly blockNumber?: bigint;
  readonly status?: string;
}

async function put(...arrivals: readonly Arrival[]): Promise<void> {
  for (const one of arrivals) {
    await looks.run`
      insert into deposits (chain_id, tx_hash, log_index, deployment_id, payment_id, address, sender,
        source, settlement_id, amount_raw, block_number, block_hash, block_time, status)
      values (${one.chainId ?? local.chainId}, ${one.txHash ?? txHash}, ${one.logIndex},
        ${one.deploymentId ?? deploymentId}, ${one.paymentId ?? null},
        ${one.address ?? settlementAddress},
        ${one.sender ?? payer.address}, ${one.source ?? "settlement"},
        ${one.source === "x402" ? await settlement() : null}, ${one.amountRaw ?? price},
        ${one.blockNumber ?? 1n}, '0xb', ${scene.clock.now()}, ${one.status ?? "seen"}) returning tx_hash`;
  }
}

/** One of another payment: what is asked here does not look at it. */
async function settlement(): Promise<string> {
  const { id, command } = await signedPayment();
  await impatient().x402.settle(merchant, command);
  const [row] = await looks.run`select id from x402_settlements where payment_id = ${id}`;
  return (row as { readonly id: string }).id; // it has just been written
}

async function forget(): Promise<void> {
  await looks.run`delete from deposits returning tx_hash`;
}

async function anotherDeployment(): Promise<string> {
  const [row] = await looks.run`select id from deployments where id <> ${deploymentId} limit 1`;
  return (row as { readonly id: string }).id; // the shipped catalog has several
}

/** Each with what it differs in from a transfer that is looked for. */
async function otherArrivals(): Promise<readonly Omit<Arrival, "logIndex">[]> {
  return [
    { chainId: "eip155:1" },
    { txHash: elsewhere },
    { deploymentId: await anotherDeployment() },
    { sender: stranger.address },
    { amountRaw: price + 1n },
    { amountRaw: price - 1n },
  ];
}

test("what has moved was the same transfer, of the same transaction, and an orphan that a payment had", async () => {
  const [mine, another] = [await scene.addPayment(), await scene.addPayment()];
  const place = { chainId: local.chainId, txHash, logIndex: 203 };
  const found = () => scene.database.run(findMovedArrival, place);
  const gone = { logIndex: 101, paymentId: mine, status: "orphaned" } as const;
  await put({ logIndex: 203 }, gone);
  expect(await found()).toEqual([{ payment_id: mine }]);

  const notGone = [
    ...(await otherArrivals()),
    { status: "seen" },
    { status: "final" },
    { source: "x402" },
    { source: "address" },
    { paymentId: null },
  ];
  for (const difference of notGone) {
    await forget();
    await put({ logIndex: 203 }, { ...gone, ...difference });
    expect([difference, await found()]).toEqual([difference, []]);
  }

  // Others have moved as well: each is found at its own place only.
  const rivals = [{ chainId: "eip155:1" }, { txHash: elsewhere }];
  for (const rival of rivals) {
    await forget();
    await put({ logIndex: 203, ...rival }, { ...gone, ...rival, logIndex: 1, paymentId: another });
    await put({ logIndex: 203 }, gone);
    expect([rival, await found()]).toEqual([rival, [{ payment_id: mine }]]);
  }
  const beside = { sender: stranger.address };
  await forget();
  await put({ logIndex: 204, ...beside }, { ...gone, ...beside, logIndex: 1, paymentId: another });
  await put({ logIndex: 203 }, gone);
  expect(await found()).toEqual([{ payment_id: mine }]);
});

test("who has such a transfer there again has got it back, and nobody else has", async () => {
  const [mine, another] = [await scene.addPayment(), await scene.addPayment()];
  const place = { chainId: local.chainId, txHash, logIndex: 203 };
  const found = () => scene.database.run(findMovedArrival, place);
  const gone = { logIndex: 101, paymentId: mine, status: "orphaned" } as const;
  const back = { logIndex: 204, paymentId: mine };
  for (const status of ["seen", "final"]) {
    await forget();
    await put({ logIndex: 203 }, gone, { ...back, status });
    expect([status, await found()]).toEqual([status, []]);
  }

  const notBack = [...(await otherArrivals()), { paymentId: another }, { status: "orphaned" }];
  for (const difference of notBack) {
    await forget();
    await put({ logIndex: 203 }, gone, { ...back, ...difference });
    expect([difference, await found()]).toEqual([difference, [{ payment_id: mine }]]);
  }

  await forget();
  await put({ logIndex: 203 }, { ...gone, logIndex: 102, paymentId: another }, gone);
  expect(await found()).toEqual([{ payment_id: mine }]);
});

test("money of a transaction is a payment's where it is written down there, and still is in a block", async () => {
  const [mine, another] = [await scene.addPayment(), await scene.addPayment()];
  const asked = { chainId: local.chainId, txHash, blockHash: elsewhere, paymentId: mine };
  const found = (logIndexes = ["7"]) => scene.database.run(findArrivalOf, { ...asked, logIndexes });
  for (const difference of [{}, { source: "x402" }, { status: "final" }]) {
    await forget();
    await put({ logIndex: 7, paymentId: mine, ...difference });
    expect([difference, await found()]).toEqual([difference, [{ is_there: true }]]);
  }
  const others = [
    { chainId: "eip155:1" },
    { txHash: elsewhere },
    { paymentId: another },
    { paymentId: null },
    { source: "address" },
    { status: "orphaned" },
  ];
  for (const difference of others) {
    await forget();
    await put({ logIndex: 7, paymentId: mine, ...difference });
    expect([difference, await found()]).toEqual([difference, []]);
  }
  await forget();
  const measure = (logIndex: number, change: object = {}) => {
    const row = { chainId: local.chainId, txHash, block: elsewhere, arrived: "0", ...change };
    return looks.run`insert into measured_transfers
      values (${row.chainId}, ${row.txHash}, ${logIndex}, ${row.block}, 1, ${deploymentId}, ${payer.address},
        5, ${row.arrived}, now(), now(), null) returning tx_hash`;
  };
  const unlike = [
    { chainId: "eip155:1" },
    { txHash: elsewhere },
    { block: txHash },
    { arrived: null },
    { arrived: "5" },
  ];
  for (const change of unlike) {
    await measure(7, change);
    expect([change, await found()]).toEqual([change, []]);
    await looks.run`delete from measured_transfers returning tx_hash`;
  }
  await measure(7);
  expect(await found()).toEqual([{ is_there: false }]);
  expect(await found(["7", "8"])).toEqual([]);
  await measure(8);
  expect(await found(["7", "8"])).toEqual([{ is_there: false }]);
  await put({ logIndex: 9, paymentId: mine });
  expect(await found(["7", "8"])).toEqual([{ is_there: true }]);
});

test("an authorization is under way where one of its payer, token and chain has not failed", async () => {
  const { id, command } = await signedPayment();
  await impatient().x402.settle(merchant, command);
  const [row] = await looks.run`select id, nonce from x402_settlements where payment_id = ${id}`;
  const { nonce } = row as { readonly nonce: string }; // it has just been written
  const asked = {
    chainId: local.chainId,
    deploymentId,
    payer: payer.address,
    nonces: [`0x${"00".repeat(32)}`, nonce],
  };
  const found = (change: object = {}) => scene.database.run(findUnderWay, { ...asked, ...change });
  expect(await found()).toMatchObject([{ id: expect.stringMatching(/^stl_/) as string }]);
  const others = [
    { chainId: "eip155:1" },
    { deploymentId: await anotherDeployment() },
    { payer: stranger.address },
    { nonces: [`0x${"00".repeat(32)}`] },
  ];
  for (const change of others) expect([change, await found(change)]).toEqual([change, []]);
  await looks.run`update x402_settlements set status = 'failed', reason = 'reverted' returning id`;
  expect(await found()).toEqual([]);
});

test("a settlement that is waited for is read with its state, and no other one is", async () => {
  const [first, second] = [await settlement(), await settlement()];
  await settlement();
  const rows = await scene.database.run(readSettlementStates, { ids: [first, second] });
  const found = rows.toSorted((a, b) => a.id.localeCompare(b.id, "en"));
  const states = [first, second].toSorted().map((id) => ({ id, status: "queued" }));
  expect(found).toEqual(states);
});

test("of what came from a payer, what nobody has comes first, then the most, then the newest", async () => {
  const mine = await scene.addPayment();
  const hashOf = (place: number) => `0x${place.toString(16).padStart(64, "0")}`;
  const asked = {
    chainId: local.chainId,
    account: settlementAddress,
    deploymentId,
    payer: payer.address,
    amountRaw: 50n,
  };
  const list = async (rowsMax: number) => {
    const rows = await scene.database.run(listArrivalHashes, { ...asked, rowsMax });
    return rows.map(({ tx_hash: hash }) => Number(hash));
  };
  const ranked = [
    { paymentId: null, amountRaw: 50n, blockNumber: 1n },
    { paymentId: null, amountRaw: 40n, blockNumber: 3n },
    { paymentId: null, amountRaw: 40n, blockNumber: 2n },
    { paymentId: null, amountRaw: 40n, blockNumber: 2n },
    { paymentId: mine, amountRaw: 49n, blockNumber: 1n, source: "x402" },
    { paymentId: mine, amountRaw: 48n, blockNumber: 9n },
  ];
  const hashes = [11, 12, 13, 14, 15, 16];
  const rows = ranked.map((one, place) => ({
    ...one,
    logIndex: 0,
    txHash: hashOf(hashes[place] ?? 0),
  }));
  await put(...rows.toReversed());
  // Of a transaction its largest transfer counts, and whether any of it is nobody's.
  await put({ txHash: hashOf(13), logIndex: 1, paymentId: mine, amountRaw: 1n, blockNumber: 2n });
  await put({ txHash: hashOf(16), logIndex: 1, paymentId: mine, amountRaw: 1n, blockNumber: 9n });
  const others: readonly Partial<Arrival>[] = [
    { chainId: "eip155:1" },
    { address: stranger.address },
    { deploymentId: await anotherDeployment() },
    { sender: stranger.address },
    { source: "address", paymentId: mine },
    { amountRaw: 51n },
    { status: "orphaned" },
  ];
  for (const [place, one] of others.entries()) {
    await put({ logIndex: 0, txHash: hashOf(100 + place), amountRaw: 5n, ...one });
  }
  expect(await list(20)).toEqual(hashes);
  expect(await list(3)).toEqual(hashes.slice(0, 3));
});
