// A schema of the document as zod 4 source text. Zod's own words are used where they mean exactly
// what JSON Schema means; for the rest there are the keywords of the generated runtime.

import type { Json, JsonObject } from "../json.ts";
import { at, entriesOf, isObject, itemsOf, textOf } from "../json.ts";
import { componentName, schemasOf } from "../normalise/references.ts";
import { formats } from "../runtime/formats.ts";
import { unevaluatedChecks } from "./evaluated.ts";
import { literal, propertyKey, regularExpression } from "./literals.ts";
import { printObject } from "./objects.ts";
import { hostile, isAnnotated, type Scope, withChecks } from "./printing.ts";
import { all, lets, possibleTypes } from "./possible-types.ts";
import {
  assertedTypes,
  fitsType,
  isMadeOfObjects,
  isWholeFormat,
  type JsonType,
  typedKeywords,
  valuesOf,
} from "./schema-facts.ts";

const anyObject = "z.looseObject({})";

/** The source text of a zod schema that accepts exactly what the JSON Schema accepts. */
export function printSchema(schema: Json | undefined, scope: Scope): string {
  if (schema === false) return "z.never()";
  if (!isObject(schema)) return "keywords.anything()";
  const nullable = nullableMember(schema, scope);
  if (nullable !== undefined) return `${printSchema(nullable, scope)}.nullable()`;
  // an index signature beside members that are objects themselves would be another type
  const isObjectAnyway = isMadeOfObjects(schema, scope.document);
  const reference = referencePart(schema, scope);
  const members = [
    ...itemsOf(schema["allOf"]).map((member) => printSchema(member, scope)),
    ...alternatives("anyOf", schema, scope),
    ...alternatives("oneOf", schema, scope),
  ];
  const isAlone = reference.length + members.length === 0;
  const isChecked = agreesWithMembers(schema, scope);
  const own = ownPart(schema, scope).flatMap((part) => {
    if (!isChecked) return [`keywords.unchecked(${part})`];
    if (part !== anyObject || isAlone) return [part];
    // types of members that may be null say so, and this one takes it away again
    return isObjectAnyway ? [] : ["objects.members({})"];
  });
  const parts = [...reference, ...own, ...members];
  const [first = "keywords.anything()"] = parts;
  const base = parts.length < 2 ? first : `combinations.allOf(${parts.join(", ")})`;
  return withChecks(base, [
    ...combinationChecks(schema, scope),
    ...unevaluatedChecks(schema, scope, printSchema),
  ]);
}

/** False beside members of which a type is refused here: the contract's types may leave them out. */
function agreesWithMembers(schema: JsonObject, { document }: Scope): boolean {
  const types = assertedTypes(schema);
  if (types === undefined) return true;
  const { $ref } = schema;
  const members = ["allOf", "anyOf", "oneOf"].flatMap((name) => itemsOf(schema[name]));
  if ($ref !== undefined) members.push({ $ref });
  return members.every((member) => {
    const possible = possibleTypes(member, document);
    return (
      possible.size === all.size ||
      [...possible].every((type) => type === "null" || lets(types, type))
    );
  });
}

function referencePart(schema: JsonObject, scope: Scope): string[] {
  const reference = textOf(schema["$ref"]);
  const name = reference === undefined ? undefined : componentName(reference);
  return name === undefined ? [] : [scope.reference(name)];
}

/** `anyOf: [X, null]`, and `oneOf` when X certainly refuses null: X for which null is welcome too. */
function nullableMember(schema: JsonObject, scope: Scope): Json | undefined {
  for (const combination of ["anyOf", "oneOf"] as const) {
    const members = itemsOf(schema[combination]);
    if (members.length !== 2 || !isAnnotated(schema, combination)) continue;
    const other = members.find((member) => !isNull(member));
    if (other === undefined || !members.some(isNull)) continue;
    if (combination === "anyOf" || !mayBeNull(other, scope)) return other;
  }
  return undefined;
}

function isNull(schema: Json): boolean {
  return isObject(schema) && schema["type"] === "null" && isAnnotated(schema, "type");
}

/** False only when null is certainly refused. */
function mayBeNull(schema: Json, scope: Scope, depth = 0): boolean {
  if (!isObject(schema)) return schema !== false;
  const name = typeof schema["$ref"] === "string" ? componentName(schema["$ref"]) : undefined;
  if (name !== undefined)
    return depth > 20 || mayBeNull(schemasOf(scope.document)[name] ?? true, scope, depth + 1);
  const types = assertedTypes(schema);
  return types === undefined || types.has("null");
}

// ---------------------------------------------------------------------------------------------
// What a schema says itself

function ownPart(schema: JsonObject, scope: Scope): string[] {
  const types = assertedTypes(schema);
  const constrained = typedKeywords(schema);
  const values = valuesOf(schema);
  const listed = values === undefined ? [] : [printValues(values, types)];
  if (values !== undefined && constrained.size === 0) return listed;
  const typed = printTypes(schema, types, { constrained, scope });
  return typed === undefined ? listed : [typed, ...listed];
}

