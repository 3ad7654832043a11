// The database remembers how far the signer's journal was.

import { describe, expect, test } from "vitest";
import { signerJobs } from "../../adapters/assembly/signer-jobs.ts";
import { SignerJournals } from "../../service/addresses/signer-journals.ts";
import type { JournalPosition } from "../../service/ports/signer.ts";
import { engines, openDatabase } from "../support/engines.ts";
import type { Engine } from "../support/engines.ts";
import { query, TestClock } from "../support/service-parts.ts";

const headOf = (name: string): string => name.padEnd(32, "0");

async function openScene(engine: Engine) {
  const database = await openDatabase(engine);
  const clock = new TestClock();
  const alarms: (readonly [string, Readonly<Record<string, unknown>>])[] = [];
  let position: JournalPosition = { count: 100n, head: headOf("a") };
  const accounts = { hotAddress: "0x1", settlementAddress: "0x2", depositPublicKey: "xpub" };
  const signer = {
    accounts,
    journalPosition: () => Promise.resolve(position),
    limitUses: () => Promise.resolve([]),
    reconfirm: () => Promise.resolve(),
  };
  const alarm = (what: string, facts: Readonly<Record<string, unknown>>): void =>
    void alarms.push([what, facts]);
  const [job] = signerJobs({
    database,
    clock,
    alarm,
    signer,
    catalog: { allDeployments: () => Promise.resolve([]) },
  });
  return {
    journals: new SignerJournals({ database, clock }),
    signer,
    entries: () => query(database)`select action, subject_id from audit_entries`,
    /** The alarms of a look, in each of two processes. */
    look: async (count: bigint, head: string) => {
      position = { count, head: headOf(head) };
      alarms.length = 0;
      await job?.run();
      await job?.run();
      return alarms.map(([what, facts]) => [what, facts["known_count"], facts["count"]]);
    },
  };
}

describe.each(engines)("on %s", (engine) => {
  test("a journal that goes on is heard of, and one that goes back is an alarm", async () => {
    const { look } = await openScene(engine);
    expect(await look(100n, "a")).toEqual([]);
    expect(await look(100n, "a")).toEqual([]);
    expect(await look(120n, "b")).toEqual([]);
    const back = (count: string) => ["signer_journal_went_back", "120", count];
    expect(await look(119n, "c")).toEqual([back("119"), back("119")]);
    // Deleted.
    expect(await look(1n, "d")).toEqual([back("1"), back("1")]);
    // As far, and another one.
    expect(await look(120n, "e")).toEqual([back("120"), back("120")]);
    expect(await look(121n, "f")).toEqual([]);
  });

  test("until an operator takes it as it is", async () => {
    const { look, journals, signer, entries } = await openScene(engine);
    await expect(journals.accept("restored")).rejects.toThrow(/No journal/);
    await look(100n, "a");
    expect(await look(7n, "b")).toHaveLength(2);
    await journals.look(signer, "the key of an earlier seed");
    await journals.accept("restored from the copy of yesterday");
    const accepted = { action: "signer.journal_accepted", subject_id: "journal" };
    expect(await entries()).toMatchObject([accepted]);
    expect(await look(7n, "b")).toEqual([]);
    expect(await look(6n, "c")).toHaveLength(2);
  });

  test("two processes that look at once see nothing that is not there", async () => {
    const { look, journals, signer } = await openScene(engine);
    await look(100n, "a");
    let count = 100n;
    const busy = {
      journalPosition: () => Promise.resolve({ count: ++count, head: headOf("b") }),
    };
    const looks = Array.from({ length: 20 }, () =>
      journals.look(busy, signer.accounts.depositPublicKey),
    );
    expect((await Promise.all(looks)).filter((found) => found !== undefined)).toEqual([]);
  });
});
