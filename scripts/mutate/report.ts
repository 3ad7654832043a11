// What is said at the end: areas, and what nobody noticed.

import { areaOf, areas } from "./areas.ts";
import type { Equivalent } from "./equivalents.ts";
import { shownEdit, type Mutant } from "./mutant.ts";
import type { Result } from "./trial.ts";

export interface AreaScore {
  readonly area: string;
  readonly goal: number;
  readonly mutants: number;
  readonly equivalent: number;
  readonly noticed: number;
  readonly byTypes: number;
  readonly survived: number;
  /** of those, what no test runs */
  readonly notRun: number;
}

export interface Judged {
  readonly mutant: Mutant;
  readonly result: Result;
}

export function scoresOf(
  judged: readonly Judged[],
  equivalents: ReadonlyMap<string, Equivalent>,
): readonly AreaScore[] {
  return areas.flatMap(({ name, goal }) => {
    const own = judged.filter(({ mutant }) => areaOf(mutant.path)?.name === name);
    if (own.length === 0) return [];
    const counted = own.filter(({ mutant }) => !equivalents.has(mutant.id));
    const noticed = counted.filter(({ result }) => result.verdict === "noticed");
    return [
      {
        area: name,
        goal,
        mutants: own.length,
        equivalent: own.length - counted.length,
        noticed: noticed.length,
        byTypes: noticed.filter(({ result }) => result.by === "types").length,
        survived: counted.length - noticed.length,
        notRun: counted.filter(({ result }) => result.verdict === "not run").length,
      },
    ];
  });
}

export function percentOf({ noticed, survived }: Pick<AreaScore, "noticed" | "survived">): number {
  return noticed + survived === 0 ? 100 : (100 * noticed) / (noticed + survived);
}

export function reportLines(
  judged: readonly Judged[],
  equivalents: ReadonlyMap<string, Equivalent>,
): readonly string[] {
  const scores = scoresOf(judged, equivalents);
  const survivors = judged.filter(
    ({ mutant, result }) => result.verdict !== "noticed" && !equivalents.has(mutant.id),
  );
  return [
    ...survivors.toSorted((a, b) => place(a).localeCompare(place(b), "en")).flatMap(survivorLines),
    "",
    row(["area", "mutants", "equivalent", "noticed", "(types)", "survived", "(not run)", "score"]),
    ...scores.map((one) =>
      row([
        one.area,
        one.mutants,
        one.equivalent,
        one.noticed,
        one.byTypes,
        one.survived,
        one.notRun,
        `${percentOf(one).toFixed(1)} % of ${one.goal}`,
      ]),
    ),
  ];
}

function place({ mutant: { path, line } }: Judged): string {
  return `${path}:${String(line).padStart(4, "0")}`;
}

function survivorLines({ mutant, result }: Judged): readonly string[] {
  const { path, line, id, rule, within } = mutant;
  const asked =
    result.verdict === "not run"
      ? "no test runs it"
      : `${result.asked} tests pass${result.more === 0 ? "" : `, ${result.more} more not asked`}`;
  return [
    `${path}:${line}  ${id}  ${rule} in ${within || "the file"}: ${asked}`,
    `    ${shownEdit(mutant)}`,
  ];
}

function row(cells: readonly (string | number)[]): string {
  const [name = "", ...numbers] = cells;
  return `${String(name).padEnd(10)}${numbers.map((one) => ` ${String(one).padStart(12)}`).join("")}`.trimEnd();
}
