// Two schemas, by what they say. A pair that is met again is not walked again, so circles end; and pairs below a pair
// are walked after it, not within.

import { isObject, type Json, type JsonObject } from "../json.ts";
import { type Facts, placeOfAll, type Schemas } from "./facts.ts";
import type { Both, Extension, Found, Pair } from "./found.ts";
import { factsOf } from "./gather.ts";
import type { Direction, Party } from "./judgement.ts";
import type { Notice } from "./lifecycle.ts";
import { comparePlain, type Promises } from "./plain.ts";
import { breaks } from "./rules.ts";
import { isSame } from "./same.ts";
import { compareUnions } from "./unions.ts";
import { reporter } from "./values.ts";

/** Of alternatives within each other. Below that two schemas are the same, or nothing can be said of them. */
const depthMax = 100;
/** Pairs within alternatives for each pair that is not: without names, each may have to be held against each other. */
const innerMax = 20;
/** However small the document is. */
const innerLeast = 5_000;

type Directed = Pair & { readonly direction: Direction };

interface Judged {
  /** what has changed in the pair itself */
  readonly found: readonly Found[];
  /** pairs that are still to be compared */
  readonly below: readonly Both<Schemas>[];
}

/** Met again below itself. */
const beingJudged: Judged = { found: [], below: [] };

export class SchemaComparison {
  readonly #promises: Promises;
  readonly #known = new Map<string, Judged>();
  /** by party */
  readonly #fitting = new Map<string, boolean>();
  /** of those that lie too deep */
  readonly #deep = new Map<string, readonly Found[]>();
  /** with all that lies below */
  readonly #wholes = new Map<string, readonly Found[]>();
  readonly #numbers = new WeakMap<object, number>();
  #count = 0;
  #depth = 0;
  /** pairs that were judged within alternatives, and all others */
  #inner = 0;
  #outer = 0;
  /** how often something was taken for unchanged, since it was being judged or lay too deep */
  #assumed = 0;

  constructor(extensions: readonly Extension[], notice: Notice) {
    this.#promises = { extensions: extensions.filter(({ on }) => on === "Schema"), notice };
  }

  /** The schemas below a property of two nodes; what is not there allows everything. */
  below(nodes: Both<JsonObject>, pair: Directed): readonly Found[] {
    return this.between({ base: nodes.base["schema"], head: nodes.head["schema"] }, nodes, pair);
  }

  /** Of schemas that stand in two nodes. */
  between(
    values: Both<Json | undefined>,
    nodes: Both<JsonObject>,
    pair: Directed,
  ): readonly Found[] {
    const schema = (side: "base" | "head"): Schemas => {
      const value = values[side] ?? true;
      const revision = pair[side];
      return [{ value, at: { revision, node: isObject(value) ? value : nodes[side] } }];
    };
    return this.compare({ base: schema("base"), head: schema("head") }, pair.direction);
  }

