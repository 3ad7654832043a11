// Parameters as text: the styles of OpenAPI 3.1.1 (section 4.8.12.2.1), which are RFC 6570's. What a style cannot say is
// a TypeError, since it would be read as something else.

import type { FieldPlans, ParameterPlan } from "./plan.ts";

/** "name=value" and what stands between several of them is written already. */
export function queryText(parameter: ParameterPlan, value: unknown): string {
  const { name, style, whole, isJson, fields } = parameter;
  if (whole === "text") return encoded(plain(value));
  if (whole === "json") return encoded(JSON.stringify(value));
  if (whole === "form") return formText(value, fields);
  if (isJson === true) return `${encoded(name)}=${encoded(JSON.stringify(value))}`;
  if (style === "deepObject") return deepTexts(encoded(name), value).join("&");
  if (style === "spaceDelimited") return delimited(parameter, value, " ");
  if (style === "pipeDelimited") return delimited(parameter, value, "|");
  return joined(parameter, value, { sign: ",", between: "&" });
}

export function pathText(parameter: ParameterPlan, value: unknown): string {
  const { name, style, explode, isJson } = parameter;
  if (isJson === true) return encoded(JSON.stringify(value));
  if (style === "label") return `.${labelText(value, explode)}`;
  if (style !== "matrix") return listText(value, ",", explode);
  const text = joined(parameter, value, { sign: ",", between: ";" });
  return text.endsWith("=") && text === `${encoded(name)}=` ? `;${encoded(name)}` : `;${text}`;
}

export function headerText({ explode, isJson }: ParameterPlan, value: unknown): string {
  const text = isJson === true ? asciiJson(value) : parts(value, explode).join(",");
  // RFC 9110, section 5.5: one byte a character, and what stands around the text is not part of it
  if (/^(?:[!-~\u0080-\u00ff](?:[\t -~\u0080-\u00ff]*[!-~\u0080-\u00ff])?)?$/.test(text))
    return text;
  throw new TypeError(`is ${JSON.stringify(text)}, which no header can say`);
}

/**
 * The names of cookies are as the contract has them. A list has one cookie: only the style "cookie", which knows no
 * escapes, takes it apart (OpenAPI 3.2.0, section 4.12.4).
 */
export function cookieText(
  { name, isJson, style, explode }: ParameterPlan,
  value: unknown,
): string {
  if (isJson === true) return `${name}=${encoded(JSON.stringify(value))}`;
  if (style !== "cookie") return `${name}=${listText(value, ",", undefined)}`;
  const isApart = explode === true && isStructured(value);
  const pairs: readonly (readonly [string, string])[] = !isApart
    ? [[name, parts(value, undefined).join(",")]]
    : Array.isArray(value)
      ? value.map((one) => [name, plain(one)])
      : entriesOf(value).map(([key, one]) => [key, plain(one)]);
  // RFC 6265, section 4.1.1
  const wrong = pairs.find(([key, text]) => !isCookieText(text) || !isCookieName(key));
  if (wrong !== undefined)
    throw new TypeError(`is ${JSON.stringify(wrong.join("="))}, which no cookie can say`);
  return pairs.map((pair) => pair.join("=")).join("; ");
}

function isCookieText(text: string): boolean {
  return /^(?:[!-:<-~](?:[ -:<-~]*[!-:<-~])?)?$/.test(text);
}

function isCookieName(name: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name);
}

/** JSON has escapes for what headers cannot say. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^ -~]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** application/x-www-form-urlencoded (OpenAPI 3.1.1, section 4.8.15.1) */
export function formText(value: unknown, fields: FieldPlans = {}): string {
  return entriesOf(value)
    .map(([name, one]) => {
      const said = Object.hasOwn(fields, name) ? fields[name] : undefined;
      const usual = Array.isArray(one) && !one.some(isStructured) ? exploded : deep;
      return queryText({ ...(said ?? usual), name, in: "query" }, one);
    })
    .filter((text) => text !== "")
    .join("&");
}

