// Media types that are written once for several places (OpenAPI 3.2.0, section 4.7: `components.mediaTypes`) stand in
// each of them afterwards: what a request and an answer share is not the same for both.

import type { JsonObject } from "../json.ts";
import { entriesOf, isObject, put, textOf } from "../json.ts";
import type { Origins, Report } from "../read/origins.ts";
import { childrenOf } from "../read/walk.ts";
import type { Kind } from "../read/shapes.ts";
import { follow } from "./references.ts";

interface Inlining {
  readonly document: JsonObject;
  readonly origins: Origins;
  readonly report: Report;
}

/** Changes the document in place (it is the generator's own copy). */
export function inlineMediaTypes(inlining: Inlining): void {
  visit(inlining.document, "Document", { ...inlining, above: new Set() });
}

/** `above`: the media types that this place stands in. */
type Visit = Inlining & { readonly above: ReadonlySet<JsonObject> };

function visit(node: JsonObject, kind: Kind, visiting: Visit): void {
  const content = kind === "MediaType" ? undefined : node["content"];
  if (isObject(content)) inlineAll(content, visiting);
  const above = kind === "MediaType" ? new Set([...visiting.above, node]) : visiting.above;
  for (const { value, kind: inner } of childrenOf(node, kind)) {
    if (isObject(value) && inner !== "Schema") visit(value, inner, { ...visiting, above });
  }
}

function inlineAll(content: JsonObject, { document, origins, report, above }: Visit): void {
  for (const [mediaType, media] of entriesOf(content)) {
    if (!isObject(media) || textOf(media["$ref"]) === undefined) continue;
    const target = follow(document, media);
    if (target === undefined) continue; // reported where references are checked
    // what is inside is shared with the original, so that a circle would have no end
    if (above.has(target)) {
      const message = "the media type stands in itself";
      report.error("OAG219", [media, "$ref"], [message, "refer to something that ends"]);
    } else put(content, mediaType, origins.copy<JsonObject>(target, { ...target }));
  }
}
