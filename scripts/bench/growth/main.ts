// What each statement of the service looks at when there are so many payments: pages and time, on a server of its own.
// One life is played for each number; the past of each is made of its own first part (test/growth/history.ts).

import { openPostgres } from "../../../adapters/database/postgres.ts";
import { positive, readCommandLine, seedOf, worded } from "../../command-line.ts";
import { rowsOf } from "../../../test/database/looking.ts";
import { type GrownLife, playGrown } from "../../../test/growth/grown-life.ts";
import { startPostgresServer } from "../../../test/support/postgres-server.ts";

const help = `npm run bench:growth -- [options]

Pages and time of each statement of the service after a past of so many payments, those that look at most first.

  --payments N,...  one past for each (10000,100000)
  --seed N          of the life that they are made of (12)
  --top N           statements that are printed (40)
  --help`;

const config = {
  options: {
    ...worded({ payments: "10000,100000", seed: "12", top: "40" }),
  },
} as const;
const { pasts, seed, top } = readCommandLine(help, config, ({ values }) => ({
  pasts: values.payments.split(",").map((text) => positive("payments", text, 100_000_000)),
  seed: seedOf(values.seed, 2 ** 31 - 1),
  top: positive("top", values.top, 100_000),
}));

interface Grown extends GrownLife {
  readonly wanted: number;
  readonly bytes: number;
  readonly relations: readonly Relation[];
}

/** A table, or one of its indexes. */
interface Relation {
  readonly name: string;
  readonly table_name: string;
  readonly rows: string;
  readonly bytes: string;
}

/** With what is stored beside a table because it is long. */
const relationSizes = `
  select c.relname as name, coalesce(i.indrelid::regclass::text, c.relname) as table_name,
    c.reltuples::bigint::text as rows,
    case when i.indexrelid is null then pg_table_size(c.oid) else pg_relation_size(c.oid) end::text as bytes
  from pg_class c left join pg_index i on i.indexrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'i')`;

const server = await startPostgresServer({ isDurable: false });
try {
  const lives: Grown[] = [];
  for (const wanted of pasts) lives.push(await grow(wanted));
  print(lives);
} finally {
  await server.remove();
}

async function grow(wanted: number): Promise<Grown> {
  const name = `growth_${wanted}`;
  await server.execute(`create database ${name}`);
  const url = server.url(name);
  const database = await openPostgres({ url, connectionsMax: 6 });
  try {
    const life = await playGrown({ ...database, url }, { seed, payments: wanted });
    const size = `select pg_database_size(current_database())::text as bytes`;
    const [row] = await rowsOf<{ readonly bytes: string }>(database, size, []);
    const relations = await rowsOf<Relation>(database, relationSizes, []);
    return { ...life, wanted, bytes: Number(row?.bytes), relations };
  } finally {
    await database.close();
    await server.execute(`drop database ${name} with (force)`);
  }
}

function print(lives: readonly Grown[]): void {
  for (const { history, bytes } of lives) {
    const { payments, rows, seconds } = history;
    console.log(
      `${payments} payments, ${rows} rows: written at ${Math.round(payments / seconds)} payments/s, ` +
        `${(bytes / payments / 1_000).toFixed(1)} kB each`,
    );
  }
  const [last] = lives.slice(-1);
  if (last === undefined) return;
  printSizes(last);
  const names = last.statements
    .map(({ name }) => name)
    .filter((name) => lives.every((life) => life.costOf(name) !== undefined))
    .toSorted((one, other) => totalOf(last, other) - totalOf(last, one));
  const heads = lives.map(({ wanted }) => `${wanted}: pages, ms`.padStart(22));
  console.log(`\n${"statement".padEnd(36)}${heads.join("")}`);
  for (const name of names.slice(0, top)) {
    const cells = lives.map(({ costOf }) => {
      const { total = 0, milliseconds = 0 } = costOf(name) ?? {};
      return `${total.toLocaleString("en")}, ${milliseconds.toFixed(1)}`.padStart(22);
    });
    console.log(`${name.padEnd(36)}${cells.join("")}`);
  }
  console.log(`\n${names.length} of ${last.statements.length} statements were looked at`);
}

/** Where the bytes of a payment lie, with all that belongs to it: tables that take a hundredth or more. */
function printSizes({ relations, bytes, history: { payments } }: Grown): void {
  const tables = Map.groupBy(relations, ({ table_name }) => table_name);
  const each = (amount: number): string => (amount / payments).toFixed(0).padStart(8);
  const sum = (of: readonly Relation[]): number =>
    of.reduce((total, one) => total + Number(one.bytes), 0);
  const bySize = [...tables].toSorted(([, one], [, other]) => sum(other) - sum(one));
  console.log(`\n${"bytes a payment".padEnd(44)}   table indexes  rows a payment`);
  for (const [table, all] of bySize.filter(([, of]) => sum(of) >= bytes / 100)) {
    const itself = all.filter(({ name }) => name === table);
    const indexes = all.filter(({ name }) => name !== table);
    const rows = (Number(itself[0]?.rows ?? 0) / payments).toFixed(2).padStart(16);
    console.log(`${table.padEnd(44)}${each(sum(itself))}${each(sum(indexes))}${rows}`);
    for (const { name, bytes: size } of indexes.toSorted(
      (one, other) => Number(other.bytes) - Number(one.bytes),
    )) {
      console.log(`  ${name.padEnd(50)}${each(Number(size))}`);
    }
  }
}

function totalOf({ costOf }: GrownLife, name: string): number {
  return costOf(name)?.total ?? 0;
}
