// Entries for tests of the audit log.

import { sql } from "kysely";
import { Audit, auditValues } from "../../service/audit/audit.ts";
import type { AuditDraft } from "../../service/audit/audit.ts";
import type { Database } from "../../service/ports/database.ts";
import { recordAudit, recordingAudit } from "../../service/audit/audit.sql.ts";
import type { AuditValues } from "../../service/audit/audit.sql.ts";
import { queries, statement } from "../../service/database/statement.ts";

export function valuesOf(subjectId: string, change: Partial<AuditDraft> = {}): AuditValues {
  return auditValues({
    occurredAt: new Date("2026-01-01T00:00:00.123Z"),
    actor: "operator",
    action: "api_key.created",
    merchantId: "mer_1",
    environment: "test",
    subject: { type: "api_key", id: subjectId },
    details: { scopes: ["payouts:read"], cidrs: [] },
    ...change,
  });
}

/** As many as wished, and the log that they make. */
export async function recordEntries(database: Database, count: number): Promise<Audit> {
  for (let number = 1; number <= count; number++) {
    await database.run(recordAudit, valuesOf(`mk_test_${number}`));
  }
  return new Audit({ database });
}

interface ManyValues extends AuditValues {
  readonly count: number;
}

/** One statement with many effects: what no rule does, but the chain has to bear it. */
export const recordMany = statement<ManyValues>("test_record_many_entries")((p) =>
  recordingAudit(
    queries.with(
      "many",
      () => sql<{ n: number }>`(select generate_series(1, ${p.count}::integer))`,
    ),
    "many",
    p,
  )
    .selectFrom("many")
    .select(sql<number>`count(*)::int`.as("count")),
);
