// The real services on a database under test, with a clock that only the test moves.

import { randomBytes, randomFillSync } from "node:crypto";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { buildIdentifiers } from "../../adapters/system/identifiers.ts";
import { Idempotency } from "../../service/idempotency/idempotency.ts";
import type { Owner } from "../../service/owner.ts";
import type { Database } from "../../service/ports/database.ts";
import { Sealer, sealingKey } from "../../service/secrets/sealing.ts";
import { queries, statement } from "../../service/database/statement.ts";
import { WebhookDeliveries } from "../../service/webhooks/deliveries.ts";
import { WebhookEndpoints } from "../../service/webhooks/endpoints.ts";
import { watchedChainIds } from "./watched-chains.ts";

export const hourMilliseconds = 3_600_000;

export class TestClock {
  #now: number;
  constructor(startMilliseconds = Date.parse("2026-01-01T00:00:00.000Z")) {
    this.#now = startMilliseconds;
  }
  readonly now = (): Date => new Date(this.#now);
  readonly nowMilliseconds = (): number => this.#now;

  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }
}

export type ServiceParts = ReturnType<typeof buildServiceParts>;

/** Several of them, on one database and one clock, are like several processes. */
export function buildServiceParts(database: Database, clock: TestClock = new TestClock()) {
  const random = { bytes: (count: number) => new Uint8Array(randomBytes(count)) };
  const fillRandom = (bytes: Uint8Array) => void randomFillSync(bytes);
  const identifiers = buildIdentifiers({ clock, fillRandom });
  const ring = { current: sealingKey(new Uint8Array(32).fill(7)), older: [] };
  const sealer = new Sealer(ring, random);
  const urlPolicy = {
    allowedHttpHosts: new Set(["127.0.0.1"]),
    ownHosts: new Set(["pay.example"]),
  };
  const ports = { database, clock, identifiers, random, sealer, urlPolicy, watchedChainIds };
  return {
    ...ports,
    idempotency: new Idempotency(ports),
    endpoints: new WebhookEndpoints(ports),
    deliveries: new WebhookDeliveries(ports),
  };
}

/** What the keys of most tests belong to. */
export function liveOwner(merchantId: string): Owner {
  return { merchantId, environment: "live" };
}

let queriesMade = 0;

type Tag = <Row = unknown>(
  texts: TemplateStringsArray,
  ...values: readonly unknown[]
) => Promise<readonly Row[]>;

/** Anything a test wants to know or do beside the services: its text follows as a template. */
export function query(database: Database): Tag;
/** The same with a text that was put together elsewhere. */
export function query<Row>(database: Database, wanted: RawBuilder<Row>): Promise<readonly Row[]>;
export function query(
  database: Database,
  wanted?: RawBuilder<unknown>,
): Tag | Promise<readonly unknown[]> {
  if (wanted !== undefined) return run(database, wanted);
  return (texts, ...values) => run(database, sql(texts, ...values));
}

function run<Row>(database: Database, wanted: RawBuilder<Row>): Promise<readonly Row[]> {
  queriesMade++;
  const compose = () => ({ compile: () => wanted.compile(queries) });
  return database.run(statement<object>(`test_query_${queriesMade}`)(compose), {});
}

export async function addMerchant(database: Database, id: string): Promise<string> {
  const made = queries
    .insertInto("merchants")
    .values({ id, name: id, created_at: new Date("2026-01-01T00:00:00Z") });
  await database.run(
    statement<object>(`test_add_${id}`)(() => made),
    {},
  );
  return id;
}

const tablesWithSecrets = [
  "idempotency_keys",
  "webhook_endpoints",
  "events",
  "webhook_deliveries",
] as const;

/** Their rows as a thief of the database would read them, bytes included. */
export async function dumpRows(database: Database): Promise<string> {
  const texts: string[] = [];
  for (const table of tablesWithSecrets) {
    const rows = await query(database)<{
      row: string;
    }>`select to_jsonb(t)::text as row from ${sql.table(table)} t`;
    texts.push(...rows.map(({ row }) => row.replaceAll(/\\\\x([0-9a-f]+)/g, decodeBytes)));
  }
  return texts.join("\n");
}

function decodeBytes(_: string, hex: string): string {
  return Buffer.from(hex, "hex").toString("latin1");
}
