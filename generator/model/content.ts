// Media types of bodies and answers.

import type { Json, JsonObject } from "../json.ts";
import { entriesOf, isObject } from "../json.ts";
import type { Report } from "../read/origins.ts";
import { type Codec, codecOf } from "../normalise/codecs.ts";
import type { Content } from "./model.ts";
import { expand, kindOf } from "./kinds.ts";

/** Say nothing of a text or of bytes that a server could look at. */
const silent =
  /^(?:type|format|content(?:MediaType|Encoding)|title|description|\$(?:comment|schema)|examples?|default|deprecated|readOnly|writeOnly|nullable|externalDocs|xml|\$ref|(?:all|any|one)Of|x-.*)$/;

/** Whether it promises of a text or of bytes what nobody looks at. */
function isUnheard(document: JsonObject, schema: Json | undefined, codec: Codec): boolean {
  if (schema === undefined) return false;
  const kind = kindOf(document, schema);
  if (kind === "json" || !("scalar" in kind) || !kind.scalar.includes("string")) return true;
  if (codec === "text") return false;
  const members = expand(document, schema).filter(isObject);
  return members.some((member) => Object.keys(member).some((name) => !silent.test(name)));
}

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
        [`"${mediaType}" is not a media type`, "write one such as application/json"],
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
    // an answer of any type is JSON unless it says otherwise
    const codec = side === "answer" && essence === "*/*" ? "json" : codecOf(essence);
    if (side === "request" && codec !== "multipart") checkEncoding(object, codec, report);
    const isRaw = (codec === "text" || codec === "bytes") && !essence.includes("*");
    const isLost = isRaw && isUnheard(document, object["schema"], codec);
    if (isLost) {
      const what = codec === "text" ? "the text" : "the bytes";
      report.warning(
        "OAG524",
        [object, "schema", "key"],
        [
          side === "request"
            ? `the schema of "${mediaType}" is not looked at: the handler gets ${what}`
            : `the schema of "${mediaType}" is not looked at: what the handler gives is sent as it is`,
          "check it in the handler; the schema stays for those who read the contract",
        ],
      );
    }
    const schema = isLost ? undefined : object["schema"];
    return [{ mediaType, codec, schema, fields: undefined, parts: undefined, node: object }];
  });
}

/** Fields of a form that are written as deepObject. */
export function deepFields(media: JsonObject): ReadonlySet<string> {
  const deep = entriesOf(media["encoding"]).flatMap(([name, value]) =>
    isObject(value) && value["style"] === "deepObject" ? [name] : [],
  );
  return new Set(deep);
}

/** Fields are read in the style form, exploded, or as deepObject; anything else is not. */
export function checkEncoding(media: JsonObject, codec: Codec, report: Report): void {
  const entries = entriesOf(media["encoding"]);
  const isRead = entries.every(([, value]) => isObject(value) && isReadEncoding(value));
  if (entries.length === 0 || (codec === "form" && isRead)) return;
  report.warning(
    "OAG525",
    [media, "encoding", "key"],
    [
      '"encoding" is not honoured: fields of forms are read in the style form, exploded, or as deepObject',
      "describe the fields in one of the two, or check them in the handler",
    ],
  );
}

function isReadEncoding({ style, explode, ...others }: JsonObject): boolean {
  const isKnown = Object.keys(others).every((name) => name.startsWith("x-"));
  return isKnown && (style === "form" || style === "deepObject") && explode !== false;
}
