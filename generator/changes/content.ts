// Bodies: media types with their schemas and encodings, in either direction.

import type { Json, JsonObject } from "../json.ts";
import { type Both, type Found, type Pair } from "./found.ts";
import { objectAt, objectsIn, type Revision } from "./revision.ts";
import { isSame } from "./same.ts";
import type { Direction } from "./judgement.ts";
import type { SchemaComparison } from "./schemas.ts";

export function compareContent(
  { base, head }: Both<JsonObject>,
  pair: Pair & { readonly direction: Direction },
  schemas: SchemaComparison,
): readonly Found[] {
  const { direction } = pair;
  const before = contentOf(pair.base, base);
  const after = contentOf(pair.head, head);
  const whole = {
    base: { revision: pair.base, node: base },
    head: { revision: pair.head, node: head },
  };
  const found = likes(before, after).flatMap(([one, other]) => {
    const own = { base: before.get(one) ?? {}, head: after.get(other) ?? {} };
    return compareMedia(own, { ...pair, name: one }, schemas);
  });
  for (const [name, node] of before) {
    if (after.has(name) || nearest(after, name) !== undefined) continue;
    const left = within(name, after, before).join(", ");
    const rule = `${direction}-media-type-${left === "" ? "removed" : "narrowed"}`;
    const message = left === "" ? `${name} is gone` : `${name} became ${left}`;
    const at = { revision: pair.base, node };
    found.push({ base: at, head: whole.head, isGone: true, rule, message });
  }
  for (const [name, node] of after) {
    if (before.has(name) || nearest(before, name) !== undefined) continue;
    const known = within(name, before, after).join(", ");
    const rule = `${direction}-media-type-${known === "" ? "added" : "widened"}`;
    const message = known === "" ? `${name} is new` : `${known} became ${name}`;
    found.push({ base: whole.base, head: { revision: pair.head, node }, rule, message });
  }
  return found;
}

type Content = ReadonlyMap<string, JsonObject>;

/** Those that say what the same bodies are: of the same name, else the nearest that stands for it. */
function likes(before: Content, after: Content): readonly (readonly [string, string])[] {
  const found: (readonly [string, string])[] = [];
  for (const name of before.keys()) {
    const other = after.has(name) ? name : nearest(after, name);
    if (other !== undefined) found.push([name, other]);
  }
  for (const name of after.keys()) {
    const other = before.has(name) ? undefined : nearest(before, name);
    if (other !== undefined) found.push([other, name]);
  }
  return found;
}

/** What a range that is there on one side only is on the other one. */
function within(range: string, other: Content, own: Content): readonly string[] {
  return [...other.keys()].filter((name) => covers(range, name) && !own.has(name));
}

interface Media extends Pair {
  readonly direction: Direction;
  readonly name: string;
}

function compareMedia(
  { base, head }: Both<JsonObject>,
  media: Media,
  schemas: SchemaComparison,
): readonly Found[] {
  const { direction, name } = media;
  const found = compareSchemas({ base, head }, media, schemas);
  if (isSame(media, { base: encodingOf(base), head: encodingOf(head) })) return found;
  const where = {
    base: { revision: media.base, node: base },
    head: { revision: media.head, node: head },
  };
  const message = `how parts of ${name} are written has changed`;
  return [...found, { ...where, rule: `${direction}-encoding-changed`, message }];
}

/** A row of items is compared by the item, whichever way a revision says it. */
function compareSchemas(
  both: Both<JsonObject>,
  media: Media,
  schemas: SchemaComparison,
): readonly Found[] {
  const { base, head } = both;
  const whole = base["schema"] !== undefined && head["schema"] !== undefined;
  const isRow = base["itemSchema"] !== undefined || head["itemSchema"] !== undefined;
  const items = { base: itemOf(media.base, base), head: itemOf(media.head, head) };
  return [
    ...(whole || !isRow ? schemas.below(both, media) : []),
    ...(isRow ? schemas.between(items, both, media) : []),
  ];
}

/** Before OpenAPI 3.2 has `itemSchema` for it, the schema is that of all items as a list, or that of each. */
function itemOf(revision: Revision, media: JsonObject): Json | undefined {
  const { schema, itemSchema } = media;
  if (itemSchema !== undefined) return itemSchema;
  const list = objectAt(revision, schema);
  return list?.["type"] === "array" ? list["items"] : schema;
}

function encodingOf({ encoding = {}, prefixEncoding = [], itemEncoding = {} }: JsonObject) {
  return { encoding, prefixEncoding, itemEncoding };
}

/** The one stands for the other and for more: a range, or the type without what its parameters say. */
function covers(wide: string, narrow: string): boolean {
  if (wide === narrow) return false;
  const [own = "", ...parameters] = wide.split(";");
  const [other = ""] = narrow.split(";");
  if (parameters.length > 0) return false;
  if (own === "*/*" || own === other) return true;
  return own.endsWith("/*") && other !== "*/*" && other.startsWith(own.slice(0, -1));
}

/** What stands for a media type that is not named, the narrowest. */
function nearest(content: Content, name: string): string | undefined {
  const ranges = [...content.keys()].filter((other) => covers(other, name));
  return ranges.toSorted((one, other) => other.length - one.length)[0];
}

/** Names of media types know no case, and no spaces before a parameter; what is said of UTF-8 is no news. */
function contentOf(revision: Pair["base"], node: JsonObject): Content {
  const entries = Array.from(objectsIn(revision, node, "content"));
  const plain = (name: string): string =>
    name
      .toLowerCase()
      .replaceAll(" ", "")
      .replace(/;charset="?utf-8"?$/, "");
  return new Map(entries.map(([name, media]) => [plain(name), media]));
}
