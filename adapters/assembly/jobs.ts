// Everything that happens by itself, but for webhooks.

import { ChainHealth } from "../../service/chains/health.ts";
import type { WatchedAccounts } from "../../service/chains/deposits.ts";
import { watcherJobs } from "../../service/chains/watcher.ts";
import type { WatcherPorts } from "../../service/chains/watcher.ts";
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
import { goneJob, takeBackGone } from "../../service/suspense/gone.ts";
import { PaymentTroubles } from "../../service/payments/troubles.ts";
import type { Payments } from "../../service/payments/payments.ts";
import type { RecordingPorts, StoragePorts } from "../../service/ports/recording.ts";
import type { Chain } from "../../service/ports/chain.ts";
import type { Database } from "../../service/ports/database.ts";
import type { WatchedChains } from "../../service/ports/watched-chains.ts";
import type { Random } from "../../service/ports/random.ts";
import type { WithdrawAddresses } from "../../service/withdrawals/addresses.ts";
import type { Withdrawals } from "../../service/withdrawals/withdrawals.ts";
import { paidBackJob } from "../../service/ledger/borne-debts.ts";
import { ledgerVerifyJob } from "../../service/ledger/verify-job.ts";
import { reserveCheckJob } from "../../service/ledger/reserve.ts";
import type { ReservePorts } from "../../service/ledger/reserve.ts";
import { chainHoldings } from "../../service/ledger/reserve-holdings.ts";
import type { HoldingChain } from "../../service/ledger/reserve-holdings.ts";
import { accountCheckJob } from "../../service/ledger/account-check.ts";
import type { CheckedChain, NamedAccount } from "../../service/ledger/account-comparison.ts";
import { dustBelow, finalityOf } from "../../service/catalog/finality.ts";
import { billingJob } from "../../service/subscriptions/biller.ts";
import type { BillerPorts } from "../../service/subscriptions/biller.ts";
import { payoutJobs } from "../../service/payouts/runner.ts";
import type { PayoutRunnerPorts } from "../../service/payouts/runner.ts";
import { readDatabaseTime } from "../../service/payouts/runner.sql.ts";
import type { Alarm } from "../system/alarm.ts";
import type { Logger } from "../system/logging.ts";

/** Hears of what the jobs find, to count it. */
export interface BackgroundObserver {
  readonly onReorganised?: WatcherPorts["onReorganised"];
  readonly onMeasured?: ReservePorts["onMeasured"];
}

export interface BackgroundPorts extends RecordingPorts, WatchedChains, BackgroundObserver {
  readonly random: Random;
  readonly log: Logger;
  readonly alarm: Alarm;
  /** the chains that are watched; with none, no job about chains runs */
  readonly chains: readonly Chain[];
  /** those that money is sent on */
  readonly settlementChains: readonly Chain[];
  /** what is ours there */
  readonly ownAccounts: readonly NamedAccount[];
  /** where money may come that nobody has asked for */
  readonly watchedAccounts: WatchedAccounts;
  readonly catalog: CatalogReader;
  readonly payments: Payments;
  readonly withdrawals: Withdrawals;
  readonly withdrawAddresses: WithdrawAddresses;
}

