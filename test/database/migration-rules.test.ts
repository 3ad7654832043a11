// Each migration that servers of the version before have to live with, read as SQL.

import { describe, expect, test } from "vitest";
import { compatibleFrom, readMigrations } from "../../adapters/database/migration-files.ts";
import { migrationMistakes } from "../support/migration-rules.ts";

/** Before it, servers were stopped for each new version. */
const stoppedUntil = 43;

const head = "-- compatible from 44\n";
const of = (sql: string) => migrationMistakes({ number: 45, name: "0045_of_a_test.sql", sql });

describe("the migrations of this version", () => {
  const ruled = readMigrations().filter(({ number }) => number > stoppedUntil);

  test("are there", () => {
    expect(ruled.length).toBeGreaterThan(0);
  });

  test.each(ruled.map((one) => [one.name, one] as const))("%s is one to live with", (_, one) => {
    expect(migrationMistakes(one)).toEqual([]);
    expect(compatibleFrom(one)).toBeLessThan(one.number);
  });
});

test.each([
  ["alter table payments add column note text", "a column"],
  ["alter table payments add column tries integer not null default 0", "a column with a default"],
  [
    "alter table payments add constraint c check (n > 0) not valid",
    "a check that is not validated",
  ],
  ["alter table payments validate constraint c", "its validation"],
  ["alter table payments drop constraint c", "the end of a constraint"],
  ["create table t (n integer not null, check (n > 0)); create index i on t (n)", "a table"],
  [
    "create table t (n integer); alter table t alter n set not null; update t set n = 1",
    "a table, altered",
  ],
  [
    "create or replace function f() returns void language sql as $$ delete from payments $$",
    "a function",
  ],
  ["comment on table payments is 'drop table payments'", "a text"],
])("takes %s", (sql) => {
  expect(of(head + sql)).toEqual([]);
});

test("takes an index that is made before, and what nobody names any more", () => {
  const before = "-- before: create index concurrently if not exists i on payments (note)\n";
  expect(of(head + before)).toEqual([]);
  const contracts = "-- contracts: version 44 was the last to name it\n";
  expect(of(`${head}${contracts}alter table payments drop column note;`)).toEqual([]);
});

test.each([
  ["alter table payments drop column note", /a column away/],
  ["alter table payments drop note", /a column away/],
  ["drop table payments", /a table away/],
  ["alter table payments rename column note to remark", /renames/],
  ["alter table payments rename to orders", /renames/],
  ["alter table payments alter column note type integer", /writes the whole table anew/],
  ["alter table payments alter note set data type integer", /writes the whole table anew/],
  ["alter table payments add column note text not null", /give it a default/],
  ["alter table payments add note text not null", /give it a default/],
  ["alter table payments add column n bigserial", /writes the whole table anew/],
  [
    "alter table payments add column n uuid default gen_random_uuid()",
    /writes the whole table anew/,
  ],
  ["alter table payments add column n integer generated always as (1) stored", /anew/],
  ["alter table payments alter column note set not null", /reads the whole table/],
  ["alter table payments add constraint c check (n > 0)", /say not valid/],
  ["alter table payments add check (n > 0)", /say not valid/],
  ["alter table payments add constraint c foreign key (m) references merchants", /say not valid/],
  ["alter table payments add constraint c unique (note)", /builds its index/],
  ["alter table payments add primary key (id)", /builds its index/],
  ["create index i on payments (note)", /holds up every write while the index i is made/],
  ["create unique index if not exists i on payments (note)", /holds up every write/],
  ["create table t (n integer); create index i on payments (note)", /holds up every write/],
  ["lock table payments in share mode", /holds everybody up/],
  ["cluster payments using i", /holds everybody up/],
  ["update payments set note = ''", /in parts, from a job/],
  ["update payments p set note = ''", /in parts, from a job/],
  ["delete from payments where true", /in parts, from a job/],
  ["truncate payments", /takes rows away/],
  ["ALTER TABLE\n  Payments\n  DROP COLUMN note", /a column away/],
])("refuses %s", (sql, said) => {
  expect(of(head + sql)).toEqual([expect.stringMatching(said)]);
});

test("refuses a file that says nothing of the version before", () => {
  expect(of("create table t (n integer)")).toEqual([expect.stringMatching(/-- compatible from N/)]);
});
