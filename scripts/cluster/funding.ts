// What the accounts of the service and those who pay have at the beginning, on the chain and in the ledger.

import type { BenchNode } from "../bench/settle/node.ts";
import { coin, usd } from "../client/tool/test-usd.ts";
import { Wallet } from "../demo/wallet.ts";
import type { Admin } from "./merchants.ts";
import type { Cause } from "./moves.ts";
import { query } from "./querying.ts";

const payerIndex = 3;
/** of those who sign for x402 */
const buyerIndexes = [4, 5, 6, 7];
/** More than withdrawals can take in a day. */
const hotAmount = "1000000";
/** As much as the chain gives at once. */
const coinAmount = "1000000";

export interface Funded {
  readonly payer: Wallet;
  readonly buyers: readonly Wallet[];
  /** the service's, to which x402 pays */
  readonly settlementAccount: string;
  /** how the hot account got its money */
  readonly funding: Cause;
}

export async function fund(admin: Admin, url: string, node: BenchNode): Promise<Funded> {
  const accounts = await query(url, "select lower(account) as account, role from own_accounts");
  const walletOf = (index: number): Wallet => new Wallet(node.url, usd.chainNumber, index);
  const [payer, buyers] = [walletOf(payerIndex), buyerIndexes.map(walletOf)];
  const book = async (deployment: string, amount: string, account: string): Promise<void> => {
    const given = { deployment, amount, account, reference: `start-${account}` };
    const words = Object.entries(given).flatMap(([name, value]) => [`--${name}`, value]);
    await admin(["ledger", "fund", ...words]);
  };
  for (const { account, role } of accounts) {
    await node.giveCoin(String(account));
    await book(coin.deploymentId, coinAmount, String(role));
  }
  await node.giveUsd([payer, ...buyers].map(({ address }) => address));
  const [hot = "", settlementAccount = ""] = ["hot", "settlement"].map((role) =>
    String(accounts.find((row) => row["role"] === role)?.["account"]),
  );
  const amountRaw = BigInt(hotAmount) * 10n ** 6n;
  const txHash = await payer.sendToken(usd.address, `0x${hot.slice(2)}`, amountRaw);
  await book(usd.deploymentId, hotAmount, "hot");
  const from = payer.address.toLowerCase();
  return {
    payer,
    buyers,
    settlementAccount,
    funding: { what: "the funding of the hot account", txHash, from, to: hot, amountRaw },
  };
}
