// The parts of the service, each counted where there is somebody who counts, and traced where somebody traces.

import { Monitoring } from "../../service/monitoring/monitoring.ts";
import type { MonitoringPorts } from "../../service/monitoring/monitoring.ts";
import type { Job, JobRun } from "../../service/jobs/jobs.ts";
import type { Database } from "../../service/ports/database.ts";
import type { Chain } from "../../service/ports/chain.ts";
import type { SettlementChain } from "../../service/ports/settlement-chain.ts";
import type { ActionSigner, IndexKeeper } from "../../service/ports/signer.ts";
import type { WebhookSender } from "../../service/ports/webhook-sender.ts";
import type { DispatcherPorts } from "../../service/webhooks/dispatcher.ts";
import type { DatabaseObserver } from "../database/open.ts";
import type { RpcObserver } from "../evm/rpc.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Tracing } from "../tracing/tracing.ts";
import type { LoopPorts } from "../webhooks/dispatcher-loop.ts";
import type { BackgroundObserver } from "./jobs.ts";
import type { OutgoingPorts } from "./sending-jobs.ts";
import type { SignerJobParts } from "./signer-jobs.ts";

/** Whoever hears what happens; nobody, where none is there. */
export interface Observers {
  readonly metrics?: Metrics | undefined;
  readonly tracing?: Tracing | undefined;
}

interface Parts {
  readonly database: (database: Database) => Database;
  readonly sender: (sender: WebhookSender) => WebhookSender;
  readonly dispatcher: (dispatcher: Sending) => Sending;
  readonly onAttempted: DispatcherPorts["onAttempted"];
  readonly onAlarm: ((what: string) => void) | undefined;
  readonly jobs: (jobs: RunningJobs) => RunningJobs;
  readonly background: BackgroundObserver;
  readonly money: Pick<OutgoingPorts, "observer"> & Pick<SignerJobParts, "onLimitUses">;
  readonly onReplayed: ((operationId: string) => void) | undefined;
}

type Sending = LoopPorts["dispatcher"];

interface RunningJobs {
  readonly all: readonly Job[];
  readonly run: (job: Job) => Promise<JobRun>;
}

const asItIs = <Part>(part: Part): Part => part;

/** The second around the first. */
function both<Part>(
  first: (part: Part) => Part = asItIs,
  second: (part: Part) => Part = asItIs,
): (part: Part) => Part {
  return (part) => second(first(part));
}

export function observed({ metrics, tracing }: Observers): Parts {
  const { work, requests, chains, reserve, sending, signer } = metrics ?? {};
  return {
    database: both(metrics?.observeCommitted, tracing?.database.observe),
    sender: both(work?.observeSender, tracing?.work.observeSender),
    dispatcher: tracing?.work.observeDispatcher ?? asItIs,
    onAttempted: work?.onAttempted,
    onAlarm: work?.onAlarm,
    jobs: both(work?.observeJobs, tracing?.work.observeJobs),
    background: { onReorganised: chains?.onReorganised, onMeasured: reserve?.onMeasured },
    money: { observer: sending?.observer, onLimitUses: signer?.onLimitUses },
    onReplayed: requests?.onReplayed,
  };
}

/** Both hear of an answer. */
export function onAnsweredOf({
  metrics,
  tracing,
}: Observers): Metrics["requests"]["onAnswered"] | undefined {
  const counted = metrics?.requests.onAnswered;
  const traced = tracing?.requests.onAnswered;
  if (counted === undefined || traced === undefined) return counted ?? traced;
  return (answered) => {
    counted(answered);
    traced(answered);
  };
}

/** Of each chain whoever hears what its nodes are asked; undefined: nobody does. */
export function rpcObservers({
  metrics,
  tracing,
}: Observers): ((chainId: string) => RpcObserver) | undefined {
  const makers = [metrics?.chains, tracing?.chains].filter((one) => one !== undefined);
  if (makers.length === 0) return undefined;
  return (chainId) => {
    const all = makers.map((one) => one.observerOf(chainId));
    return {
      onCall: (place, method) => {
        const endings = all.map((one) => one.onCall(place, method));
        return (ending) => {
          for (const onEnd of endings) onEnd(ending);
        };
      },
      onFailover: (place) => {
        for (const one of all) one.onFailover(place);
      },
    };
  };
}

/** Of the database that is opened: below what makes one call of many, and there. */
export function databaseObserver({ metrics, tracing }: Observers): DatabaseObserver {
  const { observe, onBatch } = metrics?.database ?? {};
  return { observe, onBatch, follow: tracing?.database.follow };
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
  readonly indexKeeper?: IndexKeeper;
}

interface CountedPorts extends Pick<ChainParts, "settlementChains" | "actionSigner"> {
  readonly metrics?: Metrics | undefined;
}

export function observedChains<Of extends ChainParts>(
  { metrics, tracing }: Observers,
  parts: Of,
): Of {
  const { chains, settlementChains, actionSigner, indexKeeper } = parts;
  const sent = metrics?.chains.observe;
  const signer = both(metrics?.chains.observeSigner, tracing?.chains.observeSigner);
  const keeper = tracing?.chains.observeKeeper;
  return {
    ...parts,
    ...(sent && chains && { chains: chains.map((chain) => sent(chain)) }),
    ...(sent && settlementChains && { settlementChains: settlementChains.map((one) => sent(one)) }),
    ...(actionSigner && { actionSigner: signer(actionSigner) }),
    ...(keeper && indexKeeper && { indexKeeper: keeper(indexKeeper) }),
  };
}
