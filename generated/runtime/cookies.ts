// Written by "npm run generate" from spec/openapi.yaml; do not edit.

// Parameters of the Cookie header (RFC 6265, section 5.4).

import { addDefaults, type NamedPlan, readInto } from "./parameters.ts";
import type { ParameterPlan, Violation } from "./runtime.ts";
import { asIs, cookieText, kindsOf, scalar } from "./text.ts";
import { put, type Values } from "./values.ts";

/** Of each name what it stands for, in order. */
type Cookies = ReadonlyMap<string, readonly string[]>;

function cookiesOf(header: string): Cookies {
  const cookies = new Map<string, string[]>();
  for (const piece of header.split(";")) {
    const equals = piece.indexOf("=");
    if (equals === -1) continue;
    const name = piece.slice(0, equals).trim();
    const text = piece.slice(equals + 1).trim();
    const known = cookies.get(name);
    if (known === undefined) cookies.set(name, [text]);
    else known.push(text);
  }
  return cookies;
}

export function readCookies(plan: NamedPlan, header: string, violations: Violation[]): Values {
  const cookies = cookiesOf(header);
  const values: Values = {};
  for (const parameter of plan.parameters) {
    const { name, style } = parameter;
    if (readExploded(values, parameter, cookies)) continue;
    // of two cookies of one name the first is the more specific
    const text = cookies.get(name)?.[0];
    const unescape = style === "cookie" ? asIs : cookieText;
    if (text !== undefined) readInto(values, { parameter, text, unescape }, violations);
  }
  addDefaults(plan.defaults, values);
  return values;
}

/**
 * `color=blue; color=black` and `R=100; G=200`, in the style cookie, without any escapes (OpenAPI 3.2.0, section
 * 4.12.4). Cookies of names that the contract does not list may be anybody's, and belong to no object.
 */
function readExploded(values: Values, parameter: ParameterPlan, cookies: Cookies): boolean {
  const { name, style, explode, kind } = parameter;
  if (style !== "cookie" || !explode || typeof kind !== "object") return false;
  if ("array" in kind) {
    const texts = cookies.get(name);
    if (texts !== undefined)
      put(
        values,
        name,
        texts.map((text) => scalar(text, kind.array)),
      );
    return true;
  }
  if (!("object" in kind)) return false;
  const object: Values = {};
  for (const property of Object.keys(kind.object)) {
    const [text] = cookies.get(property) ?? [];
    if (text !== undefined) put(object, property, scalar(text, kindsOf(kind, property) ?? []));
  }
  if (Object.keys(object).length > 0) put(values, name, object);
  return true;
}
