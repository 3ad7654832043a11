// Which payment an authorization is for, by its nonce.

import { sql } from "kysely";
import { reading } from "../database/reading.ts";
import { anyOf } from "../database/row-source.ts";
import { statement } from "../database/statement.ts";

/** JSON text of objects with the columns of x402_nonces but the times; amounts as text. */
interface NonceValues {
  readonly nonces: string;
}

/** What is known stays: the first that it was accepted for, or found used for, has it. */
export const storeNonces = statement<NonceValues>("store_x402_nonces")(
  (p) => sql`
    insert into x402_nonces (
      nonce, payer, payment_id, deployment_id, due_raw, created_at, expires_at
    )
    select one.nonce, one.payer, one.payment_id, one.deployment_id, one.due_raw, p.created_at,
      p.expires_at
    from jsonb_to_recordset(${p.nonces}::jsonb) as one (
      nonce text, payer text, payment_id text, deployment_id text, due_raw numeric
    )
    join payments p on p.id = one.payment_id
    on conflict do nothing`,
);

/** Of `n`, a row of x402_nonces: its authorization was accepted to be charged by its usage. */
const wasUpto = (p: Pick<CandidateValues, "deploymentId" | "payer">) =>
  sql`exists (
        select from x402_settlements s
        where s.payment_id = n.payment_id and s.nonce = n.nonce
          and s.deployment_id = ${p.deploymentId}::text and s.payer = ${p.payer}::text
          and s.scheme = 'upto'
      )`;

interface NonceRow {
  readonly nonce: string;
  /** empty: it was made from the payment */
  readonly payer: string;
  readonly payment_id: string;
  /** it was accepted for it by this scheme */
  readonly is_upto: boolean;
}

/** The one that it was handed in for comes first: it was, before another payment could be told the same nonce. */
export const findNonces = reading<{
  readonly nonces: readonly string[];
  readonly payer: string;
  readonly deploymentId: string;
}>(
  { one: "find_x402_nonces", many: "find_x402_nonces_of_many" },
  { nonces: "text[]", payer: "text", deploymentId: "text" },
)(
  (p) => sql<NonceRow>`
    select n.nonce, n.payer, n.payment_id, ${wasUpto(p)} as is_upto
    from x402_nonces n
    where nonce = ${anyOf(p.nonces)} and payer in ('', ${p.payer}::text)
      and deployment_id = ${p.deploymentId}::text
    order by payer desc`,
);

interface OwnerValues {
  readonly paymentId: string;
  readonly chainId: string;
  readonly deploymentId: string;
  readonly payer: string;
  readonly nonce: string;
}

/**
 * The payment that an authorization is for: the one whose nonce was told, or the first that it was handed in for, also
 * where that has failed: what a payer has signed is public as soon as it was sent. No row: nobody's so far.
 *
 * It could be handed in for another payment only before its nonce was told, so that comes first; and any other
 * payment before the one that asks.
 */
export const findAuthorizationOwner = reading<OwnerValues>(
  { one: "find_x402_authorization_owner", many: "find_x402_authorization_owners" },
  { paymentId: "text", chainId: "text", deploymentId: "text", payer: "text", nonce: "text" },
)(
  (p) => sql<{ payment_id: string; is_named: boolean }>`
    select payment_id, is_named from (
      select n.payment_id, n.payer = '' as is_named from x402_nonces n
      where n.nonce = ${p.nonce}::text and (n.payer = ''
        or n.payer = ${p.payer}::text and n.deployment_id = ${p.deploymentId}::text)
      union all
      -- Those that were accepted by versions that wrote no nonce down with them.
      select s.payment_id, false from x402_settlements s
      where s.chain_id = ${p.chainId}::text and s.payer = ${p.payer}::text
        and s.nonce = ${p.nonce}::text and s.deployment_id = ${p.deploymentId}::text
        and s.status <> 'failed'
    ) owner
    order by is_named, payment_id = ${p.paymentId}::text
    limit 1`,
);

interface CandidateValues {
  readonly deploymentId: string;
  readonly payer: string;
  readonly amountRaw: bigint;
  /** of the block that the money came in */
  readonly minedAt: Date;
  /** that a payment can be */
  readonly openSecondsMax: number;
  readonly rowsMax: number;
}

/**
 * Of payments that this money may have been sent for by then, those with this very price first, and of them the
 * newest. Terms of other times are not read, however many there are.
 */
export const listCandidateNonces = statement<CandidateValues>("list_candidate_x402_nonces")(
  (p) => sql<{ nonce: string; payment_id: string; is_upto: boolean }>`
    select n.nonce, n.payment_id, ${wasUpto(p)} as is_upto
    from (
      select nonce, payment_id, due_raw, created_at
      from x402_nonces
      where deployment_id = ${p.deploymentId}::text and payer in ('', ${p.payer}::text)
        and due_raw >= ${p.amountRaw}::numeric
        and created_at <= ${p.minedAt}::timestamptz + interval '10 minutes'
        and expires_at >= ${p.minedAt}::timestamptz - interval '20 minutes'
        and expires_at <= ${p.minedAt}::timestamptz + interval '10 minutes'
          + ${p.openSecondsMax}::integer * interval '1 second'
      order by due_raw, created_at desc, nonce
      -- The rest is asked of no more than are wanted.
      offset 0
    ) n
    -- What the payer has used for it is here already.
    where not exists (
      select from deposits d where d.payment_id = n.payment_id and d.source <> 'address'
        and d.sender = ${p.payer}::text and d.status <> 'orphaned')
    order by n.due_raw, n.created_at desc, n.nonce
    limit ${p.rowsMax}::integer`,
);
