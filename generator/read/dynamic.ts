// `$dynamicRef` (JSON Schema 2020-12 core, section 8.2.3.2) leads to the outermost schema of its name among
// all resources that validation has come through. Which ones these are depends on the way alone, never on the
// value, and there are finitely many ways that differ: so each schema that can come to a `$dynamicRef` is
// written once for every way that gives another meaning to its names, and plain references remain.

import type { Json, JsonObject } from "../json.ts";
import { at, copyEntries, escapeToken, fragmentOf, isObject } from "../json.ts";
import { itemsOf, pointerTokens, put, textOf } from "../json.ts";
import type { Report } from "./origins.ts";
import type { Kind } from "./shapes.ts";
import { childrenOf, walk } from "./walk.ts";

/** The name that a `$dynamicRef` looks for; its own value is where it leads without a way. */
export const dynamicName = "x-generated-dynamic-name";
/** The resource that a part of another file was taken from. */
export const resourceOfPart = "x-generated-resource";

export interface Unfolding {
  /** in one piece; changed in place */
  readonly document: JsonObject;
  /** by resource and name: a reference within the document */
  readonly anchors: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** the resource that the document itself is */
  readonly outermost: string;
  readonly report: Report;
}

/** Name to reference: what the outermost resource so far says of each name. */
type Scope = ReadonlyMap<string, string>;

/** As many as any contract needs; one made to have endless copies is refused. */
const copiesMax = 2000;

export function unfoldDynamic(unfolding: Unfolding): void {
  new Unfolder(unfolding).run();
}

class Unfolder {
  readonly #unfolding: Unfolding;
  readonly #copies = new Map<string, string>();
  readonly #made: [name: string, schema: Json][] = [];
  readonly #reaching = new Map<string, boolean>();
  readonly #taken: Set<string>;
  #isFull = false;

  constructor(unfolding: Unfolding) {
    this.#unfolding = unfolding;
    this.#taken = new Set(Object.keys(this.#schemas()));
  }

  run(): void {
    const { document, outermost } = this.#unfolding;
    const scope = this.#entered(new Map(), outermost);
    const changes: (() => void)[] = [];
    walkAbove(document, "Document", (parent, path, schema) => {
      const replaced = this.#written(schema, scope);
      changes.push(() => {
        replace(parent, path, replaced);
      });
    });
    for (const change of changes) change();
    const schemas = this.#schemas();
    for (const [name, schema] of this.#made) put(schemas, name, schema);
  }

  #schemas(): JsonObject {
    const components = this.#unfolding.document["components"];
    const schemas = isObject(components) ? components["schemas"] : undefined;
    return isObject(schemas) ? schemas : {};
  }

