// Threat 80: somebody who owns the database edits what happened. No rule of the database holds them,
// but the chain shows where it was, and a head that is kept elsewhere shows even a new chain.

import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { describe, expect, test } from "vitest";
import type { Audit, AuditAnchor } from "../../service/audit/audit.ts";
import type { Database } from "../../service/ports/database.ts";
import { recordEntries } from "../audit/entries.ts";
import { engines, openDatabase } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";

const anchorEntry = 5;

async function tamper(database: Database, ...edits: RawBuilder<unknown>[]): Promise<void> {
  await query(database)`alter table audit_entries disable trigger all`;
  await query(database)`alter table audit_head disable trigger all`;
  for (const edit of edits) await query(database, edit);
  await query(database)`alter table audit_head enable trigger all`;
  await query(database)`alter table audit_entries enable trigger all`;
}

const changeThird = sql`update audit_entries set details = '{"scopes":[]}' where sequence = 3`;
const headToLast = sql`update audit_head set (sequence, hash) =
  (select sequence, hash from audit_entries order by sequence desc limit 1)`;

/** As if the chain had been made like this, from one entry to the end. */
function chainAnew(from: number): RawBuilder<unknown>[] {
  const numbers = Array.from({ length: anchorEntry - from + 1 }, (_, index) => from + index);
  const links = numbers.flatMap((number) => [
    sql`update audit_entries set previous_hash = coalesce((select hash from audit_entries
          where sequence = ${number - 1}::bigint), previous_hash)
        where sequence = ${number}::bigint`,
    sql`update audit_entries e set hash = audit_hash(e) where sequence = ${number}::bigint`,
  ]);
  return [...links, headToLast];
}

const forged = (sequence: number) => sql`
  insert into audit_entries
  select ${sequence}::bigint, occurred_at, 'operator', action, merchant_id, environment,
    subject_type, 'mk_test_forged', details, hash, hash
  from audit_entries where sequence = ${anchorEntry}`;

interface Case {
  readonly name: string;
  readonly edits: readonly RawBuilder<unknown>[];
  readonly problems: readonly RegExp[];
  /** only an anchor shows it */
  readonly beyondAnchor?: readonly RegExp[];
}

const cases: readonly Case[] = [
  { name: "an entry edited", edits: [changeThird], problems: [/^Entry 3 is not what was written/] },
  {
    name: "a time moved by a microsecond",
    edits: [
      sql`update audit_entries set occurred_at = occurred_at + interval '1 us' where sequence = 1`,
    ],
    problems: [/^Entry 1 is not/],
  },
  {
    name: "a time without an end",
    edits: [
      sql`alter table audit_entries drop constraint audit_entries_occurred_at_check`,
      sql`update audit_entries set occurred_at = 'infinity' where sequence = 2`,
    ],
    problems: [/^Entry 2 is not/],
  },
  {
    name: "what belongs to one merchant given to nobody",
    edits: [sql`update audit_entries set merchant_id = null where sequence = 2`],
    problems: [/^Entry 2 is not/],
  },
  {
    name: "a letter moved from one field to the next",
    edits: [
      sql`update audit_entries set actor = actor || 'a', action = substr(action, 2)
        where sequence = 4`,
    ],
    problems: [/^Entry 4 is not/],
  },
  {
    name: "an entry edited, with a hash that fits",
    edits: [changeThird, sql`update audit_entries e set hash = audit_hash(e) where sequence = 3`],
    problems: [/^Entry 4 does not follow/],
  },
  {
    name: "entries taken out",
    edits: [sql`delete from audit_entries where sequence in (2, 3)`],
    problems: [/^Entries 2 to 3 are missing/],
  },
  {
    name: "the first entry taken out",
    edits: [sql`delete from audit_entries where sequence = 1`],
    problems: [/^Entry 1 is missing/],
  },
  {
    name: "the end cut off",
    edits: [sql`delete from audit_entries where sequence = 5`],
    problems: [/^The chain ends with entry 4, but its head says 5/],
    beyondAnchor: [/^The chain ends with entry 4, before the anchor/],
  },
  {
    name: "the end cut off, with its head",
    edits: [sql`delete from audit_entries where sequence > 3`, headToLast],
    problems: [],
    beyondAnchor: [/^The chain ends with entry 3, before the anchor/],
  },
  {
    name: "everything taken out",
    edits: [
      sql`truncate audit_entries`,
      sql`update audit_head set sequence = 0, hash = decode(repeat('00', 32), 'hex')`,
    ],
    problems: [],
    beyondAnchor: [/^The chain ends with entry 0, before the anchor/],
  },
  {
    name: "an entry put in at the end",
    edits: [forged(6), sql`update audit_entries e set hash = audit_hash(e) where sequence = 6`],
    problems: [/^The chain ends with entry 6, but its head says 5/],
  },
  {
    name: "an entry put in before the first",
    edits: [
      sql`alter table audit_entries drop constraint audit_entries_sequence_check`,
      forged(0),
      forged(-7),
    ],
    problems: [/^Entry -7 was never written/, /^Entry 0 was never written/],
  },
  {
    name: "an entry put in place of another",
    edits: [sql`delete from audit_entries where sequence = 3`, forged(3)],
    problems: [/^Entry 3 does not follow/, /^Entry 3 is not/, /^Entry 4 does not follow/],
  },
  {
    name: "the head changed",
    edits: [sql`update audit_head set hash = decode(repeat('ab', 32), 'hex')`],
    problems: [/^The chain ends with entry 5, but its head says 5 with the hash abab/],
  },
  {
    name: "the head taken out",
    edits: [sql`delete from audit_head`],
    problems: [/^The table audit_head is empty/],
  },
  {
    name: "an entry edited, and a new chain made from there",
    edits: [changeThird, ...chainAnew(3)],
    problems: [],
    beyondAnchor: [/^Entry 5 is another one than the anchor says/],
  },
];

describe.each(engines)("on %s", (engine) => {
  test.each(cases)("$name is reported", async ({ edits, problems, beyondAnchor = [] }) => {
    const database = await openDatabase(engine);
    const audit: Audit = await recordEntries(database, anchorEntry);
    const { head } = await audit.verify();
    await tamper(database, ...edits);
    await expectProblems(audit, problems);
    await expectProblems(audit, [...problems, ...beyondAnchor], head);
  });

  test("a log that only grew still holds every head of before", async () => {
    const database = await openDatabase(engine);
    const audit = await recordEntries(database, anchorEntry);
    const { head } = await audit.verify();
    await recordEntries(database, 3);
    await expectProblems(audit, [], head);
  });

  test("of a log changed everywhere only the beginning is listed", async () => {
    const database = await openDatabase(engine);
    const audit = await recordEntries(database, 25);
    await tamper(database, sql`update audit_entries set actor = 'system'`);
    const { problems } = await audit.verify();
    expect(problems[0]).toMatch(/^Entry 1 is not/);
    expect(problems).toHaveLength(20);
  });
});

async function expectProblems(
  audit: Audit,
  expected: readonly RegExp[],
  anchor?: AuditAnchor,
): Promise<void> {
  const { problems } = await audit.verify(anchor);
  expect(problems).toEqual(expected.map((one) => expect.stringMatching(one) as string));
}
