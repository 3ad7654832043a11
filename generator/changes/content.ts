// Bodies: media types with their schemas and encodings, in either direction.

import type { JsonObject } from "../json.ts";
import { type Both, canonical, type Found, type Pair } from "./found.ts";
import { objectsIn } from "./revision.ts";
import type { Direction } from "./rules.ts";
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
  for (const [name, media] of before) {
    const other = after.get(name);
    if (other === undefined) {
      const at = { revision: pair.base, node: media };
      found.push({ rule: `${direction}-media-type-removed`, at, message: `${name} is gone` });
      continue;
    }
    found.push(...schemas.below({ base: media, head: other }, pair));
    const texts = [
      canonical(pair.base, media["encoding"] ?? {}),
      canonical(pair.head, other["encoding"] ?? {}),
    ];
    if (texts[0] === texts[1]) continue;
    const at = { revision: pair.head, node: other };
    const message = `how parts of ${name} are written has changed`;
    found.push({ rule: `${direction}-encoding-changed`, at, message });
  }
  for (const [name, media] of after) {
    if (before.has(name)) continue;
    const at = { revision: pair.head, node: media };
    found.push({ rule: `${direction}-media-type-added`, at, message: `${name} is new` });
  }
  return found;
}

/** Names of media types know no case, and no spaces before a parameter. */
function contentOf(revision: Pair["base"], node: JsonObject): ReadonlyMap<string, JsonObject> {
  const entries = Array.from(objectsIn(revision, node, "content"));
  return new Map(entries.map(([name, media]) => [name.toLowerCase().replaceAll(" ", ""), media]));
}
