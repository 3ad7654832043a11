// Slips of indentation that are YAML all the same: what should stand inside something stands beside it. Each
// is said once, and read as it was meant, so that nothing has to be said of what follows from it. They are
// errors: nothing is generated of what was only guessed.

import { fitsField } from "../check/fields.ts";
import type { Json, JsonObject } from "../json.ts";
import { isObject, put } from "../json.ts";
import type { Report } from "./origins.ts";
import type { Field, Kind } from "./shapes.ts";
import { methods } from "./operations.ts";
import { shapes } from "./shapes.ts";
import { closest } from "./similar.ts";
import type { Source } from "./source.ts";
import { walk } from "./walk.ts";

interface Part {
  readonly value: Json;
  readonly kind: Kind;
}

/** Changes the data of the file in place. */
export function mendSlips(source: Source, { value, kind }: Part, report: Report): void {
  if (source.language === "json") return; // indentation says nothing there
  walk(value, kind, (node, kind) => {
    if (node["$ref"] !== undefined) return;
    const spot = { node, kind, report };
    fillEmptyField(spot);
    for (const [name, field] of Object.entries(shapes[kind].fields)) {
      const held = node[name];
      if (field.many !== "map" || field.kind === undefined || !isObject(held)) continue;
      const entries = { holder: held, name, kind: field.kind };
      fillEmptyEntry(entries, spot);
      takeOutOfMap(entries, spot);
    }
    takeIntoMap(spot);
  });
}

interface Spot {
  readonly node: JsonObject;
  readonly kind: Kind;
  readonly report: Report;
}

/** `properties:` without anything in it, and names beside it that no schema has. */
function fillEmptyField({ node, kind, report }: Spot): void {
  const { fields, others } = shapes[kind];
  if (others !== undefined) return;
  const empty = Object.entries<Field>(fields).filter(
    ([name, field]) => node[name] === null && field.kind !== undefined && field.many !== "list",
  );
  const [first, ...more] = empty;
  if (first === undefined || more.length > 0) return;
  const [name, field] = first;
  const spilt = Object.keys(node).filter((key) => {
    if (key === name || key.startsWith("x-")) return false;
    const own = Object.hasOwn(fields, key) ? fields[key] : undefined;
    const value = node[key] ?? null;
    return (own === undefined || !fitsField(own, value)) && isAtHome(field, key, value);
  });
  fill({ holder: node, name, spilt }, report);
}

/** Whether it could be a part of what the field holds. */
function isAtHome(field: Field, key: string, value: Json): boolean {
  const { kind } = field;
  if (kind === undefined) return false;
  if (field.many === "map") return isEntry(kind, key, value);
  const { fields } = shapes[kind];
  return Object.hasOwn(fields, key) && fitsField(fields[key] ?? {}, value);
}

/** Whether it could be an entry of a map of such objects. */
function isEntry(kind: Kind, key: string, value: Json): boolean {
  const isPart = isObject(value) || (kind === "Schema" && typeof value === "boolean");
  return isPart && isKey(kind, key);
}

function isKey(kind: Kind, key: string): boolean {
  if (kind === "PathItem") return key.startsWith("/");
  if (kind === "Response") return /^(?:[1-5](?:\d\d|XX)|default)$/i.test(key);
  return kind !== "MediaType" || key.includes("/");
}

interface Spill {
  readonly holder: JsonObject;
  /** what has nothing in it */
  readonly name: string;
  readonly spilt: readonly string[];
}

function fill({ holder, name, spilt }: Spill, report: Report): void {
  const [first, ...more] = spilt;
  if (first === undefined) return;
  const others = more.length === 0 ? "stands" : `and ${more.length} more stand`;
  report.error(
    "OAG308",
    [holder, name, "key"],
    [
      `"${name}" has nothing in it, and "${first}" ${others} beside it`,
      "indent more deeply what belongs into it",
    ],
  );
  const inside = report.origins.copy<JsonObject>(holder, {});
  for (const key of spilt) move(key, holder, inside);
  put(holder, name, inside);
}

