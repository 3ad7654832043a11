// What this process sends, and x402, which queues some of it: each needs the other.

import { setTimeout as delay } from "node:timers/promises";
import type { CatalogReader } from "../../service/catalog/catalog.ts";
import type { WatchedAccounts } from "../../service/chains/deposits.ts";
import { ChainSettings } from "../../service/sweeps/settings.ts";
import type { Job } from "../../service/jobs/jobs.ts";
import type { Clock } from "../../service/ports/clock.ts";
import type { Database } from "../../service/ports/database.ts";
import type { Identifiers } from "../../service/ports/identifiers.ts";
import type { Random } from "../../service/ports/random.ts";
import type { SettlementChain } from "../../service/ports/settlement-chain.ts";
import type { ActionSigner } from "../../service/ports/signer.ts";
import type { OwnAccount } from "../../service/withdrawals/own-accounts.ts";
import { X402 } from "../../service/x402/x402.ts";
import type { ChainConfiguration } from "../configuration/chains.ts";
import type { Alarm } from "../system/alarm.ts";
import { buildOutgoing } from "./sending-jobs.ts";
import type { Outgoing, OutgoingPorts } from "./sending-jobs.ts";

/** How long a settlement waits for the chain; shorter than what clients usually wait. */
const settleWaitMilliseconds = 20_000;

export interface ChainMoneyPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly identifiers: Identifiers;
  readonly random: Random;
  readonly catalog: CatalogReader;
  readonly alarm: Alarm;
  readonly observer?: OutgoingPorts["observer"];
  /** none: nothing is sent by this process */
  readonly settlementChains: readonly SettlementChain[];
  readonly actionSigner: ActionSigner | undefined;
  readonly configuration: Pick<
    ChainConfiguration,
    "treasuryAddress" | "x402ReleaseSeconds" | "withdrawalGasUnitsMax"
  >;
  /** in place of the number above */
  readonly settleWaitMilliseconds?: number;
}

export interface ChainMoney {
  readonly x402: X402;
  readonly jobs: readonly Job[];
  /** what is ours on every chain */
  readonly accounts: readonly OwnAccount[];
  /** of them, where the watcher looks for money that nobody has asked for */
  readonly watched: WatchedAccounts;
}

export function buildChainMoney(ports: ChainMoneyPorts): ChainMoney {
  const { actionSigner: signer, settlementChains, configuration } = ports;
  const { treasuryAddress = null, x402ReleaseSeconds } = configuration;
  const connected =
    signer === undefined ? [] : settlementChains.map((chain) => ({ chain, signer }));
  const settings = new ChainSettings(ports);
  // Each needs the other: nothing is sent before both are there.
  const x402 = new X402({
    ...ports,
    chains: connected.map(({ chain, signer: { accounts } }) => ({
      chain,
      settlementAddress: accounts.settlementAddress,
    })),
    sendNow: (chainId, account) => outgoing.sender.sendNow(chainId, account),
    waitMilliseconds: ports.settleWaitMilliseconds ?? settleWaitMilliseconds,
    pause: (milliseconds) => delay(milliseconds),
    releaseMilliseconds: x402ReleaseSeconds * 1000,
    merchantGasRaw: (chainId) => settings.merchantGasRaw(chainId),
  });
  const outgoing: Outgoing = buildOutgoing({
    ...ports,
    chains: connected,
    sweeping: () => ({
      treasuryAddress,
      floatRawMax: (deploymentId) => settings.floatRawMax(deploymentId),
      minimumRaw: () => null,
    }),
    gasBudgetRaw: (chainId) => settings.gasBudgetRaw(chainId),
    merchantGasRaw: (chainId) => settings.merchantGasRaw(chainId),
    withdrawalGasUnitsMax: configuration.withdrawalGasUnitsMax,
    x402,
  });
  const accounts = ownAccountsOf(ports);
  const jobs = connected.length === 0 ? [] : [...outgoing.jobs, ...x402.jobs()];
  const settlement = signer === undefined ? [] : [signer.accounts.settlementAddress];
  return { x402, jobs, accounts, watched: { settlement } };
}

/** As far as this process knows them. */
export function ownAccountsOf({
  actionSigner,
  configuration: { treasuryAddress },
}: {
  readonly actionSigner?: ActionSigner | undefined;
  readonly configuration: Pick<ChainConfiguration, "treasuryAddress">;
}): readonly OwnAccount[] {
  const { hotAddress, settlementAddress } = actionSigner?.accounts ?? {};
  const all = [
    { account: hotAddress, role: "hot" },
    { account: settlementAddress, role: "settlement" },
    { account: treasuryAddress, role: "treasury" },
  ] as const;
  return all.flatMap(({ account, role }) => (account === undefined ? [] : [{ account, role }]));
}

/** Each is nothing without the other. */
export async function warnOfTreasury(
  ports: Pick<ChainMoneyPorts, "database" | "clock" | "configuration"> & {
    readonly log: { readonly warn: (facts: object, text: string) => void };
  },
): Promise<void> {
  const { treasuryAddress } = ports.configuration;
  const hasFloats = await new ChainSettings(ports).hasFloats();
  if (treasuryAddress !== undefined && !hasFloats) {
    const text = "nothing goes to TREASURY_ADDRESS: no deployment has a float (admin chain float)";
    ports.log.warn({ treasury: treasuryAddress }, text);
  }
  if (treasuryAddress === undefined && hasFloats) {
    ports.log.warn({}, "floats have no effect without TREASURY_ADDRESS: the hot account keeps all");
  }
}
