// Everything that is sent, with the accounts that this process may ask the signer for: withdrawals,
// x402 settlements, what they give back, and sweeps.

import type { CatalogReader } from "../../service/catalog/catalog.ts";
import type { Job } from "../../service/jobs/jobs.ts";
import { OutgoingConfirmer } from "../../service/sending/confirmer.ts";
import type { OnEnded } from "../../service/sending/confirmer.ts";
import type { SendingObserver } from "../../service/ports/sending-observer.ts";
import { OutgoingSender } from "../../service/sending/sender.ts";
import type { EstimatingChain, Impossible } from "../../service/sending/ports.ts";
import type { Clock } from "../../service/ports/clock.ts";
import type { Database } from "../../service/ports/database.ts";
import type { Identifiers } from "../../service/ports/identifiers.ts";
import type { Random } from "../../service/ports/random.ts";
import { PaymentProgress } from "../../service/payments/progress.ts";
import { refundSending } from "../../service/suspense/refunds.ts";
import { sweepEnds } from "../../service/sweeps/ends.ts";
import { Sweeps } from "../../service/sweeps/sweeps.ts";
import type { SweepConfiguration } from "../../service/sweeps/routes.ts";
import { withdrawalSending } from "../../service/withdrawals/sending.ts";
import type { Alarm } from "../system/alarm.ts";

export interface OutgoingPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly identifiers: Identifiers;
  readonly random: Random;
  readonly catalog: Pick<CatalogReader, "allDeployments">;
  readonly alarm: Alarm;
  readonly observer?: SendingObserver | undefined;
  readonly chains: readonly EstimatingChain[];
  /** by chain */
  readonly sweeping: (chainId: string) => SweepConfiguration;
  /** what the settlements of x402 may cost in a day, by chain; null: no limit */
  readonly gasBudgetRaw: (chainId: string) => Promise<bigint | null>;
  readonly merchantGasRaw: (chainId: string) => Promise<bigint | null>;
  /** what a withdrawal may take, in units of gas */
  readonly withdrawalGasUnitsMax: bigint;
  /** what becomes of what x402 has queued */
  readonly x402: {
    readonly onEnded: Readonly<Record<"x402_settlement" | "x402_release", OnEnded>>;
    readonly onImpossible: (found: Impossible) => Promise<void>;
  };
}

export interface Outgoing {
  /** for `sendNow` */
  readonly sender: OutgoingSender;
  readonly jobs: readonly Job[];
}

export function buildOutgoing(ports: OutgoingPorts): Outgoing {
  const { chains, x402, sweeping: configuration } = ports;
  const ends = sweepEnds(ports);
  const withdrawals = withdrawalSending(ports);
  const refunds = refundSending({ ...ports, progress: new PaymentProgress(ports) });
  const sender = new OutgoingSender({
    ...ports,
    steps: { withdrawal: withdrawals.steps, refund: refunds.steps },
    onImpossible: async (found) => {
      if (found.purpose === "x402_settlement" || found.purpose === "x402_release") {
        await x402.onImpossible(found);
      } else if (found.purpose === "withdrawal") await withdrawals.onImpossible(found);
      else if (found.purpose === "refund") await refunds.onImpossible(found);
      else await ends.onImpossible(found);
    },
  });
  const confirmer = new OutgoingConfirmer({
    ...ports,
    chains: chains.map(({ chain }) => chain),
    onEnded: {
      withdrawal: withdrawals.onEnded,
      refund: refunds.onEnded,
      ...x402.onEnded,
      ...ends.onEnded,
    },
  });
  const sweeps = new Sweeps({ ...ports, configuration });
  return { sender, jobs: [...sender.jobs(), ...confirmer.jobs(), ...sweeps.jobs()] };
}
