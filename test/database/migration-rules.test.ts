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
  ["alter table payments add column a numeric(10, 2), add b text[] null", "two columns"],
  ["alter table payments add column tries integer not null default 0", "a column with a default"],
  ["alter table payments add column kind text default 'a;b' not null", "a column with a text"],
  [
    "alter table payments add constraint c check (n > 0) not valid",
    "a check that is not validated",
  ],
  ["alter table payments validate constraint c", "its validation"],
  ["alter table payments drop constraint c", "the end of a constraint"],
  ["alter table payments alter column note drop not null", "less of a column"],
  ["create table t (n integer not null, check (n > 0)); create index i on t (n)", "a table"],
  [
    "create table t (n integer); alter table t alter n set not null; update t set n = 1",
    "an own table",
  ],
  ["create function f() returns trigger language plpgsql as $$ begin end $$", "a function"],
  [
    "create table t (n integer); create trigger g before update on t execute function f()",
    "its trigger",
  ],
  ["comment on table payments is 'a--b; drop table payments'", "a text"],
  ["/* drop table payments; */ insert into t values (1)", "a comment"],
])("takes %s", (sql) => {
  expect(of(head + sql)).toEqual([]);
});

test("takes an index that is made before, and what nobody names any more", () => {
  const before = "-- before: create index concurrently if not exists i on payments (note)\n";
  expect(of(head + before)).toEqual([]);
  const contracts = "-- contracts: version 44 was the last to name it\n";
  expect(of(`${head}${contracts}alter table payments drop column note;`)).toEqual([]);
  expect(of(`${head}${before}alter table payments add column note text`)).toEqual([
    expect.stringMatching(/the index i may be of a column that the same file adds/),
  ]);
});

test.each([
  ["alter table payments drop column note", /taken away/],
  ["alter table payments drop note", /taken away/],
  ["drop table payments", /taken away/],
  ["drop view v", /taken away/],
  ["drop function f()", /taken away/],
  ["drop index i", /not among what is known/],
  ["alter table payments rename column note to remark", /renamed/],
  ["alter table payments rename to orders", /renamed/],
  ["alter view v rename to w", /renamed/],
  ["alter table payments alter column note type integer", /written anew/],
  ["alter table payments alter note set data type integer", /written anew/],
  ["alter table payments add column n bigserial", /written anew/],
  ["alter table payments add column n uuid default gen_random_uuid()", /written anew/],
  ["alter table payments add column n integer generated always as (1) stored", /written anew/],
  ["alter table payments alter column n add generated always as identity", /written anew/],
  ["alter table payments add column note text not null", /default that is constant/],
  ["alter table payments add note numeric(10, 2) not null", /default that is constant/],
  ["alter table payments alter column note set not null", /read as a whole/],
  ["alter table payments alter column note drop default", /not among what is known/],
  ["alter table payments add constraint c check (n > 0)", /not valid/],
  ["alter table payments add check (n > 0)", /not valid/],
  ["alter table payments add column n integer check (n > 0)", /not valid/],
  ["alter table payments add column m text references merchants", /not valid/],
  [
    "alter table payments add constraint d check (b > 0), add constraint c check (a > 0) not valid",
    /not valid/,
  ],
  ["alter table payments add constraint c foreign key (m) references merchants", /not valid/],
  ["alter table payments add constraint c unique (note)", /index under a lock/],
  ["alter table payments add column note text unique", /index under a lock/],
  ["alter table payments add primary key (id)", /index under a lock/],
  ["create index i on payments (note)", /holds up every write/],
  ["create index on payments (note)", /holds up every write/],
  ["create unique index if not exists i on payments (note)", /holds up every write/],
  ["create table t (n integer); create index i on payments (note)", /holds up every write/],
  ["create trigger g before update on payments execute function f()", /fires for servers/],
  ["update payments set note = ''", /in parts, from a job/],
  ["update payments as p set note = ''", /in parts, from a job/],
  ["update public.payments set note = ''", /in parts, from a job/],
  ["delete from payments where true", /in parts, from a job/],
  ["merge into payments using t on true when matched then delete", /in parts, from a job/],
  ["do $$ begin delete from payments; end $$", /not looked into/],
  ["truncate payments", /not among what is known/],
  ["lock payments", /not among what is known/],
  ["vacuum (full) payments", /not among what is known/],
  ["reindex index i", /not among what is known/],
  ["cluster payments using i", /not among what is known/],
  ["alter table payments set unlogged", /not among what is known/],
  ["alter table payments set schema other", /not among what is known/],
  ["comment on table payments is 'a--b'; drop table payments", /taken away/],
  ["create table public.t (n integer); drop table public.payments", /taken away|not among/],
  ["ALTER TABLE\n  Payments\n  DROP COLUMN note", /taken away/],
])("refuses %s", (sql, said) => {
  const found = of(head + sql);
  expect(found.length).toBeGreaterThan(0);
  expect(found.at(-1)).toMatch(said);
});

test("refuses a constraint that is validated in the file that adds it", () => {
  const sql =
    "alter table payments add constraint c check (n > 0) not valid; alter table payments validate constraint c";
  expect(of(head + sql)).toEqual([expect.stringMatching(/validate constraint c/)]);
});

test("refuses a file that says nothing of the version before", () => {
  expect(of("create table t (n integer)")).toEqual([expect.stringMatching(/-- compatible from N/)]);
});
