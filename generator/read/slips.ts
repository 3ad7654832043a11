// Slips of indentation that are YAML all the same: what should stand inside something stands beside it, or the
// other way round. Nearly everything else that could be said of such a document follows from the slip, so the
// first one is said and nothing else, as of an error of YAML. What is only unusual is none: there has to be a
// place that is empty, or that cannot do without what was found elsewhere.

import { fitsField } from "../check/fields.ts";
import type { Json, JsonObject } from "../json.ts";
import { at, escapeToken, isObject, textOf } from "../json.ts";
import type { Said } from "../problems.ts";
import type { Report } from "./origins.ts";
import type { Field, Kind } from "./shapes.ts";
import { methods } from "./operations.ts";
import { componentFolders, shapes } from "./shapes.ts";
import type { Source } from "./source.ts";

export const slipCode = "OAG308";

interface Part {
  readonly value: Json;
  readonly kind: Kind;
}

/** An object of a kind, or a map of such objects. */
interface Level {
  readonly node: JsonObject;
  readonly kind: Kind;
  readonly isMap: boolean;
  /** its name where it stands */
  readonly name: string;
  /** what it stands in */
  readonly around: Level | undefined;
}

interface Entry {
  readonly holder: Level;
  readonly key: string;
  readonly value: Json;
}

/** A place that could hold something and holds nothing. */
interface Hollow extends Entry {
  readonly field: Field;
}

interface Survey {
  readonly strays: Entry[];
  readonly hollows: Hollow[];
  /** every object that cannot do without something, as they were met */
  readonly needy: Level[];
  readonly references: Set<string>;
}

/** Says the first slip of a file; @returns whether there is one */
export function saySlip(source: Source, part: Part, report: Report): boolean {
  if (source.language === "json") return false; // indentation says nothing there
  const survey: Survey = { strays: [], hollows: [], needy: [], references: new Set() };
  look({ ...part, name: "", around: undefined }, survey);
  const lineOf = ({ holder, key }: Entry): number =>
    report.origins.place(holder.node, key, "key").line ?? 0;
  const found = survey.strays
    .flatMap((stray) => explain(stray, survey, lineOf) ?? [])
    .toSorted((a, b) => lineOf(a.entry) - lineOf(b.entry));
  const [first] = found;
  if (first === undefined) return false;
  report.error(slipCode, [first.entry.holder.node, first.entry.key, "key"], first.said);
  return true;
}

/** Something that may be an object of a kind, and where it stands. */
interface Spot extends Part {
  readonly name: string;
  readonly around: Level | undefined;
}

// Every object of every document comes through here, so that nothing is made that is not kept.
function look({ value, kind, name, around }: Spot, survey: Survey): void {
  if (!isObject(value)) return;
  const reference = textOf(value["$ref"]);
  const refers = reference !== undefined && couldBe(kind, reference);
  if (refers) {
    survey.references.add(reference);
    if (kind !== "Schema") return;
  }
  const { fields, others } = shapes[kind];
  const level: Level = { node: value, kind, isMap: false, name, around };
  if (needs[kind] !== undefined) survey.needy.push(level);
  for (const key of Object.keys(value)) {
    if (key.startsWith("x-") || (key === "$ref" && refers)) continue;
    const item = value[key] ?? null;
    const field: Field | undefined = Object.hasOwn(fields, key) ? fields[key] : others;
    if (field === undefined) survey.strays.push({ holder: level, key, value: item });
    else if (field.kind === undefined) continue;
    else if (item === null && field.many !== "list")
      survey.hollows.push({ holder: level, key, value: item, field });
    else if (field.many === "map")
      lookInMap({ value: item, kind: field.kind, name: key, around: level }, survey);
    else if (field.many === undefined)
      look({ value: item, kind: field.kind, name: key, around: level }, survey);
    else if (Array.isArray(item)) {
      for (const one of item)
        look({ value: one, kind: field.kind, name: key, around: level }, survey);
    }
  }
}

