// The whole query as one parameter (OpenAPI 3.2.0, section 4.12.1: `in: querystring`).

import type { JsonObject } from "../json.ts";
import { entriesOf, isObject, textOf } from "../json.ts";
import { codecOf, essenceOf } from "../normalise/codecs.ts";
import type { Report } from "../read/origins.ts";
import { checkEncoding } from "./content.ts";
import { fieldKinds } from "./fields.ts";
import type { Querystring } from "./model.ts";

interface Source {
  readonly document: JsonObject;
  readonly node: JsonObject;
  readonly report: Report;
}

export function isQuerystring(node: JsonObject): boolean {
  return node["in"] === "querystring";
}

export function buildQuerystring({ document, node, report }: Source): Querystring | undefined {
  const name = textOf(node["name"]);
  if (name === undefined) return undefined; // reported by the shape check
  for (const field of ["schema", "style", "explode", "allowReserved", "allowEmptyValue"]) {
    if (node[field] === undefined) continue;
    const message = `"${field}" has no place in a parameter with "in: querystring"`;
    report.error("OAG509", [node, field, "key"], [message, 'describe the query by "content"']);
  }
  const content = entriesOf(node["content"]);
  const [entry] = content;
  if (entry === undefined || content.length > 1) {
    const message = `the parameter "${name}" needs "content" with exactly one media type`;
    const advice = "write one, for example application/x-www-form-urlencoded";
    report.error("OAG510", [node], [message, advice]);
    return undefined;
  }
  const [mediaType, value] = entry;
  const media = isObject(value) ? value : {};
  const codec = codecOf(essenceOf(mediaType));
  if (codec === "multipart") {
    const where = [node["content"] as JsonObject, mediaType, "key"] as const; // it has this entry
    const advice = "write application/x-www-form-urlencoded";
    report.error("OAG511", where, ["a query is not multipart", advice]);
  }
  const { schema } = media;
  const isForm = codec === "form";
  if (isForm) checkEncoding({ document, media, codec }, report);
  const fields = isForm && schema !== undefined ? fieldKinds(document, schema, media) : undefined;
  return {
    name,
    required: node["required"] === true,
    mediaType,
    isText: !isForm && codec !== "json",
    schema,
    fields,
    node,
  };
}

interface Exclusive {
  readonly operation: JsonObject;
  readonly querystrings: readonly Querystring[];
  readonly hasQuery: boolean;
  readonly report: Report;
}

/** There is one query, and it is described in one way. */
export function checkExclusiveQuery(given: Exclusive): void {
  const { operation, querystrings, hasQuery, report } = given;
  if (querystrings.length > 1) {
    const message = 'the operation has more than one parameter with "in: querystring"';
    report.error("OAG512", [operation], [message, "keep one, here or in the path item"]);
  }
  if (querystrings.length > 0 && hasQuery) {
    const message =
      'the operation has parameters with "in: query" beside one with "in: querystring"';
    report.error("OAG513", [operation], [message, "describe the query in one of the two ways"]);
  }
}
