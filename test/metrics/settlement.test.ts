// A settlement on a real chain, as it is counted.

import { expect, test } from "vitest";
import { send, validRequest } from "../support/contract-requests.ts";
import { operationBy } from "../support/contract-resources.ts";
import { useService } from "../support/service.ts";
import { localPayment, settlementOf } from "../support/x402-resources.ts";
import { samplesOf } from "./exposition.ts";

const service = useService("PostgreSQL", { hasChain: true, hasMetrics: true });

test("what it signs, and that no nonce is missing", async () => {
  const merchant = await service.newMerchant();
  const body = await settlementOf(await localPayment(merchant));
  const settle = operationBy("settleX402Payment");
  expect((await send(merchant, validRequest(settle, { body }))).status).toBe(200);
  const found = samplesOf(await service.metrics.text("prometheus"));
  const chain = 'chain_id="eip155:31337"';
  const signed = `pay_transactions_signed_total{${chain},purpose="x402_settlement",kind="first"}`;
  expect(found.get(signed)).toBe(1);
  expect(found.get(`pay_sender_nonces_missing{${chain},account="settlement"}`)).toBe(0);
});
