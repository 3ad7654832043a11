// A real chain for tests of the whole service: it mines every transaction by itself, and payers have
// money there and let Permit2 move it.

import { systemClock } from "../../adapters/system/clock.ts";
import { openEvmChain } from "../../adapters/evm/chain.ts";
import type { SettlementChain } from "../../service/ports/settlement-chain.ts";
import type { ActionSigner } from "../../service/ports/signer.ts";
import { settlementAddress, testActionSigner } from "../x402/action-signer.ts";
import { type TestChain, startTestChain } from "./local-chain.ts";
import { approvePermit2 } from "./permit2.ts";
import { testAccounts } from "./test-accounts.ts";

export interface SettlingChain {
  readonly local: TestChain;
  /** of `openService` */
  readonly ports: {
    readonly chains: readonly SettlementChain[];
    readonly settlementChains: readonly SettlementChain[];
    readonly actionSigner: ActionSigner;
  };
  readonly close: () => Promise<void>;
}

export async function startSettlingChain(): Promise<SettlingChain> {
  const local = await startTestChain();
  const [payer] = testAccounts;
  await local.giveCoin(settlementAddress, 10n ** 20n);
  await local.mint(payer.address, 10n ** 15n);
  await approvePermit2(local, payer.address);
  await local.setAutomine(true);
  const quiet = (): void => undefined;
  const log = { info: quiet, warn: quiet, error: quiet };
  const { chainId, url } = local;
  const chain = await openEvmChain({ chainId, urls: [url], clock: systemClock, log });
  return {
    local,
    ports: { chains: [chain], settlementChains: [chain], actionSigner: testActionSigner() },
    close: local.close,
  };
}
