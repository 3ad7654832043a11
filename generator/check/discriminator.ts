// Discriminators that choose nothing. Beside "oneOf" or "anyOf" the tag chooses the schema. On a parent
// that others take in by "allOf" it says to people which of them a value is, and changes no verdict:
// nothing leads from the parent to its children (OpenAPI 3.1.1 and 3.0.4, discriminator object).

import type { JsonObject } from "../json.ts";
import { isObject, textOf } from "../json.ts";
import type { Report } from "../read/origins.ts";

export function checkDiscriminator(node: JsonObject, report: Report): void {
  const discriminator = node["discriminator"];
  if (discriminator === undefined) return;
  if (node["oneOf"] !== undefined || node["anyOf"] !== undefined) return;
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
