// Threat 16 as it would happen: 200 requests for all that is available, over two server processes.

import { expect, test } from "vitest";
import { readAnswer } from "../support/contract-answers.ts";
import { send, validRequest } from "../support/contract-requests.ts";
import { operationBy } from "../support/contract-resources.ts";
import { payableRequest } from "../support/withdrawal-resources.ts";
import { startSigner } from "../signer/process.ts";
import { urlOf, useInstallation } from "../threats/processes.ts";

const installation = useInstallation();
const requests = 200;

test("one of 200 withdrawals of the whole balance succeeds, and the ledger adds up", async () => {
  const { socketPath: SIGNER_SOCKET } = await startSigner();
  // Nobody is there: what is asked for waits.
  const chain = { EVM_RPC_URLS: "eip155:8453=http://127.0.0.1:9", SIGNER_SOCKET };
  const servers = [await installation.start(chain), await installation.start(chain)];
  const urls = servers.map(urlOf);
  const merchant = await installation.newKey();
  const first = { ...merchant, url: urls[0] ?? "" };
  const body = await payableRequest(installation.query, first, { amount: "1000" });
  const operation = operationBy("requestWithdrawal");
  const answers = await Promise.all(
    Array.from({ length: requests }, async (_, at) => {
      const signer = { ...merchant, url: urls[at % 2] ?? "" };
      return readAnswer(await send(signer, validRequest(operation, { body })), operation);
    }),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(1);
  const others = new Set(statuses.filter((status) => status !== 201));
  // The quota of a key for money is 60 a minute and process.
  expect([...others].every((status) => status === 422 || status === 429)).toBe(true);
  expect(others).toContain(422);
  const rows = await installation.query(
    `select kind, balance::text as raw from ledger_accounts
      where merchant_id is not null order by kind`,
  );
  expect(rows).toEqual([
    { kind: "merchant:available", raw: "0" },
    { kind: "merchant:withdrawing", raw: "1000000000" },
  ]);
  const sums = await installation.query(
    "select sum(amount)::text as sum from ledger_postings group by deployment_id",
  );
  expect(sums).toEqual([{ sum: "0" }]);
});
