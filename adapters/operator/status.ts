// The state of the service on one screen, and for programs.

import type { Missing } from "../../service/checkout/first-payment.ts";
import { isFailing } from "../../service/jobs/jobs.ts";
import type { EndpointsOff, Open, ServiceState } from "../../service/monitoring/monitoring.ts";
import type { Problem } from "../../service/monitoring/problems.ts";
import { result, type Result, said, snakeCased } from "./results.ts";
import { roughDuration, table } from "./tables.ts";

interface Status {
  readonly missing: readonly Missing[];
  readonly problems: readonly Problem[];
  readonly state: ServiceState;
}

/** What somebody has to do comes first. Programs get all that is known, with lists of their own. */
export function statusResult({ missing, problems, state }: Status): Result {
  const isWell = missing.length === 0 && problems.length === 0;
  const values = { is_well: isWell, ...snakeCased({ missing, problems, state }) };
  return result(said(statusText({ missing, problems, state }), values), { isWell });
}

function statusText({ missing, problems, state }: Status): string {
  const needs = missing.map(({ need, text }) => [need, text]);
  const wrong = problems.map(({ what, text }) => [what, text]);
  // Under a list of what is missing it would contradict that.
  const nothingWrong = needs.length === 0 ? "All is well.\n" : "Nothing else is wrong.\n";
  const parts = [
    needs.length === 0
      ? "Nothing is missing: payments can be taken.\n"
      : table([["MISSING", "WHAT TO DO"], ...needs]),
    wrong.length === 0 ? nothingWrong : table([["NOT WELL", "WHAT TO DO"], ...wrong]),
    table([["WHAT", "NOW"], ...rowsOf(state)]),
  ];
  return parts.join("\n");
}

function rowsOf(state: ServiceState): readonly (readonly [string, string])[] {
  const { database, payments, withdrawals, outgoing, deliveries, attention } = state;
  const held = withdrawals.filter(({ heldBecause }) => heldBecause !== null);
  const role = database.takesWrites ? "takes writes" : "takes no writes";
  return [
    ["database", `${database.serverVersion}, ${role}, ${database.migration}`],
    ["payments", `${sumOf(payments)} open`],
    ["withdrawals", `${sumOf(withdrawals)} open, ${sumOf(held)} waiting for an operator`],
    ["transactions", `${sumOf(outgoing)} not final${sinceText(outgoing)}`],
    [
      "webhooks",
      `${deliveries.pending} pending, ${roughDuration(deliveries.overdueMilliseconds)} overdue`,
    ],
    ["endpoints", `${sumOf(state.endpointsOff)} switched off${offText(state.endpointsOff)}`],
    ["suspense", `${attention.suspense.count} items${sinceText([attention.suspense])}`],
    ...state.chains.map((chain): [string, string] => [
      chain.chainId,
      `block ${chain.blockNumber}, ${roughDuration(chain.blockAgeMilliseconds)} old, ${chain.behindBlocks} behind`,
    ]),
    ...state.floats.map(({ deploymentId, onHot, max }): [string, string] => [
      deploymentId,
      `${onHot} on the hot account${max === null ? "" : `, which keeps ${max}`}`,
    ]),
    [
      "jobs",
      `${state.jobs.length}, ${state.jobs.filter(({ last }) => isFailing(last)).length} of them failing`,
    ],
  ];
}

function sumOf(all: readonly Open[]): number {
  return all.reduce((sum, { count }) => sum + count, 0);
}

/** Those that nobody has asked for. */
function offText(all: readonly EndpointsOff[]): string {
  const ours = sumOf(all.filter(({ reason }) => reason !== "merchant"));
  return ours === 0 ? "" : `, ${ours} of them since their receivers fail`;
}

function sinceText(
  all: readonly { readonly count: number; readonly oldestMilliseconds: number }[],
): string {
  const oldest = Math.max(0, ...all.map(({ oldestMilliseconds }) => oldestMilliseconds));
  return sumOf(all) === 0 ? "" : `, the oldest for ${roughDuration(oldest)}`;
}
