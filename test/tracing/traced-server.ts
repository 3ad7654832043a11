// The server as a process that tells a collector what it does: on PostgreSQL, with a chain of its own, a node that is
// not there, and a merchant.

import { randomBytes } from "node:crypto";
import { signSync } from "../../scripts/client/sign-sync.ts";
import type { Credentials } from "../../scripts/client/canonical.ts";
import { startChild, startServerChild } from "../programs/child.ts";
import type { ServerChild } from "../programs/child.ts";
import { makePostgresDatabase } from "../support/engines.ts";
import { makeFolder } from "../programs/child.ts";

export interface Call {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TracedServer {
  readonly server: ServerChild;
  readonly url: string;
  readonly merchantId: string;
  readonly credentials: Credentials;
  /** what must be told to nobody */
  readonly secrets: readonly string[];
  readonly call: (call: Call) => Promise<Response>;
  readonly remove: () => Promise<void>;
}

const nodeKey = "node-key-5Vb2Qe8sXw";

/** @param more variables of its environment */
export async function startTracedServer(
  more: Readonly<Record<string, string>>,
): Promise<TracedServer> {
  const { url: databaseUrl, remove } = await makePostgresDatabase();
  const encryptionKey = randomBytes(32).toString("base64");
  const environment = {
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEY: encryptionKey,
    DATA_DIR: makeFolder(),
    LOCAL_CHAIN: "on",
    EVM_RPC_URLS: `eip155:84532=http://127.0.0.1:1/v2/${nodeKey}`,
    WEBHOOK_HTTP_HOSTS: "127.0.0.1",
    ...more,
  };
  const server = await startServerChild(environment);
  const url = `http://127.0.0.1:${server.port}`;
  const admin = async (...words: readonly string[]): Promise<string> => {
    const child = startChild(["adapters/admin.ts", ...words], environment);
    const { code } = await child.ended;
    if (code !== 0) throw new Error(child.errors());
    return child.output();
  };
  const created = await admin("merchant", "create", "--name", "A merchant of a test");
  const merchantId = /\bmer_\w+/.exec(created)?.[0] ?? "";
  const scopes =
    "payments:write,webhooks:write,currencies:write,currencies:read,withdrawals:write,withdraw_addresses:write";
  const words = ["key", "create", "--merchant", merchantId, "--scopes", scopes];
  const [key = "", secret = ""] = (await admin(...words)).match(/[ms]k_test_[\w-]+/g) ?? [];
  const credentials = { key, secret };
  return {
    server,
    url,
    merchantId,
    credentials,
    secrets: [nodeKey, encryptionKey, databaseUrl, key, secret, merchantId],
    call: ({ method, path, body, headers = {} }) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const idempotencyKey = method === "GET" ? undefined : randomBytes(12).toString("hex");
      const signed = signSync({ ...credentials, method, path, body: text, idempotencyKey });
      return fetch(url + path, {
        method,
        ...(text === undefined ? {} : { body: text }),
        headers: { "Content-Type": "application/json", ...signed, ...headers },
      });
    },
    remove,
  };
}
