// Where an engine that goes back to try has many ways through one text (Weideman and others, "Analyzing Matching Time
// Behavior of Backtracking Regular Expression Matchers by Using Ambiguity of NFA", CIAA 2016).

import type { Automaton, Letters } from "./positions.ts";
import type { Budget } from "./tree.ts";

/** What is repeated: by letter of the alphabet; from where it is, and how one comes there. */
export interface Ambiguity {
  readonly way: readonly Letters[];
  readonly pump: readonly Letters[];
}

/** Before the first character, wherever in the text the search for it begins. */
const outside = -1;

export class Ambiguities {
  readonly #automaton: Automaton;
  readonly #isSearch: boolean;
  readonly #rings: readonly (number | undefined)[];
  readonly #budget: Budget;

  /** @param isSearch it may begin anywhere in the text */
  constructor(automaton: Automaton, isSearch: boolean, budget: Budget) {
    this.#automaton = automaton;
    this.#budget = budget;
    this.#isSearch = isSearch;
    this.#rings = ringsOf(automaton.next);
  }

  /** Two ways from a place back to it over one text: each repetition doubles the ways. */
  *exponential(): Generator<Ambiguity> {
    for (const [place, ring] of this.#rings.entries()) {
      if (ring === undefined) continue;
      const isInside = (one: number): boolean => this.#rings[one] === ring;
      const pump = this.#search(
        [place, place, 0],
        [place, place, 1],
        ([a = 0, b = 0, parted], take) => {
          for (const [toA, ways] of this.#next(a)) {
            for (const [toB] of this.#next(b)) {
              if (!isInside(toA) || !isInside(toB)) continue;
              const isParted = parted === 1 || toA !== toB || (a === b && ways > 1);
              take([toA, toB, isParted ? 1 : 0], this.#letters(toA) & this.#letters(toB));
            }
          }
        },
      );
      const way = pump === undefined ? undefined : this.#wayTo(place);
      if (pump !== undefined && way !== undefined) yield { way, pump };
    }
  }

  /** Over one text round one place, round another, and from the first to the other: the ways grow with its length. */
  *polynomial(): Generator<Ambiguity> {
    const rounds = [...this.#rings.keys()].filter((place) => this.#rings[place] !== undefined);
    for (const to of rounds) {
      for (const from of this.#isSearch ? [outside, ...rounds] : rounds) {
        if (this.#ring(from) === this.#ring(to)) continue;
        const pump = this.#search(
          [from, from, to],
          [from, to, to],
          ([a = 0, b = 0, c = 0], take) => {
            for (const [toA] of this.#next(a)) {
              if (this.#ring(toA) !== this.#ring(from)) continue;
              for (const [toB] of this.#next(b)) {
                for (const [toC] of this.#next(c)) {
                  if (this.#ring(toC) !== this.#ring(to)) continue;
                  take(
                    [toA, toB, toC],
                    this.#letters(toA) & this.#letters(toB) & this.#letters(toC),
                  );
                }
              }
            }
          },
        );
        const way = pump === undefined ? undefined : this.#wayTo(from);
        if (pump !== undefined && way !== undefined) yield { way, pump };
      }
    }
  }

  /** At most so many repetitions follow one another, the search for the beginning among them: no degree is higher. */
  get degreeMost(): number {
    const { next, first } = this.#automaton;
    const known = new Map<number, number>();
    const longest = (place: number): number => {
      const ring = this.#rings[place];
      const found = known.get(ring ?? place);
      if (found !== undefined) return found;
      known.set(ring ?? place, 0);
      const members =
        ring === undefined ? [place] : [...next.keys()].filter((one) => this.#rings[one] === ring);
      const behind = members
        .flatMap((one) => [...(next[one]?.keys() ?? [])])
        .filter((one) => ring === undefined || this.#rings[one] !== ring);
      const length = Math.max(0, ...behind.map(longest)) + (ring === undefined ? 0 : 1);
      known.set(ring ?? place, length);
      return length;
    };
    return Math.max(0, ...[...first].map(longest)) + (this.#isSearch ? 1 : 0);
  }

  #ring(place: number): number | undefined {
    return place === outside ? outside : this.#rings[place];
  }

  #letters(place: number): Letters {
    return place === outside ? -1n : (this.#automaton.letters[place] ?? 0n);
  }

  *#next(place: number): Generator<readonly [place: number, ways: number]> {
    this.#budget.spend();
    if (place !== outside) {
      for (const one of this.#automaton.next[place] ?? []) {
        this.#budget.spend();
        yield one;
      }
    }
    if (place === outside) {
      yield [outside, 1];
      for (const one of this.#automaton.first) yield [one, 1];
    }
  }

  /** A way to a place, and over it; none where it can only be reached by what fits before. */
  #wayTo(place: number): readonly Letters[] | undefined {
    if (place === outside) return [];
    const { first } = this.#automaton;
    if (first.has(place)) return [this.#letters(place)];
    for (const one of first) {
      const rest = this.#search([one], [place], ([at = 0], take) => {
        for (const [to] of this.#next(at)) take([to], this.#letters(to));
      });
      if (rest !== undefined) return [this.#letters(one), ...rest];
    }
    return undefined;
  }

  /** The letters of a shortest way of at least one step, looked for in breadth. @throws Undecided */
  #search(
    start: readonly number[],
    end: readonly number[],
    visit: (
      state: readonly number[],
      take: (next: readonly number[], letters: Letters) => void,
    ) => void,
  ): readonly Letters[] | undefined {
    const [begin, goal] = [keyOf(start), keyOf(end)];
    const reached = new Map<number, { readonly from: number; readonly letters: Letters }>();
    const waiting: (readonly number[])[] = [start];
    for (const state of waiting) {
      const from = keyOf(state);
      visit(state, (next, letters) => {
        const key = keyOf(next);
        if (letters === 0n || reached.has(key)) return;
        reached.set(key, { from, letters });
        waiting.push(next);
      });
      if (!reached.has(goal)) continue;
      const way: Letters[] = [];
      let key = goal;
      do {
        const step = reached.get(key);
        if (step === undefined) break;
        way.unshift(step.letters);
        key = step.from;
      } while (key !== begin);
      return way;
    }
    return undefined;
  }
}

/** One number for up to three places, `outside` among them. */
function keyOf(places: readonly number[]): number {
  return places.reduce((key, place) => key * 1_000 + place + 1, 0);
}

/** By place the ring that it is in: of places that lead to one another (Tarjan); none for what is left for good. */
function ringsOf(next: Automaton["next"]): readonly (number | undefined)[] {
  const index = new Map<number, number>();
  const low = new Map<number, number>();
  const stack: number[] = [];
  const rings: (number | undefined)[] = next.map(() => undefined);
  const visit = (place: number): void => {
    index.set(place, index.size);
    low.set(place, index.size - 1);
    stack.push(place);
    for (const to of next[place]?.keys() ?? []) {
      if (!index.has(to)) visit(to);
      if (stack.includes(to)) low.set(place, Math.min(low.get(place) ?? 0, low.get(to) ?? 0));
    }
    if (low.get(place) !== index.get(place)) return;
    const ring = stack.splice(stack.indexOf(place));
    const isRound = ring.length > 1 || next[place]?.has(place) === true;
    if (isRound) for (const one of ring) rings[one] = place;
  };
  for (const place of next.keys()) if (!index.has(place)) visit(place);
  return rings;
}
