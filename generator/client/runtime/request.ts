// From the arguments of a call to the parts of its request.

import { codecOf, essenceOf } from "../../runtime/media-types.ts";
import type { BodyPlan, FieldPlan, FieldPlans, OperationPlan, ParameterPlan } from "./plan.ts";
import { cookieText, formText, headerText, pathText, plain, queryText } from "./values.ts";

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

/** @throws {TypeError} an argument is missing, there is none of its name, or it is what no request can say */
export function requestOf(plan: OperationPlan, given: Arguments): RequestParts {
  checkNames(plan, given);
  const texts = plan.parameters.flatMap((parameter) => {
    const text = said(nameOf(parameter, plan), plan, () => {
      const value = valueOf(parameter, plan, given);
      return value === undefined ? undefined : writers[parameter.in](parameter, value);
    });
    return text === undefined ? [] : [{ parameter, text }];
  });
  const at = (place: ParameterPlan["in"]) =>
    texts.filter(({ parameter, text }) => parameter.in === place && (text !== "" || isKept(place)));
  const cookies = at("cookie").map(({ text }) => text);
  const body = said("body", plan, () => bodyIn(plan, given));
  return {
    path: pathOf(
      plan,
      new Map(at("path").map(({ parameter, text }) => [`{${parameter.name}}`, text])),
    ),
    query: at("query")
      .map(({ text }) => text)
      .join("&"),
    headers: {
      ...(plan.accept === undefined ? {} : { Accept: plan.accept }),
      ...Object.fromEntries(at("header").map(({ parameter, text }) => [parameter.name, text])),
      ...(cookies.length === 0 ? {} : { Cookie: cookies.join("; ") }),
      ...(body === undefined ? {} : contentType(plan.body, body)),
    },
    body,
  };
}

/** A header may be empty, and a path says itself what is wrong with it. */
function isKept(place: ParameterPlan["in"]): boolean {
  return place === "header" || place === "path";
}

/** Names of objects are nobody's arguments: "constructor" is one when it is given. */
function own(from: Arguments, name: string): unknown {
  return Object.hasOwn(from, name) ? from[name] : undefined;
}

function valueOf(parameter: ParameterPlan, plan: OperationPlan, given: Arguments): unknown {
  const { in: place, name, isJson, isRequired } = parameter;
  const isGrouped = plan.isGrouped === true;
  const value = own(isGrouped ? (Object(own(given, place)) as Arguments) : given, name);
  // RFC 6570, section 2.3: null is nothing, where nothing may be
  if (value !== undefined && (value !== null || isJson === true || isRequired === true))
    return value;
  if (isRequired !== true) return undefined;
  throw new TypeError("is missing");
}

function nameOf({ in: place, name }: ParameterPlan, { isGrouped }: OperationPlan): string {
  return isGrouped === true ? `${place}.${name}` : name;
}

const writers = { path: pathText, query: queryText, header: headerText, cookie: cookieText };

/** Says of which argument something is wrong. */
function said<T>(name: string, { operationId }: OperationPlan, write: () => T): T {
  try {
    return write();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(`${operationId}: the argument ${name} ${why}`, { cause });
  }
}

/** @throws {TypeError} a URL forgets a segment "..", and the one before it with it, however it is encoded */
function pathOf({ operationId, path }: OperationPlan, texts: ReadonlyMap<string, string>): string {
  const segments = path.split("/").map((segment) => {
    const names = segment.match(/\{[^{}]*\}/g) ?? [];
    const empty = names.find((name) => texts.get(name) === "");
    const text = names.reduce((said, name) => said.replace(name, texts.get(name) ?? name), segment);
    const isForgotten = names.length > 0 && /^(?:\.|%2e){1,2}$/i.test(text);
    if (empty === undefined && !isForgotten) return text;
    const what = empty === undefined ? `"${decodeURIComponent(text)}"` : "empty";
    const name = (empty ?? names.join("")).slice(1, -1);
    throw new TypeError(`${operationId}: the argument ${name} is ${what}, which no path can say`);
  });
  return segments.join("/");
}

function checkNames(plan: OperationPlan, given: Arguments): void {
  const { body, parameters } = plan;
  if (body?.isSpread === true) return;
  const more = body === undefined ? [] : ["body"];
  if (plan.isGrouped !== true) {
    checkKnown(plan, given, [...parameters.map(({ name }) => name), ...more]);
    return;
  }
  const places = [...new Set(parameters.map((one) => one.in))];
  checkKnown(plan, given, [...places, ...more]);
  for (const place of places) {
    const names = parameters.filter((one) => one.in === place).map(({ name }) => name);
    checkKnown(plan, Object(own(given, place)) as Arguments, names);
  }
}

function checkKnown({ operationId }: OperationPlan, given: Arguments, known: readonly string[]) {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const all = known.length === 0 ? "there is none" : `there are ${known.join(", ")}`;
  throw new TypeError(`${operationId}: there is no argument ${unknown}; ${all}`);
}

function bodyIn(plan: OperationPlan, given: Arguments): RequestBody | undefined {
  const { body, parameters } = plan;
  if (body?.isSpread === true) {
    const names = new Set(parameters.map(({ name }) => name));
    const members = Object.entries(given).filter(
      ([name, value]) => !names.has(name) && value !== undefined,
    );
    if (members.length === 0 && body.isRequired !== true) return undefined;
    return encodedBody(body, Object.fromEntries(members));
  }
  const value = own(given, "body");
  if (body === undefined || (value === undefined && body.isRequired !== true)) return undefined;
  if (value === undefined) throw new TypeError("is missing");
  return encodedBody(body, value);
}

function encodedBody(body: BodyPlan, value: unknown): RequestBody {
  const codec = codecOf(essenceOf(body.mediaType));
  if (codec === "json") return JSON.stringify(value);
  if (codec === "form")
    return value instanceof URLSearchParams ? value : formText(value, body.fields);
  if (codec === "multipart") return value instanceof FormData ? value : formOf(value, body.fields);
  // Text, bytes, and rows that the caller writes.
  return value as RequestBody;
}

function formOf(value: unknown, fields: FieldPlans = {}): FormData {
  const form = new FormData();
  for (const [name, one] of Object.entries(Object(value) as object)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const isOne = field?.isJson === true && field.explode !== true;
    for (const item of (isOne ? [one] : [one].flat()) as readonly unknown[])
      if (item !== undefined) form.append(name, partOf(item, field));
  }
  return form;
}

/** Objects and lists are JSON of their own, and null is an empty text where it may stand. */
function partOf(value: unknown, { isJson, mediaType }: FieldPlan = {}): string | Blob {
  if (value instanceof Blob) return typed(value, mediaType);
  const isObject = typeof value === "object" && value !== null;
  if (isJson !== true && !isObject) return plain(value);
  return new Blob([JSON.stringify(value)], { type: mediaType ?? "application/json" });
}

/** A file that does not say what it is is what the contract says. */
function typed(file: Blob, mediaType: string | undefined): Blob {
  if (file.type !== "" || mediaType === undefined) return file;
  const type = { type: mediaType };
  return file instanceof File ? new File([file], file.name, type) : new Blob([file], type);
}

/** Of a form with files only who writes it knows what stands between its parts. */
function contentType(body: BodyPlan | undefined, value: RequestBody): Record<string, string> {
  if (body === undefined || value instanceof FormData) return {};
  const { mediaType } = body;
  if (!mediaType.includes("*")) return { "Content-Type": mediaType };
  const own = value instanceof Blob ? value.type : "";
  return { "Content-Type": own === "" ? "application/octet-stream" : own };
}
