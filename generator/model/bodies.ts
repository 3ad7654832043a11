// Bodies of requests: how each is read, how large it may be, and whether the handler reads it while it comes.

import type { Json, JsonObject } from "../json.ts";
import { entriesOf, isObject } from "../json.ts";
import { follow } from "../normalise/references.ts";
import { endOf } from "../normalise/properties.ts";
import type { Report } from "../read/origins.ts";
import type { BodyRules } from "../runtime/runtime.ts";
import { contentOf, streamWord } from "./content.ts";
import { fieldKinds } from "./fields.ts";
import { isTextOnly } from "./kinds.ts";
import type { Body, Content } from "./model.ts";
import { partPlans } from "./parts.ts";
import { headersIn } from "./responses.ts";

export function buildBody(
  document: JsonObject,
  operation: JsonObject,
  report: Report,
): Body | undefined {
  const node = follow(document, operation["requestBody"]);
  if (node === undefined) return undefined;
  const content = contentOf({ document, node, side: "request", report }).map((one) =>
    complete(document, one, report),
  );
  if (content.length > 0) return { required: node["required"] === true, content };
  // what is no media type has been reported
  if (entriesOf(node["content"]).length === 0) {
    report.error(
      "OAG520",
      [node],
      [
        "the request body has no media type",
        'add "content" with at least one, for example application/json',
      ],
    );
  }
  return undefined;
}

function complete(document: JsonObject, content: Content, report: Report): Content {
  const { codec, schema, node } = content;
  const known = { ...content, rules: rulesOf(document, content, report) };
  if (schema === undefined) return known;
  if (codec === "form") return { ...known, fields: fieldKinds(document, schema, node) };
  if (codec !== "multipart") return known;
  return {
    ...known,
    parts: partPlans(document, content),
    partHeaders: partHeaders(document, node),
  };
}

function partHeaders(document: JsonObject, media: JsonObject): Content["partHeaders"] {
  const headers = entriesOf(media["encoding"]).flatMap(([name, encoding]) => {
    if (!isObject(encoding)) return [];
    const found = headersIn(document, encoding, new Map());
    return found.length === 0 ? [] : [[name, found] as const];
  });
  return Object.fromEntries(headers);
}

function rulesOf(document: JsonObject, content: Content, report: Report): BodyRules {
  const { codec, schema, mediaType } = content;
  const stream = streamOf(content, report);
  const isBytes = codec === "bytes" || (codec === "text" && stream !== undefined);
  const { minLength, maxLength } = isBytes ? lengthsOf(document, content.node["schema"]) : {};
  const bytesMax = [stream?.bytesMax, maxLength].filter((one) => one !== undefined);
  const isOfAny = mediaType === "*/*" || mediaType.toLowerCase() === "application/*";
  const mayBeJson = isOfAny && schema !== undefined && !isTextOnly(document, schema);
  return {
    ...(minLength === undefined ? {} : { bytesMin: minLength }),
    ...(bytesMax.length === 0 ? {} : { bytesMax: Math.min(...bytesMax) }),
    ...(stream === undefined ? {} : { isStream: true }),
    ...(mayBeJson && stream === undefined ? { mayBeJson: true } : {}),
  };
}

function streamOf(
  { node, codec, mediaType }: Content,
  report: Report,
): { readonly bytesMax: number | undefined } | undefined {
  const word = node[streamWord];
  if (word === undefined || word === false) return undefined;
  const bytesMax = isObject(word) ? word["maxBytes"] : undefined;
  const isNumber = typeof bytesMax === "number" && Number.isSafeInteger(bytesMax) && bytesMax > 0;
  const isPlain = isObject(word) && Object.keys(word).every((name) => name === "maxBytes");
  const isSaid = word === true || (isPlain && (bytesMax === undefined || isNumber));
  const isWhole = codec === "json" || codec === "form";
  if (isSaid && !isWhole) return { bytesMax: isNumber ? bytesMax : undefined };
  report.error(
    "OAG526",
    isSaid ? [node, streamWord, "key"] : [node, streamWord],
    isSaid
      ? [
          `a body of "${mediaType}" is read as a whole: it cannot be a stream`,
          `remove "${streamWord}"`,
        ]
      : [
          `"${streamWord}" is true, or the limit of a stream`,
          'write "x-stream: true", or "x-stream: { maxBytes: 1000000 }"',
        ],
  );
  return undefined;
}

/** Of bytes they are numbers of bytes (OpenAPI 3.2, binary streams; 3.1 says nothing of them). */
function lengthsOf(
  document: JsonObject,
  schema: Json | undefined,
): { readonly minLength?: number; readonly maxLength?: number } {
  const target = endOf(document, schema ?? true);
  if (!isObject(target)) return {};
  const { minLength, maxLength } = target;
  return {
    ...(typeof minLength === "number" ? { minLength } : {}),
    ...(typeof maxLength === "number" ? { maxLength } : {}),
  };
}
