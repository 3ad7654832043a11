// Who should have what of the payments, reckoned from what is booked now; and who has it. Asked of the
// tables alone: how it came to be makes no difference.

import type { Database } from "../../service/ports/database.ts";

interface PlaceRow {
  readonly id: string;
  readonly creator: string;
  readonly fee_bps: number;
  readonly overpay_policy: "pro_rata" | "to_primary";
  readonly splits: readonly { readonly merchant_id: string; readonly bps: number }[];
  readonly deployment_id: string;
  /** null: it was not quoted */
  readonly due: string | null;
  readonly regular: string;
  readonly surplus: string;
  /** by merchant, net of all that ever happened; "": the platform's fee */
  readonly given: Readonly<Record<string, string>>;
}

/** Those with an authorization of up to an amount are left out: its usage divides that. */
const places = `
  with shared as (
    select d.* from deposits d
    where not exists (select from x402_settlements x
      where x.payment_id = d.payment_id and x.scheme = 'upto')
  ), moved as (
    select d.payment_id, t.id from shared d cross join generate_series(1, d.bookings) as number
    join ledger_transactions t on t.kind in ('deposit_credited', 'deposit_reversed')
      and t.reference = d.chain_id || '/' || d.tx_hash || '/' || d.log_index || '#' || number
    -- what was taken out of suspense is not divided, and taken back from whoever has it
    where not exists (select from suspense_exits e
      where e.chain_id = d.chain_id and e.tx_hash = d.tx_hash and e.log_index = d.log_index
        and e.booking = number)
    union
    select p.id, t.id from payments p cross join generate_series(1, p.divisions) as number
    join ledger_transactions t on t.kind = 'payment_divided_anew'
      and t.reference = p.id || '#' || number
  ), given as (
    select m.payment_id, o.deployment_id, coalesce(o.merchant_id, '') as who, -sum(o.amount) as amount
    from moved m join ledger_postings o on o.transaction_id = m.id
    where o.account_kind in ('platform:fees', 'merchant:available', 'merchant:debt')
    group by 1, 2, 3
  )
  select p.id, p.merchant_id as creator, p.fee_bps, p.overpay_policy, at.deployment_id,
    (select coalesce(jsonb_agg(jsonb_build_object('merchant_id', s.merchant_id, 'bps', s.bps)), '[]')
      from payment_splits s where s.payment_id = p.id) as splits,
    (select one ->> 'rawAmount' from jsonb_array_elements(p.quotes) as quote,
      jsonb_array_elements(quote -> 'deployments') as one
      where one ->> 'deploymentId' = at.deployment_id) as due,
    coalesce(sum(d.regular_raw), 0)::text as regular,
    coalesce(sum(d.surplus_raw), 0)::text as surplus,
    (select coalesce(jsonb_object_agg(g.who, g.amount::text), '{}') from given g
      where g.payment_id = p.id and g.deployment_id = at.deployment_id) as given
  from payments p
  join (select distinct payment_id, deployment_id from shared) as at on at.payment_id = p.id
  left join shared d on d.payment_id = p.id and d.deployment_id = at.deployment_id
    and d.bookings > d.reversals
  group by p.id, at.deployment_id order by p.id, at.deployment_id`;

const whole = 10_000n;

/** Lines for people; none where all is divided as it has to be. */
export async function shareProblems(database: Database): Promise<readonly string[]> {
  const statement = { name: "", text: places, list: (given: readonly unknown[]) => given };
  const rows = await database.run<readonly unknown[], PlaceRow>(statement, []);
  const payments = Map.groupBy(rows, ({ id }) => id);
  return [...payments.values()].flatMap((all) => [
    ...all.flatMap(divisionProblems),
    ...priceProblems(all),
  ]);
}

/**
 * Nothing is too much while some of the price is missing. What an operator has given to a payment that
 * does not ask for it is no part of a price.
 */
function priceProblems(all: readonly PlaceRow[]): readonly string[] {
  const quoted = all.filter(({ due }) => due !== null);
  const common = quoted.reduce((product, { due }) => product * BigInt(due ?? 1), 1n);
  const paid = quoted.reduce(
    (sum, { due, regular }) => sum + (BigInt(regular) * common) / BigInt(due ?? 1),
    0n,
  );
  const isTooMuch = quoted.some(({ surplus }) => BigInt(surplus) > 0n);
  if (!isTooMuch || paid >= common) return [];
  return [`${all[0]?.id ?? ""} has a surplus, and its price is not all there`];
}

function divisionProblems(row: PlaceRow): readonly string[] {
  const [regular, surplus] = [BigInt(row.regular), BigInt(row.surplus)];
  const total = regular + surplus;
  const base = row.overpay_policy === "pro_rata" ? total : regular;
  const afterFee = base - (base * BigInt(row.fee_bps)) / whole;
  const due = new Map([["", (total * BigInt(row.fee_bps)) / whole]]);
  for (const { merchant_id: id, bps } of row.splits) due.set(id, (afterFee * BigInt(bps)) / whole);
  const shared = [...due.values()].reduce((sum, one) => sum + one, 0n);
  due.set(row.creator, total - shared);
  // A small deposit may leave a unit of each share for the next one.
  const tolerance = BigInt(row.splits.length + 1);
  return [...due].flatMap(([who, dueRaw]) => {
    const hasRaw = BigInt(row.given[who] ?? 0);
    const apart = hasRaw > dueRaw ? hasRaw - dueRaw : dueRaw - hasRaw;
    if (apart <= tolerance) return [];
    const name = who === "" ? "the platform" : who;
    return [`${row.id}: of ${total} ${row.deployment_id} ${name} has ${hasRaw} and not ${dueRaw}`];
  });
}
