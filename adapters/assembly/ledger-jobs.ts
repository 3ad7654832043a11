// The jobs that look after the ledger, and what they say in the log.

import type { Job } from "../../service/jobs/jobs.ts";
import { ledgerVerifyJob } from "../../service/ledger/verify-job.ts";
import type { Clock } from "../../service/ports/clock.ts";
import type { Database } from "../../service/ports/database.ts";
import { reserveCheckJob } from "../../service/ledger/reserve.ts";
import type { ReservePorts } from "../../service/ledger/reserve.ts";
import { chainHoldings } from "../../service/ledger/reserve-holdings.ts";
import type { HoldingsPorts } from "../../service/ledger/reserve-holdings.ts";
import type { Logger } from "../system/logging.ts";

export interface LedgerJobPorts extends Pick<HoldingsPorts, "chainOf"> {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Pick<Logger, "warn" | "error">;
  readonly inFlightRaw: ReservePorts["inFlightRaw"];
}

export function ledgerJobs({ log, ...ports }: LedgerJobPorts): readonly Job[] {
  return [
    ledgerVerifyJob({
      ...ports,
      onDifference: (differences) =>
        log.error({ differences }, "the ledger differs from its postings"),
    }),
    reserveCheckJob({
      ...ports,
      holdings: chainHoldings(ports),
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