const exploded = { explode: true } as const;
const deep = { style: "deepObject" } as const;

interface Signs {
  /** between values of one name */
  readonly sign: string;
  /** between names */
  readonly between: string;
}

function joined(
  { name, explode }: ParameterPlan,
  value: unknown,
  { sign, between }: Signs,
): string {
  const own = encoded(name);
  if (explode !== true || !isStructured(value)) return `${own}=${listText(value, sign, explode)}`;
  return Array.isArray(value)
    ? value.map((one) => `${own}=${encoded(plain(one))}`).join(between)
    : entriesOf(value)
        .map(([key, one]) => `${encoded(key)}=${encoded(plain(one))}`)
        .join(between);
}

/** Of a list that is not exploded: `sign` stands between its items, escaped or not, and so never in them. */
function delimited(parameter: ParameterPlan, value: unknown, sign: string): string {
  const items = Array.isArray(value) && parameter.explode !== true ? value.map(plain) : [];
  checkApart(items, sign);
  return joined(parameter, value, { sign: encoded(sign), between: "&" });
}

/** Full stops are written as escapes where they stand between values. */
function labelText(value: unknown, explode: true | undefined): string {
  if (explode !== true || !isStructured(value)) return listText(value, ",", explode);
  const escaped = (one: unknown): string => encoded(plain(one)).replaceAll(".", "%2E");
  return Array.isArray(value)
    ? value.map(escaped).join(".")
    : entriesOf(value)
        .map(([name, one]) => `${escaped(name)}=${escaped(one)}`)
        .join(".");
}

function listText(value: unknown, sign: string, explode: true | undefined): string {
  if (Array.isArray(value)) return value.map((one) => encoded(plain(one))).join(sign);
  if (!isStructured(value)) return encoded(plain(value));
  const equals = explode === true ? "=" : sign;
  return entriesOf(value)
    .map(([name, one]) => `${encoded(name)}${equals}${encoded(plain(one))}`)
    .join(sign);
}

/** Of a header or a plain cookie: nothing is encoded there. */
function parts(value: unknown, explode: true | undefined): readonly string[] {
  if (!isStructured(value)) return [plain(value)];
  const entries = entriesOf(value).map(([name, one]) => [name, plain(one)] as const);
  if (explode === true && !Array.isArray(value)) {
    checkApart(
      entries.map(([name]) => name),
      "=",
    );
  }
  const texts = Array.isArray(value)
    ? value.map(plain)
    : entries.flatMap((entry) => (explode === true ? [entry.join("=")] : entry));
  checkApart(texts, ",");
  return texts;
}

/** Spaces around a value are nobody's (RFC 9110, section 5.6.1). */
function checkApart(texts: readonly string[], sign: string): void {
  const wrong = texts.find((text) => text.includes(sign) || (sign === "," && text.trim() !== text));
  if (wrong === undefined) return;
  throw new TypeError(
    `has ${JSON.stringify(wrong)} in it, which would be read as several: "${sign}" stands between values`,
  );
}

function deepTexts(name: string, value: unknown): readonly string[] {
  if (Array.isArray(value)) {
    return value.flatMap((one, index) =>
      deepTexts(isStructured(one) ? `${name}[${index}]` : name, one),
    );
  }
  if (!isStructured(value)) return [`${name}=${encoded(plain(value))}`];
  return entriesOf(value).flatMap(([key, one]) => deepTexts(`${name}[${encoded(key)}]`, one));
}

function isStructured(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function entriesOf(value: unknown): readonly (readonly [name: string, value: unknown])[] {
  return Object.entries(Object(value) as object).filter(([, one]) => one !== undefined);
}

/** Of null nothing is written, in a form and in a style. */
export function plain(value: unknown): string {
  if (typeof value === "string") return value;
  return value === null ? "" : JSON.stringify(value);
}

/** RFC 3986: whatever is not unreserved is encoded. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
