// Parameters: where they stand, how their text is taken apart, and whether they fit their path.

import type { Json, JsonObject } from "../json.ts";
import { entriesOf, isObject, itemsOf, textOf } from "../json.ts";
import { componentName, schemasOf } from "../normalise/references.ts";
import type { Report } from "../read/origins.ts";
import type {
  ParameterKind,
  ParameterLocation,
  ParameterPlan,
  ScalarKind,
} from "../runtime/runtime.ts";
import type { Parameter } from "./model.ts";

interface Source {
  readonly document: JsonObject;
  readonly node: JsonObject;
  readonly shared: string | undefined;
  readonly report: Report;
}

const styles: Readonly<Record<ParameterLocation, readonly ParameterPlan["style"][]>> = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form"],
};

/** Headers that describe the message itself and are no parameters (OpenAPI 3.1.1 section 4.8.12). */
const ignoredHeaders = new Set(["accept", "content-type", "authorization"]);

export function buildParameter({ document, node, shared, report }: Source): Parameter | undefined {
  const name = textOf(node["name"]);
  const location = (["path", "query", "header", "cookie"] as const).find(
    (one) => one === node["in"],
  );
  if (name === undefined || location === undefined) return undefined; // reported by the shape check
  if (location === "header" && ignoredHeaders.has(name.toLowerCase())) {
    report.warning(
      [node, "name"],
      `the header "${name}" is ignored as a parameter`,
      "describe it with content or security instead",
    );
    return undefined;
  }
  const [media] = Object.entries(isObject(node["content"]) ? node["content"] : {});
  if ((node["schema"] === undefined) === (media === undefined)) {
    report.error(
      [node],
      `the parameter "${name}" needs exactly one of "schema" and "content"`,
      'keep "schema" unless the text is itself a document',
    );
  }
  const allowed = styles[location];
  const written = allowed.find((one) => one === node["style"]);
  if (node["style"] !== undefined && written === undefined) {
    report.error(
      [node, "style"],
      `the style "${textOf(node["style"]) ?? "?"}" does not fit a ${location} parameter`,
      `write one of ${allowed.join(", ")}`,
    );
  }
  if (location === "path" && node["required"] !== true) {
    report.error([node], `the path parameter "${name}" must be required`, 'add "required: true"');
  }
  const style = written ?? allowed[0] ?? "simple";
  const schema =
    media === undefined
      ? (node["schema"] ?? true)
      : isObject(media[1])
        ? (media[1]["schema"] ?? true)
        : true;
  const base = {
    name,
    in: location,
    required: node["required"] === true,
    style,
    explode: typeof node["explode"] === "boolean" ? node["explode"] : style === "form",
    schema,
    default: defaultOf(document, schema),
    shared,
    node,
  };
  const kind = media === undefined ? kindOf(document, schema) : "json";
  checkStyle({ style, kind, node, report });
  return { ...base, kind };
}

interface StyleCheck {
  readonly style: ParameterPlan["style"];
  readonly kind: ParameterKind;
  readonly node: JsonObject;
  readonly report: Report;
}

/** Some styles say how parts are told apart, and need a value that has parts (OpenAPI 3.1.1, 4.8.12.3). */
function checkStyle({ style, kind, node, report }: StyleCheck): void {
  if (kind === "json") {
    if (node["style"] === undefined) return;
    report.error([node, "style", "key"], '"style" says nothing beside "content"', "remove it");
    return;
  }
  const needed = { deepObject: "an object", spaceDelimited: "an array", pipeDelimited: "an array" };
  if (style !== "deepObject" && style !== "spaceDelimited" && style !== "pipeDelimited") return;
  const fits = "object" in kind || (style !== "deepObject" && "array" in kind);
  if (fits) return;
  report.error(
    [node, "style"],
    `the style "${style}" needs a schema of ${needed[style]}`,
    'give the schema that type, or leave "style" out',
  );
}

/** Of the schema itself, else of the component it refers to. */
function defaultOf(document: JsonObject, schema: Json): Json | undefined {
  const seen = new Set<Json>();
  let value: Json | undefined = schema;
  while (isObject(value) && !seen.has(value)) {
    if (value["default"] !== undefined) return value["default"];
    seen.add(value);
    const reference: string | undefined = textOf(value["$ref"]);
    const name: string | undefined = reference === undefined ? undefined : componentName(reference);
    value = name === undefined ? undefined : schemasOf(document)[name];
  }
  return undefined;
}

