// What is said of a type in front of it, in the tags of JSDoc, as openapi-typescript says it.

import type { Json, JsonObject } from "../json.ts";
import { isObject, textOf } from "../json.ts";

/** A comment with its line end; empty: there is nothing to say. */
export function typeComment(node: Json | undefined): string {
  if (!isObject(node)) return "";
  const said = [...plainly(node), ...tagged(node)].map((one) => one.replaceAll("*/", "*\\/"));
  const [first] = said;
  if (first === undefined) return "";
  const isShort = said.length === 1 && !first.includes("\n");
  return isShort ? `/** ${first} */\n` : `/**\n * ${said.join("\n * ")}\n */\n`;
}

/** How a further line of the same begins. */
const indented = "\n *     ";

function lines(text: string): string {
  return text.trim().replace(/[^\S\r\n\u2028\u2029]*(?:\r\n|[\n\r\u2028\u2029])/g, indented);
}

function plainly({ title, summary, format }: JsonObject): readonly string[] {
  const texts = [title, summary].map(textOf).filter((text) => text !== undefined && text !== "");
  const form = textOf(format);
  return [
    ...texts.map((text = "") => lines(text)),
    ...(form === undefined || form === "" ? [] : [`Format: ${lines(form)}`]),
  ];
}

function tagged(node: JsonObject): readonly string[] {
  const { description, default: fallback, example, deprecated, type } = node;
  const said: string[] = [];
  if (deprecated === true) said.push("@deprecated");
  if (description !== undefined && description !== "") said.push(tag("description", description));
  if (fallback !== undefined) said.push(tag("default", fallback));
  if (example !== undefined) said.push(tag("example", example));
  if (node["const"] !== undefined) said.push("@constant");
  if (node["enum"] === undefined) return said;
  const types = Array.isArray(type) ? type.map(String).join("|") : (textOf(type) ?? "unknown");
  return [...said, `@enum {${types}}`];
}

function tag(name: string, value: Json): string {
  const text = typeof value === "object" ? JSON.stringify(value, null, 2) : String(value);
  return `@${name} ${lines(text)}`;
}
