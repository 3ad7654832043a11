// References that lead back to where they started without a property, an item or another value in
// between. Such a schema says nothing, and checking a value against it would never end.

import type { Json, JsonObject } from "../json.ts";
import { entriesOf, isObject, itemsOf, textOf } from "../json.ts";
import { componentName, schemasOf, targetOf } from "../normalise/references.ts";
import type { Report } from "../read/origins.ts";
import { shapes } from "../read/shapes.ts";
import { walk } from "../read/walk.ts";

const message = "the reference leads back to itself";
const advice = "refer to something that ends";

export function checkCircles(document: JsonObject, report: Report): void {
  checkSchemaCircles(document, report);
  walk(document, "Document", (node, kind) => {
    if (kind === "Schema" || shapes[kind].reference !== true || node["$ref"] === undefined) return;
    if (leadsInCircle(document, node)) report.error("OAG216", [node, "$ref"], [message, advice]);
  });
}

function leadsInCircle(document: JsonObject, node: JsonObject): boolean {
  const seen = new Set<Json>();
  let value: Json | undefined = node;
  while (isObject(value) && typeof value["$ref"] === "string") {
    if (seen.has(value)) return true;
    seen.add(value);
    value = targetOf(document, value["$ref"]);
  }
  return false;
}

interface Step {
  readonly node: JsonObject;
  readonly to: string;
}

function checkSchemaCircles(document: JsonObject, report: Report): void {
  const steps = new Map<string, Step[]>();
  for (const [name, schema] of Object.entries(schemasOf(document)))
    steps.set(name, stepsOf(schema));
  const done = new Set<string>();
  const way: string[] = [];
  const go = (name: string): void => {
    way.push(name);
    for (const { node, to } of steps.get(name) ?? []) {
      if (!way.includes(to)) {
        if (!done.has(to)) go(to);
        continue;
      }
      report.error("OAG208", [node, "$ref"], [message, advice]);
      if (report.allows("OAG208")) delete node["$ref"];
    }
    way.pop();
    done.add(name);
  };
  for (const name of steps.keys()) if (!done.has(name)) go(name);
}

/** References that speak of the same value as the schema itself. */
function stepsOf(schema: Json): Step[] {
  if (!isObject(schema)) return [];
  const reference = textOf(schema["$ref"]);
  const to = reference === undefined ? undefined : componentName(reference);
  const members = [
    ...["allOf", "anyOf", "oneOf"].flatMap((name) => itemsOf(schema[name])),
    ...["not", "if", "then", "else"].flatMap((name) => schema[name] ?? []),
    ...entriesOf(schema["dependentSchemas"]).map(([, item]) => item),
  ];
  return [...(to === undefined ? [] : [{ node: schema, to }]), ...members.flatMap(stepsOf)];
}
