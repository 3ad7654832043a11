// What the converter would get wrong, or has no words for, said so that nothing is left open: defaults of Swagger
// 2.0 are written out, and what OpenAPI 3 cannot say is said to people.

import type { Json, JsonObject } from "../json.ts";
import { entriesOf, isObject, itemsOf, put, textOf } from "../json.ts";
import type { Report } from "../read/origins.ts";
import { isInBody } from "./straighten.ts";

/** Changes the document in place (it is the generator's own copy). */
export function settleMedia(document: JsonObject, report: Report): void {
  if (document["host"] === undefined) delete document["schemes"]; // they say nothing without
  for (const [, parameter] of entriesOf(document["parameters"])) settleParameter(parameter, report);
  for (const [, response] of entriesOf(document["responses"])) settleResponse(response, report);
  for (const [path, item] of entriesOf(document["paths"])) {
    if (path.startsWith("x-")) continue;
    for (const [name, operation] of entriesOf(item)) {
      if (name.startsWith("x-") || !isObject(operation)) continue;
      settleOperation(operation, document);
      for (const parameter of itemsOf(operation["parameters"])) settleParameter(parameter, report);
      for (const [, one] of entriesOf(operation["responses"])) settleResponse(one, report);
    }
  }
}

/** An empty list means that nothing is said, and then it is JSON, as the converter takes it. */
function settleOperation(operation: JsonObject, document: JsonObject): void {
  delete operation["schemes"]; // servers are documentation
  for (const field of ["consumes", "produces"]) {
    const types = itemsOf(operation[field] ?? document[field]);
    if (types.length === 0) put(operation, field, ["application/json"]);
  }
  // otherwise a form without a type of its own would be JSON
  const isForm = itemsOf(operation["parameters"]).some(
    (one) => isInBody(one) && isObject(one) && one["in"] === "formData",
  );
  const consumes = itemsOf(operation["consumes"] ?? document["consumes"]);
  const forms = consumes.filter(
    (type) =>
      typeof type === "string" &&
      /^(?:multipart\/form-data|application\/x-www-form-urlencoded)/i.test(type),
  );
  if (!isForm) return;
  const hasFile = itemsOf(operation["parameters"]).some(
    (one) => isObject(one) && one["type"] === "file",
  );
  const usual = hasFile ? "multipart/form-data" : "application/x-www-form-urlencoded";
  put(operation, "consumes", forms.length > 0 ? forms : [usual]);
}

/** Of each place the formats of lists that OpenAPI 3 has a style for; without one it is csv. */
const formats: Readonly<Record<string, readonly string[]>> = {
  query: ["csv", "ssv", "pipes", "multi"],
  formData: ["csv", "ssv", "pipes", "multi"],
  path: ["csv"],
  header: ["csv"],
};

function settleParameter(parameter: Json, report: Report): void {
  if (!isObject(parameter)) return;
  const place = textOf(parameter["in"]) ?? "";
  if (parameter["type"] === "array") settleFormat(parameter, place, report);
  else delete parameter["collectionFormat"];
}

function settleResponse(response: Json, report: Report): void {
  if (!isObject(response)) return;
  for (const [, header] of entriesOf(response["headers"])) {
    if (!isObject(header)) continue;
    if (header["type"] === "array") settleFormat(header, "header", report);
    delete header["collectionFormat"]; // a header has one style
  }
}

function settleFormat(node: JsonObject, place: string, report: Report): void {
  const format = textOf(node["collectionFormat"]) ?? "csv";
  const known = formats[place] ?? [];
  if (!known.includes(format)) {
    const message = `OpenAPI 3 has no style for the collectionFormat "${format}" in ${place}: it is read as csv`;
    const advice = `write one of ${known.join(", ")}`;
    report.warning("OAG514", [node, "collectionFormat"], [message, advice]);
  }
  put(node, "collectionFormat", known.includes(format) ? format : "csv");
  const { items } = node;
  // lists inside lists have no style, and that is said where parameters are read
  if (isObject(items)) put(node, "items", withoutFormat(items, report));
}

function withoutFormat(written: JsonObject, report: Report): JsonObject {
  const { collectionFormat: _, ...items } = written;
  const inner = items["items"];
  if (isObject(inner)) put(items, "items", withoutFormat(inner, report));
  return report.origins.copy<JsonObject>(written, items);
}
