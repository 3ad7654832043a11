// Tags stand in a tree (OpenAPI 3.2.0, section 4.22): each parent is there, and nobody is an ancestor of itself.

import type { JsonObject } from "../json.ts";
import { isObject, itemsOf, textOf } from "../json.ts";
import { isSince, type Version } from "../read/fields.ts";
import type { Report } from "../read/origins.ts";
import { closest } from "../read/similar.ts";

export function checkTags(document: JsonObject, version: Version, report: Report): void {
  const tags = new Map<string, JsonObject>();
  for (const tag of itemsOf(document["tags"]).filter(isObject)) {
    const name = textOf(tag["name"]);
    if (name === undefined) continue; // reported by the shape check
    if (tags.has(name)) {
      const message = `the tag "${name}" is described twice`;
      report.warning("OAG615", [tag, "name"], [message, "keep one of the two"]);
    } else tags.set(name, tag);
  }
  if (!isSince(version, "3.2")) return; // a parent was reported by the shape check
  for (const [name, tag] of tags) checkParent(name, tag, { tags, report });
}

interface Judging {
  readonly tags: ReadonlyMap<string, JsonObject>;
  readonly report: Report;
}

function checkParent(name: string, tag: JsonObject, { tags, report }: Judging): void {
  const parent = textOf(tag["parent"]);
  if (parent === undefined) return;
  if (!tags.has(parent)) {
    const guess = closest(parent, [...tags.keys()]);
    const advice = guess === undefined ? 'describe it in "tags"' : `did you mean "${guess}"?`;
    report.error("OAG616", [tag, "parent"], [`there is no tag "${parent}"`, advice]);
    return;
  }
  const seen = new Set<string>();
  let above: string | undefined = parent;
  while (above !== undefined && above !== name && !seen.has(above)) {
    seen.add(above);
    above = textOf(tags.get(above)?.["parent"]);
  }
  if (above !== name) return;
  const message = `the tag "${name}" stands below itself`;
  report.error("OAG617", [tag, "parent"], [message, 'leave "parent" out of one tag of the circle']);
}
