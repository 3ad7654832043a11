// Payments that wait for their money, each with an address of its own: written in bulk, as rows.

import { query } from "../measuring.ts";
import { addressSql, amountRaw, chainId, token } from "./prepared-chain.ts";

export const deploymentId = "dep_usdc_base";
const merchantId = "mer_bench";

/** What a payment of this price keeps of it. */
const quotes = [
  {
    currencyId: "cur_usdc",
    amount: "1",
    code: "USDC",
    symbol: "USDC",
    name: "USD Coin",
    accountingDecimals: 2,
    deployments: [
      {
        deploymentId,
        chainId,
        chainFamily: "evm",
        decimals: 6,
        rawAmount: `${amountRaw}`,
        assetKind: "token",
        tokenStandard: "erc20",
        contractAddress: token,
      },
    ],
  },
];

export interface AddressWish {
  readonly count: number;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Numbered from 1 on, as `paymentAddress` has them. */
export async function fillAddresses(url: string, wish: AddressWish): Promise<void> {
  const created = `'${wish.createdAt.toISOString()}'::timestamptz`;
  const expires = `'${wish.expiresAt.toISOString()}'::timestamptz`;
  await query(
    url,
    `begin;
    insert into merchants (id, name, created_at) values ('${merchantId}', 'Bench', ${created});
    insert into payments (id, merchant_id, environment, merchant_order_no, status, quotes, chain_ids,
      overpay_policy, fee_bps, checkout_token, created_at, expires_at, updated_at)
    select 'pay_' || one, '${merchantId}', 'live', 'order-' || one, 'pending',
      '${JSON.stringify(quotes)}'::jsonb, '{${chainId}}', 'to_primary', 100, 'token-' || one,
      ${created}, ${expires}, ${created}
    from generate_series(1, ${wish.count}) as one;
    insert into deposit_addresses (chain_family, derivation_index, address, payment_id, created_at)
    select 'evm', one, ${addressSql("one")}, 'pay_' || one, ${created}
    from generate_series(1, ${wish.count}) as one;
    commit`,
  );
}
