// The steps of the queue by themselves: what has to be so that each is taken, and what it writes.

import { describe, expect, test } from "vitest";
import {
  endOutgoing,
  markOutgoingChecked,
  recordMeasuredMove,
} from "../../service/sending/confirmer.sql.ts";
import { outgoingValues } from "../../service/sending/model.ts";
import {
  queueOutgoingAgain,
  reviveOutgoing,
  withdrawOutgoing,
} from "../../service/sending/queue.sql.ts";
import {
  deferOutgoing,
  emptyOutgoing,
  freeNonce,
  markLookedAfter,
  markOutgoingSent,
  reserveNonce,
  storeReplacingOutgoing,
  storeSignedOutgoing,
} from "../../service/sending/sender.sql.ts";
import { engines } from "../support/engines.ts";
import { changedKeys, expectStep, stored, type Row, type Step } from "../support/table-steps.ts";
import {
  at,
  broadcast,
  clear,
  contents,
  ended,
  openQueue,
  otherChain,
  others,
  ours,
} from "./queue-rows.ts";
import { put, putNeighbours, queued, reserved } from "./queue-rows.ts";
import { chainId, usdc } from "./scene.ts";

const id = "out_1";
const lease = { chainId, account: ours, leaseToken: "mine" };
const wrongLeases: readonly Row[] = [
  { chainId: otherChain },
  { account: others },
  { leaseToken: "an earlier one" },
];
const bytes = { raw: Buffer.from("bytes"), maxFeePerGas: 3n, maxPriorityFeePerGas: 2n };
const attempt = { ...bytes, attempt: 3, txHash: "0xnew", signedAtBlock: 9n, now: at(1) };

const nonceRow = { chain_id: chainId, account: ours, nonce: 4, created_at: at(1) };
const fees = { max_fee_per_gas: 3, max_priority_fee_per_gas: 2 };
const attemptRow = {
  ...fees,
  tx_hash: "0xnew",
  signed_at_block: 9,
  signed_at: at(1),
  sent_at: null,
};

