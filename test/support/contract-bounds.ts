// What a schema says of a rule, as one line for people.

import { createHash } from "node:crypto";
import { type JsonObject, listAt, textOf } from "./contract-document.ts";

/** Of alternatives only how many there are; empty: it says nothing of it. */
export function boundOf(schema: JsonObject, rule: string): string {
  const said = schema[rule];
  if (said === undefined) return "";
  if (rule === "oneOf") return `of ${listAt(schema, rule).length}`;
  return shortText(Array.isArray(said) ? said.map(textOf).join(" | ") : textOf(said));
}

/** A long pattern is told by its beginning and by a number that is another one for another pattern. */
function shortText(text: string): string {
  if (text.length <= 160) return text;
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 12);
  return `${text.slice(0, 60)}... (${text.length} characters, SHA-256 ${hash})`;
}
