// Everything that happens by itself, but for webhooks.

import { ChainHealth } from "../../service/chains/health.ts";
import { watcherJobs } from "../../service/chains/watcher.ts";
import type { OnTouched } from "../../service/chains/touched.ts";
import type { CatalogReader } from "../../service/catalog/catalog.ts";
import { forgetSealedSecrets, freeIdempotencyKeys } from "../../service/idempotency/forget.ts";
import type { ForgettingPorts } from "../../service/jobs/forgetting.ts";
import type { Job } from "../../service/jobs/jobs.ts";
import { outgoingInFlightRaw } from "../../service/sending/confirmer.ts";
import { forgetNonces } from "../../service/merchants/nonces.ts";
import { deleteEvents, finishDeliveries } from "../../service/webhooks/retention.ts";
import { expirePayments } from "../../service/payments/expiry.ts";
import { PaymentProgress } from "../../service/payments/progress.ts";
import { PaymentTroubles } from "../../service/payments/troubles.ts";
import type { Payments } from "../../service/payments/payments.ts";
import type { Chain } from "../../service/ports/chain.ts";
import type { Clock } from "../../service/ports/clock.ts";
import type { Database } from "../../service/ports/database.ts";
import type { Identifiers } from "../../service/ports/identifiers.ts";
import type { Random } from "../../service/ports/random.ts";
import type { WithdrawAddresses } from "../../service/withdrawals/addresses.ts";
import type { Withdrawals } from "../../service/withdrawals/withdrawals.ts";
import { ledgerJobs } from "./ledger-jobs.ts";
import type { Alarm } from "../system/alarm.ts";
import type { Logger } from "../system/logging.ts";
import { scheduleJobs } from "./schedule-jobs.ts";

export interface BackgroundPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly identifiers: Identifiers;
  readonly random: Random;
  readonly log: Logger;
  readonly alarm: Alarm;
  /** the chains that are watched; with none, no job about chains runs */
  readonly chains: readonly Chain[];
  /** those that money is sent on */
  readonly settlementChains: readonly Chain[];
  /** what is ours there: hot account, settlement account, treasury */
  readonly ownAccounts: readonly string[];
  readonly catalog: CatalogReader;
  readonly payments: Payments;
  readonly withdrawals: Withdrawals;
  readonly withdrawAddresses: WithdrawAddresses;
}

/** A new job is one more line. */
export function backgroundJobs(ports: BackgroundPorts): readonly Job[] {
  const { database, settlementChains, ownAccounts: accounts } = ports;
  return [
    ...forgettingJobs(ports),
    ports.withdrawAddresses.announcing(),
    ...paymentJobs(ports),
    ...scheduleJobs({ ...ports, health: new ChainHealth(ports) }),
    ...ledgerJobs({
      ...ports,
      chainOf: (chainId) => {
        const chain = settlementChains.find((one) => one.chainId === chainId);
        return chain === undefined ? undefined : { chain, accounts };
      },
      inFlightRaw: (deploymentId) => outgoingInFlightRaw(database, deploymentId),
    }),
  ];
}

/** What is past its time. */
export function forgettingJobs(ports: ForgettingPorts): readonly Job[] {
  return [
    forgetNonces(ports),
    forgetSealedSecrets(ports),
    freeIdempotencyKeys(ports),
    finishDeliveries(ports),
    deleteEvents(ports),
  ];
}

/** What the chains say of payments, what follows from it, and the end of those that nobody paid. */
function paymentJobs(ports: BackgroundPorts): readonly Job[] {
  const { chains } = ports;
  const progress = new PaymentProgress(ports);
  const onTouched: OnTouched = (database, ids) => progress.refresh(database, ids);
  const troubles = new PaymentTroubles({ ...ports, progress });
  const connectedChainIds = chains.map(({ chainId }) => chainId);
  const health = new ChainHealth(ports);
  return [
    ...watcherJobs({ ...ports, onTouched, postpone: troubles.postpone }),
    expirePayments({ ...ports, progress, troubles, health, connectedChainIds }),
    troubles.job(),
  ];
}
