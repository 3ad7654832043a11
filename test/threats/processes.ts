// Server processes on one PostgreSQL, as an operator would run them, and merchants made the way an
// operator makes them.

import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll } from "vitest";
import { openService } from "../../adapters/assembly/service.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { parseConfiguration } from "../../adapters/configuration/configuration.ts";
import { openPostgres } from "../../adapters/database/postgres.ts";
import type { OpenedDatabase } from "../../adapters/database/session.ts";
import { buildLogger } from "../../adapters/system/logging.ts";
import type { Cell } from "../../service/cell.ts";
import { scopes } from "../../service/merchants/scopes.ts";
import {
  beginServerChild,
  type Child,
  endChildren,
  projectRoot,
  type ServerChild,
  startChild,
  startServerChild,
} from "../programs/child.ts";
import type { Signer } from "../support/contract-requests.ts";
import { makePostgresDatabase } from "../support/engines.ts";

export interface Installation {
  /** a server process; all of them share the database */
  readonly start: (environment?: Readonly<Record<string, string>>) => Promise<ServerChild>;
  /** the same, before it listens, if it gets so far */
  readonly begin: (environment: Readonly<Record<string, string>>) => Promise<Child>;
  /** an operator's command, as a process of its own */
  readonly operate: (words: readonly string[]) => Child;
  /** of a merchant of its own, with every scope */
  readonly newKey: () => Promise<Signer>;
  readonly query: (
    sql: string,
    values?: readonly unknown[],
  ) => Promise<readonly Readonly<Record<string, unknown>>[]>;
}

export function urlOf({ port }: ServerChild): string {
  return `http://127.0.0.1:${port}`;
}

/** Call it once in a file. Processes end with their test, the database with the file. */
export function useInstallation(): Installation {
  const [installation] = useCells([undefined] as const);
  return installation;
}

/** The same, all on one database. */
export function useCells<Cells extends readonly Cell[]>(
  cells: Cells,
  changeCatalog?: (shipped: string) => string,
): { readonly [At in keyof Cells]: Installation } {
  const opened: OpenedInstallation[] = [];
  let remove = (): Promise<void> => Promise.resolve();
  beforeAll(async () => {
    const made = await makePostgresDatabase();
    remove = made.remove;
    for (const cell of cells) opened.push(await openInstallation(made.url, cell, changeCatalog));
  });
  afterEach(endChildren);
  afterAll(async () => {
    for (const { database } of opened) await database.close();
    await remove();
  });
  const installationAt = (index: number): Installation => {
    const known = (): OpenedInstallation => {
      const one = opened[index];
      if (one === undefined) throw new Error("beforeAll has not run");
      return one;
    };
    return {
      start: (more = {}) => startServerChild({ ...known().environment, ...more }),
      operate: (words) => startChild(["adapters/admin.ts", ...words], known().environment),
      begin: (more) => beginServerChild({ ...known().environment, ...more }),
      newKey: () => known().newKey(),
      query: (sql, values = []) =>
        // the empty name: not kept as a prepared statement
        known().database.run({ name: "", text: sql, list: () => values }, {}),
    };
  };
  // One for each, in their order.
  return cells.map((_, index) => installationAt(index)) as {
    [At in keyof Cells]: Installation;
  };
}

export interface OpenedInstallation extends Pick<Installation, "newKey"> {
  readonly environment: Readonly<Record<string, string>>;
  readonly database: OpenedDatabase;
}

/** On a database that has its tables, or gets them. Whoever opens it closes its database. */
export async function openInstallation(
  url: string,
  cell: Cell,
  changeCatalog: (shipped: string) => string = (shipped) => shipped,
): Promise<OpenedInstallation> {
  const environment = {
    DATABASE_URL: url,
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    LOG_LEVEL: "trace",
    ...(cell === undefined ? {} : { CELL: cell }),
  };
  const database = await openPostgres({ url, cell, connectionsMax: 2 });
  const { operator } = await openService(parseConfiguration(environment), {
    clock: systemClock,
    log: buildLogger("silent", { write: () => undefined }),
    database,
  });
  const name = join(projectRoot, "adapters", "catalog", "catalog.json");
  const text = changeCatalog(readFileSync(name, "utf8"));
  await operator.applyCatalog({ name, text }, { isDryRun: false });
  const newKey = async () => {
    const merchant = await operator.merchants.create("A merchant of a test");
    const wish = {
      environment: "test",
      scopes,
      cidrs: ["127.0.0.0/8"],
      expiresAt: null,
    } as const;
    const { key, secret } = await operator.apiKeys.create({ ...wish, merchantId: merchant.id });
    return { url: "", key: key.id, secret };
  };
  return { environment, database, newKey };
}