  /** All that has changed from the one to the other, whatever lies between. */
  compare(schemas: Both<Schemas>, direction: Direction): readonly Found[] {
    const key = this.#keyOf(schemas, direction);
    const known = this.#wholes.get(key);
    if (known !== undefined) return known;
    const found = this.#collect([schemas], direction);
    // what is still being judged will have more to say
    if (this.#depth === 0) this.#wholes.set(key, found);
    return found;
  }

  /** Without alternatives, or with one of them chosen. */
  judge(facts: Both<Facts>, direction: Direction): readonly Found[] {
    const { found, below } = this.#judge(facts, direction);
    return [...found, ...this.#collect(below, direction)];
  }

  /** Nothing that has changed breaks the party, whatever lies between: as `compare`, up to the first that does. */
  fits(schemas: Both<Schemas>, direction: Direction, party: Party): boolean {
    return this.#fit([schemas], direction, party);
  }

  /** As `fits`, of what `judge` judges. */
  fitsWhole(facts: Both<Facts>, direction: Direction, party: Party): boolean {
    const { found, below } = this.#judge(facts, direction);
    return !breaks(found, party) && this.#fit(below, direction, party);
  }

  /** False where what the two say themselves breaks clients already: what lies below is not looked at. */
  mayFit(facts: Both<Facts>, direction: Direction): boolean {
    const { base, head } = facts;
    if (base.unions.length !== head.unions.length) return true;
    return !breaks(comparePlain(facts, direction, this.#promises).found, "clients");
  }

  #fit(pairs: readonly Both<Schemas>[], direction: Direction, party: Party): boolean {
    const assumed = this.#assumed;
    const keyOf = (pair: Both<Schemas>): string => `${party} ${this.#keyOf(pair, direction)}`;
    const seen = new Set<string>();
    const open = [...pairs];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const key = keyOf(next);
      const known = this.#fitting.get(key);
      if (known === true || seen.has(key)) continue;
      seen.add(key);
      const below = known === false ? undefined : this.#belowFitting(next, direction, party);
      if (below === undefined) {
        this.#fitting.set(key, false);
        const [only, ...others] = pairs;
        if (only !== undefined && others.length === 0) this.#fitting.set(keyOf(only), false);
        return false;
      }
      open.push(...below);
    }
    if (this.#depth === 0 || this.#assumed === assumed) {
      for (const key of seen) this.#fitting.set(key, true);
    }
    return true;
  }

  /** Undefined where the pair itself breaks the party. */
  #belowFitting(
    pair: Both<Schemas>,
    direction: Direction,
    party: Party,
  ): readonly Both<Schemas>[] | undefined {
    const key = this.#keyOf(pair, direction);
    const facts = { base: factsOf(pair.base), head: factsOf(pair.head) };
    const isPlain = party === "clients" && !this.#known.has(key);
    if (isPlain && !this.mayFit(facts, direction)) return undefined;
    const { found, below } = this.#judged(key, pair, direction);
    return breaks(found, party) ? undefined : below;
  }

  /** Of pairs, and of those below them, each once: a contract may be deeper than the stack. */
  #collect(pairs: readonly Both<Schemas>[], direction: Direction): readonly Found[] {
    const found = new Set<Found>();
    const seen = new Set<string>();
    const open = [...pairs];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const key = this.#keyOf(next, direction);
      if (seen.has(key)) continue;
      seen.add(key);
      const judged = this.#judged(key, next, direction);
      for (const one of judged.found) found.add(one);
      for (const one of judged.below) open.push(one);
    }
    return [...found];
  }

  #judged(key: string, { base, head }: Both<Schemas>, direction: Direction): Judged {
    const known = this.#known.get(key);
    if (known === beingJudged) this.#assumed += 1;
    if (known !== undefined) return known;
    if (this.#isTooDeep()) {
      this.#assumed += 1;
      const deep = this.#deep.get(key) ?? ofDeep({ base, head }, direction);
      this.#deep.set(key, deep);
      return { found: deep, below: [] };
    }
    this.#known.set(key, beingJudged);
    this.#depth += 1;
    const judged = this.#judge({ base: factsOf(base), head: factsOf(head) }, direction);
    this.#depth -= 1;
    this.#known.set(key, judged);
    return judged;
  }

  /** Within alternatives, so that they may be told apart: not by more than near to what the document is long. */
  #isTooDeep(): boolean {
    if (this.#depth === 0) this.#outer += 1;
    else this.#inner += 1;
    const isMuch = this.#inner > innerLeast + innerMax * this.#outer;
    return this.#depth > 0 && (isMuch || this.#depth > depthMax);
  }

  #judge(facts: Both<Facts>, direction: Direction): Judged {
    const unions = compareUnions(facts, direction, this);
    if (unions.isAll) return unions;
    const { found, below, isOther } = comparePlain(facts, direction, this.#promises);
    if (isOther) return { found, below };
    return { found: [...found, ...unions.found], below: [...unions.below, ...below] };
  }

  #keyOf({ base, head }: Both<Schemas>, direction: Direction): string {
    return `${direction} ${this.#name(base)} ${this.#name(head)}`;
  }

  #name(schemas: Schemas): string {
    return schemas
      .map(({ value }) => (isObject(value) ? this.#number(value) : JSON.stringify(value)))
      .join();
  }

  #number(node: object): number {
    const known = this.#numbers.get(node) ?? ++this.#count;
    this.#numbers.set(node, known);
    return known;
  }
}

/** Without going further down. */
function ofDeep({ base, head }: Both<Schemas>, direction: Direction): readonly Found[] {
  const where = { base: placeOfAll(base), head: placeOfAll(head) };
  const revisions = { base: where.base.revision, head: where.head.revision };
  const whole = (schemas: Schemas): Json => schemas.map(({ value }) => value);
  if (isSame(revisions, { base: whole(base), head: whole(head) })) return [];
  const found: Found[] = [];
  const message = "these lie too deep in alternatives to be compared, and they are not the same";
  reporter(found, direction)("composition-changed", where, message);
  return found;
}