/** `enum` or `const`, without the values that `type` refuses anyway. */
function printValues(values: readonly Json[], types: ReadonlySet<JsonType> | undefined): string {
  const possible = types === undefined ? values : values.filter((value) => fitsType(value, types));
  if (possible.length === 0) return "z.never()";
  if (possible.some((value) => typeof value === "object" && value !== null)) {
    return `keywords.anything().check(keywords.values(${possible.map(literal).join(", ")}))`;
  }
  const texts = possible.map(literal).join(", ");
  const plain = possible.every((value) => typeof value === "string" && !hostile(value));
  if (possible.length === 1) return possible[0] === null ? "z.null()" : `z.literal(${texts})`;
  return plain ? `z.enum([${texts}])` : `z.literal([${texts}])`;
}

interface Typing {
  readonly constrained: ReadonlySet<JsonType>;
  readonly scope: Scope;
}

function printTypes(
  schema: JsonObject,
  types: ReadonlySet<JsonType> | undefined,
  { constrained, scope }: Typing,
): string | undefined {
  if (types === undefined) {
    // keywords of a type speak of values of that type and let all others pass
    if (constrained.size === 0) return undefined;
    const entries = [...constrained].map(
      (type) => `${key(type)}: ${printers[type](schema, scope)}`,
    );
    return `keywords.byType({ ${entries.join(", ")} }, "allowed")`;
  }
  const named = [...types].filter(
    (type) => type !== "null" && !(type === "integer" && types.has("number")),
  );
  const [only] = named;
  if (only === undefined) return "z.null()";
  const nullable = types.has("null");
  if (named.length === 1) return printers[only](schema, scope) + (nullable ? ".nullable()" : "");
  const entries = named.map((type) => `${key(type)}: ${printers[type](schema, scope)}`);
  if (nullable) entries.push("null: z.null()");
  return `keywords.byType({ ${entries.join(", ")} }, "refused")`;
}

/** `byType` tells numbers apart from other values, not integers from other numbers. */
function key(type: JsonType): string {
  return type === "integer" ? "number" : type;
}

const printers: Readonly<Record<JsonType, (schema: JsonObject, scope: Scope) => string>> = {
  string: printString,
  integer: (schema) => printNumber(schema, "integer"),
  number: (schema) => printNumber(schema, "number"),
  array: printArray,
  object: (schema, scope) => printObject(schema, scope, printSchema),
  boolean: () => "z.boolean()",
  null: () => "z.null()",
};

function bound(schema: JsonObject, keyword: string, method: string): string {
  const limit = schema[keyword];
  return typeof limit === "number" ? `.${method}(${String(limit)})` : "";
}

/** zod's own lengths look at anything that has one: at arrays, and at `{ "length": ... }`. */
function lengths(schema: JsonObject, ...names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const limit = schema[name];
    return typeof limit === "number" ? [`keywords.${name}(${String(limit)})`] : [];
  });
}

function printString(schema: JsonObject): string {
  const pattern = textOf(schema["pattern"]);
  const format = textOf(schema["format"]);
  const expression = pattern === undefined ? undefined : regularExpression(pattern);
  const limit = schema["maxLength"];
  const isBounded = expression !== undefined && typeof limit === "number";
  const base =
    expression === undefined || isBounded ? "z.string()" : `z.string().regex(${expression})`;
  const checks = isBounded ? [`keywords.pattern(${expression}, ${String(limit)})`] : [];
  checks.push(...lengths(schema, "minLength", "maxLength"));
  if (format !== undefined && Object.hasOwn(formats, format)) {
    checks.push(`keywords.format(${literal(format)})`);
  }
  return withChecks(base, checks);
}

const int32 = { base: "z.int32()", least: -(2 ** 31), most: 2 ** 31 - 1 } as const;
/** Integers beyond it would silently become another value, so z.int() refuses them. */
const safeMost = Number.MAX_SAFE_INTEGER;
const safeInteger = { base: "z.int()", least: -safeMost, most: safeMost } as const;

function printNumber(schema: JsonObject, type: "integer" | "number"): string {
  const isWhole = type === "integer" || isWholeFormat(schema["format"]);
  const whole = schema["format"] === "int32" ? int32 : safeInteger;
  const { least, most } = isWhole ? whole : { least: -Infinity, most: Infinity };
  const { minimum, maximum } = schema;
  // what the base refuses by itself would be told twice
  const hasLeast = typeof minimum === "number" && minimum > least;
  const hasMost = typeof maximum === "number" && maximum < most;
  const base =
    (isWhole ? whole.base : "z.number()") +
    (hasLeast ? bound(schema, "minimum", "min") : "") +
    bound(schema, "exclusiveMinimum", "gt") +
    (hasMost ? bound(schema, "maximum", "max") : "") +
    bound(schema, "exclusiveMaximum", "lt");
  const divisor = schema["multipleOf"];
  return withChecks(
    base,
    typeof divisor === "number" ? [`keywords.multipleOf(${String(divisor)})`] : [],
  );
}

