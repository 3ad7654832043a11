// Two schemas, by what they say. A pair that is met again is not walked again, so circles end; and pairs below a pair
// are walked after it, not within.

import { isObject, type Json, type JsonObject } from "../json.ts";
import { type Facts, homeOf, type SchemaRef, type Schemas } from "./facts.ts";
import {
  addTo,
  type Both,
  type Extension,
  extensionChanges,
  type Found,
  type Pair,
} from "./found.ts";
import { factsOf } from "./gather.ts";
import type { Direction } from "./judgement.ts";
import { compareSunset, isOver, type Notice } from "./lifecycle.ts";
import type { At, Revision } from "./revision.ts";
import { isSame } from "./same.ts";
import { compareUnions } from "./unions.ts";
import {
  compareBounds,
  compareFormats,
  comparePatterns,
  compareTypes,
  compareValues,
  compareWholes,
  type Report,
  reporter,
} from "./values.ts";

/** Of alternatives within each other. Below that two schemas are the same, or nothing can be said of them. */
const depthMax = 100;

type Directed = Pair & { readonly direction: Direction };

interface Judged {
  /** what has changed in the pair itself */
  readonly found: readonly Found[];
  /** pairs that are still to be compared */
  readonly below: readonly Both<Schemas>[];
}

interface Gathered {
  readonly found: Found[];
  readonly below: Both<Schemas>[];
}

export class SchemaComparison {
  readonly #extensions: readonly Extension[];
  readonly #notice: Notice;
  readonly #known = new Map<string, Judged>();
  /** with all that lies below */
  readonly #wholes = new Map<string, readonly Found[]>();
  readonly #numbers = new WeakMap<object, number>();
  #count = 0;
  #depth = 0;

  constructor(extensions: readonly Extension[], notice: Notice) {
    this.#notice = notice;
    this.#extensions = extensions.filter(({ on }) => on === "Schema");
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
    if (known !== undefined) return known;
    if (this.#depth > depthMax) return { found: ofDeep({ base, head }, direction), below: [] };
    this.#known.set(key, { found: [], below: [] }); // met again below itself: it is being judged already
    this.#depth += 1;
    const judged = this.#judge({ base: factsOf(base), head: factsOf(head) }, direction);
    this.#depth -= 1;
    this.#known.set(key, judged);
    return judged;
  }

  #judge(facts: Both<Facts>, direction: Direction): Judged {
    const unions = compareUnions(facts, direction, this);
    if (unions.isAll) return unions;
    const found: Found[] = [];
    const report = reporter(found, direction);
    if (!compareTypes(facts, report)) return { found, below: [] };
    compareValues(facts, report);
    compareFormats(facts, report);
    comparePatterns(facts, report);
    compareBounds(facts, report);
    compareWholes(facts, report);
    this.#noteDeprecation(facts, found);
    addTo(found, unions.found);
    const below = [...unions.below];
    this.#properties(facts, direction, { found, below });
    this.#parts(facts, direction, { found, below });
    compareAdditional(facts, report);
    for (const extension of this.#extensions) addTo(found, ofNodes(facts, extension));
    return { found, below };
  }

  #keyOf({ base, head }: Both<Schemas>, direction: Direction): string {
    return `${direction} ${this.#name(base)} ${this.#name(head)}`;
  }

  #noteDeprecation({ base, head }: Both<Facts>, found: Found[]): void {
    const after = head.others.get("deprecated");
    if (after?.value !== true) return;
    const before = base.others.get("deprecated");
    if (before?.value !== true) {
      const where = { base: before ?? homeOf(base), head: after };
      found.push({ ...where, rule: "deprecated", message: "this is deprecated now" });
    }
    const nodes = { base: endingNode(base), head: endingNode(head) };
    addTo(found, compareSunset(nodes, this.#notice));
  }

  #properties({ base, head }: Both<Facts>, direction: Direction, { found, below }: Gathered): void {
    const report = reporter(found, direction);
    const before = visible(base, direction);
    const after = visible(head, direction);
    for (const [name, schemas] of before) {
      const other = after.get(name);
      if (other !== undefined) {
        below.push({ base: schemas, head: other });
        continue;
      }
      const wasOptional = !base.required.has(name);
      const where = { base: placeOfAll(schemas), head: homeOf(head), isGone: true };
      const rule = this.#removal({ schemas, wasOptional }, direction);
      found.push({ ...where, rule, message: `${name} is gone`, wasOptional });
    }
    for (const [name, schemas] of after) {
      if (before.has(name)) continue;
      // what the other direction alone had was required of nobody here
      const isNew = !base.required.has(name) || base.properties.has(name);
      const isRequired = head.required.has(name) && isNew;
      const rule = isRequired ? "required-property-added" : "property-added";
      report(rule, { base: homeOf(base), head: placeOfAll(schemas) }, `${name} is new`);
      if (isNew || base.properties.has(name)) continue;
      // it had to be there all the time, and was anything
      const both = { base: orAnything(base.additional, base), head: schemas };
      below.push(both);
    }
    compareRequired({ base, head }, { before, after }, report);
    for (const [name, schemas] of base.patternProperties) {
      const other = head.patternProperties.get(name);
      if (other !== undefined) {
        below.push({ base: schemas, head: other });
        continue;
      }
      const where = { base: placeOfAll(schemas), head: homeOf(head), isGone: true };
      report("condition-changed", where, `properties like ${name} are gone`);
    }
    for (const [name, schemas] of head.patternProperties) {
      if (base.patternProperties.has(name)) continue;
      const where = { base: homeOf(base), head: placeOfAll(schemas) };
      report("condition-changed", where, `properties like ${name} are new`);
    }
  }