function lookInMap({ value, kind, name, around }: Spot, survey: Survey): void {
  if (!isObject(value)) return;
  const level: Level = { node: value, kind, isMap: true, name, around };
  for (const key of Object.keys(value)) {
    if (key.startsWith("x-")) continue;
    const item = value[key] ?? null;
    const isRight = isKey(kind, key);
    if (isRight && item === null)
      survey.hollows.push({ holder: level, key, value: item, field: { kind } });
    else if (!isRight || !isPart(kind, item))
      survey.strays.push({ holder: level, key, value: item });
    if (isRight) look({ value: item, kind, name: key, around: level }, survey);
  }
}

/** From the outside inwards, `level` included. */
function levelsTo(level: Level): Level[] {
  const { around } = level;
  return around === undefined ? [level] : [...levelsTo(around), level];
}

/** Whether such an object may be a reference, and this one leads to no component of another kind. */
function couldBe(kind: Kind, reference: string): boolean {
  const folder = /^#\/components\/([^/]+)\//.exec(reference)?.[1];
  const own = kind === "PathItem" ? "pathItems" : componentFolders[kind];
  const isOther = folder !== undefined && folder !== own;
  return shapes[kind].reference === true && !isOther;
}

function isPart(kind: Kind, value: Json): boolean {
  return isObject(value) || (kind === "Schema" && typeof value === "boolean");
}

/** Whether an entry of a map of such objects may be called so. */
function isKey(kind: Kind, key: string): boolean {
  if (kind === "PathItem") return key.startsWith("/") || key.includes("{$");
  if (kind === "Response") return /^(?:[1-5](?:\d\d|XX)|default)$/i.test(key);
  return kind !== "MediaType" || key.includes("/");
}

interface Slip {
  readonly entry: Entry;
  readonly said: Said;
}

function explain(stray: Entry, survey: Survey, lineOf: (entry: Entry) => number): Slip | undefined {
  return (
    intoHollow(stray, survey, lineOf) ??
    outOfMap(stray) ??
    intoComponent(stray) ??
    intoNeedy(stray, survey) ??
    intoComponents(stray, survey)
  );
}

/** `properties:` with nothing in it, and further down a name that is out of place and could stand in it. */
function intoHollow(
  stray: Entry,
  { hollows }: Survey,
  lineOf: (entry: Entry) => number,
): Slip | undefined {
  if (hollows.length === 0) return undefined; // where lines begin takes a while to find
  const { key, value } = stray;
  const line = lineOf(stray);
  const hollow = hollows.findLast((one) => {
    const { kind, many } = one.field;
    if (kind === undefined || lineOf(one) >= line) return false;
    if (many === "map") return isPart(kind, value) && isKey(kind, key);
    const { fields } = shapes[kind];
    if (key === "$ref") return typeof value === "string" && couldBe(kind, value);
    return Object.hasOwn(fields, key) && fitsField(fields[key] ?? {}, value);
  });
  if (hollow === undefined) return undefined;
  const message = `"${hollow.key}" has nothing in it, and "${key}" in line ${line} could belong into it`;
  return { entry: hollow, said: [message, "indent more deeply what belongs into it"] };
}

