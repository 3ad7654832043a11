// The whole query as one value (OpenAPI 3.2.0, section 4.12.1: `in: querystring`), by its media type.

import { checkOf, type Checked } from "./checked.ts";
import { essenceOf, jsonType } from "./media-types.ts";
import * as pairs from "./pairs.ts";
import type { Operation, Violation } from "./runtime.ts";
import { Misread, percent, read } from "./text.ts";
import { report } from "./violations.ts";

export interface QuerystringPlan {
  readonly required: boolean;
  /** of `application/x-www-form-urlencoded` */
  readonly form: pairs.PairsPlan | undefined;
  /** of everything else: percent-decoded, and JSON is read */
  readonly kind: "json" | { readonly scalar: readonly ["string"] };
  readonly check: Checked;
}

export function querystringPlan({ querystring }: Operation): QuerystringPlan | undefined {
  if (querystring === undefined) return undefined;
  const { required, mediaType, fields, schema } = querystring;
  const essence = essenceOf(mediaType);
  const isForm = essence === "application/x-www-form-urlencoded";
  return {
    required,
    form: isForm ? { ...pairs.formPlan(fields ?? {}), in: "query" } : undefined,
    kind: jsonType.test(essence) ? "json" : { scalar: ["string"] },
    check: checkOf(schema),
  };
}

/**
 * A query that is empty is one that is not there, but where one has to be: there it is a form without fields,
 * or the empty text. Undefined: there is none, or what was sent cannot be read.
 */
export function readQuerystring(
  { required, form, kind }: QuerystringPlan,
  text: string,
  violations: Violation[],
): unknown {
  if (text === "" && !required) return undefined;
  if (form !== undefined) return pairs.readPairs(form, text, violations);
  const shape = { name: "", style: "form", explode: false, kind } as const;
  if (text === "" && kind === "json") {
    report(violations, { in: "query", pointer: "", rule: "required", message: "is required" });
    return undefined;
  }
  // "+" stands for itself: only forms take it for a space (OpenAPI 3.2.0, appendix E)
  const value = read(shape, text, percent);
  if (!(value instanceof Misread)) return value;
  const { rule, message } = value;
  report(violations, { in: "query", pointer: "", rule, message });
  return undefined;
}
