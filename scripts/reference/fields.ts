// The fields of a schema as a nested list: name, type in words, whether it has to be there, its bounds, and what it is.

import { conditionLines } from "./conditions.ts";
import { listOf, nodeOf, resolved, textOf, textsOf } from "./contract.ts";
import type { Node } from "./contract.ts";
import { inCode, line } from "./markdown.ts";

/** Longer ones say less than the text beside them. */
const patternCharactersMax = 70;
/** Of more there is a page. */
const knownValuesMax = 15;
const formats: Readonly<Record<string, string>> = {
  "date-time": "time (RFC 3339)",
  uri: "address (URI)",
};

export interface Shape {
  readonly node: Node;
  readonly isNullable: boolean;
  /** of several, one */
  readonly choices: readonly Node[];
}

/** With its references followed, what it is all of joined, and null told apart. */
export function shapeOf(root: Node, schema: Node): Shape {
  const node = joined(root, schema);
  const options = listOf(node["oneOf"]).map((one) => joined(root, one));
  const others = options.filter((one) => one["type"] !== "null");
  const types = Array.isArray(node["type"]) ? textsOf(node["type"]) : [];
  const isNullable = others.length < options.length || types.includes("null");
  const [only] = others;
  const { oneOf: _, ...beside } = node;
  // What is said beside the choice counts for the one that it can be.
  if (only !== undefined && others.length === 1) {
    const inner = shapeOf(root, { ...only, ...beside });
    return { ...inner, isNullable: isNullable || inner.isNullable };
  }
  if (others.length > 0 && node["properties"] !== undefined)
    throw new Error("what stands beside several alternatives is told nowhere: write it into each");
  return { node, isNullable, choices: others };
}

/** Those that are told, and those that say nothing to a reader. */
const keywords = new Set(
  (
    "$ref type description enum const format pattern minLength maxLength minimum maximum minItems maxItems " +
    "minProperties maxProperties uniqueItems items properties required additionalProperties propertyNames " +
    "oneOf allOf if then conditions default discriminator example examples deprecated"
  ).split(" "),
);

/** Throws where the contract begins to say something that nobody would be told. */
function known(schema: Node): Node {
  const unknown = Object.keys(schema).find((one) => !keywords.has(one) && !one.startsWith("x-"));
  if (unknown === undefined) return schema;
  throw new Error(
    `the reference does not tell what ${unknown} says: teach it in scripts/reference`,
  );
}

/** What is told of some values only (`if`, `then`) is kept apart, as `conditions`. */
function joined(root: Node, schema: Node): Node {
  const { allOf, ...own } = known(resolved(root, schema));
  const parts = [...listOf(allOf).map((one) => joined(root, one)), own];
  const required = new Set(parts.flatMap((one) => textsOf(one["required"])));
  const whole = merged(parts);
  const properties = merged(parts.map((one) => nodeOf(one["properties"])));
  const hasProperties = Object.keys(properties).length > 0;
  const names = required.size === 0 ? {} : { required: [...required] };
  const { if: _, then: __, ...rest } = whole;
  const conditions = parts.flatMap((one) => [
    ...(one["if"] === undefined ? [] : [one]),
    ...listOf(one["conditions"]),
  ]);
  return { ...rest, ...names, ...(hasProperties ? { properties } : {}), conditions };
}

/** Of what stands in several, the last counts. */
function merged(nodes: readonly Node[]): Node {
  return Object.fromEntries(nodes.flatMap((one) => Object.entries(one)));
}

/** Of an object; of a list or a map, those of what is in it; of a choice, those of each. */
export function fieldList(root: Node, schema: Node, indent = ""): readonly string[] {
  const { node, choices } = shapeOf(root, schema);
  if (choices.length > 0)
    return choices.flatMap((one, index) => choice(root, one, { choices, index, indent }));
  const { items, additionalProperties } = node;
  if (items !== undefined) return fieldList(root, nodeOf(items), indent);
  const required = new Set(textsOf(node["required"]));
  const own = Object.entries(nodeOf(node["properties"])).flatMap(([name, value]) =>
    field(root, nodeOf(value), { name, isRequired: required.has(name), indent }),
  );
  const told = [...own, ...conditionLines(node, indent)];
  if (typeof additionalProperties !== "object") return told;
  const inner = nodeOf(additionalProperties);
  const { description } = resolved(root, nodeOf(node["propertyNames"]));
  const key = description === undefined ? "key" : line(textOf(description)).replace(/\.$/, "");
  return [...told, ...field(root, inner, { name: `{${key}}`, isRequired: undefined, indent })];
}

function choice(root: Node, schema: Node, { choices, index, indent }: Choosing): readonly string[] {
  const told = line(textOf(schema["description"]));
  const others = choices.filter((one) => one !== schema);
  // What only this one has tells it apart.
  const own = textsOf(schema["required"]).find(
    (name) => !others.some((one) => textsOf(one["required"]).includes(name)),
  );
  const words = typeWords(root, schema) + (own === undefined ? "" : ` with ${inCode(own)}`);
  const title = `${indent}- ${index === 0 ? "either" : "or"} ${words}${told && `: ${told}`}`;
  return [title, ...fieldList(root, schema, `${indent}  `)];
}

