// The fields of a schema as a nested list: name, type in words, whether it has to be there, its bounds, and what it is.

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
  if (only !== undefined && others.length === 1)
    return { node: { ...only, ...beside }, isNullable, choices: [] };
  return { node, isNullable, choices: others };
}

/** What is told of some values only (`if`, `then`) is kept apart, as `conditions`. */
function joined(root: Node, schema: Node): Node {
  const { allOf, ...own } = resolved(root, schema);
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
    return choices.flatMap((one, index) => choice(root, one, { index, indent }));
  const { items, additionalProperties } = node;
  if (items !== undefined) return fieldList(root, nodeOf(items), indent);
  const required = new Set(textsOf(node["required"]));
  const own = Object.entries(nodeOf(node["properties"])).flatMap(([name, value]) =>
    field(root, nodeOf(value), { name, isRequired: required.has(name), indent }),
  );
  if (typeof additionalProperties !== "object") return own;
  const inner = nodeOf(additionalProperties);
  const { description } = resolved(root, nodeOf(node["propertyNames"]));
  const key = description === undefined ? "key" : line(textOf(description)).replace(/\.$/, "");
  return [...own, ...field(root, inner, { name: `{${key}}`, isRequired: undefined, indent })];
}

function choice(
  root: Node,
  schema: Node,
  { index, indent }: { readonly index: number; readonly indent: string },
): readonly string[] {
  const told = line(textOf(schema["description"]));
  const title = `${indent}- ${index === 0 ? "either" : "or"} ${typeWords(root, schema)}${told && `: ${told}`}`;
  return [title, ...fieldList(root, schema, `${indent}  `)];
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
    const texts = textsOf(node["enum"]);
    return [texts.length === 1 ? `always ${shown(texts)}` : `one of ${shown(texts)}`];
  }
  const known = textsOf(node["x-known-values"]);
  const told = textOf(node["description"]);
  const isTold = known.length > knownValuesMax || known.every((one) => told.includes(inCode(one)));
  return isTold ? [] : [`known values ${shown(known)}`];
}

function pattern(value: unknown): readonly string[] {
  const text = textOf(value);
  return text === "" || text.length > patternCharactersMax ? [] : [`matches ${inCode(text)}`];
}

/** JSON's largest safe integer is no bound that somebody meets. */
function range(min: unknown, max: unknown, unit: string): readonly string[] {
  const least = typeof min === "number" ? min : undefined;
  const most = typeof max === "number" && max < Number.MAX_SAFE_INTEGER ? max : undefined;
  const isOne = (most ?? least) === 1;
  const end = unit === "" ? "" : ` ${isOne ? unit.replace("ies", "y").replace(/s$/, "") : unit}`;
  if (least === undefined && most === undefined) return [];
  if (most === undefined) return [`at least ${least}${end}`];
  if (least === undefined || (least === 0 && unit !== "")) return [`at most ${most}${end}`];
  return [least === most ? `${least}${end}` : `${least} to ${most}${end}`];
}
