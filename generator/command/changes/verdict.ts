// What was found between two revisions, as it is told: which of it is shown, and in which words.

import type { Change } from "../../changes/compare.ts";
import { parties, type Party, type Severity } from "../../changes/judgement.ts";

export interface Verdict {
  /** as people know them */
  readonly base: string;
  readonly head: string;
  readonly changes: readonly Change[];
  /** whose breaks fail the run */
  readonly failOn: readonly Party[];
  /** what harms nobody is shown as well */
  readonly isAll: boolean;
}

export function breaksAny({ changes, failOn }: Verdict): boolean {
  return changes.some((change) => isBreaking(change, failOn));
}

export function isBreaking(change: Change, among: readonly Party[] = parties): boolean {
  return partiesOf(change, "breaking").some((party) => among.includes(party));
}

export function isHarmless(change: Change): boolean {
  return partiesOf(change, "info").length === parties.length;
}

export function shownOf({ changes, isAll }: Verdict): readonly Change[] {
  return changes.filter((change) => isAll || !isHarmless(change));
}

function partiesOf(change: Change, severity: Severity): readonly Party[] {
  return parties.filter((party) => change[party].severity === severity);
}

/** `breaks clients, warns servers`. */
export function wordsOf(change: Change): string {
  const breaking = partiesOf(change, "breaking");
  const warned = partiesOf(change, "warning");
  const parts = [
    ...(breaking.length > 0 ? [`breaks ${breaking.join(" and ")}`] : []),
    ...(warned.length > 0 ? [`warns ${warned.join(" and ")}`] : []),
  ];
  return parts.length === 0 ? "harms nobody" : parts.join(", ");
}

/** What to do about it for each party, where there is something to do. */
export function adviceOf(change: Change): readonly string[] {
  return parties.flatMap((party) => {
    const { advice } = change[party];
    return advice === "" ? [] : [`for ${party}: ${advice}`];
  });
}

const shownMax = 3;

/** `addPet, listPets, getPet and 4 more`; "" of the whole document. */
export function operationsOf({ operations }: Pick<Change, "operations">): string {
  const names = operations.slice(0, shownMax).join(", ");
  const rest = operations.length - shownMax;
  return rest > 0 ? `${names} and ${rest} more` : names;
}

/** `clients: 2 breaking, 1 warning; servers: 1 breaking, 0 warnings; 5 changes harm nobody`. */
export function countsOf({ changes }: Pick<Verdict, "changes">): string {
  const counts = parties.map((party) => {
    const count = (severity: Severity): number =>
      changes.filter((change) => change[party].severity === severity).length;
    const warnings = count("warning");
    return `${party}: ${count("breaking")} breaking, ${warnings} ${warnings === 1 ? "warning" : "warnings"}`;
  });
  const harmless = changes.filter(isHarmless).length;
  const rest = harmless === 1 ? "1 change harms" : `${harmless} changes harm`;
  return `${counts.join("; ")}; ${rest} nobody`;
}
