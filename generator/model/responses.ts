// The answers of an operation.

import type { JsonObject } from "../json.ts";
import { entriesOf, isObject, itemsOf, textOf } from "../json.ts";
import { follow } from "../normalise/references.ts";
import type { Report } from "../read/origins.ts";
import { contentOf } from "./content.ts";
import type { Response, ResponseHeader, SharedHeader, SharedResponse } from "./model.ts";
import { identifier, Names } from "./names.ts";
import { kindOf } from "./kinds.ts";
import { contentKind } from "./parameters.ts";

/** Headers and responses below `components`, by their nodes. */
export interface SharedAnswers {
  readonly headers: ReadonlyMap<JsonObject, SharedHeader>;
  readonly responses: ReadonlyMap<JsonObject, SharedResponse>;
}

export function sharedAnswers(document: JsonObject, report: Report): SharedAnswers {
  const components = isObject(document["components"]) ? document["components"] : {};
  const headers = new Map<JsonObject, SharedHeader>();
  const responses = new Map<JsonObject, SharedResponse>();
  const headerNames = new Names();
  const responseNames = new Names();
  for (const [name, value] of entriesOf(components["headers"])) {
    const node = follow(document, value);
    if (node === undefined || headers.has(node)) continue;
    headers.set(node, {
      identifier: headerNames.assign(identifier(name)),
      schema: valueOf(document, node).schema,
    });
  }
  for (const [name, value] of entriesOf(components["responses"])) {
    const node = follow(document, value);
    if (node === undefined || responses.has(node)) continue;
    const assigned = responseNames.assign(identifier(name));
    const response = buildResponse({ document, node, headers, report });
    responses.set(node, { identifier: assigned, response: { ...response, shared: assigned } });
  }
  return { headers, responses };
}

/** Names the statuses that `default` stands for; without it `default` stands for all others. */
export const defaultStatuses = "x-default-statuses";

interface OperationAnswers {
  readonly document: JsonObject;
  readonly operation: JsonObject;
  readonly shared: SharedAnswers;
  readonly report: Report;
}

export function buildResponses({
  document,
  operation,
  shared,
  report,
}: OperationAnswers): Response[] {
  const responses = operation["responses"];
  const entries = entriesOf(responses).filter(([key]) => !key.startsWith("x-"));
  if (!isObject(responses) || entries.length === 0) {
    report.warning("OAG540", [operation], ["the operation documents no answer", 'add "responses"']);
    return [];
  }
  const exact = entries.map(([key]) => Number(key));
  const found: Response[] = [];
  for (const [key, value] of entries) {
    if (!isObject(value)) continue; // reported by the shape check
    if (!/^([1-5][0-9]{2}|[1-5]XX|default)$/i.test(key)) {
      report.error(
        "OAG541",
        [responses, key, "key"],
        [
          `"${key}" is not a status`,
          'write a status such as "200", a range such as "4XX", or default',
        ],
      );
      continue;
    }
    const node = follow(document, value);
    if (node === undefined) continue;
    const response =
      shared.responses.get(node)?.response ??
      buildResponse({ document, node, headers: shared.headers, report });
    const isBodiless = /^(1..|204|205|304)$/.test(key) && response.content.length > 0;
    if (isBodiless) {
      report.warning(
        "OAG542",
        [responses, key, "key"],
        [
          `an answer with status ${key} has no body (RFC 9110): its "content" is not looked at`,
          'remove "content"',
        ],
      );
    }
    const isDefault = /^default$/i.test(key);
    found.push({
      ...(isBodiless ? { ...response, content: [], shared: undefined } : response),
      key: isDefault ? "default" : key.toUpperCase(),
      statuses: isDefault ? defaultStatusesOf(operation, exact, report) : undefined,
    });
  }
  return found;
}

interface AnswerSource {
  readonly document: JsonObject;
  readonly node: JsonObject;
  readonly headers: SharedAnswers["headers"];
  readonly report: Report;
}

function buildResponse({ document, node, headers, report }: AnswerSource): Response {
  return {
    key: "",
    // none is needed since 3.2, and a route has one
    description: textOf(node["description"]) ?? textOf(node["summary"]) ?? "",
    statuses: undefined,
    headers: headersIn(document, node, headers),
    content: contentOf({ document, node, side: "answer", report }),
    shared: undefined,
    node,
  };
}

function defaultStatusesOf(
  operation: JsonObject,
  exact: readonly number[],
  report: Report,
): readonly number[] | undefined {
  const list = operation[defaultStatuses];
  if (list === undefined) return undefined;
  const statuses = itemsOf(list).filter((status) => typeof status === "number");
  const valid = statuses.every(
    (status) => Number.isInteger(status) && status >= 100 && status <= 599,
  );
  if (!Array.isArray(list) || statuses.length !== list.length || !valid) {
    report.error(
      "OAG543",
      [operation, defaultStatuses],
      [`"${defaultStatuses}" must be a list of statuses`, "write whole numbers from 100 to 599"],
    );
  }
  for (const status of statuses.filter((one) => exact.includes(one))) {
    report.error(
      "OAG544",
      [operation, defaultStatuses],
      [`status ${status} has an answer of its own`, `remove it from "${defaultStatuses}"`],
    );
  }
  return statuses;
}

/** Of a response, or of a part of a multipart body. */
export function headersIn(
  document: JsonObject,
  response: JsonObject,
  shared: SharedAnswers["headers"],
): ResponseHeader[] {
  return entriesOf(response["headers"]).flatMap(([name, value]) => {
    const node = follow(document, value);
    // Content-Type is the media type's business (OpenAPI 3.1.1 section 4.8.17)
    if (node === undefined || name.toLowerCase() === "content-type") return [];
    const required = node["required"] === true;
    const explode = node["explode"] === true;
    const { schema, kind } = valueOf(document, node);
    return [{ name, required, explode, schema, kind, shared: shared.get(node)?.identifier }];
  });
}

/** What the text of a header stands for. */
function valueOf(document: JsonObject, node: JsonObject): Pick<ResponseHeader, "schema" | "kind"> {
  const [entry] = entriesOf(node["content"]);
  if (entry === undefined) {
    const schema = node["schema"] ?? true;
    return { schema, kind: kindOf(document, schema) };
  }
  const [mediaType, media] = entry;
  const schema = isObject(media) ? (media["schema"] ?? true) : true;
  return { schema, kind: contentKind(mediaType) };
}
