// What is owed for each deployment, and stopping its withdrawals.

import { sql } from "kysely";
import { owedKinds } from "./model.ts";
import { recordingAudit } from "../audit/audit.sql.ts";
import type { AuditValues } from "../audit/audit.sql.ts";
import { queries, statement } from "../database/statement.ts";
import type { AccountKind } from "../database/words.ts";

interface DeploymentPage {
  readonly after: string;
  readonly rowsMax: number;
}

/** Deployments for which anything is owed. */
export const listOwingDeployments = statement<DeploymentPage>("list_ledger_owing_deployments")(
  (p) =>
    queries
      .selectFrom("deployments")
      .select(["id", "chain_id", "contract_address"])
      .where("id", ">", p.after)
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom("ledger_accounts")
            .select("key")
            .whereRef("ledger_accounts.deployment_id", "=", "deployments.id")
            .where("kind", "in", owedKinds)
            .where("balance", "<>", "0"),
        ),
      )
      .orderBy("id")
      .limit(p.rowsMax),
);

const atAddresses: AccountKind = "chain:deposit_addresses";

interface OwedRow {
  readonly owed_raw: string;
  /** by the books, at addresses of payments */
  readonly at_addresses_raw: string;
  /** of that, what the rounds have found that is not there */
  readonly missing_raw: string;
  /** A round has ended: each address was compared once. */
  readonly is_compared: boolean;
}

/** What is owed, and what should lie at addresses of payments, as of one moment. */
export const readOwed = statement<{ readonly deploymentId: string }>("read_ledger_owed")(
  (p) => sql<OwedRow>`
    select
      coalesce(sum(balance) filter (where kind <> ${atAddresses}), 0)::text as owed_raw,
      coalesce(sum(balance) filter (where kind = ${atAddresses}), 0)::text as at_addresses_raw,
      (select coalesce(sum(booked_raw - held_raw), 0)::text from address_differences
        where deployment_id = ${p.deploymentId}::text and held_raw < booked_raw) as missing_raw,
      exists (select from address_rounds
        where deployment_id = ${p.deploymentId}::text and last_ended_at is not null) as is_compared
    from ledger_accounts
    where deployment_id = ${p.deploymentId}::text
      and kind in (${sql.join([...owedKinds, atAddresses])})`,
);

interface AddressValues {
  readonly deploymentId: string;
  readonly rowsMax: number;
}

/** Where deposits of the deployment arrived and were not swept since. */
export const listDepositedAddresses = statement<AddressValues>("list_ledger_deposited_addresses")(
  (p) => sql<{ address: string }>`
    select address from deposits
    where deployment_id = ${p.deploymentId}::text and status <> 'orphaned' and source = 'address'
      and sweep_id is null
    union
    select d.address from sweeps s join deposits d on d.sweep_id = s.id
    where s.deployment_id = ${p.deploymentId}::text and s.status in ('gas', 'moving')
      and d.deployment_id = s.deployment_id and d.status <> 'orphaned' and d.source = 'address'
    limit ${p.rowsMax}::integer`,
);

interface FreezeValues extends AuditValues {
  readonly deploymentId: string;
  readonly reason: string;
  readonly now: Date;
}

/** No row: it is frozen already, for the reason of then. */
export const freezeDeployment = statement<FreezeValues>("freeze_deployment")((p) =>
  recordingAudit(
    queries.with("frozen", (q) =>
      q
        .insertInto("deployment_freezes")
        .values({ deployment_id: p.deploymentId, reason: p.reason, since: p.now })
        .onConflict((conflict) => conflict.column("deployment_id").doNothing())
        .returning("deployment_id"),
    ),
    "frozen",
    p,
  )
    .selectFrom("frozen")
    .select("deployment_id"),
);

interface UnfreezeValues extends AuditValues {
  readonly deploymentId: string;
  /** of the freeze that the operator has looked at; there may be another one by now */
  readonly since: Date;
}

export const unfreezeDeployment = statement<UnfreezeValues>("unfreeze_deployment")((p) =>
  recordingAudit(
    queries.with("lifted", (q) =>
      q
        .deleteFrom("deployment_freezes")
        .where("deployment_id", "=", p.deploymentId)
        .where("since", "=", p.since)
        .returning("deployment_id"),
    ),
    "lifted",
    p,
  )
    .selectFrom("lifted")
    .select("deployment_id"),
);

export const listFreezes = statement<object>("list_freezes")(() =>
  queries.selectFrom("deployment_freezes").selectAll().orderBy("deployment_id"),
);
