// Reads and checks every part of a request and collects all that is wrong with it.

import * as pairs from "./pairs.ts";
import * as parameters from "./parameters.ts";
import { findMedia, type MediaPlan } from "./bodies.ts";
import { essenceOf } from "./media-types.ts";
import type { Checked } from "./checked.ts";
import { utf8 } from "./json.ts";
import { readCookies } from "./cookies.ts";
import { readItems, type ItemPlan } from "./item-reading.ts";
import { readJson } from "./json-body.ts";
import type { HandlerRequest, Plan, Received } from "./plan.ts";
import { readQuerystring } from "./querystring.ts";
import { RequestError, type ParameterLocation, type Violation } from "./runtime.ts";
import { validParts } from "./valid-parts.ts";
import { report, problemsToViolations } from "./violations.ts";

interface Part {
  readonly in: ParameterLocation | "body";
  readonly check: Checked;
}

/** Beside what could not be read. */
export function checkPart(part: Part, values: unknown, violations: Violation[]): void {
  if (part.check === undefined || part.check.valid(values)) return;
  const misread = violations.filter((one) => one.in === part.in).map((one) => one.pointer);
  for (const violation of problemsToViolations(part.in, part.check.problems(values))) {
    // what could not even be read would otherwise be reported as missing too
    const { pointer } = violation;
    if (!misread.some((one) => isWithin(one, pointer) || isWithin(pointer, one))) {
      report(violations, violation);
    }
  }
}

/** Whether the pointer names the same place as the other or one below it; "" names no value. */
function isWithin(pointer: string, other: string): boolean {
  return other !== "" && (pointer === other || pointer.startsWith(`${other}/`));
}

export function readParameters(exchange: Received, violations: Violation[]): HandlerRequest {
  const { plan, raw, match } = exchange;
  const { checks } = plan;
  const request: HandlerRequest = {};
  if (match === null) {
    const message = "must be written as in the contract, without dot segments or needless escapes";
    report(violations, { in: "path", pointer: "", rule: "encoding", message });
  } else if (plan.pathParameters.length > 0) {
    request.path = parameters.readPath(plan.pathParameters, match, violations);
    checkPart({ in: "path", check: checks.path }, request.path, violations);
  }
  if (plan.querystring !== undefined) {
    request.query = readQuerystring(plan.querystring, raw.query, violations);
    if (request.query !== undefined)
      checkPart({ in: "query", check: plan.querystring.check }, request.query, violations);
  } else if (plan.query.takes || raw.query !== "") {
    const query = pairs.readPairs(plan.query, raw.query, violations);
    checkPart({ in: "query", check: checks.query }, query, violations);
    if (plan.query.takes) request.query = query;
  }
  if (plan.headers.parameters.length > 0) {
    request.headers = parameters.readHeaders(plan.headers, raw.headers, violations);
    checkPart({ in: "header", check: checks.header }, request.headers, violations);
  }
  if (plan.cookies.parameters.length > 0) {
    const { cookie } = raw.headers;
    const text = Array.isArray(cookie) ? cookie.join("; ") : (cookie ?? "");
    request.cookies = readCookies(plan.cookies, text, violations);
    checkPart({ in: "cookie", check: checks.cookie }, request.cookies, violations);
  }
  return request;
}

/** How to read the body that was sent; undefined when there is nothing to read. */
export function mediaOf(
  { plan, raw, inflow }: Received,
  violations: Violation[],
): MediaPlan | undefined {
  if (plan.body !== undefined && isCoded(raw)) {
    const message = "the body must be sent without an encoding";
    throw new RequestError(415, "unsupported_media_type", message, { isAboutCoding: true });
  }
  if (raw.body.length === 0 && inflow === undefined) {
    if (plan.body?.required === true) bodyViolation(violations, "required", "is required");
    return undefined;
  }
  if (plan.body === undefined) {
    bodyViolation(violations, "unexpected", "this operation takes no body");
    return undefined;
  }
  const { media } = plan.body;
  const contentType = String(raw.headers["content-type"] ?? "");
  const found = media.get(contentType) ?? findMedia(media, contentType);
  if (found !== undefined) return found;
  const known = Array.from(media.values(), (one) => one.contentType).join(", ");
  throw new RequestError(
    415,
    "unsupported_media_type",
    `the body must be sent as ${known} in UTF-8`,
  );
}

/** Also where nothing follows: what was announced cannot be read. */
function isCoded({ headers }: Received["raw"]): boolean {
  const coding = headers["content-encoding"];
  return coding !== undefined && String(coding).toLowerCase() !== "identity";
}

export function bodyViolation(violations: Violation[], rule: string, message: string): void {
  report(violations, { in: "body", pointer: "", rule, message });
}

interface ReadBody {
  /** why it is not even JSON */
  readonly malformed?: string;
  /** see `ValidParts`; undefined: none */
  readonly parts?: unknown;
}

/** Decodes and checks the body. */
export function readBody(
  { plan, raw }: Received,
  { request, media }: { readonly request: HandlerRequest; readonly media: MediaPlan },
  violations: Violation[],
): ReadBody {
  const { codec, check } = media;
  const { depthMax } = plan.edge;
  if (codec === "json") {
    const read = readJson(raw.body, { check, depthMax });
    for (const one of read.violations) report(violations, one);
    if (read.malformed !== undefined) return { malformed: read.malformed };
    if (read.isAmbiguous === true) return {};
    request.body = tagged(media, raw, read.value);
    return violations.length === 0 ? {} : { parts: validParts(read.value, read.problems) };
  }
  if (codec === "items") return readItemList({ plan, raw }, { request, media }, violations);
  let value: unknown = raw.body;
  if (codec === "bytes") {
    checkLength(media, raw.body.length, violations);
  } else {
    try {
      const text = utf8.decode(raw.body);
      value = codec === "form" ? pairs.readPairs(media.form, text, violations) : text;
    } catch {
      bodyViolation(violations, "encoding", "must be UTF-8");
      return {};
    }
    if (check?.valid(value) === false) {
      for (const one of problemsToViolations("body", check.problems(value))) {
        report(violations, one);
      }
    }
  }
  request.body = tagged(media, raw, value);
  return {};
}

function readItemList(
  { plan, raw }: Pick<Received, "plan" | "raw">,
  { request, media }: { readonly request: HandlerRequest; readonly media: MediaPlan },
  violations: Violation[],
): ReadBody {
  const { values, malformed } = readItems(raw.body, itemPlan(plan, media), violations);
  request.body = tagged(media, raw, values);
  return malformed === undefined ? {} : { malformed };
}

export function itemPlan({ edge }: Plan, { check, items = "lines" }: MediaPlan): ItemPlan {
  return { format: items, check, depthMax: edge.depthMax, bytesMax: edge.bodyBytesMax };
}

function checkLength(
  { bytesMin = 0, bytesMax = Infinity }: MediaPlan,
  length: number,
  violations: Violation[],
): void {
  if (length < bytesMin) {
    bodyViolation(violations, "minLength", `must have at least ${bytesMin} bytes`);
  } else if (length > bytesMax) {
    bodyViolation(violations, "maxLength", `must have at most ${bytesMax} bytes`);
  }
}

/** The handler is told which type came where the contract leaves a choice; of a range the type that was sent. */
export function tagged(media: MediaPlan, { headers }: Received["raw"], value: unknown): unknown {
  if (!media.isTagged) return value;
  const contentType = media.isRange
    ? essenceOf(String(headers["content-type"]))
    : media.contentType;
  return { contentType, value };
}
