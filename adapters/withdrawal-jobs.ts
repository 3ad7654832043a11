// What happens to withdrawals by itself, with the accounts that this process may send from.

import type { CatalogReader } from "../service/catalog.ts";
import type { Job } from "../service/jobs.ts";
import type { Clock } from "../service/ports/clock.ts";
import type { Database } from "../service/ports/database.ts";
import type { Identifiers } from "../service/ports/identifiers.ts";
import type { Random } from "../service/ports/random.ts";
import type { WithdrawAddresses } from "../service/withdraw-addresses.ts";
import { WithdrawalConfirmer } from "../service/withdrawal-confirmer.ts";
import { WithdrawalSender } from "../service/withdrawal-sender.ts";
import type { SendingChain } from "../service/withdrawal-sender.ts";
import type { Logger } from "./logging.ts";

export interface WithdrawalJobPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly identifiers: Identifiers;
  readonly random: Random;
  readonly catalog: CatalogReader;
  readonly withdrawAddresses: WithdrawAddresses;
  /** none: withdrawals wait for a process that has one */
  readonly sendingChains: readonly SendingChain[];
  readonly log: Logger;
}

export function withdrawalJobs(ports: WithdrawalJobPorts): readonly Job[] {
  const { withdrawAddresses, sendingChains: chains, log } = ports;
  const alarm = (what: string, facts: Readonly<Record<string, unknown>>): void =>
    log.error({ alarm: what, ...facts }, "a withdrawal needs somebody to look");
  const sender = new WithdrawalSender({ ...ports, chains, alarm });
  const confirmer = new WithdrawalConfirmer({
    ...ports,
    chains: chains.map(({ chain }) => chain),
    alarm,
  });
  return [withdrawAddresses.announcing(), ...sender.jobs(), ...confirmer.jobs()];
}
