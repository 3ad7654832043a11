// docs/generator/supported.md as it has to be: the tables along which documents are read, what each field does,
// and how many rows of the tests hold each keyword against Ajv.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import type { Json } from "../../generator/json.ts";
import { isObject } from "../../generator/json.ts";
import type { Field, Kind } from "../../generator/read/fields.ts";
import { shapes } from "../../generator/read/shapes.ts";
import { formats } from "../../generator/runtime/formats.ts";
import { collectionKeywords } from "../../test/generator/validation/collection-keywords.ts";
import { combinedKeywords } from "../../test/generator/validation/combined-keywords.ts";
import { formatSamples } from "../../test/generator/validation/format-samples.ts";
import { scalarKeywords } from "../../test/generator/validation/scalar-keywords.ts";
import { type Effect, effects, keywords } from "./effects.ts";

const introduction = `# What is supported

For everybody who asks whether a document will do: each field of OpenAPI and each keyword of JSON Schema, and what
becomes of it.

Made by \`npm run supported\` from the tables along which the generator reads documents, and from those of its tests. Do
not edit it: a test compares it. How values differ from JSON Schema on purpose stands in
[the generator](../generator.md#what-validation-means), what is refused and warned of among
[problems and their codes](diagnostics.md), what becomes of whole documents in [the corpus](../generator.md#documents-of-others).

Every field stands in the document that is served. A field that is no field of its object is an error, extensions
(\`x-...\`) are not. "since" is the version of OpenAPI, and a field in an older document is an error that says so.
`;

const keywordsIntroduction = `## Keywords of schemas

"checked" keywords decide what is valid. Behind them stands in how many schemas of the tests they are: each of those is
compiled as a contract's would be, and has to agree with Ajv on hundreds of values that fit it, nearly fit it and do not.
`;

const formatsIntroduction = `Each against texts that its RFC allows and refuses, and against Ajv. Of numbers, \`int32\` has its bounds; \`int64\`,
\`float\` and \`double\` are those of JavaScript. Any other refuses nothing, with a
warning, but for \`password\`, which asks for no check.`;

/** Throws where the tables of effects name a field, or a test, that is not there. */
export async function renderSupportedPage(): Promise<string> {
  const objects = Object.keys(shapes).filter((kind) => kind in effects);
  const text = [
    introduction,
    keywordsIntroduction,
    tableOf(["keyword", "since", "what it does", "held by"], keywordRows()),
    "## Formats",
    formatsIntroduction,
    tableOf(["format", "texts"], Object.keys(formats).map(formatRow)),
    "## Fields of OpenAPI",
    ...objects.flatMap((kind) => objectSection(kind as Kind)),
  ].join("\n\n");
  const config = await resolveConfig(join(import.meta.dirname, "page.md"), { editorconfig: true });
  return format(text, { ...config, parser: "markdown" });
}

function keywordRows(): readonly (readonly string[])[] {
  const { fields } = shapes.Schema;
  demandKnown("Schema", keywords);
  const counts = keywordCounts();
  return Object.entries(fields).map(([name, field]) => {
    const own = keywords[name];
    const count = counts.get(name) ?? 0;
    if (own !== undefined) return [`\`${name}\``, sinceOf(field), own.does, linkOf(own)];
    return count > 0
      ? [`\`${name}\``, sinceOf(field), "checked", `${count} schemas`]
      : [`\`${name}\``, sinceOf(field), "served", ""];
  });
}

/** In how many rows each keyword stands. */
function keywordCounts(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { schema, components = {} } of [
    ...scalarKeywords,
    ...collectionKeywords,
    ...combinedKeywords,
  ]) {
    const found = new Set<string>();
    for (const one of [schema, ...Object.values(components)]) collect(one, found);
    for (const name of found) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

const maps = new Set(["properties", "patternProperties", "dependentSchemas", "$defs"]);
const data = new Set(["const", "enum", "required", "dependentRequired"]);

/** Of a schema and those in it; names of properties are no keywords. */
function collect(schema: Json, found: Set<string>): void {
  if (Array.isArray(schema)) for (const one of schema) collect(one, found);
  if (!isObject(schema)) return;
  for (const [name, value] of Object.entries(schema)) {
    found.add(name);
    if (data.has(name)) continue;
    const inner = maps.has(name) && isObject(value) ? Object.values(value) : [value];
    for (const one of inner) collect(one, found);
  }
}

function formatRow(name: string): readonly string[] {
  const samples = formatSamples[name];
  if (samples === undefined) throw new Error(`${name} has no samples`);
  const { good, bad, onlyOurs = [], onlyAjv = [] } = samples;
  return [`\`${name}\``, String(good.length + bad.length + onlyOurs.length + onlyAjv.length)];
}

function objectSection(kind: Kind): readonly string[] {
  const own = effects[kind] ?? {};
  demandKnown(kind, own);
  const { article, fields } = shapes[kind];
  const all = Object.entries(fields);
  const doing = all.flatMap(([name, field]) => {
    const one = own[name];
    return one === undefined ? [] : [[`\`${name}\``, sinceOf(field), one.does, linkOf(one)]];
  });
  const others = all.filter(([name]) => own[name] === undefined).map(([name]) => `\`${name}\``);
  return [
    `### ${article.replace(/^(?:the|an?) /, "").replace(/^./, (letter) => letter.toUpperCase())}`,
    tableOf(["field", "since", "what it does", "held by"], doing),
    ...(others.length === 0 ? [] : [`Served: ${others.join(", ")}.`]),
  ];
}

function demandKnown(kind: Kind, named: Readonly<Record<string, Effect>>): void {
  const { fields } = shapes[kind];
  for (const [name, { heldBy }] of Object.entries(named)) {
    if (!Object.hasOwn(fields, name)) throw new Error(`${kind} has no field ${name}`);
    if (!existsSync(join(tests, heldBy))) throw new Error(`there is no test/${heldBy}`);
  }
}

const tests = join(import.meta.dirname, "../../test");

function linkOf({ heldBy }: Effect): string {
  return `[${heldBy.replace(/\.test\.ts$/, "")}](../../test/${heldBy})`;
}

function sinceOf({ since }: Field): string {
  return since ?? "";
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