const steps: Readonly<Record<string, Step>> = {
  "a nonce is reserved": {
    statement: reserveNonce,
    before: queued,
    values: { id, ...lease, nonce: 4n },
    wrongValues: wrongLeases,
    wrongBefore: [broadcast, { ...queued, account: others }],
    changes: { reserved_nonce: 4 },
  },
  "a nonce is freed": {
    statement: freeNonce,
    before: { ...reserved, sends_nothing: true },
    values: { id, ...lease, nonce: 4n, now: at(1) },
    wrongValues: [...wrongLeases, { nonce: 5n }],
    wrongBefore: [broadcast, queued],
    changes: { reserved_nonce: null, sends_nothing: false, updated_at: at(1) },
  },
  "a nonce is to be used for nothing": {
    statement: emptyOutgoing,
    before: reserved,
    values: { id, ...lease, nonce: 4n, now: at(1) },
    wrongValues: [...wrongLeases, { nonce: 5n }],
    wrongBefore: [broadcast, queued],
    changes: { sends_nothing: true, updated_at: at(1) },
  },
  "what was signed is stored": {
    statement: storeSignedOutgoing,
    before: { ...reserved, last_problem: "nobody answers" },
    values: { id, ...lease, ...attempt, nonce: 4n, gasUnitsMax: 50n, sendsNothing: false },
    wrongValues: [...wrongLeases, { nonce: 5n }, { sendsNothing: true }],
    wrongBefore: [broadcast, queued, { ...reserved, sends_nothing: true }],
    changes: {
      status: "broadcast",
      tx_hash: "0xnew",
      gas_units_max: 50,
      gas_max_raw: 150,
      signed_at: at(1),
      updated_at: at(1),
      last_problem: null,
    },
    writes: { "sender_nonces out_1": nonceRow, "outgoing_attempts out_1 3": attemptRow },
  },
  "what was signed instead is stored": {
    statement: storeReplacingOutgoing,
    before: broadcast,
    values: { id, ...lease, ...attempt },
    wrongValues: wrongLeases,
    wrongBefore: [ended, reserved],
    changes: { tx_hash: "0xnew", gas_max_raw: 300, updated_at: at(1) },
    writes: { "outgoing_attempts out_1 3": attemptRow },
  },
  "it waits": {
    statement: deferOutgoing,
    before: queued,
    values: { id, notBefore: at(60), problem: "x".repeat(401) },
    wrongBefore: [broadcast],
    changes: { not_before: at(60), last_problem: "x".repeat(400) },
  },
  "the chain was asked": {
    statement: markOutgoingChecked,
    before: {
      ...broadcast,
      lost_since_block: 3,
      unmeasured_at: at(-9),
      unmeasured_told_at: at(-8),
    },
    values: {
      id,
      seenTxHash: "0xold",
      now: at(1),
      lostSinceBlock: 5n,
      isUnclear: true,
      unmeasuredAt: at(-3),
      unmeasuredToldAt: at(-2),
    },
    wrongValues: [{ seenTxHash: "0xbefore" }],
    wrongBefore: [ended],
    changes: {
      checked_at: at(1),
      lost_since_block: 5,
      unclear_at: at(1),
      unmeasured_at: at(-3),
      unmeasured_told_at: at(-2),
    },
  },
  "the chain speaks again of what people were to say": {
    statement: markOutgoingChecked,
    before: { ...broadcast, unclear_at: at(-9), decided_at: at(-8) },
    values: {
      id,
      seenTxHash: "0xold",
      now: at(1),
      lostSinceBlock: null,
      isUnclear: false,
      unmeasuredAt: null,
      unmeasuredToldAt: null,
    },
    wrongBefore: [ended],
    changes: { checked_at: at(1), unclear_at: null, decided_at: null },
  },
  "what it has moved was measured": {
    statement: recordMeasuredMove,
    before: broadcast,
    values: { id, txHash: "0xold", blockHash: "0xblock", leftRaw: 7n, arrivedRaw: 6n },
    wrongBefore: [ended],
    changes: {
      measured_tx_hash: "0xold",
      measured_block_hash: "0xblock",
      left_raw: 7,
      arrived_raw: 6,
    },
  },
  "it has ended": {
    statement: endOutgoing,
    before: broadcast,
    values: {
      id,
      status: "succeeded",
      txHash: "0xolder",
      seenTxHash: "0xseen",
      gasRaw: 5n,
      now: at(1),
    },
    wrongBefore: [ended],
    changes: {
      status: "succeeded",
      tx_hash: "0xolder",
      gas_raw: 5,
      checked_at: at(1),
      updated_at: at(1),
    },
  },
  "another one has its nonce": {
    statement: endOutgoing,
    before: broadcast,
    values: {
      id,
      status: "replaced",
      txHash: "0xold",
      seenTxHash: "0xold",
      gasRaw: null,
      now: at(1),
    },
    // Something else was signed for it since.
    wrongValues: [{ seenTxHash: "0xseen" }, { seenTxHash: null }],
    wrongBefore: [ended],
    changes: { status: "replaced", checked_at: at(1), updated_at: at(1) },
  },
  "nobody wants it any more": {
    statement: withdrawOutgoing,
    before: { ...queued, subject_id: "the subject", last_problem: "an earlier one" },
    values: { purpose: "x402_release", subjectId: "the subject", now: at(1), problem: null },
    wrongValues: [{ purpose: "refund" }, { subjectId: "subject out_1" }],
    wrongBefore: [
      { ...reserved, subject_id: "the subject" },
      { ...broadcast, subject_id: "the subject" },
    ],
    changes: { status: "withdrawn", updated_at: at(1) },
  },
  "it is wanted again": {
    statement: reviveOutgoing,
    before: { ...queued, subject_id: "the subject", status: "withdrawn" },
    values: { purpose: "x402_release", subjectId: "the subject", now: at(1) },
    wrongValues: [{ purpose: "refund" }, { subjectId: "subject out_1" }],
    wrongBefore: [{ ...broadcast, subject_id: "the subject" }],
    changes: { status: "queued", not_before: at(1), updated_at: at(1) },
  },
};

