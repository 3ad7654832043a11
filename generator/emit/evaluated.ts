// `unevaluatedProperties` and `unevaluatedItems`: which properties and items the rest of a schema has looked
// at, as a plan for the runtime. Members of anyOf, oneOf and if count only when they accept the value.

import type { Json, JsonObject } from "../json.ts";
import { entriesOf, isObject, itemsOf } from "../json.ts";
import { componentName, schemasOf } from "../normalise/references.ts";
import { literal, regularExpression } from "./literals.ts";
import type { Print, Scope } from "./printing.ts";

/** The checks for both keywords, none when the schema has neither. */
export function unevaluatedChecks(schema: JsonObject, scope: Scope, print: Print): string[] {
  return (["properties", "items"] as const).flatMap((of) => {
    const others = schema[keywords[of]];
    if (others === undefined || others === true) return [];
    const always = new Set<JsonObject>();
    const plan = planText(schema, { of, scope, print, seen: new Set(), always }, undefined);
    const rest = others === false ? "false" : print(others, scope);
    return [`unevaluated.${of}(${plan}, ${rest})`];
  });
}

const keywords = { properties: "unevaluatedProperties", items: "unevaluatedItems" } as const;

interface Printing {
  readonly of: keyof typeof keywords;
  readonly scope: Scope;
  readonly print: Print;
  /** schemas on the way here; one that contains itself adds nothing new */
  readonly seen: ReadonlySet<JsonObject>;
  /** schemas that have been written under the same condition; again they add nothing new */
  readonly always: Set<JsonObject>;
}

function planText(schema: Json, printing: Printing, when: Json | undefined): string {
  const { of, scope, print } = printing;
  const condition = when === undefined ? [] : [`when: ${print(when, scope)}`];
  const always = when === undefined ? printing.always : new Set<JsonObject>();
  if (!isObject(schema) || printing.seen.has(schema) || always.has(schema))
    return `{ ${condition.join(", ")} }`;
  always.add(schema);
  const inner: Printing = { ...printing, seen: new Set([...printing.seen, schema]), always };
  const own = printing.seen.size === 0; // its own keyword is the question, not an answer
  const rest = of === "properties" ? "additionalProperties" : "items";
  const all = schema[rest] !== undefined || (!own && schema[keywords[of]] !== undefined);
  const parts = partTexts(schema, inner);
  const fields = [
    ...condition,
    ...(of === "properties" ? namedFields(schema) : countedFields(schema, printing)),
    ...(all ? ["all: true"] : []),
    ...(parts.length > 0 ? [`parts: [${parts.join(", ")}]`] : []),
  ];
  return `{ ${fields.join(", ")} }`;
}

function namedFields(schema: JsonObject): string[] {
  const names = entriesOf(schema["properties"]).map(([name]) => literal(name));
  const patterns = entriesOf(schema["patternProperties"]).map(([pattern]) =>
    regularExpression(pattern),
  );
  return [
    ...(names.length > 0 ? [`names: [${names.join(", ")}]`] : []),
    ...(patterns.length > 0 ? [`patterns: [${patterns.join(", ")}]`] : []),
  ];
}

/** An item that `contains` accepts has been looked at, however many are wanted (core, section 10.3.1.3). */
function countedFields(schema: JsonObject, { scope, print }: Printing): string[] {
  const first = itemsOf(schema["prefixItems"]).length;
  const wanted = schema["contains"];
  return [
    ...(first > 0 ? [`first: ${first}`] : []),
    ...(wanted === undefined ? [] : [`contains: ${print(wanted, scope)}`]),
  ];
}

function partTexts(schema: JsonObject, printing: Printing): string[] {
  const parts: string[] = [];
  const name = typeof schema["$ref"] === "string" ? componentName(schema["$ref"]) : undefined;
  const target = name === undefined ? undefined : schemasOf(printing.scope.document)[name];
  if (target !== undefined) parts.push(planText(target, printing, undefined));
  for (const member of itemsOf(schema["allOf"])) parts.push(planText(member, printing, undefined));
  for (const combination of ["anyOf", "oneOf"]) {
    for (const member of itemsOf(schema[combination]))
      parts.push(planText(member, printing, member));
  }
  for (const [property, dependent] of entriesOf(schema["dependentSchemas"])) {
    parts.push(planText(dependent, printing, { type: "object", required: [property] }));
  }
  const condition = schema["if"];
  if (condition !== undefined) {
    parts.push(planText(condition, printing, condition));
    if (schema["then"] !== undefined) parts.push(planText(schema["then"], printing, condition));
    if (schema["else"] !== undefined)
      parts.push(planText(schema["else"], printing, { not: condition }));
  }
  return parts;
}
