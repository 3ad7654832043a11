// What a pattern can cost: the engine goes back to try every way through a text before it says that none fits.

import { patternOf } from "../../suite/patterns.ts";
import { Ambiguities, type Ambiguity } from "./ambiguity.ts";
import { type Alphabet, alphabetOf } from "./letters.ts";
import { type Automaton, automatonOf, type Building, type Letters } from "./positions.ts";
import { Budget, type Tree, treeOf, Undecided } from "./tree.ts";

/** Texts that show it: `begin`, `pump` any number of times, `end`. */
interface Attack {
  readonly begin: string;
  readonly pump: string;
  readonly end: string;
}

export interface Cost extends Attack {
  /** of the time that it takes, with the length of the text, beyond proportion */
  readonly growth: "exponential" | "polynomial";
  /** of a polynomial no less than its degree */
  readonly degreeMost: number;
}

/** What may come as often makes ways enough, though not without end. */
const often = { exponential: 25, polynomial: 5_000 };
/** Of steps for a kind, less than a tenth of a second; and of ways that are looked into. */
const stepsMost = 150_000;
const lookedIntoMost = 20;

/**
 * A help and no proof: of patterns whose time grows in proportion nothing is said, and of those that are not decided
 * (`Undecided`).
 */
export function costOf(pattern: string): Cost | undefined {
  if (!/[*+{]/.test(pattern)) return undefined;
  try {
    const { source, unicode } = patternOf(pattern);
    const tree = treeOf(source, unicode);
    const trees = waysOf(tree);
    if (trees.every(isPlain) || trees.some(hasEdgesInside)) return undefined;
    const alphabet = alphabetOf(source, unicode);
    return costOfKind("exponential", trees, alphabet) ?? costOfKind("polynomial", trees, alphabet);
  } catch (error) {
    // what is no pattern is told of by its own check
    if (error instanceof Undecided || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Those that a pattern has as a whole, also within one group around it. */
function waysOf(tree: Tree): readonly Tree[] {
  if (tree.kind === "choice") return tree.ways.flatMap(waysOf);
  const [part, ...more] = tree.kind === "row" ? tree.parts : [];
  return part === undefined || more.length > 0 ? [tree] : waysOf(part);
}

/** Nearly all are: fixed to the beginning, and with no repetition behind another one, or around one. */
function isPlain(tree: Tree): boolean {
  return repetitionsIn(tree) <= (isFixed(tree, "start") ? 1 : 0);
}

/** How many repetitions of a character follow one another; Infinity where something else is repeated. */
function repetitionsIn(tree: Tree): number {
  if (tree.kind === "one" || tree.kind === "edge") return 0;
  if (tree.kind === "row") return tree.parts.reduce((sum, part) => sum + repetitionsIn(part), 0);
  if (tree.kind === "choice") return Math.max(...tree.ways.map(repetitionsIn));
  if (tree.most <= 1) return repetitionsIn(tree.part);
  if (tree.part.kind !== "one") return Infinity;
  return tree.least === tree.most ? 0 : 1;
}

/** One of the ways of a pattern, and where in a text it may begin and end. */
interface Way {
  readonly automaton: Automaton;
  readonly isSearch: boolean;
  readonly isWhole: boolean;
}

function costOfKind(
  growth: Cost["growth"],
  trees: readonly Tree[],
  alphabet: Alphabet,
): Cost | undefined {
  const budget = new Budget(stepsMost);
  const building = { lettersOf: alphabet.lettersOf, often: often[growth], budget };
  const ways = trees.map((tree) => wayOf(tree, building));
  // one of them always fits, wherever the others lead
  if (ways.some(({ automaton, isWhole }) => automaton.isNullable && !isWhole)) return undefined;
  for (const { automaton, isSearch } of ways) {
    const ambiguities = new Ambiguities(automaton, isSearch, budget);
    let lookedInto = 0;
    for (const ambiguity of ambiguities[growth]()) {
      lookedInto += 1;
      if (lookedInto > lookedIntoMost) break;
      const found = attackOf(ambiguity, { ways, alphabet, budget });
      if (found !== undefined) return { growth, degreeMost: ambiguities.degreeMost, ...found };
    }
  }
  return undefined;
}

function wayOf(tree: Tree, building: Building): Way {
  const isWhole = isFixed(tree, "end");
  const whole = automatonOf(tree, building);
  // who has come to the end of what has to be there has no reason to go back
  const automaton = isWhole ? whole : withoutRest(whole);
  return { automaton, isSearch: !isFixed(tree, "start"), isWhole };
}

/** Whether it can only stand at that end of a text. */
function isFixed(tree: Tree, of: "start" | "end"): boolean {
  if (tree.kind === "edge") return tree.of === of;
  if (tree.kind === "choice") return tree.ways.every((way) => isFixed(way, of));
  if (tree.kind !== "row") return false;
  const outer = of === "start" ? tree.parts[0] : tree.parts.at(-1);
  return outer !== undefined && isFixed(outer, of);
}

/** `(^|,)a`: which ways there are depends on where they begin. */
function hasEdgesInside(tree: Tree): boolean {
  const all = edgesIn(tree);
  const outer = (of: "start" | "end"): number => (isFixed(tree, of) ? edgesAt(tree, of) : 0);
  return all > outer("start") + outer("end");
}

function edgesIn(tree: Tree): number {
  if (tree.kind === "edge") return 1;
  if (tree.kind === "times") return edgesIn(tree.part);
  const parts = tree.kind === "row" ? tree.parts : tree.kind === "choice" ? tree.ways : [];
  return parts.reduce((sum, part) => sum + edgesIn(part), 0);
}

function edgesAt(tree: Tree, of: "start" | "end"): number {
  if (tree.kind === "edge") return tree.of === of ? 1 : 0;
  if (tree.kind === "choice") return tree.ways.reduce((sum, way) => sum + edgesAt(way, of), 0);
  if (tree.kind !== "row") return 0;
  const outer = of === "start" ? tree.parts[0] : tree.parts.at(-1);
  return outer === undefined ? 0 : edgesAt(outer, of);
}

function withoutRest(automaton: Automaton): Automaton {
  const { next, last } = automaton;
  return { ...automaton, next: next.map((ways, place) => (last.has(place) ? new Map() : ways)) };
}

interface Means {
  readonly ways: readonly Way[];
  readonly alphabet: Alphabet;
  readonly budget: Budget;
}

/** More than a pattern is likely to ask for. */
const repetitions = [2, 3, 20];
/** Of letters that are tried before and behind. */
const triedMost = 30;

/** A text that goes through it and does not fit, so that every way is tried; none where all fit. */
function attackOf({ way, pump }: Ambiguity, { ways, alphabet, budget }: Means): Attack | undefined {
  const { letters } = alphabet;
  const tried = letters.slice(0, triedMost);
  for (const pick of [firstOf, lastOf]) {
    const text = (all: readonly Letters[]): string => all.map((one) => pick(one, letters)).join("");
    const [begin, round] = [text(way), text(pump)];
    // where a search may begin anywhere, something else may stand before it
    for (const before of way.length === 0 ? ["", ...tried.slice(0, 4)] : [""]) {
      const isFitting = (end: string): boolean =>
        repetitions.some((times) => {
          const repeated = before + begin + round.repeat(times);
          const signs = Array.from(repeated + end, (sign) => letters.indexOf(sign));
          // what is found behind all that is repeated is found too late
          const startsMost = Array.from(repeated).length;
          return ways.some((one) => fits(one, { signs, startsMost }, budget));
        });
      const end = ["", ...tried].find((one) => !isFitting(one));
      if (end !== undefined) return { begin: before + begin, pump: round, end };
    }
  }
  return undefined;
}

interface Tried {
  /** by index in the alphabet */
  readonly signs: readonly number[];
  /** what is searched for begins before so many of them */
  readonly startsMost: number;
}

/** Whether a text fits, in proportion to its length: all places at once that it leads to. */
function fits(
  { automaton, isSearch, isWhole }: Way,
  { signs, startsMost }: Tried,
  budget: Budget,
): boolean {
  const { letters, next, first, last, isNullable } = automaton;
  let places: ReadonlySet<number> = new Set();
  let isOutside = true;
  const isAtEnd = (): boolean =>
    (isNullable && isOutside) || [...places].some((place) => last.has(place));
  for (const [index, sign] of signs.entries()) {
    if (!isWhole && isAtEnd()) return true;
    budget.spend(1 + places.size);
    const reached = new Set(isOutside ? first : []);
    for (const place of places) for (const to of next[place]?.keys() ?? []) reached.add(to);
    places = new Set([...reached].filter((place) => holds(letters[place] ?? 0n, sign)));
    isOutside = isSearch && index + 1 < startsMost;
  }
  return isAtEnd();
}

function firstOf(set: Letters, letters: readonly string[]): string {
  return letters.find((_, index) => holds(set, index)) ?? "";
}

function lastOf(set: Letters, letters: readonly string[]): string {
  return letters.findLast((_, index) => holds(set, index)) ?? "";
}

function holds(set: Letters, index: number): boolean {
  return (set & (1n << BigInt(index))) !== 0n;
}
