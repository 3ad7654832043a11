// Medians of the rounds as a table; in brackets the lowest and the highest.

import { median } from "../measuring.ts";
import type { StartRun } from "./contenders.ts";

interface Rows {
  readonly starts: Map<string, StartRun[]>;
  readonly commands: Map<string, number[]>;
}

/** By copy of the project. */
export class Results {
  readonly copies = new Map<string, Rows>();

  of(label: string) {
    const rows = this.copies.get(label) ?? { starts: new Map(), commands: new Map() };
    this.copies.set(label, rows);
    return {
      start: (name: string, run: StartRun) => append(rows.starts, name, run),
      command: (name: string, cpuSeconds: number) => append(rows.commands, name, cpuSeconds),
    };
  }
}

function append<Value>(rows: Map<string, Value[]>, name: string, value: Value): void {
  const known = rows.get(name);
  if (known === undefined) rows.set(name, [value]);
  else known.push(value);
}

const startColumns = [
  ["CPU s until ready", "readyCpuSeconds", 2],
  ["CPU s, settled", "settledCpuSeconds", 2],
  ["MiB when ready", "readyMemory", 0],
  ["MiB, settled", "settledMemory", 0],
  ["peak of a process", "peak", 0],
] as const;

export function print({ copies }: Results): void {
  for (const [label, { starts, commands }] of copies) {
    console.log(`\n| ${label} | ${startColumns.map(([title]) => title).join(" | ")} |`);
    console.log(`| --- |${" ---: |".repeat(startColumns.length)}`);
    for (const [name, runs] of starts) {
      const cells = startColumns.map(([, key, digits]) =>
        spread(
          runs.map((run) => run[key]),
          digits,
        ),
      );
      console.log(`| ${name} | ${cells.join(" | ")} |`);
    }
    console.log(`\n| ${label} | CPU s |\n| --- | ---: |`);
    for (const [name, seconds] of commands) console.log(`| ${name} | ${spread(seconds, 2)} |`);
  }
}

function spread(values: readonly number[], digits: number): string {
  const [middle, least, most] = [median(values), Math.min(...values), Math.max(...values)].map(
    (value) => value.toFixed(digits),
  );
  return `${middle} (${least}-${most})`;
}
