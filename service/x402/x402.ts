// Everything of x402 that others ask for: handlers, jobs, the sender of transactions, the page.

import type { Job } from "../jobs/jobs.ts";
import type { OnEnded } from "../sending/confirmer.ts";
import type { Impossible } from "../sending/ports.ts";
import { PaymentProgress } from "../payments/progress.ts";
import type { Finish } from "../idempotency/idempotency.ts";
import type { Owner } from "../owner.ts";
import { unmatchedJob } from "../chains/unmatched.ts";
import type { UnmatchedAlarm } from "../chains/unmatched.ts";
import { arrivalJobs } from "./arrivals.ts";
import type { ArrivalAlarm } from "./arrivals.ts";
import type { SettleCommand } from "./model.ts";
import { LeastAmounts } from "./gas-cost.ts";
import { X402Reconciler } from "./reconciler.ts";
import { endRelease, releaseJob, undueReleaseJob } from "./releases.ts";
import type { ReleaseAlarm, ReleasePorts } from "./releases.ts";
import { linkPlacesOf, x402OffersOf } from "./requirements.ts";
import type { LinkPlace, RequiredPayment, RequirementsPorts, X402Offer } from "./requirements.ts";
import { X402Settling } from "./settling.ts";
import type { SettleKey, SettlingPorts } from "./settling.ts";
import type { SettleResult } from "./stored.ts";
import { X402UsageReports } from "./usage.ts";
import type { RecordedUsage, Reporter, UsageReport } from "./usage.ts";

export interface X402Ports
  extends
    Omit<SettlingPorts, "reconciler" | "progress" | "least">,
    Omit<ReleasePorts, "progress" | "alarm"> {
  readonly alarm: (
    what: ReleaseAlarm | UnmatchedAlarm | ArrivalAlarm,
    facts: Readonly<Record<string, unknown>>,
  ) => void;
}

export class X402 {
  readonly #ports: X402Ports;
  readonly #required: RequirementsPorts;
  readonly #reconciler: X402Reconciler;
  readonly #settling: X402Settling;
  readonly #usage: X402UsageReports;
  readonly #releasing: ReleasePorts;

  constructor(ports: X402Ports) {
    const progress = new PaymentProgress(ports);
    this.#ports = ports;
    this.#reconciler = new X402Reconciler({ ...ports, progress });
    const [least, reconciler] = [new LeastAmounts(ports), this.#reconciler];
    const settlementAddresses = new Map(
      ports.chains.map(({ chain, settlementAddress }) => [chain.chainId, settlementAddress]),
    );
    this.#required = { ...ports, settlementAddresses, least };
    this.#settling = new X402Settling({ ...ports, progress, reconciler, least });
    this.#usage = new X402UsageReports({ ...ports, progress });
    this.#releasing = { ...ports, progress };
  }

  /** See `X402Settling.settle`. */
  settle(owner: Owner, command: SettleCommand, finish?: SettleKey): Promise<SettleResult> {
    return this.#settling.settle(owner, command, finish);
  }

  /** The same without a key, by whoever has the link of the payment; see `linkWayOf`. */
  settleByLink(owner: Owner, command: SettleCommand): Promise<SettleResult> {
    return this.#settling.settle(owner, { ...command, isByLink: true }, undefined);
  }

  /** See `X402UsageReports.report`. */
  reportUsage(
    reporter: Reporter,
    report: UsageReport,
    finish: Finish<RecordedUsage>,
  ): Promise<void> {
    return this.#usage.report(reporter, report, finish);
  }

  /** What x402 asks of whoever has its link; `x402BodyV1` and `x402BodyV2` make the bodies. */
  paymentRequirements(payment: RequiredPayment): Promise<readonly X402Offer[]> {
    return x402OffersOf(this.#required, payment);
  }

  /** See `linkPlacesOf`. */
  linkPlaces(payment: RequiredPayment): Promise<readonly LinkPlace[]> {
    return linkPlacesOf(this.#required, payment);
  }

  jobs(): readonly Job[] {
    const arrivals = { ...this.#ports, progress: this.#releasing.progress };
    return [
      ...this.#reconciler.jobs(),
      ...arrivalJobs(arrivals),
      unmatchedJob(this.#ports),
      releaseJob(this.#releasing),
      undueReleaseJob(this.#releasing),
    ];
  }

  /** What becomes of what was queued: its money is found by its receipt, whoever sent it. */
  get onEnded(): Readonly<Record<"x402_settlement" | "x402_release", OnEnded>> {
    return {
      x402_settlement: () => Promise.resolve(),
      x402_release: (inside, outcome) => endRelease(this.#releasing, inside, outcome),
    };
  }

  readonly onImpossible = async ({ purpose, subjectId }: Impossible): Promise<void> => {
    if (purpose === "x402_settlement") await this.#reconciler.impossible(subjectId);
  };
}
