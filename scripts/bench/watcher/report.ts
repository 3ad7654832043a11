// What the benchmark says: a line for each kind of block, medians of the rounds with the lowest and the highest.

import { median } from "../measuring.ts";
import { tailBlocks } from "./growing.ts";
import type { Taken } from "./growing.ts";
import { empty } from "./kinds.ts";
import type { Kind } from "./kinds.ts";
import type { Parsing } from "./parsing.ts";

export interface Turn {
  readonly round: number;
  readonly kind: Kind;
  readonly taken: Taken;
}

export function tableLines(kinds: readonly Kind[], turns: readonly Turn[]): readonly string[] {
  const head = ["block", "CPU us", "more per log, us", "database us", "more per log, us"];
  const rows = [
    [...head, "requests", "calls"],
    ["---", ...Array.from({ length: 6 }, () => "---:")],
    ...kinds.map((kind) => rowOf(kind, turns)),
  ];
  return rows.map((cells) => `| ${cells.join(" | ")} |`);
}

function rowOf(kind: Kind, turns: readonly Turn[]): readonly string[] {
  const own = turns.filter((turn) => turn.kind === kind);
  const logs = kind.content.ours + kind.content.others;
  const of = (what: What) => own.map((turn) => perBlock(turn, what, turns));
  const perLog = (what: What) =>
    logs === 0
      ? ""
      : shown(own.map((turn) => moreThanEmpty(turn, what, turns) / (kind.blocks * logs)));
  return [
    kind.label,
    shown(of("cpu"), 0),
    perLog("cpu"),
    shown(of("databaseCpu"), 0),
    perLog("databaseCpu"),
    shown(of("requests"), 2),
    shown(of("calls"), 2),
  ];
}

type What = "cpu" | "databaseCpu" | "requests" | "calls";

function perBlock(turn: Turn, what: What, turns: readonly Turn[]): number {
  return moreThanEmpty(turn, what, turns) / turn.kind.blocks + ofEmpty(turn, what, turns);
}

/** Than as many empty blocks of the same round. */
function moreThanEmpty({ round, kind, taken }: Turn, what: What, turns: readonly Turn[]): number {
  return taken[what] - (kind.blocks + tailBlocks) * ofEmpty({ round }, what, turns);
}

function ofEmpty({ round }: Pick<Turn, "round">, what: What, turns: readonly Turn[]): number {
  const found = turns.find((turn) => turn.round === round && turn.kind === empty);
  if (found === undefined) throw new Error("every round has empty blocks");
  return found.taken[what] / found.taken.blocks;
}

export function parsingLines(rounds: readonly Parsing[]): readonly string[] {
  const of = (name: keyof Parsing) => shown(rounds.map((one) => one[name]));
  return [
    `Of a log, before anybody asks whose it is: JSON ${of("json")} us, checks ${of("checks")} us`,
  ];
}

export function jumpLine(label: string, { blocks, ...taken }: Taken): string {
  const each = (value: number, digits: number) => (value / blocks).toFixed(digits);
  return (
    `${label}: ${blocks} blocks, ${(blocks / taken.seconds).toFixed(0)} per second; each CPU us ` +
    `${each(taken.cpu, 0)}, database ${each(taken.databaseCpu, 0)}, ` +
    `requests ${each(taken.requests, 3)}, calls ${each(taken.calls, 2)}`
  );
}

function shown(values: readonly number[], digits = 1): string {
  const text = (value: number) => value.toFixed(digits);
  if (values.length === 1) return text(median(values));
  return `${text(median(values))} (${text(Math.min(...values))}-${text(Math.max(...values))})`;
}
