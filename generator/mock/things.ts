// Where a thing of a collection stands in an answer, and how what is known of it is put there.

import { isObject, type Json, type JsonObject, replaceAt } from "../suite/json.ts";
import { fitting } from "./fitting.ts";

export type IsFitting = (body: Json) => boolean;

/** The object with the id: the answer itself, or what it wraps. Undefined: it has none. */
export function thingIn(body: Json, idNames: readonly string[]): Found | undefined {
  if (!isObject(body)) return undefined;
  const own = idNames.find((name) => Object.hasOwn(body, name));
  if (own !== undefined) return { path: [], thing: body, idName: own };
  for (const [name, inner] of Object.entries(body)) {
    if (!isObject(inner)) continue;
    const idName = idNames.find((one) => Object.hasOwn(inner, one));
    if (idName !== undefined) return { path: [name], thing: inner, idName };
  }
  return { path: [], thing: body, idName: undefined };
}

export interface Found {
  readonly path: readonly string[];
  readonly thing: JsonObject;
  /** undefined: it has no id that anybody would know */
  readonly idName: string | undefined;
}

/** The answer with the thing as it is kept, as far as the schema of the answer takes it. */
export function withThing(
  body: Json,
  { path, thing }: { readonly path: readonly string[]; readonly thing: Json },
  isFitting: IsFitting,
): Json {
  const whole = replaceAt(body, path, thing);
  if (isFitting(whole) || !isObject(thing)) return isFitting(whole) ? whole : body;
  const members = Object.entries(thing).map(([name, value]) => [[...path, name], [value]] as const);
  return fitting(body, members, isFitting);
}

/** Without members that nobody has sent, where they need not be there. */
export function without(body: Json, paths: readonly (readonly string[])[], isFitting: IsFitting) {
  let best = body;
  for (const path of paths) {
    const less = replaceAt(best, path, undefined);
    if (isFitting(less)) best = less;
  }
  return best;
}

// ---------------------------------------------------------------------------------------------
// Lists

/** The list of an answer: itself, a member of it, or a member of a member. Undefined: there is none. */
export function listPathIn(body: Json, depth = 2): readonly string[] | undefined {
  if (Array.isArray(body)) return [];
  if (!isObject(body) || depth === 0) return undefined;
  const entries = Object.entries(body);
  const own = entries.find(([, value]) => Array.isArray(value) && value.every(isObject));
  if (own !== undefined) return [own[0]];
  for (const [name, inner] of entries) {
    const below = isObject(inner) ? listPathIn(inner, depth - 1) : undefined;
    if (below !== undefined) return [name, ...below];
  }
  return undefined;
}

export interface Page {
  readonly things: readonly Json[];
  /** of all pages */
  readonly total: number;
  readonly hasMore: boolean;
}

export function withList(body: Json, page: Page, isFitting: IsFitting): Json {
  const path = listPathIn(body);
  if (path === undefined) return body;
  const sample = sampleAt(body, path);
  const inPlace = (list: Json[]): Json => replaceAt(body, path, list);
  const asKept = inPlace([...page.things]);
  const list = isFitting(asKept)
    ? [...page.things]
    : page.things.flatMap((thing) => {
        const own = withThing(inPlace([sample]), { path: [...path, "0"], thing }, isFitting);
        return itemsAt(own, path);
      });
  const filled = inPlace(list);
  return isFitting(filled) ? withCounts(filled, page, isFitting) : body;
}

function itemsAt(body: Json, path: readonly string[]): readonly Json[] {
  let here: Json = body;
  for (const step of path) here = isObject(here) ? (here[step] ?? null) : null;
  return Array.isArray(here) ? here : [];
}

function sampleAt(body: Json, path: readonly string[]): Json {
  return itemsAt(body, path)[0] ?? {};
}

/** What many contracts say of a page beside its list. */
function withCounts(body: Json, { things, total, hasMore }: Page, isFitting: IsFitting): Json {
  const parents = isObject(body) ? ["", ...Object.keys(body)] : [];
  const members = parents.flatMap((parent) => {
    const holder = parent === "" ? body : isObject(body) ? body[parent] : undefined;
    if (!isObject(holder)) return [];
    const at = (name: string, values: readonly Json[]) =>
      [parent === "" ? [name] : [parent, name], values] as const;
    return Object.keys(holder).flatMap((name) => {
      const plain = name.toLowerCase().replaceAll(/[^a-z]/g, "");
      if (/^total(?:count|items|results|elements)?$/.test(plain)) return [at(name, [total])];
      if (/^(?:count|size|numberofelements)$/.test(plain)) return [at(name, [things.length])];
      if (/^(?:hasmore|hasnext|hasnextpage)$/.test(plain)) return [at(name, [hasMore])];
      return [];
    });
  });
  return fitting(body, members, isFitting);
}
