// A payment that is over, with a deposit that the ledger knows, as the watcher leaves them behind.

import { sql } from "kysely";
import { ledgerValues } from "../../service/ledger/ledger.ts";
import { postTransaction } from "../../service/ledger/ledger.sql.ts";
import { addMerchant, query } from "../support/service-parts.ts";
import type { buildServiceParts } from "../support/service-parts.ts";

export interface DepositWish {
  readonly chainId: string;
  readonly deploymentId: string;
  readonly address: string;
  readonly index: bigint;
  readonly amountRaw: bigint;
  readonly paymentStatus?: "partially_paid" | "paid" | "expired";
}

let made = 0;

/** Gives the hash that the deposit came with. */
export async function bookDeposit(
  parts: ReturnType<typeof buildServiceParts>,
  wish: DepositWish,
): Promise<string> {
  made += 1;
  const { database } = parts;
  const { chainId, deploymentId, address, index, amountRaw, paymentStatus = "paid" } = wish;
  const merchantId = await addMerchant(database, `mer_sweep_${made}`);
  const hash = `0xdeposit${made}`;
  await query(
    database,
    sql.raw(`
      with payment as (
        insert into payments (id, merchant_id, environment, merchant_order_no, status, quotes,
          chain_ids, overpay_policy, fee_bps, checkout_token, created_at, expires_at, updated_at)
        values ('pay_${made}', '${merchantId}', 'test', '1', '${paymentStatus}', '[{}]',
          '{${chainId}}', 'to_primary', 0, 'token_${made}', now(), now() + interval '1 h', now())
        returning id
      ), address as (
        insert into deposit_addresses (chain_family, derivation_index, address, payment_id, created_at)
        select 'evm', ${index}, '${address}', payment.id, now() from payment
        on conflict do nothing
      )
      insert into deposits (chain_id, tx_hash, log_index, deployment_id, payment_id, address,
        amount_raw, block_number, block_hash, block_time, status, bookings, regular_raw,
        surplus_raw, unmatched_raw, booked_at)
      select '${chainId}', '${hash}', 0, '${deploymentId}', payment.id, '${address}', ${amountRaw},
        1, '0xb', now(), 'final', 1, ${amountRaw}, 0, 0, now()
      from payment`),
  );
  const owner = { merchantId, environment: "test" } as const;
  const values = ledgerValues(parts, {
    kind: "deposit_credited",
    reference: hash,
    occurredAt: parts.clock.now(),
    postings: [
      { account: "chain:deposit_addresses", deploymentId, owner: null, amountRaw },
      { account: "merchant:available", deploymentId, owner, amountRaw: -amountRaw },
    ],
  });
  await database.run(postTransaction, values);
  return hash;
}
