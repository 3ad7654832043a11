// Lists and objects inside lists and objects: what may stand at each place of them.

import type { Json, JsonObject } from "../json.ts";
import { entriesOf, isObject } from "../json.ts";
import type { Tree } from "../runtime/runtime.ts";
import { expand, namedTypes, order } from "./kinds.ts";

interface Limits {
  /** how many times a schema may stand in itself */
  readonly circles: number;
  readonly depth: number;
}

/** What is deeper is text. The first that are not too many; several schemas that hold one another grow fast. */
const limits: readonly Limits[] = [
  ...[2, 1, 0].map((circles) => ({ circles, depth: 100 })),
  ...[8, 4, 2, 1].map((depth) => ({ circles: 0, depth })),
];

/** In the tree of a schema that holds itself. */
const placesMax = 500;

export function treeOf(document: JsonObject, schema: Json): Tree {
  for (const limit of limits) {
    const growth = new Growth(document, limit);
    const tree = growth.grow(schema, []);
    if (!growth.isTooMuch) return tree;
  }
  return text;
}

const text: Tree = { scalar: ["string"] };

class Growth {
  readonly #document: JsonObject;
  readonly #limits: Limits;
  #places = 0;
  #hasCircle = false;

  constructor(document: JsonObject, limit: Limits) {
    this.#document = document;
    this.#limits = limit;
  }

  get isTooMuch(): boolean {
    return this.#hasCircle && this.#places > placesMax;
  }

  /** `above`: the schemas that this one stands in, by level. */
  grow(schema: Json, above: readonly (readonly JsonObject[])[]): Tree {
    this.#places += 1;
    const members = expand(this.#document, schema).filter(isObject);
    const times = (one: JsonObject): number => above.filter((each) => each.includes(one)).length;
    const repeated = Math.max(0, ...members.map(times));
    this.#hasCircle ||= repeated > 0;
    const { circles, depth } = this.#limits;
    if (repeated > circles || above.length >= depth || this.isTooMuch) return text;
    const way = [...above, members];
    const inside = (schemas: readonly Json[]): Tree => {
      const [only = true] = schemas;
      return this.grow(schemas.length > 1 ? { anyOf: [...schemas] } : only, way);
    };
    return grown(members, inside);
  }
}

function grown(members: readonly JsonObject[], inside: (schemas: readonly Json[]) => Tree): Tree {
  const named = new Set(members.flatMap(namedTypes));
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
