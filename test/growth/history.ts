// A long past for a database: what has ended in a played life, many times over. Each copy has ids, addresses and
// hashes of its own and lies a little earlier; merchants, endpoints, chains and accounts stay the same, so all of it
// is theirs. Every check judges each row when it is written; indexes are built, unique ones with their judgement, and
// references looked up when all rows are there; and the accounts of the ledger hold afterwards what they held before.

import pg from "pg";
import type { Database, Statement } from "../../service/ports/database.ts";
import { plain, rowsOf } from "../database/looking.ts";

interface Copied {
  readonly table: string;
  /** SQL: what nothing happens to any more */
  readonly ended: string;
  /** columns of unique keys that are neither ids nor addresses: numbers, and texts that callers choose */
  readonly counted?: readonly string[];
}

/** In the order in which they refer to each other. */
const copied: readonly Copied[] = [
  {
    table: "payments",
    ended: `status in ('paid', 'overpaid', 'paid_late', 'underpaid', 'expired', 'cancelled', 'reversed')`,
    counted: ["merchant_order_no", "idempotency_key", "checkout_token"],
  },
  { table: "payment_splits", ended: "true" },
  { table: "deposit_addresses", ended: "true", counted: ["derivation_index"] },
  { table: "x402_nonces", ended: "true" },
  { table: "x402_settlements", ended: `status in ('final', 'refused', 'unused', 'failed')` },
  { table: "x402_usages", ended: "true" },
  { table: "sweeps", ended: `status = 'moved'` },
  {
    table: "deposits",
    ended: `status = 'final' and (source <> 'address' or sweep_id is not null)
      and payment_id is not null and suspense_exit_id is null`,
  },
  {
    table: "withdrawals",
    ended: `status in ('confirmed', 'failed', 'cancelled', 'rejected')`,
    counted: ["idempotency_key"],
  },
  { table: "outgoing_transactions", ended: `status in ('succeeded', 'reverted', 'withdrawn')` },
  { table: "outgoing_attempts", ended: "true" },
  { table: "ledger_transactions", ended: "true" },
  { table: "ledger_postings", ended: "true" },
  { table: "event_sequences", ended: `resource_type in ('payment', 'withdrawal')` },
  { table: "events", ended: `resource_type in ('payment', 'withdrawal')` },
  { table: "webhook_deliveries", ended: `status <> 'pending'` },
  { table: "idempotency_keys", ended: "true", counted: ["key"] },
];

/** Columns that say what those are called that stay the same: whoever refers to them refers to them still. */
const kept: Readonly<Record<string, readonly string[]>> = {
  merchants: ["id"],
  api_keys: ["id"],
  webhook_endpoints: ["id"],
  withdraw_addresses: ["id"],
  payout_schedules: ["id"],
  subscriptions: ["id"],
  currencies: ["id"],
  deployments: ["id", "contract_address"],
  own_accounts: ["account"],
};

/** Between two copies: the longer past is as busy, and with ten million payments not older than what is kept. */
const copyInterval = "1.4 seconds";
const rowsAtOnceMax = 200_000;
/** Above what a life counts up to. */
const firstNumber = 1_000_000_000;
/** What differs between two copies of an id. */
const tailLength = 8;
const tokens = /0x[0-9a-f]{40,}|[0-9a-z_-]{16,}/gi;

export interface History {
  readonly payments: number;
  /** of all tables */
  readonly rows: number;
  /** that writing took */
  readonly seconds: number;
}

interface Column {
  readonly name: string;
  readonly type: string;
}

/** @param payments how many it has at least, if one of the life has ended; all in one transaction */
export async function fillHistory(url: string, payments: number): Promise<History> {
  // The service's own connections give a statement up after seconds, and building an index takes longer.
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const inside: Database = {
      run: async <Values, Row>({ text, list }: Statement<Values, Row>, values: Values) =>
        (await client.query(text, [...list(values)])).rows as readonly Row[],
      transaction: (work) => work(inside),
    };
    await plain(inside, "begin");
    const history = await fill(inside, payments);
    await plain(inside, "commit");
    return history;
  } finally {
    await client.end();
  }
}

