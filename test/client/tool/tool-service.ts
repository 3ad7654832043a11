// The service as a process, with a chain of its own, that sends webhooks to this machine; and shops there.

import { askServer } from "../../../adapters/operator/socket.ts";
import { type Client, merchantPayments } from "../../../scripts/client/merchant-payments.ts";
import { usd } from "../../../scripts/client/tool/test-usd.ts";
import { makeDataDirectory, startServerChild } from "../../programs/child.ts";

export interface ToolService {
  /** of the local chain */
  readonly rpcUrl: string;
  /** accepts the token of the local chain */
  readonly newShop: () => Promise<ToolShop>;
}

export interface ToolShop {
  readonly client: Client;
  /** as the tool reads it */
  readonly environment: Readonly<Record<string, string>>;
}

const shopScopes = "payments:write,webhooks:read,webhooks:write,currencies:write";

export async function startToolService(): Promise<ToolService> {
  const dataDirectory = await makeDataDirectory();
  const server = await startServerChild({
    DATA_DIR: dataDirectory,
    LOCAL_CHAIN: "on",
    WEBHOOK_HTTP_HOSTS: "127.0.0.1",
  });
  const said = await server.waitFor(/"rpc_url":"[^"]+"/);
  const rpcUrl = /"rpc_url":"([^"]+)"/.exec(said)?.[1] ?? "";
  const url = `http://127.0.0.1:${server.port}`;
  const admin = async (...words: readonly string[]): Promise<string> => {
    const answer = await askServer(dataDirectory, { words });
    if (answer?.exitCode === 0) return answer.output;
    throw new Error(`admin ${words.join(" ")}: ${answer?.errors ?? "nobody answers"}`);
  };
  return {
    rpcUrl,
    newShop: async () => {
      const made = await admin("merchant", "create", "--name", "Shop");
      const shopId = /mer_\w+/.exec(made)?.[0] ?? "";
      const words = ["key", "create", "--merchant", shopId, "--scopes", shopScopes];
      const [key = "", secret = ""] = (await admin(...words)).match(/[ms]k_test_[\w-]+/g) ?? [];
      const client = merchantPayments({ url, key, secret });
      const currencies = { [usd.currencyId]: { chain_ids: [usd.chainId] } };
      await client.currencyAcceptance.replaceCurrencyAcceptance({ currencies });
      const keys = { MERCHANT_API_KEY: key, MERCHANT_API_SECRET: secret };
      return { client, environment: { PAY_URL: url, ...keys } };
    },
  };
}
