// The catalog for tests that need one and are about something else: the shipped one is read once for all of
// them, and what the catalog's writer made of a file once in a process is put into the next empty database as
// rows. The writer takes a statement for each of them, and every scene of a test has a catalog.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { auditValues } from "../../service/audit/audit.ts";
import { recordAudit } from "../../service/audit/audit.sql.ts";
import { parseCatalogFile } from "../../service/catalog/file.ts";
import type { Currency } from "../../service/catalog/model.ts";
import { CatalogWriter } from "../../service/catalog/writer.ts";
import type { Clock } from "../../service/ports/clock.ts";
import type { Database, Statement } from "../../service/ports/database.ts";

export const catalogPath = join(import.meta.dirname, "..", "..", "adapters/catalog/catalog.json");
export const shippedCatalogText = readFileSync(catalogPath, "utf8");

const parsed = new Map<string, readonly Currency[]>();

export function catalogOf(text: string = shippedCatalogText): readonly Currency[] {
  const known = parsed.get(text) ?? parseCatalogFile(text, catalogPath);
  parsed.set(text, known);
  return known;
}

interface Written {
  readonly insert: Statement<object, object>;
  /** of the entry about it in the audit log */
  readonly details: Readonly<Record<string, unknown>>;
}

const written = new Map<string, Written>();

/** Into a database that may have another. */
export async function putCatalog(
  ports: { readonly database: Database; readonly clock: Clock },
  currencies: readonly Currency[] = catalogOf(),
): Promise<void> {
  const { database, clock } = ports;
  const occurredAt = clock.now();
  const key = JSON.stringify([occurredAt, currencies], (_, value: unknown) =>
    typeof value === "bigint" ? `${value}n` : value,
  );
  const isFirst = (await read(database, "select from catalog")).length === 0;
  const known = written.get(key);
  if (!isFirst || known === undefined) {
    await new CatalogWriter(ports).apply(currencies, { isDryRun: false });
    if (isFirst) written.set(key, await describe(database));
    return;
  }
  await database.transaction(async (inside) => {
    await inside.run(known.insert, {});
    const subject = { type: "catalog", id: "catalog" };
    const entry = { occurredAt, actor: "operator", action: "catalog.applied", subject } as const;
    await inside.run(recordAudit, auditValues({ ...entry, details: known.details }));
  });
}

/** Parents before children. */
const tables = ["catalog", "currencies", "deployments", "capabilities"] as const;

async function describe(database: Database): Promise<Written> {
  const inserts: string[] = [];
  for (const table of tables) {
    const select = `select coalesce(jsonb_agg(to_jsonb(t)), '[]')::text as rows from ${table} t`;
    const [found] = await read<{ readonly rows: string }>(database, select);
    const rows = (found?.rows ?? "").replaceAll("'", "''");
    const values = `select * from jsonb_populate_recordset(null::${table}, '${rows}')`;
    inserts.push(`put_${table} as (insert into ${table} ${values})`);
  }
  const about = "select details from audit_entries where action = 'catalog.applied'";
  const [entry] = await read<{ readonly details: string }>(database, about);
  return {
    insert: plain(`with ${inserts.join(", ")} select`),
    details: JSON.parse(entry?.details ?? "") as Written["details"], // an object, as `auditValues` had it
  };
}

/** Without a name, so that no connection keeps it. */
function plain<Row>(text: string): Statement<object, Row> {
  return { name: "", text, list: () => [] };
}

function read<Row>(database: Database, text: string): Promise<readonly Row[]> {
  return database.run(plain<Row>(text), {});
}
