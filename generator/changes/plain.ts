// What has changed in what two schemas say themselves: all but their alternatives.

import type { JsonObject } from "../json.ts";
import { type Facts, homeOf, placeOfAll, type SchemaRef, type Schemas } from "./facts.ts";
import { addTo, type Both, type Extension, extensionChanges, type Found } from "./found.ts";
import { factsOf } from "./gather.ts";
import type { Direction } from "./judgement.ts";
import { compareSunset, isOver, type Notice } from "./lifecycle.ts";
import type { At, Revision } from "./revision.ts";
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

interface Gathered {
  readonly found: Found[];
  readonly below: Both<Schemas>[];
}

/** What is promised beside what OpenAPI says. */
export interface Promises {
  readonly extensions: readonly Extension[];
  readonly notice: Notice;
}

interface Plain extends Gathered {
  /** nothing of the one is a value of the other */
  readonly isOther: boolean;
}

/** Of all but alternatives. */
export function comparePlain(
  facts: Both<Facts>,
  direction: Direction,
  { extensions, notice }: Promises,
): Plain {
  const found: Found[] = [];
  const below: Both<Schemas>[] = [];
  const report = reporter(found, direction);
  if (!compareTypes(facts, report)) return { found, below, isOther: true };
  compareValues(facts, report);
  compareFormats(facts, report);
  comparePatterns(facts, report);
  compareBounds(facts, report);
  compareWholes(facts, report);
  addTo(found, deprecationOf(facts, notice));
  compareProperties(facts, { direction, notice }, { found, below });
  compareParts(facts, direction, { found, below });
  compareAdditional(facts, report);
  for (const extension of extensions) addTo(found, ofNodes(facts, extension));
  return { found, below, isOther: false };
}

function deprecationOf({ base, head }: Both<Facts>, notice: Notice): readonly Found[] {
  const found: Found[] = [];
  const after = head.others.get("deprecated");
  if (after?.value !== true) return found;
  const before = base.others.get("deprecated");
  if (before?.value !== true) {
    const where = { base: before ?? homeOf(base), head: after };
    found.push({ ...where, rule: "deprecated", message: "this is deprecated now" });
  }
  const nodes = { base: endingNode(base), head: endingNode(head) };
  addTo(found, compareSunset(nodes, notice));
  return found;
}

interface Way {
  readonly direction: Direction;
  readonly notice: Notice;
}

function compareProperties(
  { base, head }: Both<Facts>,
  way: Way,
  { found, below }: Gathered,
): void {
  const { direction } = way;
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
    const rule = removalOf({ schemas, wasOptional }, way);
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

function removalOf(
  { schemas, wasOptional }: { readonly schemas: Schemas; readonly wasOptional: boolean },
  { direction, notice }: Way,
): string {
  const { node } = endingNode(factsOf(schemas));
  if (isOver(node, notice)) return `${direction}-property-removed-after-sunset`;
  const isMissed = direction === "request" && !wasOptional;
  return isMissed ? "request-required-property-removed" : `${direction}-property-removed`;
}

/** Items, names of properties, and properties without a name. */
function compareParts(
  { base, head }: Both<Facts>,
  direction: Direction,
  { found, below }: Gathered,
): void {
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
