// What is ours is no withdraw address from the first start on, before anything was ever sent from it
// (threat 21).

import { expect, test } from "vitest";
import { send, validRequest } from "../support/contract-requests.ts";
import { operationBy } from "../support/contract-resources.ts";
import { useService } from "../support/service.ts";
import { testActionSigner } from "../x402/action-signer.ts";

const treasuryAddress = "0x1111111111111111111111111111111111111111";
const { hotAddress, settlementAddress } = testActionSigner().accounts;
const service = useService("PostgreSQL", { hasChain: true, treasuryAddress });

test.each([
  ["the hot account", hotAddress],
  ["the settlement account", settlementAddress],
  ["the treasury", treasuryAddress],
  ["the treasury in lower case", treasuryAddress.toLowerCase()],
])("%s is refused, on every chain", async (_, address) => {
  const merchant = await service.newMerchant();
  const operation = operationBy("registerWithdrawAddress");
  for (const chain_id of ["eip155:8453", "eip155:84532"]) {
    const request = validRequest(operation, { body: { chain_id, address } });
    const response = await send(merchant, request);
    expect([response.status, await response.json()]).toMatchObject([
      422,
      { code: "address_not_allowed" },
    ]);
  }
});
