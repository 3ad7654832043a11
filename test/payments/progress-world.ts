// A database with merchants and payments, and deposits written as the watcher of a chain would write
// them. The clock moves only when a test says so.

import { ChainHealth } from "../../service/chains/health.ts";
import { ledgerValues } from "../../service/ledger/ledger.ts";
import { postTransaction } from "../../service/ledger/ledger.sql.ts";
import type { Owner } from "../../service/owner.ts";
import { expirePayments } from "../../service/payments/expiry.ts";
import { PaymentProgress } from "../../service/payments/progress.ts";
import type { Database } from "../../service/ports/database.ts";
import type { StampPorts } from "../../service/ports/recording.ts";
import type { PaymentStatus } from "../../service/database/words.ts";
import type { QuotedCurrency } from "../../service/database/tables/payments.ts";
import { catalogOf, putCatalog } from "../support/catalog.ts";
import { addMerchant, buildServiceParts, query, TestClock } from "../support/service-parts.ts";
import { base, ethereum, quotesOf } from "./progress-quotes.ts";

export const creator: Owner = { merchantId: "mer_creator", environment: "live" };
export const partner: Owner = { merchantId: "mer_partner", environment: "live" };
export const price = 25_000_000n;
/** From now until a payment of a test expires. */
export const lifeMilliseconds = 1_800_000;

export interface PaymentWish {
  readonly quotes?: readonly QuotedCurrency[];
  readonly feeBps?: number;
  readonly overpayPolicy?: "pro_rata" | "to_primary";
  readonly splits?: readonly { readonly merchantId: string; readonly bps: number }[];
  readonly status?: PaymentStatus;
}

export interface DepositWish {
  readonly payment: string;
  readonly amountRaw?: bigint;
  readonly deploymentId?: string;
  readonly chainId?: string;
  readonly blockNumber?: bigint;
  readonly blockTime?: Date;
  readonly txHash?: string;
  readonly logIndex?: number;
  readonly sender?: string;
}

export interface ToldEvent {
  readonly type: string;
  readonly sequence: bigint;
  readonly data: Readonly<Record<string, unknown>>;
}

export type World = Awaited<ReturnType<typeof openWorld>>;

export async function openWorld(database: Database) {
  const clock = new TestClock();
  const parts = buildServiceParts(database, clock);
  // Of the shipped catalog what these tests are about.
  const catalog = catalogOf().map((currency) => ({
    ...currency,
    deployments: currency.deployments.filter(({ chainId }) => [base, ethereum].includes(chainId)),
  }));
  await putCatalog(parts, catalog);
  await addMerchant(database, creator.merchantId);
  await addMerchant(database, partner.merchantId);
  const progress = new PaymentProgress(parts);
  const health = new ChainHealth({ database, clock });
  const counters = { payment: 0, deposit: 0 };
  const after = (milliseconds: number) => new Date(clock.nowMilliseconds() + milliseconds);

  const touch = (...payments: readonly string[]) =>
    database.transaction((inside) => progress.refresh(inside, payments));
  const expiry = (connectedChainIds: readonly string[] = [base, ethereum], rowsMax?: number) =>
    expirePayments({
      database,
      clock,
      progress,
      health,
      connectedChainIds,
      ...(rowsMax === undefined ? {} : { rowsMax }),
    });

  return {
    database,
    clock,
    parts,
    progress,
    after,
    touch,
    expiry,
    ...writing(database, { parts, clock, counters, touch }),
    ...reading(database),
  };
}

async function spend(
  database: Database,
  parts: StampPorts,
  ...[owner, amountRaw]: readonly [Owner, bigint]
): Promise<void> {
  const deploymentId = "dep_usdc_base";
  await database.run(
    postTransaction,
    ledgerValues(parts, {
      kind: "withdrawal_reserved",
      reference: parts.identifiers.next("wdr"),
      occurredAt: parts.clock.now(),
      postings: [
        { account: "merchant:available", deploymentId, owner, amountRaw },
        { account: "merchant:withdrawing", deploymentId, owner, amountRaw: -amountRaw },
      ],
    }),
  );
}

interface WritingParts {
  readonly parts: StampPorts;
  readonly clock: TestClock;
  readonly counters: { payment: number; deposit: number };
  readonly touch: (...payments: readonly string[]) => Promise<void>;
}

