// `status` as people call it, beside a server on PostgreSQL: the process that looks runs no job itself.

import { randomBytes } from "node:crypto";
import { afterEach, expect, test, vi } from "vitest";
import { endChildren, startChild, startServerChild } from "../programs/child.ts";
import { startSigner } from "../signer/process.ts";
import { makePostgresDatabase } from "../support/engines.ts";
import { patienceMilliseconds } from "../support/patience.ts";

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await endChildren();
  for (const step of cleanUp.splice(0).toReversed()) await step();
});

test("says which jobs fail there: those of a chain without a node", async () => {
  const { url, remove } = await makePostgresDatabase();
  cleanUp.push(remove);
  const signer = await startSigner();
  const environment = {
    DATABASE_URL: url,
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    // Nobody is there.
    EVM_RPC_URLS: "eip155:84532=http://127.0.0.1:9",
    SIGNER_SOCKET: signer.socketPath,
  };
  await startServerChild(environment);
  const status = async () => {
    const child = startChild(["adapters/admin.ts", "status"], environment);
    const { code } = await child.ended;
    return { code, text: child.output() + child.errors() };
  };
  let last = await status();
  const tells = (name: string) => last.text.includes(`job_failing ${name} `);
  await vi.waitUntil(
    async () => {
      last = await status();
      return tells("watch-eip155-84532") && tells("send-eip155-84532");
    },
    { timeout: patienceMilliseconds },
  );
  expect(last.code).toBe(1);
  expect(last.text).toMatch(/^jobs +\d+, [1-9]\d* of them failing$/m);
});
