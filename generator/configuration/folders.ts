// Folders that two contracts cannot share: each removes there what it has not made itself.

import { isAbsolute, relative, sep } from "node:path";
import { displayPath } from "../write/plan.ts";

export interface Folders {
  readonly name: string;
  /** absolute paths */
  readonly out: string;
  readonly handlers: string | undefined;
}

/** @returns one line for each pair of contracts that would write over each other */
export function folderProblems(contracts: readonly Folders[]): readonly string[] {
  return contracts.flatMap((one, index) => [
    ...ownProblems(one),
    ...contracts.slice(index + 1).flatMap((other) => pairProblems(one, other)),
  ]);
}

function ownProblems({ name, out, handlers }: Folders): readonly string[] {
  if (handlers !== out) return [];
  return [`${name} has ${displayPath(out)} for generated files and for handlers: name two folders`];
}

function pairProblems(one: Folders, other: Folders): readonly string[] {
  const both = `${one.name} and ${other.name}`;
  const advice = "give each a folder of its own";
  if (one.out === other.out) {
    return [`${both} both generate into ${displayPath(one.out)}: ${advice}`];
  }
  const problems: string[] = [];
  for (const [inner, outer] of [
    [one, other],
    [other, one],
  ] as const) {
    if (isInside(inner.out, outer.out)) {
      problems.push(
        `${inner.name} generates into ${displayPath(inner.out)}, inside ${displayPath(outer.out)} of ${outer.name}: ${advice}`,
      );
    }
    if (
      inner.handlers !== undefined &&
      (inner.handlers === outer.out || isInside(inner.handlers, outer.out))
    ) {
      problems.push(
        `${inner.name} has its handlers in ${displayPath(inner.handlers)}, which ${outer.name} generates: ${advice}`,
      );
    }
  }
  if (one.handlers !== undefined && one.handlers === other.handlers) {
    problems.push(`${both} both have their handlers in ${displayPath(one.handlers)}: ${advice}`);
  }
  return problems;
}

function isInside(inner: string, outer: string): boolean {
  const way = relative(outer, inner);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