function writing(database: Database, { parts, clock, counters, touch }: WritingParts) {
  const setState = async (hash: string, status: "seen" | "final" | "orphaned") => {
    const rows = await query(database)<{ payment_id: string }>`
      update deposits set status = ${status} where tx_hash = ${hash} returning payment_id`;
    await touch(...rows.map((row) => row.payment_id));
  };
  return {
    addPayment: async (wish: PaymentWish = {}): Promise<string> => {
      const id = `pay_${++counters.payment}`;
      const quotes = wish.quotes ?? quotesOf({ usdc: `${price}`, eth: "10000000000000000" });
      const chainIds = new Set(quotes.flatMap((one) => one.deployments.map((on) => on.chainId)));
      const chainIdText = `{${[...chainIds].join(",")}}`;
      const now = clock.now();
      const expiresAt = new Date(now.getTime() + lifeMilliseconds);
      await query(database)`
        insert into payments (
          id, merchant_id, environment, merchant_order_no, status, quotes, chain_ids,
          overpay_policy, fee_bps, checkout_token, created_at, expires_at, updated_at
        )
        values (${id}, ${creator.merchantId}, 'live', ${id}, ${wish.status ?? "pending"},
          ${JSON.stringify(quotes)}::jsonb, ${chainIdText}::text[],
          ${wish.overpayPolicy ?? "to_primary"}, ${wish.feeBps ?? 100}, ${id}, ${now},
          ${expiresAt}, ${now})`;
      for (const [position, { merchantId, bps }] of (wish.splits ?? []).entries()) {
        await query(database)`insert into payment_splits (payment_id, position, merchant_id, bps)
          values (${id}, ${position}, ${merchantId}, ${bps})`;
      }
      return id;
    },
    /** @returns the hash of its transaction */
    see: async (wish: DepositWish): Promise<string> => {
      const hash = wish.txHash ?? `0x${++counters.deposit}`;
      await query(database)`
        insert into deposits (
          chain_id, tx_hash, log_index, deployment_id, payment_id, address, sender, amount_raw,
          block_number, block_hash, block_time, status
        )
        values (${wish.chainId ?? base}, ${hash}, ${wish.logIndex ?? 0}, ${wish.deploymentId ?? "dep_usdc_base"},
          ${wish.payment}, '0xa', ${wish.sender ?? null}, ${wish.amountRaw ?? price}, ${wish.blockNumber ?? 100n},
          '0xb', ${wish.blockTime ?? clock.now()}, 'seen')`;
      await touch(wish.payment);
      return hash;
    },
    finalize: (hash: string) => setState(hash, "final"),
    orphan: (hash: string) => setState(hash, "orphaned"),
    /** It is in a block again. */
    include: (hash: string) => setState(hash, "seen"),
    /** The merchant sends away so much. */
    spend: (amountRaw: bigint, merchantId = creator.merchantId) =>
      spend(database, parts, { ...creator, merchantId }, amountRaw),
    cancel: (id: string) =>
      query(database)`update payments set status = 'cancelled', version = version + 1
        where id = ${id} and status = 'pending'`,
    /** How far the watcher has read. */
    readUpTo: (chainId: string, blockTime: Date, blockNumber = 1_000n) =>
      query(database)`
        insert into chain_cursors (
          chain_id, block_number, block_hash, block_time, checked_number, head_number, looked_at,
          updated_at
        )
        values (${chainId}, ${blockNumber}, '0xc', ${blockTime}, 0, ${blockNumber},
          ${clock.now()}, ${clock.now()})
        on conflict (chain_id) do update set block_number = excluded.block_number,
          block_time = excluded.block_time, looked_at = excluded.looked_at`,
  };
}

function reading(database: Database) {
  return {
    status: async (id: string): Promise<string> => {
      const [row] = await query(database)<{
        status: string;
      }>`select status from payments where id = ${id}`;
      return row?.status ?? "none";
    },
    events: async (id: string): Promise<readonly ToldEvent[]> => {
      const rows = await query(database)<{ type: string; sequence: bigint; data: string }>`
        select type, sequence, data from events where resource_id = ${id} order by sequence`;
      // Every event of a payment has an object as its data.
      return rows.map((row) => ({ ...row, data: JSON.parse(row.data) as ToldEvent["data"] }));
    },
    /** By kind of account and merchant; only what is not zero. */
    balances: async (deploymentId = "dep_usdc_base"): Promise<Readonly<Record<string, bigint>>> => {
      const rows = await query(database)<{ name: string; balance: string }>`
        select concat_ws(' ', kind, substr(merchant_id, 5)) as name, balance::text
        from ledger_accounts
        where deployment_id = ${deploymentId} and balance <> 0 order by name`;
      return Object.fromEntries(rows.map((row) => [row.name, BigInt(row.balance)]));
    },
  };
}
