// Whether the answer of an operation is a page of a list: the contract says so by a header Link (RFC 8288) or by a link
// (OpenAPI, Link Object) from its answer to itself.

import { typedLiteral } from "../emit/literals.ts";
import { entriesOf, isObject, itemsOf, type Json, type JsonObject, textOf } from "../json.ts";
import type { Content, Response } from "../model/model.ts";
import { follow } from "../normalise/references.ts";
import { readContent, sentType } from "./answers.ts";
import { argumentsOf, arrangementOf } from "./names.ts";
import type { Writing } from "./writing.ts";
import { formOf } from "./runtime/reading.ts";
import type { PagePlan } from "./runtime/plan.ts";

export interface Paging {
  readonly plan: string;
  /** the type of an item */
  readonly item: string;
}

/** Undefined: there are no pages. */
export function pagingOf(writing: Writing): Paging | undefined {
  const { operation, typed, model } = writing;
  if (operation.method !== "GET") return undefined;
  for (const response of operation.responses) {
    const content = readContent(response);
    if (!response.key.startsWith("2") || content === undefined) continue;
    const next = nextOf(response, writing);
    const items =
      formOf(sentType(content)) === "json" ? listIn(content, model.document) : undefined;
    if (next === undefined || items === undefined) continue;
    return {
      plan: typedLiteral({
        ...next,
        items,
        ...always(content, items, model.document),
      } satisfies PagePlan),
      item: typed.itemAt(response.key, content.mediaType, items).text,
    };
  }
  return undefined;
}

function nextOf(
  { headers, node }: Response,
  { operation, model, added }: Writing,
): Pick<PagePlan, "next"> | undefined {
  for (const [, one] of entriesOf(node["links"])) {
    const link = follow(model.document, one);
    const parameters = entriesOf(link?.["parameters"]);
    if (link?.["operationId"] !== operation.operationId || parameters.length === 0) continue;
    const isGrouped = arrangementOf(operation, added, model.document) === "grouped";
    const said = parameters.map(([key, value]) => {
      const parameter = argumentsOf(operation, added).find(
        ({ in: place, name }) => key === `${place}.${name}` || key === name,
      );
      const name = isGrouped ? `${parameter?.in ?? ""}.${parameter?.name ?? ""}` : parameter?.name;
      return [parameter === undefined ? undefined : name, textOf(value)] as const;
    });
    const isKnown = said.every(([name, value]) => name !== undefined && isReadable(value));
    if (isKnown)
      return { next: Object.fromEntries(said.map(([name = "", value = ""]) => [name, value])) };
  }
  return headers.some(({ name }) => name.toLowerCase() === "link") ? {} : undefined;
}

function isReadable(value: string | undefined): boolean {
  return value !== undefined && /^\$response\.(?:body#|header\.)/.test(value);
}

/** The only list of an object, or ""; undefined: none, or several. */
function listIn({ schema }: Content, document: JsonObject): string | undefined {
  if (schema === undefined) return undefined;
  if (isList(schema, document)) return "";
  const { properties } = follow(document, schema) ?? {};
  const lists = entriesOf(properties).filter(([, property]) => isList(property, document));
  return lists.length === 1 ? lists[0]?.[0] : undefined;
}

/** Whether a page without them is none. */
function always({ schema }: Content, items: string, document: JsonObject) {
  const required = itemsOf(follow(document, schema ?? true)?.["required"]);
  return items === "" || required.includes(items) ? ({ isAlways: true } as const) : {};
}

function isList(schema: Json, document: JsonObject): boolean {
  const node = follow(document, schema);
  return isObject(node) && node["type"] === "array";
}
