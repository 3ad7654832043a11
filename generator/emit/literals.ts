// Data as TypeScript text. Everything that comes from a document passes through here, so that no
// quote, comment end or line separator of a document can become code.

import { isObject, type Json } from "../json.ts";

export function literal(value: Json): string {
  // JSON is a subset of ECMAScript since ES2019; "__proto__" alone means something else there
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    return `{ ${Object.entries(value)
      .map(([name, item]) => `${propertyKey(name)}: ${literal(item)}`)
      .join(", ")} }`;
  }
  return JSON.stringify(value);
}

/**
 * Data that stands where a type is wanted. To the compiler `constructor` and its like are what every object has of its
 * own, so that their values are said to be what they are.
 */
export function typedLiteral(value: object | string): string {
  const written = (one: Json): string => {
    if (Array.isArray(one)) return `[${one.map(written).join(", ")}]`;
    if (!isObject(one)) return literal(one);
    const entries = Object.entries(one).map(([name, item]) => {
      const assertion = name in Object.prototype ? " as const" : "";
      return `${propertyKey(name)}: ${written(item)}${assertion}`;
    });
    return `{ ${entries.join(", ")} }`;
  };
  return written(value as Json);
}

export function propertyKey(name: string): string {
  if (name === "__proto__") return '["__proto__"]';
  return /^(?:[A-Za-z_$][A-Za-z0-9_$]*|[1-9][0-9]{2})$/.test(name) ? name : JSON.stringify(name);
}

export function regularExpression(pattern: string): string {
  try {
    return new RegExp(pattern, "u").toString();
  } catch {
    return new RegExp(pattern).toString(); // reported as a warning when the document was checked
  }
}

/** A documentation comment; nothing when there is nothing to say. */
export function docComment(text: string | undefined): string {
  const lines = (text ?? "").trim().replaceAll("*/", "*\\/").split(/\r?\n/);
  if (lines.length === 1) return lines[0] === "" ? "" : `/** ${lines[0] ?? ""} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`;
}

/** The first sentence of a longer text, on one line. */
export function firstSentence(text: string | undefined): string | undefined {
  const paragraph = (text ?? "").trim().split(/\r?\n\s*\r?\n/)[0] ?? "";
  const line = paragraph.replace(/\s+/g, " ").trim();
  const sentence = /^.*?[.!?](?=\s|$)/.exec(line)?.[0] ?? line;
  return sentence === "" ? undefined : sentence;
}
