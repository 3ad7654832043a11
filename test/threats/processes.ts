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
import { scopes } from "../../service/merchants/scopes.ts";
import { endChildren, projectRoot, type ServerChild, startServerChild } from "../programs/child.ts";
import type { Signer } from "../support/contract-requests.ts";
import { makePostgresDatabase } from "../support/engines.ts";

export interface Installation {
  /** a server process; all of them share the database */
  readonly start: (environment?: Readonly<Record<string, string>>) => Promise<ServerChild>;
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
  const encryptionKey = randomBytes(32).toString("base64");
  let environment: Readonly<Record<string, string>> = {};
  let database: OpenedDatabase | undefined;
  let remove = (): Promise<void> => Promise.resolve();
  let newKey: Installation["newKey"] | undefined;

  beforeAll(async () => {
    const made = await makePostgresDatabase();
    remove = made.remove;
    environment = { DATABASE_URL: made.url, ENCRYPTION_KEY: encryptionKey, LOG_LEVEL: "trace" };
    database = await openPostgres({ url: made.url, connectionsMax: 2 });
    const { operator } = await openService(parseConfiguration(environment), {
      clock: systemClock,
      log: buildLogger("silent", { write: () => undefined }),
      database,
    });
    const name = join(projectRoot, "adapters", "catalog", "catalog.json");
    await operator.applyCatalog({ name, text: readFileSync(name, "utf8") }, { isDryRun: false });
    newKey = async () => {
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
  });
  afterEach(endChildren);
  afterAll(async () => {
    await database?.close();
    await remove();
  });
  return {
    start: (more = {}) => startServerChild({ ...environment, ...more }),
    newKey: () => newKey?.() ?? Promise.reject(new Error("beforeAll has not run")),
    query: (sql, values = []) => {
      if (database === undefined) throw new Error("beforeAll has not run");
      // the empty name: not kept as a prepared statement
      return database.run({ name: "", text: sql, list: () => values }, {});
    },
  };
}
