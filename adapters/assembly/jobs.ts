// Everything that happens by itself, but for webhooks.

import { ChainHealth } from "../../service/chains/health.ts";
import { watcherJobs } from "../../service/chains/watcher.ts";
import type { OnTouched } from "../../service/chains/touched.ts";
import type { CatalogReader } from "../../service/catalog/catalog.ts";
import type { Job } from "../../service/jobs/jobs.ts";
import { releasesInFlightRaw } from "../../service/sending/confirmer.ts";
import { expirePayments } from "../../service/payments/expiry.ts";
import { PaymentProgress } from "../../service/payments/progress.ts";
import { PaymentTroubles } from "../../service/payments/troubles.ts";
import type { Payments } from "../../service/payments/payments.ts";
import type { Chain } from "../../service/ports/chain.ts";
import type { Clock } from "../../service/ports/clock.ts";
import type { Database } from "../../service/ports/database.ts";
import type { Identifiers } from "../../service/ports/identifiers.ts";
import type { Random } from "../../service/ports/random.ts";
import { retentionJobs } from "../../service/retention/retention.ts";
import type { WithdrawAddresses } from "../../service/withdrawals/addresses.ts";
import type { SendingChain } from "../../service/withdrawals/sender.ts";
import { withdrawalsInFlightRaw } from "../../service/withdrawals/confirmer.ts";
import type { Withdrawals } from "../../service/withdrawals/withdrawals.ts";
import { ledgerJobs } from "./ledger-jobs.ts";
import type { Logger } from "../system/logging.ts";
import { scheduleJobs } from "./schedule-jobs.ts";
import { buildAlarm, withdrawalJobs } from "./withdrawal-jobs.ts";

export interface BackgroundPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly identifiers: Identifiers;
  readonly random: Random;
  readonly log: Logger;
  /** the chains that are watched; with none, no job about chains runs */
  readonly chains: readonly Chain[];
  /** those that money is sent on */
  readonly sendingChains: readonly SendingChain[];
  /** by chain: what else is ours there, such as the settlement account and the treasury */
  readonly ownAccounts?: (chainId: string) => readonly string[];
  readonly catalog: CatalogReader;
  readonly payments: Payments;
  readonly withdrawals: Withdrawals;
  readonly withdrawAddresses: WithdrawAddresses;
}

/** A new job is one more line. */
export function backgroundJobs(ports: BackgroundPorts): readonly Job[] {
  const { database, sendingChains, ownAccounts = () => [] } = ports;
  const sending = new Map(sendingChains.map((one) => [one.chain.chainId, one]));
  return [
    ...retentionJobs(ports),
    ...withdrawalJobs(ports),
    ...paymentJobs(ports),
    ...scheduleJobs({ ...ports, health: new ChainHealth(ports) }),
    ...ledgerJobs({
      ...ports,
      chainOf: (chainId) => {
        const one = sending.get(chainId);
        if (one === undefined) return undefined;
        return { chain: one.chain, accounts: [one.signer.address, ...ownAccounts(chainId)] };
      },
      inFlightRaw: async (deploymentId) =>
        (await withdrawalsInFlightRaw(database, deploymentId)) +
        (await releasesInFlightRaw(database, deploymentId)),
    }),
  ];
}

/** What the chains say of payments, what follows from it, and the end of those that nobody paid. */
function paymentJobs(ports: BackgroundPorts): readonly Job[] {
  const { chains } = ports;
  const progress = new PaymentProgress(ports);
  const onTouched: OnTouched = (database, ids) => progress.refresh(database, ids);
  const troubles = new PaymentTroubles({ ...ports, progress, alarm: buildAlarm(ports) });
  const connectedChainIds = chains.map(({ chainId }) => chainId);
  const health = new ChainHealth(ports);
  return [
    ...watcherJobs({ ...ports, onTouched, postpone: troubles.postpone }),
    expirePayments({ ...ports, progress, troubles, health, connectedChainIds }),
    troubles.job(),
  ];
}