describe.each(engines)("on %s", (engine) => {
  test.each(Object.entries(steps))("%s", async (_, step) => {
    const { database } = await openQueue(engine);
    const prepare = async (row: Row) => {
      await clear(database);
      await putNeighbours(database);
      await put(database, id, row);
    };
    const tables = { database, key: `outgoing_transactions ${id}`, prepare };
    await expectStep({ ...tables, contents: () => contents(database) }, step);
  });

  test("what was handed over is noted of that transaction alone", async () => {
    const { database } = await openQueue(engine);
    await putNeighbours(database);
    const was = await contents(database);
    await database.run(markOutgoingSent, { id: "out_5", attempt: 2, now: at(1) });
    const is = await contents(database);
    expect(changedKeys(was, is)).toEqual(["outgoing_attempts out_5 2"]);
    expect(is.get("outgoing_attempts out_5 2")).toMatchObject(stored({ sent_at: at(1) }));
  });

  test("whose turn is over is noted of what the account has under way", async () => {
    const { database } = await openQueue(engine);
    await putNeighbours(database);
    await put(database, "out_8", ended);
    await put(database, "out_9", { ...broadcast, account: others });
    const was = await contents(database);
    await database.run(markLookedAfter, { chainId, account: ours, now: at(1) });
    const is = await contents(database);
    expect(changedKeys(was, is)).toEqual(["outgoing_transactions out_5"]);
    expect(is.get("outgoing_transactions out_5")).toMatchObject(stored({ looked_at: at(1) }));
  });

  test("what is queued again is what it is now, unless it has a nonce", async () => {
    const scene = await openQueue(engine);
    const { database } = scene;
    const again = (subjectId: string) =>
      database.run(
        queueOutgoingAgain,
        outgoingValues(scene, {
          chainId,
          account: "a new account",
          signsAs: { role: "settlement" },
          purpose: "refund",
          subjectId,
          deploymentId: usdc.deploymentId,
          action: { kind: "transfer", to: "somebody", contractAddress: null, amountRaw: 7n },
        }),
      );
    await putNeighbours(database);
    const old = { ...queued, purpose: "refund", last_problem: "x", not_before: at(99) };
    await put(database, "out_out", { ...old, status: "withdrawn" });
    await put(database, "out_in", old);
    await put(database, "out_nonce", { ...old, reserved_nonce: 4 });
    await put(database, "out_sent", { ...broadcast, purpose: "refund" });
    const was = await contents(database);
    for (const name of ["out", "in", "nonce", "sent"]) await again(`subject out_${name}`);
    const is = await contents(database);
    const known = ["outgoing_transactions out_in", "outgoing_transactions out_out"];
    expect(changedKeys(was, is)).toEqual(known);
    const now = scene.clock.now();
    const fresh = { account: "a new account", status: "queued", last_problem: null };
    const expected = stored({ ...fresh, not_before: now, updated_at: now });
    for (const key of known) expect(is.get(key)).toEqual({ ...was.get(key), ...expected });
    // Another purpose has the same subject.
    await again("subject out_5");
    const all = await contents(database);
    const [added = ""] = changedKeys(is, all);
    expect(changedKeys(is, all)).toHaveLength(1);
    const made = { purpose: "refund", subject_id: "subject out_5", sends_nothing: false };
    const times = stored({ not_before: now, created_at: now, updated_at: now });
    expect(all.get(added)).toMatchObject({ ...made, ...fresh, ...times, amount_raw: 7 });
  });
});
