// Written by "npm run generate" from spec/openapi.yaml; do not edit.

// Parameters as text: the styles of OpenAPI 3.1.1 (section 4.8.12.2.1), which are RFC 6570's.

import type { FieldPlans, ParameterPlan } from "./plan.ts";

/** "name=value" and what stands between several of them is written already. */
export function queryText(parameter: ParameterPlan, value: unknown): string {
  const { name, style, whole, isJson } = parameter;
  if (whole === "text") return String(value);
  if (whole === "json") return encoded(JSON.stringify(value));
  if (whole === "form") return formText(value);
  if (isJson === true) return `${encoded(name)}=${encoded(JSON.stringify(value))}`;
  if (style === "deepObject") return deepTexts(encoded(name), value).join("&");
  const sign = style === "spaceDelimited" ? "%20" : style === "pipeDelimited" ? "%7C" : ",";
  return joined(parameter, value, { sign, between: "&" });
}

export function pathText(parameter: ParameterPlan, value: unknown): string {
  const { name, style, explode, isJson } = parameter;
  if (isJson === true) return encoded(JSON.stringify(value));
  if (style === "label") return `.${listText(value, explode === true ? "." : ",", explode)}`;
  if (style !== "matrix") return listText(value, ",", explode);
  const text = joined(parameter, value, { sign: ",", between: ";" });
  return text.endsWith("=") && text === `${encoded(name)}=` ? `;${encoded(name)}` : `;${text}`;
}

export function headerText({ explode, isJson }: ParameterPlan, value: unknown): string {
  if (isJson === true) return JSON.stringify(value);
  return parts(value, explode).join(",");
}

export function cookieText(parameter: ParameterPlan, value: unknown): string {
  const { name, isJson } = parameter;
  if (isJson === true) return `${name}=${encoded(JSON.stringify(value))}`;
  return joined(parameter, value, { sign: ",", between: "; " });
}

/** application/x-www-form-urlencoded (OpenAPI 3.1.1, section 4.8.15.1) */
export function formText(value: unknown, fields: FieldPlans = {}): string {
  return entriesOf(value)
    .map(([name, one]) => {
      const said = Object.hasOwn(fields, name) ? fields[name] : undefined;
      const usual = Array.isArray(one) ? exploded : deep;
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

function listText(value: unknown, sign: string, explode: true | undefined): string {
  if (Array.isArray(value)) return value.map((one) => encoded(plain(one))).join(sign);
  if (!isStructured(value)) return encoded(plain(value));
  const equals = explode === true ? "=" : sign;
  return entriesOf(value)
    .map(([name, one]) => `${encoded(name)}${equals}${encoded(plain(one))}`)
    .join(sign);
}

/** Of a header: nothing is encoded there. */
function parts(value: unknown, explode: true | undefined): readonly string[] {
  if (Array.isArray(value)) return value.map(plain);
  if (!isStructured(value)) return [plain(value)];
  return entriesOf(value).flatMap(([name, one]) =>
    explode === true ? [`${name}=${plain(one)}`] : [name, plain(one)],
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

function plain(value: unknown): string {
  return isStructured(value) ? JSON.stringify(value) : String(value);
}

/** RFC 3986: whatever is not unreserved is encoded. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
