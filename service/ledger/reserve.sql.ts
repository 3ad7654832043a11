// What is owed for each deployment, and stopping its withdrawals.

import { sql } from "kysely";
import { owedKinds } from "../database/words.ts";
import { recordingAudit } from "../audit/audit.sql.ts";
import type { AuditValues } from "../audit/audit.sql.ts";
import { effectWith, queries, statement } from "../database/statement.ts";

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

const owed = (p: { readonly deploymentId: string }) =>
  queries
    .selectFrom("ledger_accounts")
    .select(sql<string>`coalesce(sum(balance), 0)`.as("owed"))
    .where("deployment_id", "=", p.deploymentId)
    .where("kind", "in", owedKinds);

export const sumOwed = statement<{ readonly deploymentId: string }>("sum_ledger_owed")(owed);

interface AddressValues {
  readonly deploymentId: string;
  readonly rowsMax: number;
}

/** Of sweeps there is one at a time for each address. */
const sweepingAddresses = (p: AddressValues) => sql<{ address: string }>`(
  select address from sweeps
  where deployment_id = ${p.deploymentId}::text and status in ('gas', 'moving') and kind = 'sweep'
  limit ${p.rowsMax}::integer)`;

/** Where deposits of the deployment arrived and were not swept since. More than are wanted are not looked at. */
export const listDepositedAddresses = statement<AddressValues>("list_ledger_deposited_addresses")(
  (p) => sql<{ address: string }>`
    (select distinct address from deposits
      where deployment_id = ${p.deploymentId}::text and status <> 'orphaned' and source = 'address'
        and sweep_id is null
      order by address limit ${p.rowsMax}::integer)
    union
    ${sweepingAddresses(p)}
    limit ${p.rowsMax}::integer`,
);

/** Those that something is on its way from. */
export const listSweepingAddresses = statement<AddressValues>("list_ledger_sweeping_addresses")(
  sweepingAddresses,
);

interface UnaskedValues {
  readonly deploymentId: string;
  /** addresses that the chain was asked about */
  readonly asked: readonly string[];
  readonly now: Date;
  /** apart, so that two comparisons have found it and not only two processes */
  readonly lastingSeconds: number;
}

/** Deposits `d` that are booked, and that no sweep takes care of. */
const unswept = (p: UnaskedValues) => sql<boolean>`
  d.deployment_id = ${p.deploymentId}::text and d.source = 'address' and d.status <> 'orphaned'
    and d.sweep_id is null and d.bookings > d.reversals`;

interface UnaskedRow {
  readonly owed_raw: string;
  /** what booked deposits have brought to all other addresses, and no sweep has moved */
  readonly booked_raw: string;
  /** of that, what the rounds have found that is not there */
  readonly missing_raw: string;
  /** A round over all of them has ended lately, and left out none of these for long. */
  readonly is_compared: boolean;
}

/**
 * What is owed, and what should lie at addresses that nobody was asked about, as of one moment. Lately: a round takes
 * as long as it has runs, one in an hour; for long: a day. What is missing is what two comparisons have both found, and
 * no more than what counts at its address: what was lost with something that is swept is no part of that.
 */
export const readOwedAndBooked = statement<UnaskedValues>("read_ledger_owed_and_booked")(
  (p) => sql<UnaskedRow>`
    select (${owed(p)})::text as owed_raw,
      (select coalesce(sum(raw), 0)::text from (
        select sum(d.amount_raw) as raw from deposits d
        where ${unswept(p)} and d.address not in (select unnest(${p.asked}::text[]))
        union all
        select sum(d.amount_raw)
        from sweeps s
        cross join lateral (select * from deposits d where d.sweep_id = s.id offset 0) d
        where s.deployment_id = ${p.deploymentId}::text and s.status in ('gas', 'moving')
          and d.deployment_id = s.deployment_id and d.source = 'address'
          and d.status <> 'orphaned' and d.bookings > d.reversals
          and d.address not in (select unnest(${p.asked}::text[]))
      ) booked) as booked_raw,
      (select coalesce(sum(least(a.missing_before_raw, a.booked_raw - a.held_raw,
            greatest(b.raw - a.held_raw, 0))), 0)::text
        from address_differences a
        cross join lateral (
          select sum(d.amount_raw) as raw from deposits d
          where ${unswept(p)} and d.address = a.address) b
        where a.deployment_id = ${p.deploymentId}::text and a.held_raw < a.booked_raw
          and a.checked_at >= a.since + ${p.lastingSeconds}::integer * interval '1 second'
          and a.address not in (select unnest(${p.asked}::text[]))
          and b.raw is not null
      ) as missing_raw,
      exists (select from address_rounds r
        where r.deployment_id = ${p.deploymentId}::text
          and r.last_ended_at >= ${p.now}::timestamptz
            - (2 * greatest(r.runs, r.last_runs) + 2) * interval '1 hour')
        and not exists (select from addresses_left_out o
          where o.deployment_id = ${p.deploymentId}::text
            and o.since < ${p.now}::timestamptz - interval '1 day'
            and o.address not in (select unnest(${p.asked}::text[]))
            and exists (select from deposits d where ${unswept(p)} and d.address = o.address)
        ) as is_compared`,
);

interface FreezeValues extends AuditValues {
  readonly deploymentId: string;
  readonly reason: string;
  readonly now: Date;
  /** the reason that this one takes the place of; null: it was not frozen */
  readonly reasonBefore: string | null;
}

/** No row: it is frozen already, and the freeze stays as it is, since somebody else has just written it. */
export const freezeDeployment = statement<FreezeValues>("freeze_deployment")((p) =>
  effectWith(recordingAudit, p)("frozen", (q) =>
    q
      .insertInto("deployment_freezes")
      .values({ deployment_id: p.deploymentId, reason: p.reason, since: p.now })
      .onConflict((conflict) =>
        conflict
          .column("deployment_id")
          .doUpdateSet({ reason: p.reason })
          .where(sql<boolean>`deployment_freezes.reason = ${p.reasonBefore}::text`),
      )
      .returning(["deployment_id", "since"]),
  ).select("since"),
);

interface UnfreezeValues extends AuditValues {
  readonly deploymentId: string;
  /** of the freeze that the operator has looked at; there may be another one by now, or a greater gap */
  readonly since: Date;
  readonly reason: string;
}

export const unfreezeDeployment = statement<UnfreezeValues>("unfreeze_deployment")((p) =>
  effectWith(recordingAudit, p)("lifted", (q) =>
    q
      .deleteFrom("deployment_freezes")
      .where("deployment_id", "=", p.deploymentId)
      .where("since", "=", p.since)
      .where("reason", "=", p.reason)
      .returning("deployment_id"),
  ).select("deployment_id"),
);

export const listFreezes = statement<object>("list_freezes")(() =>
  queries.selectFrom("deployment_freezes").selectAll().orderBy("deployment_id"),
);
