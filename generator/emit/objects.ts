// Objects: zod's own where they are exact, `objects.members` where they are not.

import type { Json, JsonObject } from "../json.ts";
import { entriesOf, isObject, itemsOf } from "../json.ts";
import { literal, propertyKey, regularExpression } from "./literals.ts";
import { hostile, isEmptySchema, type Print, type Scope, withChecks } from "./printing.ts";

export function printObject(schema: JsonObject, scope: Scope, print: Print): string {
  const properties = entriesOf(schema["properties"]);
  const required = new Set(
    itemsOf(schema["required"]).filter((name): name is string => typeof name === "string"),
  );
  const additional = schema["additionalProperties"];
  const closed = additional === false;
  const undeclared = [...required].filter((name) => !properties.some(([one]) => one === name));
  const plain =
    // a closed object can never have a name that nobody describes, and no shape says so
    (!closed || undeclared.length === 0) &&
    entriesOf(schema["patternProperties"]).length === 0 &&
    (additional === undefined || typeof additional === "boolean" || isEmptySchema(additional)) &&
    !properties.some(([name]) => hostile(name)) &&
    ![...required].some(hostile);
  if (!plain) {
    const text = printMembers(schema, { properties, required, scope, print });
    return withChecks(text, objectChecks(schema, undeclared, { scope, print }));
  }
  // a required name nobody describes may have any value
  const described = [...properties, ...undeclared.map((name) => [name, true] as const)];
  const checks = objectChecks(schema, [], { scope, print });
  const values = described.map(([name, property]) => ({
    name,
    schema: print(property, scope),
    required: required.has(name),
  }));
  const text = values.length === 0 ? "{}" : `{\n${shapeText(values)}\n}`;
  return withChecks(`z.${closed ? "strictObject" : "looseObject"}(${text})`, checks);
}

/** A value by its name: what is checked of it, and whether it has to be there. */
interface Named {
  readonly name: string;
  /** the text of its schema */
  readonly schema: string;
  readonly required: boolean;
}

/** Parameters of one place, or headers: an object that routes may look into, by `shape`. */
export function namedText(values: readonly Named[]): string {
  if (!values.some(({ name }) => hostile(name))) return `z.looseObject({\n${shapeText(values)}\n})`;
  return `objects.named([\n${entriesText(values)}\n])`;
}

function shapeText(values: readonly Named[]): string {
  const fields = values.map(
    ({ name, schema, required }) =>
      `${propertyKey(name)}: ${schema}${required ? "" : ".exactOptional()"},`,
  );
  return fields.join("\n");
}

function entriesText(values: readonly Named[]): string {
  const entries = values.map(
    ({ name, schema, required }) =>
      `[${literal(name)}, ${schema}, ${required ? '"required"' : '"optional"'}],`,
  );
  return entries.join("\n");
}

interface ObjectParts {
  readonly properties: readonly (readonly [name: string, schema: Json])[];
  readonly required: ReadonlySet<string>;
  readonly scope: Scope;
  readonly print: Print;
}

function printMembers(schema: JsonObject, sources: ObjectParts): string {
  const { properties, required, scope, print } = sources;
  const patterns = entriesOf(schema["patternProperties"]);
  const additional = schema["additionalProperties"];
  const isMap = isObject(additional) && !isEmptySchema(additional);
  if (properties.length === 0 && patterns.length === 0 && isMap)
    return `objects.map(${print(additional, scope)})`;
  const parts: string[] = [];
  if (properties.length > 0) {
    const values = properties.map(([name, property]) => ({
      name,
      schema: print(property, scope),
      required: required.has(name),
    }));
    parts.push(`properties: [\n${entriesText(values)}\n]`);
  }
  if (patterns.length > 0) {
    const entries = patterns.map(
      ([pattern, item]) => `[${regularExpression(pattern)}, ${print(item, scope)}]`,
    );
    parts.push(`patterns: [${entries.join(", ")}]`);
  }
  if (additional === false) parts.push("others: false");
  else if (isMap) parts.push(`others: ${print(additional, scope)}`);
  return parts.length === 0
    ? "objects.members({})"
    : `objects.members({\n${parts.join(",\n")},\n})`;
}

interface Printing {
  readonly scope: Scope;
  readonly print: Print;
}

function objectChecks(
  schema: JsonObject,
  undeclared: readonly string[],
  { scope, print }: Printing,
): string[] {
  const checks: string[] = [];
  if (undeclared.length > 0) checks.push(`objects.required(${undeclared.map(literal).join(", ")})`);
  for (const keyword of ["minProperties", "maxProperties"] as const) {
    const limit = schema[keyword];
    if (typeof limit === "number") checks.push(`objects.${keyword}(${limit})`);
  }
  const names = schema["propertyNames"];
  if (names !== undefined && names !== true)
    checks.push(`objects.propertyNames(${print(names, scope)})`);
  const dependent = schema["dependentRequired"];
  if (isObject(dependent)) checks.push(`objects.dependentRequired(${literal(dependent)})`);
  const schemas = entriesOf(schema["dependentSchemas"]);
  if (schemas.length > 0) {
    const entries = schemas.map(([name, item]) => `${propertyKey(name)}: ${print(item, scope)}`);
    checks.push(`objects.dependentSchemas({ ${entries.join(", ")} })`);
  }
  return checks;
}
