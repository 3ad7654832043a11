// A pattern as an automaton whose states are the places of its characters (Glushkov 1961), with the number of ways that
// lead from one place to the next: two ways over one character are two ways for an engine that goes back to try.

import { type Budget, type Tree, Undecided } from "./tree.ts";

/** The characters of an alphabet that a place lets pass, a bit each. */
export type Letters = bigint;

export interface Automaton {
  /** by place */
  readonly letters: readonly Letters[];
  /** by place, the next ones, and in how many ways they are reached: one, or 2 for more */
  readonly next: readonly ReadonlyMap<number, number>[];
  readonly first: ReadonlySet<number>;
  readonly last: ReadonlySet<number>;
  /** nothing at all fits, too */
  readonly isNullable: boolean;
}

export interface Building {
  readonly lettersOf: (source: string) => Letters;
  /** what may come as often as this counts as coming without end */
  readonly often: number;
  readonly budget: Budget;
}

/** Of this many places no more is asked. */
const placesMax = 200;

type Ways = ReadonlyMap<number, number>;

interface Part {
  /** in how many ways it takes nothing: none, one, or 2 for more */
  readonly empty: number;
  readonly first: Ways;
  readonly last: Ways;
}

/** @throws Undecided where there are too many places */
export function automatonOf(tree: Tree, building: Building): Automaton {
  const builder = new Builder(building);
  const { empty, first, last } = builder.build(tree);
  return {
    letters: builder.letters,
    next: builder.next,
    first: new Set(first.keys()),
    last: new Set(last.keys()),
    isNullable: empty > 0,
  };
}

const nothing: Part = { empty: 1, first: new Map(), last: new Map() };

class Builder {
  readonly letters: Letters[] = [];
  readonly next: Map<number, number>[] = [];
  readonly #building: Building;

  constructor(building: Building) {
    this.#building = building;
  }

  build(tree: Tree): Part {
    this.#building.budget.spend(10);
    if (tree.kind === "edge") return nothing;
    if (tree.kind === "one") return this.#place(tree.source);
    if (tree.kind === "times") return this.#times(tree);
    if (tree.kind === "choice") return tree.ways.map((way) => this.build(way)).reduce(either);
    return tree.parts.map((part) => this.build(part)).reduce((a, b) => this.#join(a, b), nothing);
  }

  #place(source: string): Part {
    const place = this.letters.length;
    if (place >= placesMax) throw new Undecided();
    this.letters.push(this.#building.lettersOf(source));
    this.next.push(new Map());
    const ways = new Map([[place, 1]]);
    return { empty: 0, first: ways, last: ways };
  }

  #times({ part, least, most }: Tree & { kind: "times" }): Part {
    const { often } = this.#building;
    if (most === 0) return nothing;
    const isEndless = most >= often && most > least;
    // in a round of its own each of those that have to be is counted
    const copies = isEndless ? Math.max(least - 1, 0) : least;
    if (copies > placesMax) throw new Undecided();
    const needed = Array.from({ length: copies }, () => this.build(part));
    const rest = isEndless
      ? this.#loop(this.build(part), least)
      : this.#optionals(part, most - least);
    return [...needed, rest].reduce((a, b) => this.#join(a, b));
  }

  /** So many at most, one after the other, and none that takes nothing. */
  #optionals(part: Tree, count: number): Part {
    let rest = nothing;
    for (let left = count; left > 0; left -= 1)
      rest = optional(this.#join({ ...this.build(part), empty: 0 }, rest));
    return rest;
  }

  /** A round that takes nothing ends it, but for those that have to be (ECMA-262, 22.2.2.3.1). */
  #loop(part: Part, least: number): Part {
    this.#connect(part.last, part.first);
    if (least === 0) return optional(part);
    // the first round may take nothing, and the second what it would have taken
    return part.empty === 0 ? part : { ...part, first: union(part.first, part.first, 1) };
  }

  #join(a: Part, b: Part): Part {
    this.#connect(a.last, b.first);
    return {
      empty: capped(a.empty * b.empty),
      first: union(a.first, b.first, a.empty),
      last: union(b.last, a.last, b.empty),
    };
  }

  #connect(from: Ways, to: Ways): void {
    this.#building.budget.spend(from.size * to.size);
    for (const [a, before] of from) {
      const next = this.next[a];
      for (const [b, after] of to) next?.set(b, capped((next.get(b) ?? 0) + before * after));
    }
  }
}

function optional(part: Part): Part {
  return { ...part, empty: 1 };
}

function either(a: Part, b: Part): Part {
  return {
    empty: capped(a.empty + b.empty),
    first: union(a.first, b.first, 1),
    last: union(a.last, b.last, 1),
  };
}

/** @param times in how many ways one comes to those of `more` */
function union(ways: Ways, more: Ways, times: number): Ways {
  if (times === 0) return ways;
  const all = new Map(ways);
  for (const [place, count] of more) all.set(place, capped((all.get(place) ?? 0) + count * times));
  return all;
}

function capped(ways: number): number {
  return Math.min(ways, 2);
}
