// What stands at the place that a reference names: a reference to something of another kind would be read as
// something that it is not.

import type { Json, JsonObject } from "../json.ts";
import { at, isObject, pointerTokens, textOf } from "../json.ts";
import { decodeFragment, wrongPart } from "./locate.ts";
import type { Report } from "./origins.ts";
import { type Kind, shapes } from "./shapes.ts";
import { childrenOf } from "./walk.ts";

/** `lost` takes up what is to be left out, where that is allowed. */
export function checkLocalKinds(document: JsonObject, report: Report, lost: Set<Json>): void {
  const kinds = new Map<object, Set<Kind | "collection">>();
  const references: { readonly node: JsonObject; readonly kind: Kind }[] = [];
  const visit = (node: Json, kind: Kind): void => {
    if (!isObject(node)) return;
    note(kinds, node, kind);
    if (node["$ref"] !== undefined && shapes[kind].reference === true)
      references.push({ node, kind });
    for (const { value, kind: inner, path } of childrenOf(node, kind)) {
      const [name = "", key] = path;
      const container = node[name];
      if (key !== undefined && typeof container === "object" && container !== null)
        note(kinds, container, "collection");
      visit(value, inner);
    }
  };
  visit(document, "Document");
  for (const { node, kind } of references) {
    const reference = textOf(node["$ref"]) ?? "";
    const target = reference.startsWith("#") ? at(document, pointerOf(reference)) : undefined;
    // what is missing or no object is said elsewhere
    if (!isObject(target)) continue;
    const found = kinds.get(target);
    // in a place that OpenAPI says nothing of it may be anything
    if (found === undefined || found.has(kind)) continue;
    report.error(
      "OAG205",
      [node, "$ref"],
      wrongPart({ reference, kind }, nameOf(reference, found)),
    );
    if (!report.allows("OAG205")) continue;
    if (kind === "Schema") delete node["$ref"];
    else lost.add(node);
  }
}

function note(
  kinds: Map<object, Set<Kind | "collection">>,
  node: object,
  kind: Kind | "collection",
): void {
  const known = kinds.get(node);
  if (known === undefined) kinds.set(node, new Set([kind]));
  // an alias of YAML may stand in places of several kinds
  else known.add(kind);
}

function nameOf(reference: string, kinds: ReadonlySet<Kind | "collection">): string {
  const [first, folder, ...rest] = pointerTokens(pointerOf(reference));
  if (first === "components" && folder !== undefined && rest.length === 1)
    return `one of the ${folder}`;
  const [kind = "collection"] = kinds;
  return kind === "collection" ? "a collection of several" : shapes[kind].article;
}

function pointerOf(reference: string): string {
  return decodeFragment(reference.slice(1));
}
