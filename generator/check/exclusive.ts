// Fields of OpenAPI 3.2 that are not to stand side by side. None of them changes what a server does, so that the
// document generates all the same.

import type { JsonObject } from "../json.ts";
import type { Report } from "../read/origins.ts";
import type { Kind } from "../read/shapes.ts";
import { walk } from "../read/walk.ts";

type Rule = readonly [field: string, others: readonly string[], advice: string];

const position = ["prefixEncoding", "itemEncoding"];

/** OpenAPI 3.2.0, sections 4.14, 4.15, 4.19 and 4.26. */
const rules: Readonly<Partial<Record<Kind, readonly Rule[]>>> = {
  MediaType: [["encoding", position, "parts have names or positions: keep one of the two"]],
  Encoding: [["encoding", position, "parts have names or positions: keep one of the two"]],
  Example: [
    ["value", ["dataValue", "serializedValue"], 'keep "dataValue" and "serializedValue"'],
    ["externalValue", ["serializedValue"], "keep one of the two"],
  ],
  Xml: [
    ["attribute", ["nodeType"], 'write "nodeType: attribute" alone'],
    ["wrapped", ["nodeType"], 'write "nodeType: element" alone'],
  ],
};

export function checkExclusive(document: JsonObject, report: Report): void {
  walk(document, "Document", (node, kind) => {
    for (const [field, others, advice] of rules[kind] ?? []) {
      if (node[field] === undefined) continue;
      for (const other of others.filter((one) => node[one] !== undefined)) {
        const message = `"${other}" is not to stand beside "${field}"`;
        report.warning("OAG309", [node, other, "key"], [message, advice]);
      }
    }
  });
}
