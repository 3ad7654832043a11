// Whether what stands in two revisions says the same, however it is written: references written out or not, in any
// order, with other words for people.

import { isObject, type Json } from "../json.ts";
import type { Both } from "./found.ts";
import { type Revision, schemaAt } from "./revision.ts";
import { keyOf } from "./value-keys.ts";

/**
 * `names`: an object whose names are the document's own. `data`: nothing in it means anything to OpenAPI. `set`: a list
 * of which the order says nothing.
 */
type Kind = "said" | "names" | "data" | "set";

const kinds: Readonly<Record<string, Kind>> = {
  properties: "names",
  patternProperties: "names",
  dependentSchemas: "names",
  dependentRequired: "names",
  dependencies: "names",
  $defs: "names",
  encoding: "names",
  headers: "names",
  content: "names",
  mapping: "names",
  const: "data",
  default: "data",
  enum: "set",
  required: "set",
  type: "set",
};

/** What is told to people. */
const annotations = new Set(["description", "title", "example", "examples", "$comment", "summary"]);

/** Values of the keyword `name`. */
export function isSame(revisions: Both<Revision>, values: Both<Json>, name = ""): boolean {
  return new Sameness(revisions).of(values.base, values.head, name);
}

/** Two values that must be the same, if the ones above them are to be. */
interface Claim {
  readonly one: Json;
  readonly other: Json;
  readonly kind: Kind;
}

class Sameness {
  readonly #revisions: Both<Revision>;
  /** what is to be looked at; no recursion, since a contract may be deeper than the stack, and near differences first */
  readonly #open: Claim[] = [];
  /** what is being compared already: circles are the same unless something else in them is not */
  readonly #met = new Map<object, Set<object>>();

  constructor(revisions: Both<Revision>) {
    this.#revisions = revisions;
  }

  of(one: Json, other: Json, name: string): boolean {
    this.#claim(one, other, kinds[name] ?? "said");
    // the list grows while it is walked
    for (const claim of this.#open) if (!this.#holds(claim)) return false;
    return true;
  }

  #claim(one: Json, other: Json, kind: Kind): void {
    this.#open.push({ one, other, kind });
  }

  /** As far as the two themselves go; what is in them is claimed. */
  #holds({ one, other, kind }: Claim): boolean {
    const [base, head] = kind === "said" ? this.#targets(one, other) : [one, other];
    if (Array.isArray(base) && Array.isArray(head)) {
      if (base.length !== head.length) return false;
      const isSet = kind === "set";
      const [before, after] = isSet ? [sorted(base), sorted(head)] : [base, head];
      const inner = isSet ? "data" : kind;
      for (const [index, item] of before.entries()) this.#claim(item, after[index] ?? null, inner);
      return true;
    }
    if (!isObject(base) || !isObject(head)) return base === head;
    const met = this.#met.get(base) ?? new Set();
    if (met.has(head)) return true;
    this.#met.set(base, met.add(head));
    const names = namesOf(base, kind);
    const others = new Set(namesOf(head, kind));
    if (names.length !== others.size || !names.every((name) => others.has(name))) return false;
    return names.every((name) => {
      const [before, after] = [base[name] ?? null, head[name] ?? null];
      if (kind === "said" && name === "$ref") return this.#references(before, after);
      this.#claim(before, after, belowOf(kind, name, before));
      return true;
    });
  }

  #targets(one: Json, other: Json): readonly [Json, Json] {
    const { base, head } = this.#revisions;
    return [behind(base, one), behind(head, other)];
  }

  /** Those that something stands beside. */
  #references(one: Json, other: Json): boolean {
    const [base, head] = this.#targets({ $ref: one }, { $ref: other });
    if (hasReference(base) || hasReference(head)) return one === other;
    this.#claim(base, head, "said");
    return true;
  }
}

/** What a reference stands for that has nothing but words for people beside it. */
function behind(revision: Revision, value: Json): Json {
  let found = value;
  const met = new Set<Json>();
  while (hasReference(found) && namesOf(found, "said").length === 1 && !met.has(found)) {
    met.add(found);
    const reference = found["$ref"];
    const target = reference.startsWith("#") ? schemaAt(revision, reference) : undefined;
    if (target === undefined) return found;
    found = target;
  }
  return found;
}

function hasReference(value: Json): value is { readonly $ref: string } & Record<string, Json> {
  return isObject(value) && typeof value["$ref"] === "string";
}

function namesOf(node: object, kind: Kind): readonly string[] {
  return Object.keys(node).filter((name) => kind !== "said" || !annotations.has(name));
}

function belowOf(kind: Kind, name: string, value: Json): Kind {
  if (kind === "said") return kinds[name] ?? "said";
  if (kind !== "names") return "data";
  // dependentRequired has lists of names
  return Array.isArray(value) ? "set" : "said";
}

function sorted(list: readonly Json[]): readonly Json[] {
  const keyed = list.map((value) => ({ value, key: keyOf(value) }));
  const ordered = keyed.toSorted(({ key: a }, { key: b }) => Number(a > b) - Number(a < b));
  return ordered.map(({ value }) => value);
}
