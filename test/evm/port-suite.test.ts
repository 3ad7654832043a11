// The promises of the chain ports, kept on a real chain.

import { afterAll, beforeAll } from "vitest";
import { openEvmChain } from "../../adapters/evm/chain.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { describeChain } from "../chains/port-suite.ts";
import { type TestChain, startTestChain } from "../support/local-chain.ts";
import { localSigner } from "../support/local-signer.ts";
import { collectingLog } from "./faulty-endpoint.ts";

let local: TestChain;
let refusingToken: string;
let otherToken: string;
const ether = 10n ** 18n;

beforeAll(async () => {
  local = await startTestChain();
  refusingToken = await local.deploy("RefusingToken");
  otherToken = await local.deploy("SilentToken");
  await local.mint(payer(), 2n ** 80n);
});
afterAll(() => local.close());

let drivers = 0;
let addresses = 0;

function payer(): string {
  return local.accounts[0].address;
}

describeChain("the EVM adapter", async () => {
  const { url, chainId, usdAddress, mine } = local;
  const { log } = collectingLog();
  const chain = await openEvmChain({ chainId, urls: [url], clock: systemClock, log });
  const signer = localSigner(`driver ${(drivers += 1)}`);
  await local.giveCoin(signer.address, 10n * ether);
  await local.mint(signer.address, 10n ** 12n);
  const refusing = { contract: "RefusingToken", address: refusingToken };
  const close = (isClosed: boolean) =>
    local.write(payer(), { ...refusing, functionName: "setClosed", parameters: [isClosed] });
  await close(false);
  await local.mint(signer.address, 10n ** 12n, refusingToken);
  await close(true);
  await mine();
  return {
    chain,
    signer,
    token: usdAddress,
    otherToken,
    refusingToken,
    newAddress: () => localSigner(`fresh ${(addresses += 1)}`).address,
    deposit: async (deposit) => {
      const hash = await local.transfer({ ...deposit, from: payer() });
      await mine();
      return hash;
    },
    mine: async (count) => void (await mine(count)),
    reorg: (depth) => local.reorg(depth),
  };
});