/** `post:` among the paths, `content:` among the answers: where names have a form, and this has another. */
function outOfMap({ holder, key, value }: Entry): Slip | undefined {
  if (!holder.isMap || isKey(holder.kind, key)) return undefined;
  // nothing follows from examples, wherever they have slipped to
  if (holder.kind === "MediaType" && /^examples?$/.test(key)) return undefined;
  const { fields } = shapes[holder.kind];
  const entry = { holder, key, value };
  const isMethod = holder.kind === "PathItem" && methods.some((one) => one === key);
  const isOfEntry = Object.hasOwn(fields, key) && fitsField(fields[key] ?? {}, value);
  const before = Object.keys(holder.node).filter((one) => isKey(holder.kind, one));
  const inOperation = holder.kind === "PathItem" && ["requestBody", "responses"].includes(key);
  if (before.length > 0 && (isMethod || isOfEntry || inOperation)) {
    const message = `"${key}" stands in "${holder.name}", and belongs into one of its entries`;
    return { entry, said: [message, "indent it more deeply"] };
  }
  const outer = levelsTo(holder).some((level) => {
    const own = level.isMap ? {} : shapes[level.kind].fields;
    return Object.hasOwn(own, key) && level.node[key] === undefined;
  });
  if (!outer) return undefined;
  const message = `"${key}" stands in "${holder.name}", and belongs further out`;
  return { entry, said: [message, "indent it less deeply"] };
}

/** `properties:` among the folders of components, below a schema. */
function intoComponent({ holder, key, value }: Entry): Slip | undefined {
  if (holder.kind !== "Components" || holder.isMap) return undefined;
  const names = Object.keys(holder.node);
  const above = names.slice(0, names.indexOf(key)).findLast((name) => isObject(holder.node[name]));
  const { kind } = (above === undefined ? undefined : componentFields[above]) ?? {};
  if (kind === undefined || !Object.hasOwn(shapes[kind].fields, key)) return undefined;
  const message = `"${key}" stands among the components, and belongs into one of "${above ?? ""}"`;
  return { entry: { holder, key, value }, said: [message, "indent it more deeply"] };
}

const componentFields: Readonly<Record<string, Field>> = shapes.Components.fields;

/** What objects of a kind cannot do without, though no table says so of all of them. */
const needs: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  Document: ["info", "paths"],
  Info: ["title", "version"],
  Operation: ["responses", "requestBody"],
  Parameter: ["schema", "content", "name", "in"],
  RequestBody: ["content"],
};

/** `responses:` in a request body, beside an operation that has none. */
function intoNeedy(stray: Entry, { needy }: Survey): Slip | undefined {
  const { holder, key, value } = stray;
  const lacking = needy.filter(({ node, kind }) => {
    if (node === holder.node || needs[kind]?.includes(key) !== true) return false;
    const isFitting = value === null || fitsField(shapes[kind].fields[key] ?? {}, value);
    if (node[key] !== undefined || !isFitting) return false;
    return kind !== "Parameter" || (node["schema"] === undefined && node["content"] === undefined);
  });
  // it stands around the name that is out of place, or the name has slipped out of it
  const levels = levelsTo(holder);
  const home =
    lacking.findLast((level) => levels.includes(level)) ??
    lacking.findLast((level) => levelsTo(level).includes(holder));
  if (home === undefined) return undefined;
  const { name } = home;
  const said = `"${key}" is out of place in ${shapes[holder.kind].article}, and "${name}" has none`;
  return { entry: stray, said: [said, `indent it as the other parts of "${name}"`] };
}

/** `Pet:` outside of the schemas, where something refers to a schema of that name; or `components:` itself. */
function intoComponents({ holder, key, value }: Entry, { references }: Survey): Slip | undefined {
  const root = levelsTo(holder)[0];
  if (root?.kind !== "Document" || !(isObject(value) || value === null)) return undefined;
  const entry = { holder, key, value };
  const isMissing = (one: string): boolean =>
    one.startsWith("#/components/") && at(root.node, one.slice(1)) === undefined;
  const mayBeAll = key === "components" && holder.node !== root.node;
  if (mayBeAll && [...references].some(isMissing)) {
    const message = '"components" is out of place, and the document has none';
    return { entry, said: [message, "indent it less deeply"] };
  }
  const end = `/${escapeToken(key)}`;
  const wanted = [...references].find((one) => one.endsWith(end) && isMissing(one));
  if (wanted === undefined) return undefined;
  const message = `"${key}" is out of place, and "${wanted}" is referred to`;
  return { entry, said: [message, "indent it as the other components"] };
}
