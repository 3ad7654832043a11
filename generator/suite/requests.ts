// Requests of an operation from values of its parameters and its body: written as the document says
// (OpenAPI 3.1 section 4.8.12, RFC 6570).

import { isJson, type Operation, type ParameterPlace, type Place } from "./contract.ts";
import { writeForm } from "./forms.ts";
import { escapeToken, isObject, type Json, objectAt, textOf } from "./json.ts";

/** What goes over the wire, before the application adds what says who asks. */
export interface PlainRequest {
  readonly method: string;
  /** path and query as on the request line */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** By "in name". */
export type ParameterValues = ReadonlyMap<string, Json>;

export interface Parts {
  readonly parameters: ParameterValues;
  readonly body: Json | undefined;
}

export function keyOf({ in: part, name }: Pick<ParameterPlace, "in" | "name">): string {
  return `${part} ${name}`;
}

/** Of a header the document says nothing where HTTP says it (OpenAPI 3.1 section 4.8.12.1). */
export function isSaidByHttp({ in: part, name }: ParameterPlace): boolean {
  return part === "header" && /^(?:accept|content-type|authorization)$/i.test(name);
}

export function compose(operation: Operation, { parameters, body }: Parts): PlainRequest {
  const values = operation.parameters.flatMap((one) => {
    const value = parameters.get(keyOf(one));
    return value === undefined || isSaidByHttp(one) ? [] : [[one, value] as const];
  });
  const inPart = (part: string) => values.filter(([one]) => one.in === part);
  const path = inPart("path").reduce(
    (filled, [one, value]) => filled.replaceAll(`{${one.name}}`, () => pathText(one, value)),
    operation.path,
  );
  const query = [
    ...inPart("query").flatMap(([one, value]) => queryPairs(one, value)),
    ...inPart("querystring").map(([one, value]) => querystringText(one, value) ?? ""),
  ].filter((text) => text !== "");
  const cookies = inPart("cookie").flatMap(([one, value]) => cookiePairs(one, value));
  const headers = Object.fromEntries(
    inPart("header").map(([one, value]) => [one.name, simpleText(one, value)]),
  );
  return {
    method: operation.method,
    target: query.length === 0 ? path : `${path}?${query.join("&")}`,
    headers: {
      ...headers,
      ...(cookies.length === 0 ? {} : { Cookie: cookies.join("; ") }),
      ...(body === undefined ? {} : { "Content-Type": operation.mediaType ?? "application/json" }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  };
}

/** A parameter, or a header of an answer: what is written in a style, or as a media type. */
type Written = Place & Pick<ParameterPlace, "in">;

/** Why a value cannot be written in the style of its parameter; undefined: it can. */
export function whyUnwritable(parameter: Written, value: Json): string | undefined {
  if (parameter.in === "querystring") {
    return querystringText(parameter, value) === undefined ? "it is no form" : undefined;
  }
  if (isContent(parameter)) return undefined;
  if (styleOf(parameter).style === "deepObject") {
    return deepPairs("", value) === undefined ? "an empty list has no form" : undefined;
  }
  const inner = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  if (inner.some((one) => isObject(one) || Array.isArray(one)))
    return "a list in a list has no form";
  if ((Array.isArray(value) || isObject(value)) && inner.length === 0)
    return "an empty list has no form";
  const texts = inner.length > 0 ? inner.map(textOf) : [textOf(value)];
  if (parameter.in === "path" && texts.some((text) => text === "" || /^\.\.?$/.test(text))) {
    return "an empty segment is another path";
  }
  if (parameter.in === "header" && texts.some((text) => !/^[!-~](?:[ -~]*[!-~])?$/.test(text))) {
    return "no header has such a text";
  }
  if (parameter.in === "cookie" && texts.some((text) => !/^[!#-+\--:<-[\]-~]*$/.test(text))) {
    return "no cookie has such a text";
  }
  const isApart = inner.length > 1 || isObject(value);
  const { style, explode } = styleOf(parameter);
  if (parameter.in === "cookie" && isApart && explode && style !== "cookie") {
    return "a cookie that is taken apart has no one form";
  }
  return inner.length > 1 && texts.some((text) => /[,|; ]/.test(text))
    ? "it would be read as more"
    : undefined;
}

/** Whether it is the whole query, as a form (OpenAPI 3.2, section 4.12.1). */
export function isFormQuery(parameter: Written): boolean {
  return parameter.in === "querystring" && mediaTypeOf(parameter).startsWith(formType);
}

/** Of `content`. */
export function mediaTypeOf({ node }: Place): string {
  return Object.keys(objectAt(node, "content"))[0] ?? "";
}

const formType = "application/x-www-form-urlencoded";

/** Undefined: no form says it. */
function querystringText(parameter: Written, value: Json): string | undefined {
  if (!isFormQuery(parameter)) return contentText(parameter, value);
  return writeForm(formType, value)?.text;
}

function isContent({ node }: Place): boolean {
  return isObject(node["content"]);
}

/** As `content` says: a JSON document, or the text itself. */
function contentText(parameter: Place, value: Json): string {
  return encodeURIComponent(isJson(mediaTypeOf(parameter)) ? JSON.stringify(value) : textOf(value));
}

/** Undefined: a list or an object in it is empty, and has no name. */
function deepPairs(name: string, value: Json): readonly string[] | undefined {
  if (!isObject(value) && !Array.isArray(value)) return [`${name}=${encoded(value)}`];
  const entries = Object.entries(value).map(([key, one]) =>
    deepPairs(`${name}%5B${encodeURIComponent(key)}%5D`, one),
  );
  const pairs = entries.flatMap((one) => one ?? []);
  return pairs.length === 0 || entries.includes(undefined) ? undefined : pairs;
}

function styleOf({ node, in: part }: Written): { style: string; explode: boolean } {
  const usual = part === "query" || part === "cookie" ? "form" : "simple";
  const style = textOf(node["style"] ?? usual);
  const explode = node["explode"];
  const isExploded = style === "form" || style === "cookie";
  return { style, explode: typeof explode === "boolean" ? explode : isExploded };
}

const encoded = (value: Json): string => encodeURIComponent(textOf(value));

function entriesOf(value: Json): readonly (readonly [string, Json])[] {
  return isObject(value) ? Object.entries(value) : [];
}

function pathText(parameter: ParameterPlace, value: Json): string {
  if (isContent(parameter)) return contentText(parameter, value);
  const { style, explode } = styleOf(parameter);
  const prefix = style === "label" ? "." : style === "matrix" ? ";" : "";
  const between = !explode || style === "simple" ? "," : prefix;
  const named = (text: string): string =>
    style === "matrix" ? `;${parameter.name}=${text}` : prefix + text;
  if (Array.isArray(value)) {
    if (style === "matrix" && explode) return value.map((one) => named(encoded(one))).join("");
    return named(value.map(encoded).join(between));
  }
  if (isObject(value)) {
    const pairs = entriesOf(value).map(([name, one]) =>
      explode
        ? `${encodeURIComponent(name)}=${encoded(one)}`
        : `${encodeURIComponent(name)},${encoded(one)}`,
    );
    return style === "matrix" && explode ? `;${pairs.join(";")}` : named(pairs.join(between));
  }
  return named(encoded(value));
}

function queryPairs(parameter: ParameterPlace, value: Json): readonly string[] {
  const name = encodeURIComponent(parameter.name);
  if (isContent(parameter)) return [`${name}=${contentText(parameter, value)}`];
  const { style, explode } = styleOf(parameter);
  if (style === "deepObject") return deepPairs(name, value) ?? [];
  const separator = style === "spaceDelimited" ? "%20" : style === "pipeDelimited" ? "%7C" : ",";
  if (Array.isArray(value)) {
    return explode
      ? value.map((one) => `${name}=${encoded(one)}`)
      : [`${name}=${value.map(encoded).join(separator)}`];
  }
  if (isObject(value)) {
    const entries = entriesOf(value).map(
      ([key, one]) => [encodeURIComponent(key), encoded(one)] as const,
    );
    return explode
      ? entries.map(([key, one]) => `${key}=${one}`)
      : [`${name}=${entries.flat().join(separator)}`];
  }
  return [`${name}=${encoded(value)}`];
}

function cookiePairs(parameter: ParameterPlace, value: Json): readonly string[] {
  const { name } = parameter;
  if (isContent(parameter)) return [`${name}=${contentText(parameter, value)}`];
  if (styleOf(parameter).style === "cookie") return plainCookies(parameter, value);
  if (Array.isArray(value)) return [`${name}=${value.map(encoded).join(",")}`];
  const members = entriesOf(value).flatMap(([key, one]) => [encodeURIComponent(key), encoded(one)]);
  return [`${name}=${isObject(value) ? members.join(",") : encoded(value)}`];
}

/** Without escapes; what is taken apart is cookies of its own (OpenAPI 3.2, section 4.12.4). */
function plainCookies(parameter: ParameterPlace, value: Json): readonly string[] {
  const { name } = parameter;
  const entries = entriesOf(value).map(([key, one]) => [key, textOf(one)] as const);
  if (styleOf(parameter).explode) {
    if (Array.isArray(value)) return value.map((one) => `${name}=${textOf(one)}`);
    if (isObject(value)) return entries.map(([key, text]) => `${key}=${text}`);
  }
  const texts = Array.isArray(value) ? value.map(textOf) : entries.flat();
  return [`${name}=${Array.isArray(value) || isObject(value) ? texts.join(",") : textOf(value)}`];
}

/** Of a header, in a request or in an answer. */
export function simpleText(parameter: Written, value: Json): string {
  if (isContent(parameter)) return decodeURIComponent(contentText(parameter, value));
  const { explode } = styleOf(parameter);
  if (Array.isArray(value)) return value.map(textOf).join(",");
  if (!isObject(value)) return textOf(value);
  return entriesOf(value)
    .map(([name, one]) => `${name}${explode ? "=" : ","}${textOf(one)}`)
    .join(",");
}

/** Where the schema of a parameter or a header stands. */
export function schemaPointerOf(parameter: Place): string | undefined {
  const { node, pointer } = parameter;
  if (node["schema"] !== undefined) return `${pointer}/schema`;
  const mediaType = mediaTypeOf(parameter);
  const media = objectAt(objectAt(node, "content"), mediaType);
  if (media["schema"] === undefined) return undefined;
  return `${pointer}/content/${escapeToken(mediaType)}/schema`;
}