  #entered(scope: Scope, resource: string | undefined): Scope {
    const names = resource === undefined ? undefined : this.#unfolding.anchors.get(resource);
    const added = [...(names ?? [])].filter(([name]) => !scope.has(name));
    return added.length === 0 ? scope : new Map([...scope, ...added]);
  }

  /** A copy of a schema as it reads on the way that `outer` has come. */
  #written(schema: Json, outer: Scope): Json {
    if (!isObject(schema)) return schema;
    const { origins } = this.#unfolding.report;
    const scope = this.#entered(outer, resourceAt(schema));
    const copy = origins.copy(schema, copyEntries(schema));
    for (const { path, value, kind } of childrenOf(schema, "Schema")) {
      if (kind !== "Schema") continue;
      const [name = "", key] = path;
      if (key !== undefined && copy[name] === schema[name]) {
        const held = copy[name];
        const container = Array.isArray(held) ? [...held] : copyEntries(held as JsonObject);
        put(copy, name, origins.copy(held as JsonObject, container));
      }
      replace(copy, path, this.#written(value, scope));
    }
    const reference = textOf(copy["$ref"]);
    if (reference !== undefined) put(copy, "$ref", this.#along(reference, scope, schema));
    const name = textOf(copy[dynamicName]);
    const standing = textOf(copy["$dynamicRef"]);
    if (name === undefined || standing === undefined) return copy;
    delete copy[dynamicName];
    delete copy["$dynamicRef"];
    addReference(copy, this.#along(scope.get(name) ?? standing, scope, schema));
    return copy;
  }

  /** The reference to what stands at one, as it reads on this way. */
  #along(reference: string, outer: Scope, from: JsonObject): string {
    const { document } = this.#unfolding;
    const target = at(document, pointerOf(reference));
    if (!isObject(target) || !this.#reaches(reference)) return reference;
    const scope = this.#entered(outer, this.#around(reference));
    const key = `${reference} ${textOfScope(scope)}`;
    const known = this.#copies.get(key);
    if (known !== undefined) return known;
    if (textOfScope(this.#standing(reference)) === textOfScope(scope)) return reference;
    if (this.#copies.size >= copiesMax) {
      const message = `"$dynamicRef" has more than ${copiesMax} meanings`;
      if (!this.#isFull) {
        this.#unfolding.report.error(
          "OAG214",
          [from],
          [message, 'use "$ref" where one meaning is enough'],
        );
      }
      this.#isFull = true;
      return reference;
    }
    const name = this.#nameFor(reference, scope);
    const made = fragmentOf(`/components/schemas/${escapeToken(name)}`);
    this.#copies.set(key, made);
    this.#made.push([name, this.#written(target, scope)]);
    return made;
  }

  /** Whether validation can come from there to a `$dynamicRef`. */
  #reaches(reference: string): boolean {
    const known = this.#reaching.get(reference);
    if (known !== undefined) return known;
    const seen = new Set([reference]);
    for (const one of seen) {
      const found: JsonObject[] = [];
      walk(at(this.#unfolding.document, pointerOf(one)) ?? true, "Schema", (node, kind) => {
        if (kind !== "Schema") return;
        if (node[dynamicName] !== undefined) found.push(node);
        const further = textOf(node["$ref"]);
        if (further !== undefined) seen.add(further);
      });
      if (found.length === 0) continue;
      this.#reaching.set(reference, true);
      return true;
    }
    for (const one of seen) this.#reaching.set(one, false);
    return false;
  }

  #way(reference: string): string[] {
    let node: Json | undefined = this.#unfolding.document;
    const resources: string[] = [this.#unfolding.outermost];
    for (const token of pointerTokens(pointerOf(reference))) {
      node = node === undefined ? undefined : at(node, `/${escapeToken(token)}`);
      const resource = isObject(node) ? resourceAt(node) : undefined;
      if (resource !== undefined) resources.push(resource);
    }
    return resources;
  }

  /** The innermost resource around it. */
  #around(reference: string): string | undefined {
    return this.#way(reference).at(-1);
  }

  /** What its names mean where it stands. */
  #standing(reference: string): Scope {
    return this.#way(reference).reduce<Scope>(
      (scope, resource) => this.#entered(scope, resource),
      new Map(),
    );
  }

  /** `Page_of_Pets`, where the schema Pets says what a name of Page means. */
  #nameFor(reference: string, scope: Scope): string {
    const own = nameIn(reference) ?? "Part";
    const standing = this.#standing(reference);
    const [, decisive = ""] = [...scope].find(([name, one]) => standing.get(name) !== one) ?? [];
    const owner = nameIn(decisive);
    const wanted = owner === undefined || owner === own ? own : `${own}_of_${owner}`;
    let name = wanted;
    for (let number = 2; this.#taken.has(name); number += 1) name = `${wanted}_${number}`;
    this.#taken.add(name);
    return name;
  }
}

/** The component that a place belongs to. */
function nameIn(reference: string): string | undefined {
  const [first, second, name] = pointerTokens(pointerOf(reference));
  const isComponent = first === "components" && second === "schemas" && name !== undefined;
  return isComponent ? name : undefined;
}

function textOfScope(scope: Scope): string {
  return JSON.stringify([...scope].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function resourceAt(schema: JsonObject): string | undefined {
  return textOf(schema["$id"]) ?? textOf(schema[resourceOfPart]);
}

function pointerOf(reference: string): string {
  try {
    return decodeURIComponent(reference.slice(1));
  } catch {
    return reference.slice(1); // not percent-encoded
  }
}

type Found = (parent: JsonObject, path: readonly string[], schema: Json) => void;

/** Every schema that stands in something else than a schema. */
function walkAbove(node: JsonObject, kind: Kind, found: Found): void {
  for (const { value, kind: inner, path } of childrenOf(node, kind)) {
    if (inner === "Schema") found(node, path, value);
    else if (isObject(value)) walkAbove(value, inner, found);
  }
}

function replace(parent: JsonObject, [name = "", key]: readonly string[], value: Json): void {
  if (key === undefined) {
    put(parent, name, value);
    return;
  }
  const container = parent[name];
  if (Array.isArray(container)) container[Number(key)] = value;
  else if (isObject(container)) put(container, key, value);
}

/** One more reference of a schema, beside the one that it may have. */
export function addReference(schema: JsonObject, reference: string): void {
  if (schema["$ref"] === undefined) put(schema, "$ref", reference);
  else put(schema, "allOf", [...itemsOf(schema["allOf"]), { $ref: reference }]);
}

/** References are plain now: what gave things names has done its work. */
export function removeNames(document: JsonObject): void {
  walk(document, "Document", (node, kind) => {
    if (kind !== "Schema") return;
    for (const keyword of ["$id", "$anchor", "$dynamicAnchor", resourceOfPart])
      delete node[keyword];
  });
}
