// Which JSON Schema the schemas are written in. Another one than ours would give keywords another
// meaning, and nobody would notice.

import type { JsonObject } from "../json.ts";
import { textOf } from "../json.ts";
import type { Report } from "../read/origins.ts";

/** 2020-12, and the dialect that OpenAPI 3.1 and 3.2 make of it, dated ones included. */
const known =
  /^https:\/\/(?:json-schema\.org\/draft\/2020-12\/schema#?|spec\.openapis\.org\/oas\/3\.[12]\/(?:dialect|schema)\/(?:base|\d{4}-\d{2}-\d{2})#?)$/;

export function isKnownDialect(uri: string): boolean {
  return known.test(uri);
}

/** Of the document by "jsonSchemaDialect", of a schema by "$schema" (OpenAPI 3.1.1, section 4.8.24.5). */
export function checkDialect(
  node: JsonObject,
  name: "jsonSchemaDialect" | "$schema",
  report: Report,
): void {
  const dialect = textOf(node[name]);
  if (dialect === undefined || isKnownDialect(dialect)) return;
  report.error(
    "OAG422",
    [node, name],
    [
      `"${dialect}" is another language of schemas, and those here are read as JSON Schema 2020-12`,
      `say it in the words of 2020-12 and remove "${name}", or name "https://json-schema.org/draft/2020-12/schema"`,
    ],
  );
  if (report.allows("OAG422")) delete node[name];
}
