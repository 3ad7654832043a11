// Who takes part: a shop with its webhook receiver, a partner it shares with, and somebody who pays.

import { type Client, merchantPayments } from "../client/merchant-payments.ts";
import { usd } from "../client/tool/test-usd.ts";
import { Wallet } from "./wallet.ts";
import { DemoFailure, show } from "./narration.ts";
import { Receiver } from "./receiver.ts";
import type { DemoServer } from "./server.ts";

export interface Cast {
  readonly server: DemoServer;
  /** as its server calls the service */
  readonly shop: Client;
  readonly shopId: string;
  readonly partnerId: string;
  readonly receiver: Receiver;
  readonly payer: Wallet;
  /** where the shop wants its money */
  readonly vault: Wallet;
  readonly token: `0x${string}`;
}

/** It owns the test token, and can make more of it. */
const ownerIndex = 9;
const payerIndex = 3;
const vaultIndex = 4;
const paymentMoneyRaw = 1_000_000_000n;

export async function assemble(server: DemoServer): Promise<Cast> {
  const shopId = idIn(await server.admin("merchant", "create", "--name", "Corner shop"));
  const partnerId = idIn(await server.admin("merchant", "create", "--name", "Brand owner"));
  show(`merchants: Corner shop ${shopId}, Brand owner ${partnerId}`);
  const scopes = (await server.admin("--help")).match(
    /\b[a-z_0-9]+:(?:read|write|usage|settle)\b/g,
  );
  const all = Array.from(new Set(scopes ?? [])).join(",");
  const issued = await server.admin("key", "create", "--merchant", shopId, "--scopes", all);
  const key = /mk_test_\w+/.exec(issued)?.[0];
  const secret = /sk_test_[\w-]+/.exec(issued)?.[0];
  if (key === undefined || secret === undefined) throw new DemoFailure(`no key in: ${issued}`);
  const shop = merchantPayments({ url: server.url, key, secret });
  const receiver = new Receiver();
  const payer = new Wallet(server.rpcUrl, usd.chainNumber, payerIndex);
  const vault = new Wallet(server.rpcUrl, usd.chainNumber, vaultIndex);
  const owner = new Wallet(server.rpcUrl, usd.chainNumber, ownerIndex);
  await owner.mint(usd.address, payer.address, paymentMoneyRaw);
  show(`somebody who pays: ${payer.address}, with ${paymentMoneyRaw / 1_000_000n} test USDC`);
  return { server, shop, shopId, partnerId, receiver, payer, vault, token: usd.address };
}

function idIn(output: string): string {
  const id = /mer_\w+/.exec(output)?.[0];
  if (id !== undefined) return id;
  throw new DemoFailure(`no merchant in: ${output}`);
}
