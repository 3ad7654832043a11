// What the benchmark says: a line for each kind in each round, and the medians as a table.

import { median } from "../measuring.ts";
import type { Measured } from "../service/window.ts";
import { creatingName } from "./kinds.ts";
import type { Kind } from "./kinds.ts";

export function printTurn(number: number, { name }: Kind, measured: Measured): void {
  const { perSecond, p50, p99, serviceCpu, databaseCpu } = measured;
  const times = `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
  const cpu = `CPU us: service ${serviceCpu.toFixed(0)}, database ${databaseCpu.toFixed(0)}`;
  const rate = perSecond.toFixed(0).padStart(6);
  console.log(`round ${number}  ${name.padEnd(10)} ${rate}/s, ${times}, ${cpu}`);
}

/** One of a kind in a round. */
export interface Turn {
  readonly round: number;
  readonly kind: string;
  readonly measured: Measured;
}

/** Medians of the rounds; a ratio is the median of the ratios of the rounds, each to its own creates. */
export function tableLines(kinds: readonly Kind[], turns: readonly Turn[]): readonly string[] {
  const head = ["", "per second", "p50 ms", "p99 ms", "CPU us: service", "database", "client"];
  const rows = [
    [...head, "service / create", "database / create"],
    ["---", ...Array.from({ length: 8 }, () => "---:")],
    ...kinds.map((kind) => rowOf(kind, turns)),
  ];
  return rows.map((cells) => `| ${cells.join(" | ")} |`);
}

function rowOf({ name, label }: Kind, turns: readonly Turn[]): readonly string[] {
  const own = turns.filter(({ kind }) => kind === name);
  const of = (key: keyof Measured, digits = 0): string =>
    median(own.map(({ measured }) => measured[key])).toFixed(digits);
  const ratioOf = (key: keyof Measured): string => {
    const ratios = own.flatMap(({ round, measured }) => {
      const created = turns.find((turn) => turn.round === round && turn.kind === creatingName);
      return created === undefined ? [] : [measured[key] / created.measured[key]];
    });
    return ratios.length === 0 || name === creatingName ? "" : shown(ratios);
  };
  return [
    label,
    of("perSecond"),
    of("p50", 1),
    of("p99", 1),
    of("serviceCpu"),
    of("databaseCpu"),
    of("clientCpu"),
    ratioOf("serviceCpu"),
    ratioOf("databaseCpu"),
  ];
}

function shown(values: readonly number[]): string {
  const [low, high] = [Math.min(...values), Math.max(...values)].map((value) => value.toFixed(2));
  return `**${median(values).toFixed(2)}** (${low}-${high})`;
}
