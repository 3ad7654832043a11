// Changes for programs: everything, on one line.

import { parties } from "../../changes/judgement.ts";
import { breaksAny, isBreaking, type Verdict } from "./verdict.ts";

export function jsonOf(verdict: Verdict): string {
  const changes = verdict.changes.map((change) => {
    const { rule, message, clients, servers, operations, place, places } = change;
    const breaks = parties.filter((party) => isBreaking(change, [party]));
    return { rule, message, breaks, clients, servers, operations, place, ...places };
  });
  const exitCode = breaksAny(verdict) ? 1 : 0;
  return JSON.stringify({ exitCode, base: verdict.base, head: verdict.head, changes });
}