async function fill(inside: Database, payments: number): Promise<History> {
  await plain(inside, "set local session_replication_role = replica");
  await plain(inside, "set local jit = off");
  const shared = await textsOfOthers(inside);
  const templates = new Map<string, number>();
  for (const one of copied) templates.set(one.table, await makeTemplate(inside, one, shared));
  const ended = templates.get("payments") ?? 0;
  if (ended === 0) throw new Error("no payment of this life has ended: play a longer one");
  const copies = Math.ceil(payments / ended);
  const begun = performance.now();
  await stopIndexing(inside);
  let rows = 0;
  for (const one of copied) {
    const count = templates.get(one.table) ?? 0;
    if (count > 0) await copyRows(inside, one, { copies, count });
    rows += count * copies;
  }
  await closeBooks(inside, copies);
  await buildIndexes(inside);
  const seconds = (performance.now() - begun) / 1_000;
  // The server knows of nothing that was written here, and of little of what the life wrote.
  await plain(inside, "analyze");
  await checkReferences(inside);
  return { payments: ended * copies, rows, seconds };
}

/**
 * No row is put into an index from here on. Row by row each copy would come between its neighbours of before, which
 * leaves pages half full where the service, whose ids grow, fills them; and it takes three times as long.
 */
async function stopIndexing(database: Database): Promise<void> {
  const tables = copied.map(({ table }) => table);
  await rowsOf(
    database,
    `update pg_index set indisready = false where indrelid = any ($1::text[]::regclass[])`,
    [tables],
  );
}

/** Fails where two rows have one key. */
async function buildIndexes(database: Database): Promise<void> {
  await plain(database, "set local maintenance_work_mem = '512MB'");
  for (const { table } of copied) await plain(database, `reindex table ${table}`);
  const left = await rowsOf<{ readonly name: string }>(
    database,
    `select indexrelid::regclass::text as name from pg_index where not (indisready and indisvalid)`,
    [],
  );
  if (left.length > 0) throw new Error(`${left.map(({ name }) => name).join(", ")} was not built`);
}

async function columnsOf(database: Database, table: string): Promise<readonly Column[]> {
  return rowsOf<Column>(
    database,
    `select attname as name, format_type(atttypid, null) as type from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      order by attnum`,
    [table],
  );
}

async function textsOfOthers(database: Database): Promise<ReadonlySet<string>> {
  const texts = new Set<string>();
  for (const [table, columns] of Object.entries(kept)) {
    for (const column of columns) {
      const found = await rowsOf<{ readonly text: string | null }>(
        database,
        `select distinct ${column} as text from ${table}`,
        [],
      );
      for (const { text } of found) if (text !== null) texts.add(text.toLowerCase());
    }
  }
  return texts;
}

/** The first thing in a text that a copy has one of its own of: what stands before and after its last characters. */
function aroundTail(
  text: string,
  shared: ReadonlySet<string>,
): readonly [string, string] | undefined {
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (shared.has(token.toLowerCase()) || !/\d/.test(token)) continue;
    const end = index + token.length;
    return [text.slice(0, end - tailLength), text.slice(end)];
  }
  return undefined;
}

const headOf = (column: string): string => `"${column} head"`;
const restOf = (column: string): string => `"${column} rest"`;

/** A table of what is copied, where each text with an id in it lies in two parts; @returns how many rows */
async function makeTemplate(
  database: Database,
  { table, ended }: Copied,
  shared: ReadonlySet<string>,
): Promise<number> {
  const columns = await columnsOf(database, table);
  const texts = columns.filter(({ type }) => type === "text").map(({ name }) => name);
  const parts = texts.map((name) => `null::text as ${headOf(name)}, null::text as ${restOf(name)}`);
  const owners = await referencesOf(database, table);
  const where = [ended, ...owners].map((condition) => `(${condition})`).join(" and ");
  await plain(
    database,
    `create temporary table template_${table} on commit drop as
      select ${["row_number() over () as number", "one.*", ...parts].join(", ")}
      from ${table} as one where ${where}`,
  );
  const list = ["number", ...texts.map((name) => `"${name}"`)].join(", ");
  const rows = await rowsOf<Readonly<Record<string, string | null>>>(
    database,
    `select ${list} from template_${table}`,
    [],
  );
  for (const name of texts) {
    const found = rows.flatMap((row) => {
      const around = aroundTail(row[name] ?? "", shared);
      return around === undefined
        ? []
        : [{ number: row["number"], head: around[0], rest: around[1] }];
    });
    await rowsOf(
      database,
      `update template_${table} as one set ${headOf(name)} = head, ${restOf(name)} = rest
        from jsonb_to_recordset($1::jsonb) as found (number bigint, head text, rest text)
        where one.number = found.number`,
      [JSON.stringify(found.map((one) => ({ ...one, number: Number(one.number) })))],
    );
  }
  return rows.length;
}

interface Reference {
  readonly owner: string;
  readonly columns: readonly string[];
  readonly keys: readonly string[];
}

