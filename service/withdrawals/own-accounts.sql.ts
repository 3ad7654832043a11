// The statements of our own accounts, and of what else nobody withdraws to.

import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { OwnAccountRole } from "../database/words.ts";
import { queries, statement } from "../database/statement.ts";

/** Those that are known already stay as they are. */
export const recordOwnAccounts = statement<{
  readonly accounts: readonly string[];
  readonly roles: readonly OwnAccountRole[];
  readonly now: Date;
}>("record_own_accounts")((p) =>
  queries
    .insertInto("own_accounts")
    .columns(["account", "role", "since"])
    .expression(
      sql<never>`select lower(account), role, ${p.now}::timestamptz
        from unnest(${p.accounts}::text[], ${p.roles}::text[]) as own (account, role)`,
    )
    .onConflict((conflict) => conflict.column("account").doNothing())
    .returning("account"),
);

interface SqlAddress {
  /** in the normal form of its family */
  readonly address: RawBuilder<unknown>;
  readonly chainFamily: RawBuilder<unknown>;
}

/** An account of ours is ours on all chains. */
export function isOurs({ address, chainFamily }: SqlAddress): RawBuilder<boolean> {
  return sql<boolean>`(
    exists (select from own_accounts own where own.account = lower(${address}))
    or exists (select from sender_accounts mine
      where mine.account in (${address}, lower(${address})))
    or exists (select from deposit_addresses given
      where given.chain_family = ${chainFamily}
        and given.address in (${address}, lower(${address}))))`;
}

/** A token of one chain is nobody's account on another one. */
export function isToken({ address, chainFamily }: SqlAddress): RawBuilder<boolean> {
  return sql<boolean>`exists (select from deployments token
    where token.chain_family = ${chainFamily}
      and lower(token.contract_address) = lower(${address}))`;
}

/** Of a registered one, by what its row is called: it has become ours, or a token, since then. */
export function isNotPayable(row: string): RawBuilder<boolean> {
  const address = sql.ref(`${row}.address`);
  const chainFamily = sql.ref(`${row}.chain_family`);
  return sql<boolean>`(${isOurs({ address, chainFamily })} or ${isToken({ address, chainFamily })})`;
}
