// The whole service on an engine, webhooks and jobs included, with all that it leaves behind: the log
// at its most verbose level, and the database as a thief would read it.

import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { scopes } from "../../service/merchants/scopes.ts";
import { projectRoot } from "../programs/child.ts";
import { startServer, type TestServer } from "../programs/start-server.ts";
import type { Signer } from "../support/contract-requests.ts";
import { type Engine, makeDatabase, type MadeDatabase } from "../support/engines.ts";
import { FaultyDatabase } from "../support/faulty-database.ts";
import { awayDatabase } from "../support/service.ts";

const catalogFile = join(projectRoot, "adapters", "catalog", "catalog.json");

export class Session implements AsyncDisposable {
  readonly encryptionKey = randomBytes(32).toString("base64");
  readonly database: FaultyDatabase;
  readonly #made: MadeDatabase;
  readonly #servers: TestServer[] = [];

  private constructor(made: MadeDatabase) {
    this.#made = made;
    this.database = new FaultyDatabase(made.database, awayDatabase);
  }

  static async open(engine: Engine): Promise<Session> {
    return new Session(await makeDatabase(engine));
  }

  /** Test keys may have their webhooks on this machine. */
  async start(): Promise<TestServer> {
    const { encryptionKey: ENCRYPTION_KEY, database } = this;
    const environment = { ENCRYPTION_KEY, WEBHOOK_HTTP_HOSTS: "127.0.0.1" };
    const server = await startServer({ database, environment });
    this.#servers.push(server);
    const catalog = { name: catalogFile, text: readFileSync(catalogFile, "utf8") };
    await server.service.operator.applyCatalog(catalog, { isDryRun: false });
    server.service.startWork();
    return server;
  }

  /** A test key of a merchant of its own, with every scope. */
  async newMerchant({ service, url }: TestServer): Promise<Signer> {
    const { merchants, apiKeys } = service.operator;
    const { id } = await merchants.create("A merchant of a test");
    const wish = { environment: "test", scopes, cidrs: ["127.0.0.0/8"], expiresAt: null } as const;
    const { key, secret } = await apiKeys.create({ ...wish, merchantId: id });
    return { url, key: key.id, secret };
  }

  /** Every line of every server. */
  log(): string {
    return this.#servers.flatMap(({ log }) => log.map((line) => JSON.stringify(line))).join("\n");
  }

  /** Every row of every table; bytes in hex. */
  async dump(): Promise<string> {
    const tables = await this.#lines(
      "select tablename as line from pg_tables where schemaname = 'public' order by 1",
    );
    if (tables.length < 10) throw new Error("these are not all tables");
    const texts: string[] = [];
    for (const name of tables) {
      texts.push(...(await this.#lines(`select t::text as line from "${name}" t`)));
    }
    return texts.join("\n");
  }

  async #lines(text: string): Promise<readonly string[]> {
    // the empty name: not kept as a prepared statement
    const rows = await this.#made.database.run<object, { readonly line: string }>(
      { name: "", text, list: () => [] },
      {},
    );
    return rows.map(({ line }) => line);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.close()));
    await this.#made.remove();
  }
}

/** As a database dump, a log or an encoder might spell it. */
export function spellings(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const plain = secret.replace(/^(?:sk_test_|whsec_)/, "");
  const decoded = Buffer.from(plain, "base64");
  const all = [plain, bytes.toString("hex"), bytes.toString("base64").replace(/=+$/, "")];
  return [...all, decoded.toString("hex"), decoded.toString("base64url").replace(/=+$/, "")];
}
