// Bodies: media types with their schemas and encodings, in either direction.

import type { JsonObject } from "../json.ts";
import { type Both, canonical, type Found, type Pair } from "./found.ts";
import { objectsIn } from "./revision.ts";
import type { Direction } from "./judgement.ts";
import type { SchemaComparison } from "./schemas.ts";

export function compareContent(
  { base, head }: Both<JsonObject>,
  pair: Pair & { readonly direction: Direction },
  schemas: SchemaComparison,
): readonly Found[] {
  const { direction } = pair;
  const found: Found[] = [];
  const before = contentOf(pair.base, base);
  const after = contentOf(pair.head, head);
  const whole = {
    base: { revision: pair.base, node: base },
    head: { revision: pair.head, node: head },
  };
  for (const [name, media] of before) {
    const same = after.get(name);
    if (same !== undefined) {
      found.push(...compareMedia({ base: media, head: same }, { ...pair, name }, schemas));
      continue;
    }
    const narrower = [...after].filter(([other]) => covers(name, other) && !before.has(other));
    const wider = nearest(after, name);
    const at = { revision: pair.base, node: media };
    if (wider !== undefined) {
      const [other, otherMedia] = wider;
      found.push(...compareMedia({ base: media, head: otherMedia }, { ...pair, name }, schemas));
      if (before.has(other)) continue;
      const where = { base: at, head: { revision: pair.head, node: otherMedia } };
      const rule = `${direction}-media-type-widened`;
      found.push({ ...where, rule, message: `${name} became ${other}` });
    } else if (narrower.length > 0) {
      for (const [, otherMedia] of narrower) {
        found.push(...compareMedia({ base: media, head: otherMedia }, { ...pair, name }, schemas));
      }
      const names = narrower.map(([other]) => other).join(", ");
      const rule = `${direction}-media-type-narrowed`;
      const where = { base: at, head: whole.head, isGone: true };
      found.push({ ...where, rule, message: `${name} became ${names}` });
    } else {
      const rule = `${direction}-media-type-removed`;
      const where = { base: at, head: whole.head, isGone: true };
      found.push({ ...where, rule, message: `${name} is gone` });
    }
  }
  for (const [name, media] of after) {
    if (before.has(name)) continue;
    const at = { revision: pair.head, node: media };
    const wider = nearest(before, name);
    if (wider !== undefined) {
      // a range that is gone has been compared with what is left of it
      if (!after.has(wider[0])) continue;
      found.push(...compareMedia({ base: wider[1], head: media }, { ...pair, name }, schemas));
      continue;
    }
    // what has become a range is told of as such
    if ([...before.keys()].some((other) => covers(name, other) && !after.has(other))) continue;
    const rule = `${direction}-media-type-added`;
    found.push({ base: whole.base, head: at, rule, message: `${name} is new` });
  }
  return found;
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
  const found = schemas.below({ base, head }, media);
  const texts = [
    canonical(media.base, base["encoding"] ?? {}),
    canonical(media.head, head["encoding"] ?? {}),
  ];
  if (texts[0] === texts[1]) return found;
  const where = {
    base: { revision: media.base, node: base },
    head: { revision: media.head, node: head },
  };
  const message = `how parts of ${name} are written has changed`;
  return [...found, { ...where, rule: `${direction}-encoding-changed`, message }];
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
function nearest(
  content: ReadonlyMap<string, JsonObject>,
  name: string,
): readonly [string, JsonObject] | undefined {
  const ranges = [...content].filter(([other]) => covers(other, name));
  return ranges.toSorted(([one], [other]) => other.length - one.length)[0];
}

/** Names of media types know no case, and no spaces before a parameter; what is said of UTF-8 is no news. */
function contentOf(revision: Pair["base"], node: JsonObject): ReadonlyMap<string, JsonObject> {
  const entries = Array.from(objectsIn(revision, node, "content"));
  const plain = (name: string): string =>
    name
      .toLowerCase()
      .replaceAll(" ", "")
      .replace(/;charset="?utf-8"?$/, "");
  return new Map(entries.map(([name, media]) => [plain(name), media]));
}