function printArray(schema: JsonObject, scope: Scope): string {
  const checks: string[] = [];
  const first = itemsOf(schema["prefixItems"]);
  const items = schema["items"];
  if (first.length > 0) {
    const rest = items === undefined ? "" : `, ${printSchema(items, scope)}`;
    checks.push(
      `keywords.prefixItems([${first.map((item) => printSchema(item, scope)).join(", ")}]${rest})`,
    );
  }
  if (schema["contains"] !== undefined) checks.push(printContains(schema, scope));
  if (schema["uniqueItems"] === true) checks.push("keywords.uniqueItems()");
  const open = items === undefined || items === true;
  const base = `keywords.array(${open ? "z.unknown()" : printSchema(items, scope)})`;
  const all = [...lengths(schema, "minItems", "maxItems"), ...checks];
  // a tuple to the compiler, which an array of unknown items is not
  return withChecks(first.length > 0 ? "keywords.tuple()" : base, all);
}

function printContains(schema: JsonObject, scope: Scope): string {
  const min = typeof schema["minContains"] === "number" ? schema["minContains"] : 1;
  const max = schema["maxContains"];
  const limits = typeof max === "number" ? `{ min: ${min}, max: ${max} }` : `{ min: ${min} }`;
  return `keywords.contains(${printSchema(schema["contains"], scope)}, ${limits})`;
}

// ---------------------------------------------------------------------------------------------
// Combinations

function alternatives(combination: "anyOf" | "oneOf", schema: JsonObject, scope: Scope): string[] {
  const members = itemsOf(schema[combination]);
  if (members.length === 0) return [];
  const tags = tagsOf(schema, members, scope);
  if (tags !== undefined) {
    const property = isObject(schema["discriminator"])
      ? textOf(schema["discriminator"]["propertyName"])
      : undefined;
    const entries = [...tags].map(
      ([tag, component]) => `${propertyKey(tag)}: ${scope.reference(component)}`,
    );
    const fallback = fallbackOf(schema);
    const more = fallback === undefined ? "" : `, ${scope.reference(fallback)}`;
    return [`combinations.tagged(${literal(property ?? "")}, { ${entries.join(", ")} }${more})`];
  }
  const [only] = members;
  if (members.length === 1) return [printSchema(only, scope)];
  return [
    `combinations.${combination}(${members.map((member) => printSchema(member, scope)).join(", ")})`,
  ];
}

/** Tag to component, when a discriminator tells every member apart; undefined when it does not. */
function tagsOf(
  schema: JsonObject,
  members: readonly Json[],
  scope: Scope,
): ReadonlyMap<string, string> | undefined {
  const discriminator = schema["discriminator"];
  if (!isObject(discriminator)) return undefined;
  const property = textOf(discriminator["propertyName"]);
  const mapping = entriesOf(discriminator["mapping"]);
  const tags = new Map<string, string>();
  for (const member of members) {
    const reference = isObject(member) ? textOf(member["$ref"]) : undefined;
    const component = reference === undefined ? undefined : componentName(reference);
    if (component === undefined || property === undefined) return undefined;
    const mapped = mapping
      .filter(([, target]) => typeof target === "string" && componentName(target) === component)
      .map(([tag]) => tag);
    const own = ownTags(component, property, scope);
    for (const tag of own ?? (mapped.length > 0 ? mapped : [component])) {
      if (tags.has(tag)) return undefined; // the tag does not tell them apart
      tags.set(tag, component);
    }
  }
  const fallback = fallbackOf(schema);
  const isKnown = fallback === undefined || [...tags.values()].includes(fallback);
  return isKnown ? tags : undefined;
}

/** The component for values whose tag names none (OpenAPI 3.2.0, section 4.25.3). */
function fallbackOf({ discriminator }: JsonObject): string | undefined {
  const reference = isObject(discriminator) ? textOf(discriminator["defaultMapping"]) : undefined;
  return reference === undefined ? undefined : componentName(reference);
}

/** The values a component itself allows for its tag. */
function ownTags(component: string, property: string, scope: Scope): string[] | undefined {
  const schema = schemasOf(scope.document)[component];
  const tag =
    schema === undefined
      ? undefined
      : at(schema, `/properties/${property.replaceAll("~", "~0").replaceAll("/", "~1")}`);
  const values = isObject(tag) ? valuesOf(tag) : undefined;
  const texts = values?.filter((value): value is string => typeof value === "string");
  return texts === undefined || texts.length === 0 ? undefined : texts;
}

function combinationChecks(schema: JsonObject, scope: Scope): string[] {
  const checks: string[] = [];
  if (schema["not"] !== undefined)
    checks.push(`combinations.not(${printSchema(schema["not"], scope)})`);
  if (
    schema["if"] !== undefined &&
    (schema["then"] !== undefined || schema["else"] !== undefined)
  ) {
    const branches = (["then", "else"] as const)
      .filter((name) => schema[name] !== undefined)
      .map((name) => `${name}: ${printSchema(schema[name], scope)}`);
    checks.push(
      `combinations.conditional(${printSchema(schema["if"], scope)}, { ${branches.join(", ")} })`,
    );
  }
  return checks;
}
