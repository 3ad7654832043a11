// Lists and objects inside lists and objects: what may stand at each place of them.

import type { Json, JsonObject } from "../json.ts";
import { entriesOf, isObject } from "../json.ts";
import type { Tree } from "../runtime/runtime.ts";
import { expand, namedTypes, order } from "./kinds.ts";

/** A schema that holds itself is written out so many times, and what is deeper is text. */
const circlesMax = 3;

/** `above`: the schemas that this one stands in. */
export function treeOf(
  document: JsonObject,
  schema: Json,
  above: readonly JsonObject[] = [],
): Tree {
  const members = expand(document, schema).filter(isObject);
  const isCircle = members.some((one) => above.filter((each) => each === one).length >= circlesMax);
  if (isCircle) return { scalar: ["string"] };
  const way = [...above, ...members];
  const named = new Set(members.flatMap(namedTypes));
  const inside = (schemas: readonly Json[]): Tree => {
    const [only = true] = schemas;
    return treeOf(document, schemas.length > 1 ? { anyOf: [...schemas] } : only, way);
  };
  const properties = Map.groupBy(
    members.flatMap((member) => entriesOf(member["properties"])),
    ([name]) => name,
  );
  const isObjectLike = named.has("object") || (named.size === 0 && properties.size > 0);
  const scalars = order.filter((kind) => named.has(kind));
  const isScalar = scalars.length > 0 || !(named.has("array") || isObjectLike);
  const others = members.flatMap(({ additionalProperties: one }) => (isObject(one) ? [one] : []));
  return {
    ...(isScalar ? { scalar: scalars.length === 0 ? ["string"] : scalars } : {}),
    ...(named.has("array") ? { items: inside(members.flatMap(({ items }) => items ?? [])) } : {}),
    ...(isObjectLike
      ? {
          object: Object.fromEntries(
            Array.from(properties, ([name, found]) => [name, inside(found.map(([, one]) => one))]),
          ),
          // names that are not listed are kept for the schema to judge
          others: inside(others),
        }
      : {}),
  };
}

export function isText({ items, object }: Tree): boolean {
  return items === undefined && object === undefined;
}

/** An object of nothing but texts, or no object at all: no tree is needed for it. */
export function isFlat({ scalar, items, object, others }: Tree): boolean {
  if (scalar !== undefined || items !== undefined || object === undefined) return false;
  return [...Object.values(object), others ?? {}].every(isText);
}

/** Whether a list or an object has lists or objects inside. */
export function isNested({ items, object, others }: Tree): boolean {
  const inner = [items, ...Object.values(object ?? {}), others];
  return inner.some((one) => one !== undefined && !isText(one));
}