function readReferences(database: Database, table: string): Promise<readonly Reference[]> {
  const names = (numbers: string, relation: string): string =>
    `(select array_agg(quote_ident(attname)::text order by at) from unnest(${numbers}) with ordinality as k (number, at)
      join pg_attribute on attrelid = ${relation} and attnum = k.number)`;
  return rowsOf<Reference>(
    database,
    `select confrelid::regclass::text as owner, ${names("conkey", "conrelid")} as columns,
        ${names("confkey", "confrelid")} as keys
      from pg_constraint where contype = 'f' and conrelid = $1::regclass`,
    [table],
  );
}

/** What it refers to of the tables above is copied as well. */
async function referencesOf(database: Database, table: string): Promise<readonly string[]> {
  const before = copied.slice(
    0,
    copied.findIndex((one) => one.table === table),
  );
  const found = await readReferences(database, table);
  return found
    .filter(({ owner }) => before.some((one) => one.table === owner))
    .map(({ owner, columns, keys }) => {
      const same = columns.map((column, at) => `owner.${keys[at]} = one.${column}`).join(" and ");
      const isNull = columns.map((column) => `one.${column} is null`).join(" or ");
      return `${isNull} or exists (select from template_${owner} as owner where ${same})`;
    });
}

async function copyRows(
  database: Database,
  { table, counted = [] }: Copied,
  { copies, count }: { readonly copies: number; readonly count: number },
): Promise<void> {
  const columns = await columnsOf(database, table);
  const values: string[] = [];
  for (const { name, type } of columns) {
    const quoted = `"${name}"`;
    if (counted.includes(name)) {
      values.push(
        type === "text" ? `${quoted} || '-' || copy` : `${firstNumber} + copy * ${count} + number`,
      );
    } else if (type === "text") {
      const tail = `lpad(to_hex(copy), ${tailLength}, '0')`;
      values.push(`coalesce(${headOf(name)} || ${tail} || ${restOf(name)}, ${quoted})`);
    } else if (type === "timestamp with time zone") {
      values.push(`${quoted} - interval '${copyInterval}' * (${copies} + 1 - copy)`);
    } else {
      values.push(quoted);
    }
  }
  const names = columns.map(({ name }) => `"${name}"`).join(", ");
  const atOnce = Math.max(1, Math.floor(rowsAtOnceMax / count));
  for (let first = 1; first <= copies; first += atOnce) {
    await rowsOf(
      database,
      `insert into ${table} (${names}) overriding system value
        select ${values.join(", ")} from generate_series($1::bigint, $2::bigint) as copy
        cross join template_${table}`,
      [first, Math.min(copies, first + atOnce - 1)],
    );
  }
}

/** One transaction of each deployment takes back what the copies have moved. */
async function closeBooks(database: Database, copies: number): Promise<void> {
  await plain(
    database,
    `create temporary table moved on commit drop as
      select account_kind, deployment_id, merchant_id, environment, sum(amount) * ${copies} as amount,
        count(distinct transaction_id) * ${copies} as transactions
      from template_ledger_postings
      group by account_kind, deployment_id, merchant_id, environment`,
  );
  await plain(
    database,
    `with closed as (
        insert into ledger_transactions (id, kind, reference, occurred_at, posted_at)
        select 'ltx_closed_' || md5(deployment_id), 'closed_past', deployment_id, min(t.posted_at), min(t.posted_at)
        from moved cross join (select min(posted_at) as posted_at from template_ledger_transactions) as t
        where amount <> 0 group by deployment_id returning id, reference)
      insert into ledger_postings (
        transaction_id, position, account_kind, deployment_id, merchant_id, environment, amount)
      select closed.id,
        row_number() over (partition by closed.id order by account_kind, merchant_id, environment),
        account_kind, deployment_id, merchant_id, environment, -amount
      from moved join closed on closed.reference = moved.deployment_id where amount <> 0`,
  );
  await plain(
    database,
    `update ledger_accounts a
      set version = version + transactions + case when amount = 0 then 0 else 1 end
      from moved m where a.kind = m.account_kind and a.deployment_id = m.deployment_id
        and a.merchant_id is not distinct from m.merchant_id
        and a.environment is not distinct from m.environment`,
  );
}

async function checkReferences(database: Database): Promise<void> {
  for (const { table } of copied) {
    for (const { owner, columns, keys } of await readReferences(database, table)) {
      const same = columns.map((column, at) => `owner.${keys[at]} = one.${column}`).join(" and ");
      const isSaid = columns.map((column) => `one.${column} is not null`).join(" and ");
      const lost = await rowsOf(
        database,
        `select from ${table} as one
          where ${isSaid} and not exists (select from ${owner} as owner where ${same}) limit 1`,
        [],
      );
      if (lost.length > 0) throw new Error(`a copied row of ${table} refers to no row of ${owner}`);
    }
  }
}
