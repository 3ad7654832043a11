// A language of schemas says by `$vocabulary` which groups of keywords it has (JSON Schema 2020-12 core,
// section 8.1.2). Keywords of a group that it leaves out mean nothing; a group that nobody here knows may be
// left out only where the language says so.

import type { JsonObject } from "../json.ts";
import { entriesOf, isObject, textOf } from "../json.ts";
import type { Report } from "../read/origins.ts";
import type { Source } from "../read/source.ts";
import { walk } from "../read/walk.ts";
import { isKnownDialect } from "./dialect.ts";

const prefix = "https://json-schema.org/draft/2020-12/vocab/";

const keywordsOf = {
  applicator: `prefixItems items contains additionalProperties properties patternProperties dependentSchemas
    propertyNames if then else allOf anyOf oneOf not`,
  unevaluated: "unevaluatedItems unevaluatedProperties",
  validation: `type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength
    pattern maxItems minItems uniqueItems maxContains minContains maxProperties minProperties required
    dependentRequired`,
} as const;

const known = new Set([
  ...["core", "meta-data", "format-annotation", "format-assertion", "content"].map(uriOf),
  ...Object.keys(keywordsOf).map(uriOf),
  "https://spec.openapis.org/oas/3.1/vocab/base",
  "https://spec.openapis.org/oas/3.2/vocab/base",
]);

function uriOf(name: string): string {
  return prefix + name;
}

/** Of a schema that describes a language: what it wants to be known must be known. */
export function checkVocabularies(vocabularies: JsonObject, report: Report): void {
  for (const [uri, isRequired] of entriesOf(vocabularies)) {
    if (isRequired !== true || known.has(uri)) continue;
    const message = `"${uri}" is a vocabulary that the generated validation does not know`;
    report.error("OAG423", [vocabularies, uri, "key"], [message, "say it in keywords of 2020-12"]);
  }
}

/** Makes a schema one of 2020-12: without the keywords that its own language does not have. */
export function applyVocabularies(schema: JsonObject, language: Source, report: Report): void {
  const { data } = language;
  if (!isObject(data) || !isKnownDialect(textOf(data["$schema"]) ?? "")) return; // refused by its name
  const vocabularies = data["$vocabulary"];
  delete schema["$schema"];
  if (!isObject(vocabularies)) return;
  checkVocabularies(vocabularies, report);
  const without = Object.entries(keywordsOf)
    .filter(([name]) => vocabularies[uriOf(name)] === undefined)
    .flatMap(([, keywords]) => keywords.split(/\s+/));
  walk(schema, "Schema", (node, kind) => {
    if (kind === "Schema") for (const keyword of without) delete node[keyword];
  });
}
