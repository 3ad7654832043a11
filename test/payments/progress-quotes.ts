// Prices as a payment keeps them, in the currencies of the shipped catalog.

import type { QuotedCurrency, QuotedDeployment } from "../../service/database/tables/payments.ts";

export const base = "eip155:8453";
export const ethereum = "eip155:1";

/** In smallest units; the price in USDC holds on both chains. */
export interface Prices {
  readonly usdc?: string;
  readonly eth?: string;
}

export function quotesOf({ usdc, eth }: Prices): readonly QuotedCurrency[] {
  const quotes: QuotedCurrency[] = [];
  if (usdc !== undefined) {
    const token = {
      decimals: 6,
      rawAmount: usdc,
      assetKind: "token",
      tokenStandard: "erc20",
    } as const;
    quotes.push({
      ...named("USDC", usdc),
      accountingDecimals: 2,
      deployments: [
        deployment("dep_usdc_base", base, { ...token, contractAddress: `0x${"1".repeat(40)}` }),
        deployment("dep_usdc_ethereum", ethereum, {
          ...token,
          contractAddress: `0x${"2".repeat(40)}`,
        }),
      ],
    });
  }
  if (eth !== undefined) {
    const coin = { assetKind: "native", tokenStandard: "native", contractAddress: null } as const;
    quotes.push({
      ...named("ETH", eth),
      accountingDecimals: 8,
      deployments: [deployment("dep_eth_base", base, { ...coin, decimals: 18, rawAmount: eth })],
    });
  }
  return quotes;
}

function named(code: string, amount: string) {
  return { currencyId: `cur_${code.toLowerCase()}`, amount, code, symbol: code, name: code };
}

type Asset = Omit<QuotedDeployment, "deploymentId" | "chainId" | "chainFamily">;

function deployment(deploymentId: string, chainId: string, asset: Asset): QuotedDeployment {
  return { deploymentId, chainId, chainFamily: "evm", ...asset };
}