/** A new job is one more line. */
export function backgroundJobs(ports: BackgroundPorts): readonly Job[] {
  const { database, settlementChains } = ports;
  return [
    ...forgettingJobs(ports),
    ports.withdrawAddresses.announcing(),
    ...paymentJobs(ports),
    ...scheduleJobs({ ...ports, health: new ChainHealth(ports) }),
    ...ledgerJobs({
      ...ports,
      chainOf: (chainId) => settlementChains.find((one) => one.chainId === chainId),
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
    ...watcherJobs({
      ...ports,
      accounts: ports.watchedAccounts,
      onTouched,
      onNobodysGone: (inside, chainId) => takeBackGone(ports, inside, chainId),
      postpone: troubles.postpone,
    }),
    expirePayments({ ...ports, progress, troubles, health, connectedChainIds }),
    troubles.job(),
    goneJob(ports),
    paidBackJob(ports),
  ];
}

export interface LedgerJobPorts extends StoragePorts, Pick<BackgroundObserver, "onMeasured"> {
  readonly log: Pick<Logger, "warn" | "error">;
  readonly catalog: Pick<CatalogReader, "allDeployments">;
  /** by CAIP-2; none: not connected */
  readonly chainOf: (chainId: string) => (CheckedChain & HoldingChain["chain"]) | undefined;
  readonly ownAccounts: readonly NamedAccount[];
  readonly inFlightRaw: ReservePorts["inFlightRaw"];
}

/** What looks after the ledger, and what it says in the log. */
export function ledgerJobs({ log, ...ports }: LedgerJobPorts): readonly Job[] {
  const accounts = ports.ownAccounts.map(({ account }) => account);
  return [
    accountJob({ log, ...ports }),
    ledgerVerifyJob({
      ...ports,
      onDifference: (differences) =>
        log.error({ differences }, "the ledger differs from its postings"),
    }),
    reserveCheckJob({
      ...ports,
      holdings: chainHoldings({
        database: ports.database,
        chainOf: (chainId) => {
          const chain = ports.chainOf(chainId);
          return chain === undefined ? undefined : { chain, accounts };
        },
      }),
      onGap: ({ deploymentId, heldRaw, inFlightRaw, owedRaw }, isNew) =>
        log.error(
          {
            deployment_id: deploymentId,
            held_raw: heldRaw.toString(),
            in_flight_raw: inFlightRaw.toString(),
            owed_raw: owedRaw.toString(),
            is_new: isNew,
          },
          "the chain holds less than is owed: withdrawals of the deployment are frozen",
        ),
      onUnknown: ({ id, chainId }) =>
        log.warn(
          { deployment_id: id, chain_id: chainId },
          "nobody can say what the chain holds: the reserve is not checked",
        ),
    }),
  ];
}

function accountJob({ log, catalog, ownAccounts, ...ports }: LedgerJobPorts): Job {
  return accountCheckJob({
    ...ports,
    own: ownAccounts,
    toldFromRaw: async (deploymentId) => {
      const found = (await catalog.allDeployments()).find(({ id }) => id === deploymentId);
      return dustBelow(undefined, found && finalityOf(found));
    },
    onDifference: ({ deploymentId, account, heldRaw, bookedRaw, blockNumber, since }) =>
      log.error(
        {
          deployment_id: deploymentId,
          account,
          held_raw: heldRaw.toString(),
          booked_raw: bookedRaw.toString(),
          block_number: blockNumber.toString(),
          since: since.toISOString(),
        },
        heldRaw > bookedRaw
          ? "an account holds more than is booked: find out whose it is, and book it"
          : "an account holds less than is booked: find out where it went, and book it",
      ),
    onUncompared: ({ deploymentId, chainId }) =>
      log.warn(
        { deployment_id: deploymentId, chain_id: chainId },
        "nobody can say what our accounts hold: they are not compared with the books",
      ),
    onUnanswered: ({ deploymentId, chainId }, addresses) =>
      log.warn(
        { deployment_id: deploymentId, chain_id: chainId, addresses },
        "the chain gave no answer for some addresses of payments: they are asked about again",
      ),
  });
}

export interface ScheduleJobPorts extends BillerPorts, Pick<PayoutRunnerPorts, "withdrawals"> {
  readonly health: Pick<ChainHealth, "list">;
  /** in place of the database's clock */
  readonly now?: PayoutRunnerPorts["now"];
}

/** What happens again and again: payouts to merchants, and bills to their customers. */
export function scheduleJobs(ports: ScheduleJobPorts): readonly Job[] {
  const { database, health } = ports;
  const freshChains = async (): Promise<readonly string[]> => {
    const reports = await health.list();
    return reports.filter(({ isStale }) => !isStale).map(({ chainId }) => chainId);
  };
  const now = ports.now ?? (() => databaseTime(database));
  return [...payoutJobs({ ...ports, freshChains, now }), billingJob(ports)];
}

async function databaseTime(database: Database): Promise<Date> {
  const [row] = await database.run(readDatabaseTime, {});
  if (row === undefined) throw new Error("the database has no time");
  return row.now;
}
