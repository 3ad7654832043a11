// The blocks that are measured one by one.

import { UsageError } from "../../../generator/command/terminal.ts";
import type { Content } from "./growing.ts";

export interface Kind {
  readonly name: string;
  readonly label: string;
  readonly content: Content;
  /** of a turn */
  readonly blocks: number;
}

export const empty: Kind = {
  name: "empty",
  label: "nothing for us",
  content: { ours: 0, others: 0 },
  blocks: 100,
};

export const kinds: readonly Kind[] = [
  empty,
  { name: "1", label: "1 log for us", content: { ours: 1, others: 0 }, blocks: 50 },
  { name: "100", label: "100 logs for us", content: { ours: 100, others: 0 }, blocks: 5 },
  { name: "1000", label: "1,000 logs for us", content: { ours: 1_000, others: 0 }, blocks: 2 },
  {
    name: "others",
    label: "1,000 logs of others",
    content: { ours: 0, others: 1_000 },
    blocks: 12,
  },
];

/** Payments that the turns of these in a round pay. */
export function paidInRound(some: readonly Kind[]): number {
  return some.reduce((sum, one) => sum + one.content.ours * one.blocks, 0);
}

/** By their names, with the empty one, which all others are held against. */
export function kindsOf(names: string): readonly Kind[] {
  const wanted = names.split(",");
  const unknown = wanted.find((name) => kinds.every((kind) => kind.name !== name));
  if (unknown !== undefined) throw new UsageError(`--only: there is no kind ${unknown}`);
  return kinds.filter((kind) => kind === empty || wanted.includes(kind.name));
}
