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

/** Beyond that, what follows references ends with the stack of the process. */
const lengthMax = 500;

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

/** A reference in a schema that speaks of the same value as the schema itself. */
interface Step {
  readonly node: JsonObject;
  readonly to: string;
  /** how many schemas stand around it, itself included */
  readonly depth: number;
}

function checkSchemaCircles(document: JsonObject, report: Report): void {
  const steps = new Map<string, Step[]>();
  for (const [name, schema] of Object.entries(schemasOf(document)))
    steps.set(name, stepsOf(schema));
  /** how far the references of a schema lead at most; those that lead on for ever are taken out */
  const lengths = new Map<string, number>();
  const way = new Set<string>();
  let isTold = false;
  const follow = ({ node, to, depth }: Step): number => {
    if (way.has(to)) {
      report.error("OAG208", [node, "$ref"], [message, advice]);
      delete node["$ref"]; // nothing could be judged by what never ends
      return depth;
    }
    const beyond = lengths.get(to) ?? (way.size <= lengthMax ? go(to) : lengthMax);
    if (beyond + depth <= lengthMax) return beyond + depth;
    const said = `the reference leads on to others, more than ${lengthMax} deep`;
    if (!isTold) report.error("OAG221", [node, "$ref"], [said, "refer to the last of them"]);
    isTold = true;
    delete node["$ref"];
    return depth;
  };
  const go = (name: string): number => {
    way.add(name);
    const length = Math.max(0, ...(steps.get(name) ?? []).map(follow));
    way.delete(name);
    lengths.set(name, length);
    return length;
  };
  for (const name of steps.keys()) if (!lengths.has(name)) go(name);
}

function stepsOf(schema: Json, depth = 1): Step[] {
  if (!isObject(schema)) return [];
  const reference = textOf(schema["$ref"]);
  const to = reference === undefined ? undefined : componentName(reference);
  const members = [
    ...["allOf", "anyOf", "oneOf"].flatMap((name) => itemsOf(schema[name])),
    ...["not", "if", "then", "else"].flatMap((name) => schema[name] ?? []),
    ...entriesOf(schema["dependentSchemas"]).map(([, item]) => item),
  ];
  const own = to === undefined ? [] : [{ node: schema, to, depth }];
  return [...own, ...members.flatMap((member) => stepsOf(member, depth + 1))];
}
