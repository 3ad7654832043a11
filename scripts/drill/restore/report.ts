// What a drill prints.

import { typed } from "./deciding.ts";
import type { Decision } from "./deciding.ts";

export interface Drilled {
  /** by name, as they are printed */
  readonly measured: Readonly<Record<string, string>>;
  readonly decisions: readonly Decision[];
  readonly faults: readonly string[];
}

const faultsMax = 50;

export function reportOf({ measured, decisions, faults }: Drilled): string {
  const width = Math.max(...Object.keys(measured).map(({ length }) => length));
  const lines = Object.entries(measured).map(
    ([name, value]) => `  ${name.padEnd(width)}  ${value}`,
  );
  const decided = decisions.flatMap(({ says, commands }, index) => [
    `  ${index + 1}. ${says}`,
    ...commands.map((command) => `       ${typed(command)}`),
  ]);
  return [
    "\nmeasured",
    ...lines,
    "\nwhat a person must decide",
    ...(decided.length === 0 ? ["  nothing"] : decided),
    "",
    ...faults.slice(0, faultsMax).map((fault) => `WRONG: ${fault}`),
    faults.length === 0
      ? "Every check held: no address was given out twice, nothing was paid twice, and all is well by ledger and chain.\n"
      : `${faults.length} faults.\n`,
  ].join("\n");
}
