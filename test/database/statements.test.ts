// A statement is composed when its file is loaded, and the database sees it when it first runs: a
// column or a part of it that is named wrongly would wait until then.

import { sql } from "kysely";
import { expect, test } from "vitest";
import { engines, openDatabase } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { readStatements } from "../tidy/statements.ts";

test.each(engines)("every statement can be prepared on %s", async (engine) => {
  const database = await openDatabase(engine);
  const statements = await readStatements();
  expect(statements.length).toBeGreaterThan(200);
  const problems: string[] = [];
  for (const { path, name, text } of statements) {
    // In one transaction, since prepared statements belong to a connection.
    await database
      .transaction(async (inside) => {
        await query(inside, sql`${sql.raw(`prepare tried as ${text}`)}`);
        await query(inside, sql`deallocate tried`);
      })
      .catch((error: unknown) => problems.push(`${path} ${name}: ${messageOf(error)}`));
  }
  expect(problems).toEqual([]);
});

test.each(engines)("one that names a column wrongly cannot, on %s", async (engine) => {
  const database = await openDatabase(engine);
  const wrong = query(database, sql`${sql.raw("prepare tried as select idd from merchants")}`);
  await expect(wrong).rejects.toThrow("idd");
});

function messageOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