interface Choosing {
  readonly choices: readonly Node[];
  readonly index: number;
  readonly indent: string;
}

export interface Named {
  readonly name: string;
  /** undefined: that says nothing here */
  readonly isRequired: boolean | undefined;
  readonly indent: string;
}

/** Its line, and below it the fields in it. */
export function field(
  root: Node,
  schema: Node,
  { name, isRequired, indent }: Named,
): readonly string[] {
  const { node } = shapeOf(root, schema);
  const must = isRequired === undefined ? [] : [isRequired ? "required" : "optional"];
  const words = [typeWords(root, schema), ...must, ...boundWords(root, node)].join(", ");
  const told = line(textOf(node["description"]));
  const key = name.startsWith("{") ? `_${name.slice(1, -1)}_` : inCode(name);
  const own = `${indent}- ${key} (${words})${told && `: ${told}`}`;
  return [own, ...fieldList(root, schema, `${indent}  `)];
}

/** "list of strings", "map of objects", "integer or null" */
export function typeWords(root: Node, schema: Node): string {
  const { node, isNullable, choices } = shapeOf(root, schema);
  const end = isNullable ? " or null" : "";
  if (choices.length > 0) {
    const each = new Set(choices.map((one) => typeWords(root, one)));
    return [...each].join(" or ") + end;
  }
  return plainType(root, node) + end;
}

function plainType(root: Node, node: Node): string {
  const { items, additionalProperties, format } = node;
  if (items !== undefined) return `list of ${manyOf(typeWords(root, nodeOf(items)))}`;
  if (typeof additionalProperties === "object") {
    return `map to ${manyOf(typeWords(root, nodeOf(additionalProperties)))}`;
  }
  const types = Array.isArray(node["type"]) ? textsOf(node["type"]) : [textOf(node["type"])];
  const type = types.filter((one) => one !== "null").join(" or ");
  return formats[textOf(format)] ?? (type === "" ? typeOfValues(node) : type);
}

function typeOfValues(node: Node): string {
  const values: readonly unknown[] = Array.isArray(node["enum"]) ? node["enum"] : [node["const"]];
  const [type = "any value"] = new Set(values.map((one) => typeof one));
  return node["properties"] === undefined ? type.replace("undefined", "any value") : "object";
}

function manyOf(words: string): string {
  return words.includes(" ") ? words : `${words}s`;
}

/** "1 to 128 characters", "one of `a`, `b`" */
export function boundWords(root: Node, node: Node): readonly string[] {
  const inner = node["items"] === undefined ? undefined : shapeOf(root, nodeOf(node["items"])).node;
  return [
    ...range(node["minLength"], node["maxLength"], "characters"),
    ...range(node["minimum"], node["maximum"], ""),
    ...range(node["minItems"], node["maxItems"], "entries"),
    ...range(node["minProperties"], node["maxProperties"], "entries"),
    ...(node["uniqueItems"] === true ? ["each once"] : []),
    ...values(node),
    ...defaults(node["default"]),
    ...(node["format"] === undefined ? pattern(node["pattern"]) : []),
    ...(inner?.["properties"] === undefined && inner !== undefined
      ? boundWords(root, inner).map((words) => `each ${words}`)
      : []),
  ];
}

function values(node: Node): readonly string[] {
  const shown = (list: unknown) => textsOf(list).map(inCode).join(", ");
  if (node["const"] !== undefined) return [`always ${inCode(textOf(node["const"]))}`];
  if (Array.isArray(node["enum"])) {
    // Null is told with the type.
    const texts = textsOf(node["enum"].filter((one) => one !== null));
    return [texts.length === 1 ? `always ${shown(texts)}` : `one of ${shown(texts)}`];
  }
  const known = textsOf(node["x-known-values"]);
  const told = textOf(node["description"]);
  const isTold = known.length > knownValuesMax || known.every((one) => told.includes(inCode(one)));
  return isTold ? [] : [`known values ${shown(known)}`];
}

function defaults(value: unknown): readonly string[] {
  return value === undefined ? [] : [`${inCode(JSON.stringify(value))} when left out`];
}

function pattern(value: unknown): readonly string[] {
  const text = textOf(value);
  return text === "" || text.length > patternCharactersMax ? [] : [`matches ${inCode(text)}`];
}

/** The largest and the least integer that JSON's readers agree on are no bounds that somebody meets. */
function range(min: unknown, max: unknown, unit: string): readonly string[] {
  const least = typeof min === "number" && min > Number.MIN_SAFE_INTEGER ? min : undefined;
  const most = typeof max === "number" && max < Number.MAX_SAFE_INTEGER ? max : undefined;
  const isOne = (most ?? least) === 1;
  const end = unit === "" ? "" : ` ${isOne ? unit.replace("ies", "y").replace(/s$/, "") : unit}`;
  if (least === undefined && most === undefined) return [];
  if (most === undefined) return [`at least ${least}${end}`];
  if (least === undefined || (least === 0 && unit !== "")) return [`at most ${most}${end}`];
  return [least === most ? `${least}${end}` : `${least} to ${most}${end}`];
}
