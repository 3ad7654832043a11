// After the encryption key was changed: everything that is still sealed under an older one is sealed
// again, so that the older one can be thrown away.

import { OperatorError } from "./operator-error.ts";
import type { Database } from "./ports/database.ts";
import { UnsealError } from "./sealing.ts";
import type { Sealer } from "./sealing.ts";
import { findSealingKeys, sealedColumns } from "./store/sealed-values.ts";
import type { SealedColumn, SealedRow } from "./store/sealed-values.ts";

const rowsMax = 500;

export interface ResealPorts {
  readonly database: Database;
  readonly sealer: Sealer;
}

export interface Resealed {
  /** table and column */
  readonly place: string;
  readonly resealed: number;
  readonly upToDate: number;
}

/** The ids of keys that are missing: what is sealed under them cannot be opened. */
export async function findMissingKeys(ports: ResealPorts): Promise<readonly string[]> {
  const used = await ports.database.run(findSealingKeys, {});
  return used.map(({ id }) => id).filter((id) => !ports.sealer.has(id));
}

/** May run while the service does, and again after it was interrupted. */
export async function resealEverything(ports: ResealPorts): Promise<readonly Resealed[]> {
  const report: Resealed[] = [];
  for (const column of sealedColumns) report.push(await resealColumn(ports, column));
  return report;
}

async function resealColumn(ports: ResealPorts, column: SealedColumn): Promise<Resealed> {
  const { database } = ports;
  const count = { resealed: 0, upToDate: 0 };
  let last: Pick<SealedRow, "first" | "second"> = { first: "", second: "" };
  for (;;) {
    const page = { afterFirst: last.first, afterSecond: last.second, rowsMax };
    const rows = await database.run(column.page, page);
    for (const row of rows) count[await resealRow(ports, column, row)] += 1;
    const end = rows.at(-1);
    if (end === undefined) return { place: column.name, ...count };
    last = end;
  }
}

async function resealRow(
  { database, sealer }: ResealPorts,
  column: SealedColumn,
  row: SealedRow,
): Promise<"resealed" | "upToDate"> {
  const { first, second, sealed: before } = row;
  const context = column.contextOf(row);
  try {
    if (!sealer.isOutdated(before)) return "upToDate";
    const after = sealer.seal(sealer.open(before, context), context);
    const [found] = await database.run(column.replace, { first, second, before, after });
    return found?.done === 1 ? "resealed" : "upToDate";
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error;
    throw new OperatorError(`${column.name} of ${first}: ${error.message}.`);
  }
}
