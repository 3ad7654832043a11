// Media types of bodies and answers.

import type { JsonObject } from "../json.ts";
import { entriesOf, isObject } from "../json.ts";
import type { Report } from "../read/origins.ts";
import { type Codec, codecOf, essenceOf } from "../normalise/codecs.ts";
import { endOf } from "../normalise/properties.ts";
import { itemMark } from "../normalise/items.ts";
import { itemFormat } from "../runtime/media-types.ts";
import { checkFieldEncoding, reportEncoding } from "./fields.ts";
import type { Content } from "./model.ts";
import { checkPositions } from "./positions.ts";
import { expand, isTextOnly, kindOf } from "./kinds.ts";

/** Makes the handler read the body itself, a piece after the other. */
export const streamWord = "x-stream";

/** Say nothing of a text or of bytes that a server could look at. */
const silent =
  /^(?:type|format|content(?:MediaType|Encoding)|title|description|\$(?:comment|schema)|examples?|default|deprecated|readOnly|writeOnly|nullable|externalDocs|xml|\$ref|(?:all|any|one)Of|x-.*)$/;

/** Whether it promises of a text or of bytes what nobody looks at. */
function isUnheard(
  document: JsonObject,
  { schema, ...media }: JsonObject,
  { codec, side }: { readonly codec: Codec; readonly side: "request" | "answer" },
): boolean {
  if (schema === undefined) return false;
  const kind = kindOf(document, schema);
  if (kind === "json" || !("scalar" in kind) || !kind.scalar.includes("string")) return true;
  const isStream = media[streamWord] !== undefined && media[streamWord] !== false;
  if (codec === "text" && !isStream) return false;
  // the bytes of a request are counted
  const counted = side === "request" ? endOf(document, schema) : undefined;
  const members = expand(document, schema).filter(isObject);
  return members.some((member) =>
    Object.keys(member).some(
      (name) => !silent.test(name) && !(member === counted && /^m(?:in|ax)Length$/.test(name)),
    ),
  );
}

interface Unheard {
  readonly mediaType: string;
  readonly codec: Codec;
  readonly side: "request" | "answer";
  readonly media: JsonObject;
}

function reportUnheard({ mediaType, codec, side, media }: Unheard, report: Report): void {
  const isXml = /[/+]xml$/.test(essenceOf(mediaType));
  const what = codec === "text" ? "the text" : "the bytes";
  const [whose, advice] =
    side === "request"
      ? [`the handler gets ${what}`, isXml ? "read it" : "check it"]
      : ["what the handler gives is sent as it is", isXml ? "write it" : "check it"];
  report.warning(
    "OAG524",
    [media, "schema", "key"],
    [
      `the schema of "${mediaType}" is not looked at: ${whose}`,
      isXml
        ? `${advice} in the handler with a library for XML; schemas.ts has what its components have to be`
        : `${advice} in the handler; the schema stays for those who read the contract`,
    ],
  );
}

/** Of answers, and of most bodies. */
const plain = { fields: undefined, parts: undefined, partHeaders: {}, rules: {} };

interface ContentSource {
  readonly document: JsonObject;
  readonly node: JsonObject;
  readonly side: "request" | "answer";
  readonly report: Report;
}

/** Without spaces (RFC 9110, section 8.3.1); what stands in quotes may be anything. */
function isMediaType(text: string): boolean {
  const bare = text.replace(/"(?:[^"\\]|\\.)*"/g, "");
  return /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+(?:;[^/]*)?$/.test(bare);
}

export function contentOf({ document, node, side, report }: ContentSource): Content[] {
  const content = node["content"];
  if (!isObject(content)) return [];
  const seen = new Map<string, string>();
  const essences = new Map<string, string>();
  return entriesOf(content).flatMap(([mediaType, value]) => {
    const folded = mediaType.toLowerCase().replaceAll(" ", "");
    if (!isMediaType(folded)) {
      report.error(
        "OAG523",
        [content, mediaType, "key"],
        [
          `"${mediaType}" is not a media type`,
          /^examples?$/.test(folded)
            ? "indent it more deeply"
            : "write one such as application/json",
        ],
      );
      return [];
    }
    const earlier = seen.get(folded);
    if (earlier !== undefined) {
      report.error(
        "OAG521",
        [content, mediaType, "key"],
        [`"${mediaType}" and "${earlier}" are the same media type`, "keep one of the two"],
      );
      return [];
    }
    seen.set(folded, mediaType);
    const essence = folded.split(";")[0] ?? folded;
    const alike = essences.get(essence);
    if (alike !== undefined) {
      report.warning(
        "OAG522",
        [content, mediaType, "key"],
        [
          `"${mediaType}" and "${alike}" differ in parameters only, and those are not looked at`,
          "keep one of the two",
        ],
      );
    }
    essences.set(essence, alike ?? mediaType);
    const object = isObject(value) ? value : {};
    const codec = side === "request" ? codecOf(essence) : answerCodec(document, essence, object);
    if (side === "request") checkEncoding({ document, media: object, codec }, report);
    checkPositions({ media: object, mediaType, essence, side }, report);
    const isRaw = (codec === "text" || codec === "bytes") && !essence.includes("*");
    const isLost = isRaw && isUnheard(document, object, { codec, side });
    if (isLost) reportUnheard({ mediaType, codec, side, media: object }, report);
    const schema = isLost ? undefined : object["schema"];
    const items = codec === "items" ? itemsOf(essence, object) : undefined;
    return [{ ...plain, mediaType, codec, schema, items, node: object }];
  });
}

/** An answer of any type, or any of applications, is JSON unless it says otherwise. */
function answerCodec(document: JsonObject, essence: string, { schema }: JsonObject): Codec {
  if (essence === "*/*") return "json";
  if (essence === "application/*" && schema !== undefined && !isTextOnly(document, schema))
    return "json";
  return itemFormat(essence) === undefined ? codecOf(essence) : "items";
}

function itemsOf(essence: string, media: JsonObject): Content["items"] {
  const format = itemFormat(essence);
  const mark = media[itemMark];
  if (format === undefined) return undefined;
  return { format, isJson: isObject(mark) && mark["isJson"] === true };
}

/** Says what of `encoding` nobody looks at. */
export function checkEncoding(
  { document, media, codec }: { document: JsonObject; media: JsonObject; codec: Codec },
  report: Report,
): void {
  const entries = entriesOf(media["encoding"]);
  if (entries.length === 0) return;
  if (codec === "form") {
    checkFieldEncoding(document, media, report);
  } else if (codec === "multipart") {
    for (const [, encoding] of entries) {
      const style = ["style", "explode", "allowReserved"].find(
        (name) => isObject(encoding) && encoding[name] !== undefined,
      );
      if (style === undefined || !isObject(encoding)) continue;
      const message = `"${style}" is not looked at: a part of a multipart body is a text, JSON or a file`;
      const advice = 'write "contentType", or leave it out';
      reportEncoding(report, [encoding, style, "key"], [message, advice]);
    }
  } else {
    const message = '"encoding" says nothing here: it is for forms';
    reportEncoding(report, [media, "encoding", "key"], [message, "remove it"]);
  }
}
