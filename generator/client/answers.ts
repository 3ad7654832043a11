// The type of what comes back: a case for each status, of its body the one form that the client asks for.

import { literal } from "../emit/literals.ts";
import { statusType } from "../emit/status-types.ts";
import { isObject, itemsOf, type JsonObject, textOf } from "../json.ts";
import type { Content, Operation, Response } from "../model/model.ts";
import { follow } from "../normalise/references.ts";
import { formOf } from "./runtime/reading.ts";
import type { Writing } from "./writing.ts";

export function answerUnion(writing: Writing): string {
  const { operation } = writing;
  // where a success is named, nobody means another one by the rest
  const isNamed = operation.responses.some(({ key }) => key.startsWith("2"));
  const besides = isNamed ? ["statuses.SuccessStatus"] : [];
  const members = operation.responses.flatMap((response) => {
    const status = statusType(response, operation.responses, besides);
    if (status === undefined) return [];
    return casesOf(response, writing, status).map(
      ([statuses, codes]) => `answers.Answer<${statuses}, ${bodyType(response, writing, codes)}>`,
    );
  });
  const all = hasSuccess(operation)
    ? members
    : ["answers.Answer<statuses.SuccessStatus, undefined>", ...members];
  return all.map((one) => `\n| ${one}`).join("");
}

/** Some contracts only have what goes wrong: any success is one there, and of its body nothing is known. */
export function hasSuccess({ responses }: Operation): boolean {
  return responses.some(({ key }) => /^(?:[123]|default)/.test(key));
}

/** Statuses with the codes that they come with: of `default` those that `x-default-responses` means, where it is there. */
function casesOf(
  { key, statuses = [], node }: Response,
  { operation, model }: Writing,
  status: string,
): readonly (readonly [statuses: string, codes: readonly string[]])[] {
  const meant = operation.node["x-default-responses"];
  if (key !== "default" || statuses.length === 0 || !isObject(meant)) {
    return [[status, codesIn(node)]];
  }
  const byCodes = new Map<string, number[]>();
  for (const one of statuses) {
    const codes = JSON.stringify(codesIn(follow(model.document, meant[one]) ?? node));
    byCodes.set(codes, [...(byCodes.get(codes) ?? []), one]);
  }
  return Array.from(byCodes, ([codes, of]) => [of.join(" | "), JSON.parse(codes) as string[]]);
}

function codesIn(node: JsonObject): readonly string[] {
  return itemsOf(node["x-error-codes"]).flatMap((code) => textOf(code) ?? []);
}

/** JSON where there is some, else what stands first; undefined: there is no body. */
export function readContent({ content }: Response): Content | undefined {
  return content.find((one) => formOf(sentType(one)) === "json") ?? content[0];
}

/** What comes where any type may: JSON, unless the schema is that of a text. */
export function sentType({ mediaType, codec }: Content): string {
  return codec === "json" && mediaType.includes("*") ? "application/json" : mediaType;
}

/** What a request prefers; undefined: no answer has a body. */
export function acceptOf({ responses }: Operation): string | undefined {
  const contents = responses.flatMap((response) => readContent(response) ?? []);
  const types = new Set(contents.map(sentType));
  return types.size === 0 ? undefined : [...types].join(", ");
}

const forms = {
  text: "string",
  bytes: "Blob",
  stream: "ReadableStream<Uint8Array> | null",
} as const;

function bodyType(
  response: Response,
  { operation, typed }: Writing,
  codes: readonly string[],
): string {
  const isBodiless = operation.method === "HEAD" || ["204", "205", "304"].includes(response.key);
  const content = isBodiless ? undefined : readContent(response);
  if (content === undefined) return "undefined";
  const form = formOf(sentType(content));
  if (form !== "json") return forms[form];
  const type = typed.answerAt(response.key, content.mediaType).text;
  return codes.length === 0 ? type : `answers.WithCode<${type}, ${codes.map(literal).join(" | ")}>`;
}
