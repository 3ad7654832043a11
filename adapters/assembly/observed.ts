// The parts of the service, each counted where there is somebody who counts.

import { Monitoring } from "../../service/monitoring/monitoring.ts";
import type { MonitoringPorts } from "../../service/monitoring/monitoring.ts";
import type { Job, JobRun } from "../../service/jobs/jobs.ts";
import type { Database } from "../../service/ports/database.ts";
import type { Chain } from "../../service/ports/chain.ts";
import type { SettlementChain } from "../../service/ports/settlement-chain.ts";
import type { ActionSigner } from "../../service/ports/signer.ts";
import type { WebhookSender } from "../../service/ports/webhook-sender.ts";
import type { DispatcherPorts } from "../../service/webhooks/dispatcher.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { BackgroundObserver } from "./jobs.ts";
import type { OutgoingPorts } from "./sending-jobs.ts";
import type { SignerJobParts } from "./signer-jobs.ts";

interface Parts {
  readonly database: (database: Database) => Database;
  readonly sender: (sender: WebhookSender) => WebhookSender;
  readonly onAttempted: DispatcherPorts["onAttempted"];
  readonly onAlarm: ((what: string) => void) | undefined;
  readonly jobs: (jobs: RunningJobs) => RunningJobs;
  readonly background: BackgroundObserver;
  readonly money: Pick<OutgoingPorts, "observer"> & Pick<SignerJobParts, "onLimitUses">;
  readonly onReplayed: ((operationId: string) => void) | undefined;
}

interface RunningJobs {
  readonly all: readonly Job[];
  readonly run: (job: Job) => Promise<JobRun>;
}

const asItIs = <Part>(part: Part): Part => part;

export function observed(metrics: Metrics | undefined): Parts {
  const { work, requests, chains, reserve, sending, signer, deposits } = metrics ?? {};
  const eventsOf = work?.observeEvents ?? asItIs;
  const depositsOf = deposits?.observe ?? asItIs;
  return {
    database: (database) => depositsOf(eventsOf(database)),
    sender: work?.observeSender ?? asItIs,
    onAttempted: work?.onAttempted,
    onAlarm: work?.onAlarm,
    jobs: work?.observeJobs ?? asItIs,
    background: { onReorganised: chains?.onReorganised, onMeasured: reserve?.onMeasured },
    money: { observer: sending?.observer, onLimitUses: signer?.onLimitUses },
    onReplayed: requests?.onReplayed,
  };
}

/** Of the state of the whole, for an operator, and for whoever counts. */
export function buildMonitoring(
  { metrics, settlementChains = [], actionSigner }: CountedPorts,
  ports: Omit<MonitoringPorts, "settling">,
): Monitoring {
  // Where x402 settles, and which account pays for it.
  const { settlementAddress: account } = actionSigner?.accounts ?? {};
  const settling = settlementChains.flatMap(({ chainId }) =>
    account === undefined ? [] : [{ chainId, account }],
  );
  const monitoring = new Monitoring({ ...ports, settling });
  metrics?.state.watch(() => monitoring.read());
  return monitoring;
}

interface ChainParts {
  readonly chains?: readonly Chain[];
  readonly settlementChains?: readonly SettlementChain[];
  readonly actionSigner?: ActionSigner;
}

interface CountedPorts extends Pick<ChainParts, "settlementChains" | "actionSigner"> {
  readonly metrics?: Metrics | undefined;
}

export function observedChains<Of extends ChainParts>(metrics: Metrics | undefined, parts: Of): Of {
  if (metrics === undefined) return parts;
  const { chains, settlementChains, actionSigner } = parts;
  const { observe, observeSigner } = metrics.chains;
  return {
    ...parts,
    ...(chains && { chains: chains.map(observe) }),
    ...(settlementChains && { settlementChains: settlementChains.map(observe) }),
    ...(actionSigner && { actionSigner: observeSigner(actionSigner) }),
  };
}
