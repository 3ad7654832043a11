// Discriminators that choose nothing. Beside "oneOf" or "anyOf" the tag chooses the schema. On a parent
// that others take in by "allOf" it says to people which of them a value is, and changes no verdict:
// nothing leads from the parent to its children (OpenAPI 3.1.1 and 3.0.4, discriminator object).

import type { JsonObject } from "../json.ts";
import { isObject, itemsOf, textOf } from "../json.ts";
import { componentName } from "../normalise/references.ts";
import type { Report } from "../read/origins.ts";

export function checkDiscriminator(node: JsonObject, report: Report): void {
  const discriminator = node["discriminator"];
  if (discriminator === undefined) return;
  if (node["oneOf"] !== undefined || node["anyOf"] !== undefined) {
    if (isObject(discriminator)) checkFallback(node, discriminator, report);
    return;
  }
  const where = [node, "discriminator", "key"] as const;
  if (node["allOf"] === undefined && node["properties"] === undefined) {
    report.warning("OAG420", where, [
      '"discriminator" has nothing to choose from',
      'put it beside "oneOf"',
    ]);
    return;
  }
  const tag = isObject(discriminator) ? textOf(discriminator["propertyName"]) : undefined;
  report.warning("OAG421", where, [
    `"discriminator" chooses nothing here: a value is held against this schema and not against its children, whatever its "${tag ?? "?"}" says`,
    'where the children count, refer to a schema with "oneOf" of them and the discriminator beside it',
  ]);
}

/** All that a value may be is listed, so that the discriminator changes no verdict (OpenAPI 3.2.0, section 4.25). */
function checkFallback(node: JsonObject, discriminator: JsonObject, report: Report): void {
  const fallback = textOf(discriminator["defaultMapping"]);
  if (fallback === undefined) return;
  const members = [...itemsOf(node["oneOf"]), ...itemsOf(node["anyOf"])].filter(isObject);
  const names = members.map(({ $ref }) => componentName(textOf($ref) ?? ""));
  if (names.includes(componentName(fallback) ?? fallback)) return;
  const message = `"${fallback}" is none of the alternatives: the tag chooses nothing, and each of them is tried`;
  report.warning(
    "OAG425",
    [discriminator, "defaultMapping"],
    [message, 'list it in "oneOf" (or "anyOf") as well'],
  );
}
