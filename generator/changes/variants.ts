// One of several alternatives, what it is known by, and which of the newer revision is which of the older one.

import { isObject, itemsOf, textOf } from "../json.ts";
import type { Facts, Schemas } from "./facts.ts";
import type { Both } from "./found.ts";
import { keyOf } from "./value-keys.ts";

export interface Variant {
  /** what it is known by, if anything */
  readonly name: string | undefined;
  readonly facts: Facts;
  /** where the alternative stands by itself */
  readonly schemas?: Schemas;
}

/**
 * Those of which there is no doubt, whatever has changed below them: of the same name, written in the same way, or each
 * the only one that the other may fit.
 */
export function counterparts(
  { base, head }: Both<readonly Variant[]>,
  mayFit: (pair: Both<Variant>) => boolean,
): readonly Both<Variant>[] {
  const named = alike({ base, head }, knownAs);
  const left = without({ base, head }, named);
  const written = alike(left, writtenAs);
  const { base: others, head: heads } = without(left, written);
  const lonely = others.flatMap((one): readonly Both<Variant>[] => {
    const [other, ...more] = head.filter((two) => mayFit({ base: one, head: two }));
    if (other === undefined || more.length > 0 || !heads.includes(other)) return [];
    const isOnly = base.every((two) => two === one || !mayFit({ base: two, head: other }));
    return isOnly ? [{ base: one, head: other }] : [];
  });
  return [...named, ...written, ...lonely];
}

/** In order, where several are called the same. */
function alike(
  { base, head }: Both<readonly Variant[]>,
  wordOf: (variant: Variant) => string | undefined,
): readonly Both<Variant>[] {
  const heads = Map.groupBy(head, wordOf);
  return base.flatMap((one) => {
    const word = wordOf(one);
    const other = word === undefined ? undefined : heads.get(word)?.shift();
    return other === undefined ? [] : [{ base: one, head: other }];
  });
}

function without(
  { base, head }: Both<readonly Variant[]>,
  pairs: readonly Both<Variant>[],
): Both<readonly Variant[]> {
  const gone = new Set(pairs.flatMap((pair) => [pair.base, pair.head]));
  return { base: base.filter((one) => !gone.has(one)), head: head.filter((one) => !gone.has(one)) };
}

/** References count by what they are called: what they stand for is compared by itself. */
function writtenAs({ schemas }: Variant): string | undefined {
  const [only] = schemas ?? [];
  return only === undefined ? undefined : keyOf(only.value);
}

/** A variant is known by its component, its title, or a property with one value. */
export function nameOf(schema: unknown): string | undefined {
  if (typeof schema !== "object" || schema === null) return undefined;
  const value = Reflect.get(schema, "$ref") as unknown;
  if (typeof value === "string") return value;
  const title: unknown = Reflect.get(schema, "title");
  return typeof title === "string" ? `title ${title}` : undefined;
}

export function knownAs({ name, facts }: Variant): string | undefined {
  return name ?? tagOf(facts);
}

/** The property with one value that tells a variant from the others. */
export function tagOf({ properties }: Facts): string | undefined {
  for (const [name, [schema]] of properties) {
    const value = schema?.value;
    if (!isObject(value)) continue;
    const only =
      value["const"] ??
      (itemsOf(value["enum"]).length === 1 ? itemsOf(value["enum"])[0] : undefined);
    const text = textOf(only);
    if (text !== undefined) return `${name}=${text}`;
  }
  return undefined;
}
