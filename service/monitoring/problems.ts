// What of the state of the service somebody has to look at, and with which command. The same as the alerts for
// Prometheus say of these numbers, for who has only a terminal.

import { isFailing } from "../jobs/jobs.ts";
import type { JobReport } from "../jobs/jobs.ts";
import { silentMilliseconds } from "./monitoring.ts";
import type { ServiceState } from "./monitoring.ts";

export interface Problem {
  /** a word for programs, and what it is about */
  readonly what: string;
  /** what it is, and what to do */
  readonly text: string;
}

const minuteMilliseconds = 60_000;
const hourMilliseconds = 60 * minuteMilliseconds;

/** A transaction, or a decision, that has waited for so long. */
const waitedMilliseconds = hourMilliseconds;
const overdueMilliseconds = 5 * minuteMilliseconds;
const suspenseMilliseconds = 24 * hourMilliseconds;
/** Four fifths of a day's gas are used. */
const gasShare = { used: 5n, of: 4n };

export function problemsOf(state: ServiceState, nowMilliseconds: number): readonly Problem[] {
  return [
    ...chainProblems(state),
    ...jobProblems(state.jobs, nowMilliseconds),
    ...moneyProblems(state),
    ...waitingProblems(state),
  ];
}

function chainProblems({ chains, gas }: ServiceState): readonly Problem[] {
  const stale = chains.filter(({ isStale }) => isStale);
  const spent = gas.filter(({ spentRaw, budgetRaw }) => {
    return budgetRaw !== null && spentRaw * gasShare.used > budgetRaw * gasShare.of;
  });
  return [
    ...stale.map(({ chainId }) => ({
      what: `chain_stale ${chainId}`,
      text: "What is known of the chain is too old: look at its nodes.",
    })),
    ...spent.map(({ chainId }) => ({
      what: `gas_budget ${chainId}`,
      text: "Four fifths of what x402 may cost today are used: chain gas-budget, if that is intended.",
    })),
  ];
}

function jobProblems(jobs: readonly JobReport[], nowMilliseconds: number): readonly Problem[] {
  return jobs.flatMap(({ name, last }) => {
    const succeeded = last?.succeededAt?.getTime();
    if (isFailing(last)) {
      return [
        { what: `job_failing ${name}`, text: "It fails again and again: job list, and the log." },
      ];
    }
    if (succeeded === undefined || nowMilliseconds - succeeded <= silentMilliseconds) return [];
    return [
      { what: `job_silent ${name}`, text: "It has not succeeded for three hours: job list." },
    ];
  });
}

function moneyProblems({ attention }: ServiceState): readonly Problem[] {
  const { accountDifferences, isLedgerDifferent } = attention;
  return [
    ...listIf(isLedgerDifferent, {
      what: "ledger_differs",
      text: "The ledger differs from its postings: withdrawal stop, and ledger verify says where.",
    }),
    ...attention.frozenDeploymentIds.map((id) => ({
      what: `deployment_frozen ${id}`,
      text: "The chain held less than is owed, and its withdrawals wait: ledger unfreeze, once it is understood.",
    })),
    ...attention.stoppedChainIds.map((id) => ({
      what: `withdrawals_stopped ${id}`,
      text: "Nothing is withdrawn there: withdrawal resume, once it is understood.",
    })),
    ...listIf(accountDifferences > 0, {
      what: "accounts_differ",
      text: `${accountDifferences} of our accounts hold something else than is booked: the log says which.`,
    }),
  ];
}

function waitingProblems({
  withdrawals,
  outgoing,
  deliveries,
  attention,
}: ServiceState): readonly Problem[] {
  const held = withdrawals.filter(({ heldBecause, oldestMilliseconds }) => {
    return heldBecause !== null && oldestMilliseconds > waitedMilliseconds;
  });
  const old = outgoing.filter(({ purpose, status, oldestMilliseconds }) => {
    // What is queued there may wait for the gas of the next day.
    const mayWait = purpose === "x402_settlement" && status === "queued";
    return !mayWait && oldestMilliseconds > waitedMilliseconds;
  });
  const { suspense, paymentTroubles } = attention;
  return [
    ...held.map(({ heldBecause, environment }) => ({
      what: `withdrawal_held ${environment} ${heldBecause}`,
      text: "It has waited for a decision for more than an hour: withdrawal held.",
    })),
    ...old.map(({ chainId, purpose, status }) => ({
      what: `transaction_old ${chainId} ${purpose} ${status}`,
      text: "It has waited for more than an hour: chain outgoing says why.",
    })),
    ...listIf(deliveries.overdueMilliseconds > overdueMilliseconds, {
      what: "webhooks_overdue",
      text: "Webhooks are due for five minutes: does a server send any, or is a receiver slow?",
    }),
    ...listIf(suspense.oldestMilliseconds > suspenseMilliseconds, {
      what: "suspense_old",
      text: "Money has waited for a decision for more than a day: suspense list.",
    }),
    ...listIf(paymentTroubles > 0, {
      what: "payment_troubles",
      text: `Something could not be worked out for ${paymentTroubles} payments: chain troubles.`,
    }),
  ];
}

function listIf(isSo: boolean, problem: Problem): readonly Problem[] {
  return isSo ? [problem] : [];
}
