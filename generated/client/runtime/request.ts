// Written by "npm run generate" from spec/openapi.yaml; do not edit.

// From the arguments of a call to the parts of its request.

import { codecOf, essenceOf } from "../../runtime/media-types.ts";
import type { BodyPlan, OperationPlan, ParameterPlan } from "./plan.ts";
import { cookieText, formText, headerText, pathText, queryText } from "./values.ts";

export type Arguments = Readonly<Record<string, unknown>>;

export type RequestBody = NonNullable<RequestInit["body"]>;

/** Of a media type that stands for no value: it is sent as it is. */
export type RawBody = string | Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array>;

export interface RequestParts {
  readonly path: string;
  /** without "?" */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: RequestBody | undefined;
}

/** @throws {TypeError} an argument is missing, or there is none of its name */
export function requestOf(plan: OperationPlan, given: Arguments): RequestParts {
  const values = plan.parameters.map((parameter) => ({
    parameter,
    value: valueOf(parameter, plan, given),
  }));
  const at = (place: ParameterPlan["in"]) =>
    values.filter(({ parameter, value }) => parameter.in === place && value !== undefined);
  const cookies = at("cookie").map(({ parameter, value }) => cookieText(parameter, value));
  const body = bodyIn(plan, given);
  const path = at("path").reduce((template, { parameter, value }) => {
    return template.replace(`{${parameter.name}}`, () => safeText(parameter, value, plan));
  }, plan.path);
  return {
    path,
    query: at("query")
      .map(({ parameter, value }) => queryText(parameter, value))
      .filter((text) => text !== "")
      .join("&"),
    headers: {
      ...(plan.accept === undefined ? {} : { Accept: plan.accept }),
      ...Object.fromEntries(
        at("header").map(({ parameter, value }) => [parameter.name, headerText(parameter, value)]),
      ),
      ...(cookies.length === 0 ? {} : { Cookie: cookies.join("; ") }),
      ...(body === undefined ? {} : contentType(plan.body, body)),
    },
    body,
  };
}

function valueOf(parameter: ParameterPlan, plan: OperationPlan, given: Arguments): unknown {
  const from = plan.isGrouped === true ? (Object(given[parameter.in]) as Arguments) : given;
  const value = from[parameter.name];
  if (value !== undefined && (value !== null || parameter.isJson === true)) return value;
  if (parameter.isRequired !== true) return undefined;
  const name = plan.isGrouped === true ? `${parameter.in}.${parameter.name}` : parameter.name;
  throw new TypeError(`${plan.operationId}: the argument ${name} is missing`);
}

/** A URL forgets a segment "..", and the one before it with it, however it is encoded. */
function safeText(parameter: ParameterPlan, value: unknown, { operationId }: OperationPlan) {
  const text = pathText(parameter, value);
  if (text !== "" && !/^\.{1,2}$/.test(text)) return text;
  const what = text === "" ? "empty" : JSON.stringify(text);
  throw new TypeError(`${operationId}: ${parameter.name} is ${what}, which no path can say`);
}

function bodyIn(plan: OperationPlan, given: Arguments): RequestBody | undefined {
  const { body, parameters, operationId, isGrouped } = plan;
  const names = new Set(isGrouped === true ? [] : parameters.map(({ name }) => name));
  const places = isGrouped === true ? ["path", "query", "header", "cookie"] : [];
  if (body?.isSpread === true) {
    const members = Object.entries(given).filter(([name]) => !names.has(name));
    if (members.length === 0 && body.isRequired !== true) return undefined;
    return encodedBody(body, Object.fromEntries(members));
  }
  const known = new Set([...names, ...places, ...(body === undefined ? [] : ["body"])]);
  const unknown = Object.keys(given).find((name) => !known.has(name));
  if (unknown !== undefined) {
    const all = known.size === 0 ? "it takes none" : `it takes ${[...known].join(", ")}`;
    throw new TypeError(`${operationId}: there is no argument ${unknown}; ${all}`);
  }
  const value = given["body"];
  if (body === undefined || (value === undefined && body.isRequired !== true)) return undefined;
  if (value === undefined) throw new TypeError(`${operationId}: the argument body is missing`);
  return encodedBody(body, value);
}

function encodedBody(body: BodyPlan, value: unknown): RequestBody {
  const codec = codecOf(essenceOf(body.mediaType));
  if (codec === "json") return JSON.stringify(value);
  if (codec === "form")
    return value instanceof URLSearchParams ? value : formText(value, body.fields);
  if (codec === "multipart") return value instanceof FormData ? value : formOf(value);
  // Text, bytes, and rows that the caller writes.
  return value as RequestBody;
}

/** Objects and lists are JSON of their own; numbers and the like are their text, which JSON writes as well. */
function fieldOf(value: unknown): string | Blob {
  const text = JSON.stringify(value);
  return typeof value === "object" ? new Blob([text], { type: "application/json" }) : text;
}

function formOf(value: unknown): FormData {
  const form = new FormData();
  for (const [name, one] of Object.entries(Object(value) as object)) {
    for (const item of [one].flat() as readonly unknown[]) {
      if (item === undefined) continue;
      if (item instanceof Blob) form.append(name, item);
      else if (typeof item === "string") form.append(name, item);
      else form.append(name, fieldOf(item));
    }
  }
  return form;
}

/** Of a form with files only who writes it knows what stands between its parts. */
function contentType(body: BodyPlan | undefined, value: RequestBody): Record<string, string> {
  if (body === undefined || value instanceof FormData) return {};
  const { mediaType } = body;
  if (!mediaType.includes("*")) return { "Content-Type": mediaType };
  const own = value instanceof Blob ? value.type : "";
  return { "Content-Type": own === "" ? "application/octet-stream" : own };
}
