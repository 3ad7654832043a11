// After the encryption key was changed: everything that is still sealed under an older one is sealed
// again, so that the older one can be thrown away.

import { auditValues } from "../audit/audit.ts";
import type { AuditAction } from "../audit/audit.ts";
import { OperatorError } from "../operator-error.ts";
import { UnsealError } from "./sealing.ts";
import type { Sealer } from "./sealing.ts";
import { recordAudit } from "../audit/audit.sql.ts";
import { findSealingKeys, sealedColumns } from "./resealing.sql.ts";
import type { SealedColumn, SealedRow } from "./resealing.sql.ts";
import type { StoragePorts } from "../ports/recording.ts";

const rowsMax = 500;

export interface ResealPorts extends StoragePorts {
  readonly sealer: Sealer;
}

export interface Resealed {
  /** table and column */
  readonly place: string;
  readonly resealed: number;
  readonly upToDate: number;
}

/** The ids of keys that are missing: what is sealed under them cannot be opened. */
export async function findMissingKeys({
  database,
  sealer,
}: Pick<ResealPorts, "database" | "sealer">): Promise<readonly string[]> {
  const used = await database.run(findSealingKeys, {});
  return used.map(({ id }) => id).filter((id) => !sealer.has(id));
}

/**
 * May run while the service does, and again after it was interrupted.
 * @param isDryRun each is opened and sealed again, and none is written
 */
export async function resealEverything(
  ports: ResealPorts,
  { isDryRun }: { readonly isDryRun: boolean } = { isDryRun: false },
): Promise<readonly Resealed[]> {
  const run = new ResealRun(ports, isDryRun);
  const report: Resealed[] = [];
  for (const column of sealedColumns) report.push(await run.column(column));
  await run.end(report);
  return report;
}

/**
 * Far too many rows for one transaction. So the audit log says that it begins before the first of
 * them is changed, and what was done after the last one: no row is changed without an entry.
 */
class ResealRun {
  readonly #ports: ResealPorts;
  readonly #isDryRun: boolean;
  #hasBegun = false;

  constructor(ports: ResealPorts, isDryRun: boolean) {
    this.#ports = ports;
    this.#isDryRun = isDryRun;
  }

  async column(column: SealedColumn): Promise<Resealed> {
    const { database } = this.#ports;
    const count = { resealed: 0, upToDate: 0 };
    let last: Pick<SealedRow, "first" | "second"> = { first: "", second: "" };
    for (;;) {
      const page = { afterFirst: last.first, afterSecond: last.second, rowsMax };
      const rows = await database.run(column.page, page);
      for (const row of rows) count[await this.#row(column, row)] += 1;
      const end = rows.at(-1);
      if (end === undefined) return { place: column.name, ...count };
      last = end;
    }
  }

  async end(report: readonly Resealed[]): Promise<void> {
    if (!this.#hasBegun) return;
    const places = report.map(({ place, resealed }) => ({ place, resealed }));
    await this.#record("secrets.resealed", { places });
  }

  async #row(column: SealedColumn, row: SealedRow): Promise<"resealed" | "upToDate"> {
    const { database, sealer } = this.#ports;
    const { first, second, sealed: before } = row;
    const context = column.contextOf(row);
    try {
      if (!sealer.isOutdated(before)) return "upToDate";
      const after = sealer.seal(sealer.open(before, context), context);
      if (this.#isDryRun) return "resealed";
      if (!this.#hasBegun) await this.#record("secrets.reseal_begun", {});
      this.#hasBegun = true;
      const [found] = await database.run(column.replace, { first, second, before, after });
      return found?.done === 1 ? "resealed" : "upToDate";
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
      throw new OperatorError(`${column.name} of ${first}: ${error.message}.`);
    }
  }

  async #record(action: AuditAction, details: object): Promise<void> {
    const { database, clock, sealer } = this.#ports;
    const values = auditValues({
      occurredAt: clock.now(),
      actor: "operator",
      action,
      subject: { type: "encryption_key", id: sealer.currentKeyId },
      details,
    });
    await database.run(recordAudit, values);
  }
}
