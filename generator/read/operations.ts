// The operations of a path item, by the methods that requests have on their request line.

import { entriesOf, isObject, type Json, type JsonObject } from "../json.ts";

/** Methods that have a field of their own; "query" since 3.2. */
export const methods = [
  "get",
  "put",
  "post",
  "delete",
  "options",
  "head",
  "patch",
  "trace",
  "query",
] as const;

const fields: ReadonlySet<string> = new Set(methods);

export interface MethodOperation {
  /** as it is sent: methods are case-sensitive (RFC 9110, section 9.1) */
  readonly method: string;
  readonly operation: JsonObject;
}

/** In the order of the document; other methods stand in `additionalOperations` (OpenAPI 3.2.0, section 4.9). */
export function operationsOf(item: Json | undefined): readonly MethodOperation[] {
  return entriesOf(item).flatMap(([name, value]) => {
    if (name === "additionalOperations") {
      return entriesOf(value).flatMap(([method, operation]) =>
        isObject(operation) ? [{ method, operation }] : [],
      );
    }
    if (!fields.has(name) || !isObject(value)) return [];
    return [{ method: name.toUpperCase(), operation: value }];
  });
}