function move(key: string, from: JsonObject, to: JsonObject): void {
  put(to, key, from[key] ?? null);
  delete from[key];
}

interface Entries {
  readonly holder: JsonObject;
  /** the field that holds the map */
  readonly name: string;
  /** of what it is a map */
  readonly kind: Kind;
}

/** `Pet:` without anything in it, and the fields of a schema beside it, among the schemas. */
function fillEmptyEntry({ holder, kind }: Entries, { report }: Spot): void {
  const empty = Object.keys(holder).filter((key) => holder[key] === null && isKey(kind, key));
  const [name, ...more] = empty;
  if (name === undefined || more.length > 0) return;
  const { fields } = shapes[kind];
  const inner = Object.keys(holder).filter((key) => Object.hasOwn(fields, key) && key !== name);
  const isSlip = inner.some((key) => !isEntry(kind, key, holder[key] ?? null));
  if (isSlip) fill({ holder, name, spilt: inner }, report);
}

/** `post:` among the paths, `parameters:` among the answers, `components:` among the paths. */
function takeOutOfMap({ holder, name, kind }: Entries, { node, kind: outer, report }: Spot): void {
  if (kind !== "PathItem" && kind !== "Response") return;
  let earlier: string | undefined;
  for (const key of Object.keys(holder)) {
    if (key.startsWith("x-")) continue;
    const home = earlier === undefined ? undefined : holder[earlier];
    if (isKey(kind, key)) {
      earlier = key;
    } else if (kind === "PathItem" && methods.some((one) => one === key) && isObject(home)) {
      const message = `"${key}" stands among the paths, and belongs into one, perhaps "${earlier ?? ""}"`;
      report.error("OAG308", [holder, key, "key"], [message, "indent it more deeply"]);
      if (home[key] === undefined) move(key, holder, home);
      else delete holder[key];
    } else if (Object.hasOwn(shapes[outer].fields, key) && node[key] === undefined) {
      const message = `"${key}" stands in "${name}", and belongs beside it`;
      report.error("OAG308", [holder, key, "key"], [message, "indent it less deeply"]);
      move(key, holder, node);
    }
  }
}

/** `Pet:` beside the schemas, `"404":` beside the answers, `/pets:` beside the paths. */
function takeIntoMap({ node, kind, report }: Spot): void {
  if (kind !== "Components" && kind !== "Operation" && kind !== "Document") return;
  const { fields } = shapes[kind];
  let nearest: Entries | undefined;
  // numbers come first in an object of JavaScript, wherever they were written
  const names = Object.keys(node).toSorted((a, b) => Number(/^\d/.test(a)) - Number(/^\d/.test(b)));
  for (const name of names) {
    if (Object.hasOwn(fields, name)) {
      const field: Field = fields[name] ?? {};
      const held = node[name];
      const isMap = field.many === "map" && field.kind !== undefined && isObject(held);
      const isKeyed = kind === "Components" || name === "responses" || name === "paths";
      if (isMap && isKeyed) nearest = { holder: held, name, kind: field.kind };
    } else if (nearest !== undefined && isStray(node, name, { kind, into: nearest })) {
      const message = `"${name}" stands beside "${nearest.name}", and belongs into it`;
      report.error("OAG308", [node, name, "key"], [message, "indent it more deeply"]);
      move(name, node, nearest.holder);
    }
  }
}

function isStray(
  node: JsonObject,
  name: string,
  { kind, into }: { readonly kind: Kind; readonly into: Entries },
): boolean {
  const value = node[name];
  if (name.startsWith("x-") || into.holder[name] !== undefined) return false;
  if (!isEntry(into.kind, name, value ?? null) || !isObject(value)) return false;
  if (kind !== "Components") return true;
  // a field that nobody knows is not to be taken for a component
  const inner = Object.keys(value).filter((one) => !one.startsWith("x-"));
  const isPart = inner.every(
    (one) => one === "$ref" || Object.hasOwn(shapes[into.kind].fields, one),
  );
  return (
    isPart && inner.length > 0 && closest(name, Object.keys(shapes[kind].fields)) === undefined
  );
}
