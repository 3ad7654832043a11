// What happens to withdrawals by itself, with the accounts that this process may send from.

import type { CatalogReader } from "../../service/catalog/catalog.ts";
import type { Job } from "../../service/jobs/jobs.ts";
import type { Clock } from "../../service/ports/clock.ts";
import type { Database } from "../../service/ports/database.ts";
import type { Identifiers } from "../../service/ports/identifiers.ts";
import type { Random } from "../../service/ports/random.ts";
import type { WithdrawAddresses } from "../../service/withdrawals/addresses.ts";
import { WithdrawalConfirmer } from "../../service/withdrawals/confirmer.ts";
import { WithdrawalSender } from "../../service/withdrawals/sender.ts";
import type { SendingChain } from "../../service/withdrawals/sender.ts";
import type { Logger } from "../system/logging.ts";

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

/** The same again is not news: a withdrawal that waits for people is looked at every few seconds. */
const repeatedMilliseconds = 600_000;
/** What is remembered of that. */
const rememberedMax = 1_000;

/** Tells people, through the log, and not all the time. */
export function buildAlarm({ log, clock }: { log: Pick<Logger, "error">; clock: Clock }) {
  const told = new Map<string, number>();
  return (what: string, facts: Readonly<Record<string, unknown>>): void => {
    const now = clock.nowMilliseconds();
    const names = ["withdrawal_id", "outgoing_id", "sweep_id", "payment_id", "address", "chain_id"];
    const subject = [what, ...names.map((name) => facts[name])].join(" ");
    const last = told.get(subject);
    if (last !== undefined && now - last < repeatedMilliseconds) return;
    if (told.size >= rememberedMax) told.clear();
    told.set(subject, now);
    log.error({ alarm: what, ...facts }, "something that is sent needs somebody to look");
  };
}

export function withdrawalJobs(ports: WithdrawalJobPorts): readonly Job[] {
  const { withdrawAddresses, sendingChains: chains } = ports;
  const alarm = buildAlarm(ports);
  const sender = new WithdrawalSender({ ...ports, chains, alarm });
  const confirmer = new WithdrawalConfirmer({
    ...ports,
    chains: chains.map(({ chain }) => chain),
    alarm,
  });
  return [withdrawAddresses.announcing(), ...sender.jobs(), ...confirmer.jobs()];
}
