// Data as TypeScript text. Everything that comes from a document passes through here, so that no
// quote, comment end or line separator of a document can become code.

import type { Json } from "../json.ts";

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
