// A chain is read twice, to show what differs and to put it right: where the second reading finds something else than
// was shown, nothing is changed.

import { describe, expect, test } from "vitest";
import { runAdmin } from "../../adapters/operator/command.ts";
import type { Operator } from "../../adapters/operator/command.ts";
import { codeOf } from "../../adapters/operator/as-shown.ts";
import { confirmations } from "../../adapters/operator/confirmations.ts";
import { performConfirmed } from "../../adapters/operator/confirming.ts";
import { boundChanges } from "../../adapters/operator/rescan.ts";
import type { RescanChange } from "../../service/chains/rescan-changes.ts";
import { drain, startWatching, token } from "../chains/watching.ts";
import { engines, openDatabase } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";

const whole = 1_000_000n;

test("the same changes have one code, in whatever order they were found", () => {
  const place = { txHash: "0x1", logIndex: 0, deploymentId: "dep_1", paymentId: null };
  const change = { ...place, amountRaw: 5n, blockNumber: 7n };
  const changes = [
    { ...change, what: "gone" },
    { ...change, what: "new" },
    { ...change, what: "new", paymentId: "pay_1" },
  ] as const;
  const report = { fromNumber: 1n, toNumber: 9n, otherBlocks: 0, same: 0, unmeasured: 0 };
  const code = (found: readonly RescanChange[]) =>
    codeOf(boundChanges("eip155:1", { ...report, changes: found }));
  const [one, other, fewer] = [changes, changes.toReversed(), changes.slice(1)].map(code);
  expect(other).toBe(one);
  expect(fewer).not.toBe(one);
});

describe.each(engines)("chain rescan on %s", (engine) => {
  /** Deposits that the watcher has not seen. */
  async function openDesk() {
    const watching = await startWatching(await openDatabase(engine));
    const { chain, mine, newPayment } = watching;
    const payments = [await newPayment(), await newPayment()] as const;
    const from = (await chain.head()).number + 1n;
    /** The nodes leave it out, or say it after all. */
    const miss = async ({ address: to }: { readonly address: string }) => {
      chain.deposit({ to, contractAddress: token, amountRaw: whole });
      mine();
      chain.faults.next("block", { kind: "no_transfers" }, Number.POSITIVE_INFINITY);
      await watching.drain();
      mine(12);
      await watching.drain();
      chain.faults.clear();
    };
    await miss(payments[0]);
    // The command touches nothing else.
    const operator = { chainRescan: watching.rescan() } as unknown as Operator;
    const admin = (words: readonly string[]) => runAdmin({ words }, operator);
    const words = ["chain", "rescan", "--chain", "eip155:1", "--from", from.toString()];
    const said: string[] = [];
    const typing = async (meanwhile: () => Promise<void>, more: readonly string[] = []) => {
      said.length = 0;
      const ask = async () => {
        await meanwhile();
        return "eip155:1";
      };
      const terminal = { write: (text: string) => void said.push(text), ask };
      const confirmation = confirmations["chain rescan"] ?? { because: "moves money", typed: "" };
      return await performConfirmed([...words, ...more], confirmation, {
        terminal,
        perform: admin,
      });
    };
    const rescanned = async () =>
      (
        await query(watching.database)`
          select from audit_entries where action = 'chain.rescanned'`
      ).length;
    return { ...watching, payments, admin, words, typing, said, miss, rescanned };
  }

  test("puts right what was shown, also when the chain has gone on", async () => {
    const { typing, said, payments, deposits, mine, watcher } = await openDesk();
    const goesOn = async () => {
      mine(3);
      await drain(watcher());
    };
    const answer = await typing(goesOn);
    expect(said[0]).toContain(`new      ${payments[0].id}`);
    expect(answer).toMatchObject({ exitCode: 0, errors: "" });
    expect(answer.output).toContain(`new      ${payments[0].id}`);
    expect(answer.output).toMatch(/\nDone\.\n$/);
    expect(await deposits()).toHaveLength(1);
  });

  test("puts nothing right where the second reading finds more, and shows what", async () => {
    const { typing, payments, deposits, miss, rescanned, admin, words } = await openDesk();
    const [one, other] = payments;
    const refused = await typing(() => miss(other));
    expect(refused).toMatchObject({ exitCode: 1, output: "" });
    expect(refused.errors).toMatch(/^It is not as it was shown any more\. Nothing was changed\./);
    expect(refused.errors).toContain(`new      ${one.id}`);
    expect(refused.errors).toContain(`new      ${other.id}`);
    expect(refused.errors).not.toContain("Done.");
    expect(await deposits()).toEqual([]);
    expect(await rescanned()).toBe(0);
    const dry = JSON.parse((await admin([...words, "--dry-run", "--json"])).output) as {
      readonly shown_as: string;
    };
    const wrong = await admin([...words, "--yes", "--json", "--as-shown", "0000"]);
    expect(JSON.parse(wrong.errors)).toMatchObject({
      error: { code: "refused", now: { changes: [{ what: "new" }, { what: "new" }] } },
    });
    const done = await admin([...words, "--yes", "--as-shown", dry.shown_as]);
    expect(done).toMatchObject({ exitCode: 0 });
    expect(await deposits()).toHaveLength(2);
    expect(await rescanned()).toBe(1);
  });
});