/** Members of a schema with references followed: what can be told of its type. */
export function expand(
  document: JsonObject,
  schema: Json,
  seen: ReadonlySet<Json> = new Set(),
): Json[] {
  if (!isObject(schema) || seen.has(schema)) return [schema];
  const now = new Set([...seen, schema]);
  const name = typeof schema["$ref"] === "string" ? componentName(schema["$ref"]) : undefined;
  const target = name === undefined ? undefined : schemasOf(document)[name];
  const members = [
    ...itemsOf(schema["allOf"]),
    ...itemsOf(schema["anyOf"]),
    ...itemsOf(schema["oneOf"]),
  ];
  if (target !== undefined) members.unshift(target);
  return [schema, ...members.flatMap((member) => expand(document, member, now))];
}

function namedTypes(schema: Json): string[] {
  if (!isObject(schema)) return [];
  const type = schema["type"];
  const named = (Array.isArray(type) ? type : [type]).filter(
    (one): one is string => typeof one === "string",
  );
  const values = [
    ...itemsOf(schema["enum"]),
    ...(schema["const"] === undefined ? [] : [schema["const"]]),
  ];
  return named.length > 0 ? named : values.map((value) => (value === null ? "null" : typeof value));
}

/** What the text may stand for; text that fits nothing else stays text and fails by its type. */
export function kindOf(document: JsonObject, schema: Json): ParameterKind {
  const members = expand(document, schema);
  const named = new Set(members.flatMap(namedTypes));
  if (named.has("array")) {
    const items = members.flatMap((member) =>
      isObject(member) && member["items"] !== undefined ? [member["items"]] : [],
    );
    return { array: scalarsOf(document, items) };
  }
  if (named.has("object")) {
    const properties: Record<string, readonly ScalarKind[]> = {};
    const others: Json[] = [];
    for (const member of members) {
      if (!isObject(member)) continue;
      for (const [name, property] of entriesOf(member["properties"]))
        properties[name] = scalarsOf(document, [property]);
      if (isObject(member["additionalProperties"])) others.push(member["additionalProperties"]);
    }
    return { object: properties, others: scalarsOf(document, others) };
  }
  return { scalar: scalarsOf(document, [schema]) };
}

/** How the fields of a form are read. */
export function fieldKinds(document: JsonObject, schema: Json): Record<string, ParameterKind> {
  const kinds: [string, ParameterKind][] = [];
  for (const member of expand(document, schema)) {
    if (!isObject(member)) continue;
    for (const [name, property] of entriesOf(member["properties"])) {
      kinds.push([name, kindOf(document, property)]);
    }
  }
  return Object.fromEntries(kinds);
}

const order: readonly ScalarKind[] = ["null", "boolean", "integer", "number", "string"];

function scalarsOf(document: JsonObject, schemas: readonly Json[]): ScalarKind[] {
  const named = new Set(schemas.flatMap((schema) => expand(document, schema)).flatMap(namedTypes));
  const found = order.filter((kind) => named.has(kind));
  return found.length === 0 ? ["string"] : found;
}

interface PathCheck {
  readonly path: string;
  readonly node: JsonObject;
  readonly parameters: readonly Parameter[];
  readonly report: Report;
}

export function checkPathParameters({ path, node, parameters, report }: PathCheck): void {
  const inPath = [...path.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? "");
  const declared = parameters
    .filter((parameter) => parameter.in === "path")
    .map((parameter) => parameter.name);
  for (const name of inPath.filter((one) => !declared.includes(one))) {
    report.error(
      [node],
      `the path names {${name}}, and the operation has no such path parameter`,
      `add a parameter with "name: ${name}" and "in: path"`,
    );
  }
  for (const name of declared.filter((one) => !inPath.includes(one))) {
    report.error(
      [node],
      `the path parameter "${name}" does not stand in "${path}"`,
      `write {${name}} in the path or remove the parameter`,
    );
  }
  for (const name of inPath.filter((one, index) => inPath.indexOf(one) !== index)) {
    report.error([node], `the path names {${name}} twice`, "give each its own name");
  }
}