  #removal(
    { schemas, wasOptional }: { readonly schemas: Schemas; readonly wasOptional: boolean },
    direction: Direction,
  ): string {
    const { node } = endingNode(factsOf(schemas));
    if (isOver(node, this.#notice)) return `${direction}-property-removed-after-sunset`;
    const isMissed = direction === "request" && !wasOptional;
    return isMissed ? "request-required-property-removed" : `${direction}-property-removed`;
  }

  /** Items, names of properties, and properties without a name. */
  #parts({ base, head }: Both<Facts>, direction: Direction, { found, below }: Gathered): void {
    for (const kind of ["items", "names", "additional"] as const) {
      const isAny = [base, head].every((side) => side[kind].every(({ value }) => value === true));
      const isClosed = [base, head].some((side) => side[kind].some(({ value }) => value === false));
      if (isAny || (kind === "additional" && isClosed)) continue;
      const both = { base: orAnything(base[kind], base), head: orAnything(head[kind], head) };
      below.push(both);
    }
    if (base.prefixItems.length === head.prefixItems.length) {
      for (const [index, schemas] of base.prefixItems.entries()) {
        const other = head.prefixItems[index];
        if (other !== undefined) below.push({ base: schemas, head: other });
      }
    } else {
      const message = `${base.prefixItems.length} places became ${head.prefixItems.length}`;
      reporter(found, direction)("tuple-changed", { base: base.at, head: head.at }, message);
    }
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

/** A property that this direction does not carry is not there (OpenAPI 3.1.1 section 4.8.24.3). */
function visible(facts: Facts, direction: Direction): ReadonlyMap<string, Schemas> {
  const mark = direction === "request" ? "readOnly" : "writeOnly";
  return new Map(
    Array.from(facts.properties).filter(
      ([, schemas]) => !factsOf(schemas).nodes.some((node) => node[mark] === true),
    ),
  );
}

interface Names {
  readonly before: ReadonlyMap<string, Schemas>;
  readonly after: ReadonlyMap<string, Schemas>;
}

function compareRequired(
  { base, head }: Both<Facts>,
  { before, after }: Names,
  report: Report,
): void {
  for (const [name, at] of head.required) {
    const isNew = !base.required.has(name);
    const schemas = after.get(name);
    // what was not there before has been told of as a new property
    if (!isNew || (schemas !== undefined && !before.has(name))) continue;
    if (schemas === undefined && head.properties.has(name)) continue;
    const where = {
      base: placeIn(before, name) ?? homeOf(base),
      head: schemas === undefined ? at : placeOfAll(schemas),
    };
    report("property-became-required", where, `${name} must be there now`);
  }
  for (const [name, at] of base.required) {
    if (head.required.has(name)) continue;
    const place = placeIn(after, name);
    // what is gone has been told of as such
    if (place === undefined && base.properties.has(name)) continue;
    const where = {
      base: placeIn(before, name) ?? at,
      head: place ?? homeOf(head),
      isGone: place === undefined,
    };
    report("property-became-optional", where, `${name} may be left out now`);
  }
}

function placeIn(properties: ReadonlyMap<string, Schemas>, name: string): At | undefined {
  const schemas = properties.get(name);
  return schemas && placeOfAll(schemas);
}

/** The part of a schema that says when it ends. */
function endingNode({ at, nodes }: Facts): {
  readonly revision: Revision;
  readonly node: JsonObject;
} {
  const own = nodes.find((node) => node["x-sunset"] !== undefined);
  const deprecated = nodes.find((node) => node["deprecated"] === true);
  return { revision: at.revision, node: own ?? deprecated ?? nodes[0] ?? {} };
}

/** Without going further down. */
function ofDeep({ base, head }: Both<Schemas>, direction: Direction): readonly Found[] {
  const where = { base: placeOfAll(base), head: placeOfAll(head) };
  const revisions = { base: where.base.revision, head: where.head.revision };
  const whole = (schemas: Schemas): Json => schemas.map(({ value }) => value);
  if (isSame(revisions, { base: whole(base), head: whole(head) })) return [];
  const found: Found[] = [];
  const message = "these lie too deep in others to be compared, and they are not the same";
  reporter(found, direction)("composition-changed", where, message);
  return found;
}

function placeOfAll(schemas: Schemas): At {
  const [first] = schemas;
  if (first === undefined) throw new Error("a property has at least one schema");
  return first.at;
}

function orAnything(schemas: Schemas, { at }: Facts): Schemas {
  const anything: SchemaRef = { value: true, at };
  return schemas.length === 0 ? [anything] : schemas;
}

function compareAdditional({ base, head }: Both<Facts>, report: Report): void {
  const before = base.additional.find(({ value }) => value === false);
  const after = head.additional.find(({ value }) => value === false);
  if (before === undefined && after !== undefined) {
    const where = { base: base.additional[0]?.at ?? homeOf(base), head: after.at };
    report("additional-properties-closed", where, "unknown properties are refused now");
  }
  if (before !== undefined && after === undefined) {
    const place = head.additional[0]?.at;
    const where = { base: before.at, head: place ?? homeOf(head), isGone: place === undefined };
    report("additional-properties-opened", where, "unknown properties may stand here now");
  }
}

function ofNodes({ base, head }: Both<Facts>, extension: Extension): readonly Found[] {
  const holder = ({ nodes }: Facts): JsonObject | undefined =>
    nodes.find((node) => node[extension.name] !== undefined);
  const before = holder(base);
  const after = holder(head);
  const at = (facts: Facts, node: JsonObject | undefined): At =>
    node === undefined ? facts.at : { ...facts.at, node, name: extension.name };
  return extensionChanges(
    { base: at(base, before), head: at(head, after) },
    { base: before?.[extension.name], head: after?.[extension.name] },
    extension,
  );
}
