// Media types of bodies and answers.

import type { JsonObject } from "../json.ts";
import { entriesOf, isObject } from "../json.ts";
import type { Report } from "../read/origins.ts";
import type { Codec, Content } from "./model.ts";

/**
 * Bytes on the wire to a value: JSON by its name or its suffix (RFC 6839), text, forms, bytes. The
 * runtime decides in the same way.
 */
export function codecOf(essence: string): Codec {
  if (/^(?:application|text)\/json$|\+json$/.test(essence)) return "json";
  if (essence === "application/x-www-form-urlencoded") return "form";
  if (essence === "multipart/form-data") return "multipart";
  return essence.startsWith("text/") ? "text" : "bytes";
}

export function contentOf(node: JsonObject, side: "request" | "answer", report: Report): Content[] {
  const content = node["content"];
  if (!isObject(content)) return [];
  const seen = new Map<string, string>();
  const essences = new Map<string, string>();
  return entriesOf(content).map(([mediaType, value]) => {
    const folded = mediaType.toLowerCase().replaceAll(" ", "");
    const earlier = seen.get(folded);
    if (earlier !== undefined) {
      report.error(
        [content, mediaType, "key"],
        `"${mediaType}" and "${earlier}" are the same media type`,
        "keep one of the two",
      );
    }
    seen.set(folded, mediaType);
    const essence = folded.split(";")[0] ?? folded;
    const alike = essences.get(essence);
    if (alike !== undefined && earlier === undefined) {
      report.warning(
        [content, mediaType, "key"],
        `"${mediaType}" and "${alike}" differ in parameters only, and those are not looked at`,
        "keep one of the two",
      );
    }
    essences.set(essence, alike ?? mediaType);
    if (!/^[^\s/]+\/[^\s/]+$/.test(folded)) {
      report.error(
        [content, mediaType, "key"],
        `"${mediaType}" is not a media type`,
        "write one such as application/json",
      );
    }
    const object = isObject(value) ? value : {};
    // an answer of any type is JSON unless it says otherwise
    const codec = side === "answer" && essence === "*/*" ? "json" : codecOf(essence);
    if (codec === "multipart" && side === "request") {
      report.warning(
        [content, mediaType, "key"],
        "multipart bodies are not validated; the handler gets a FormData",
        "check the parts in the handler",
      );
    }
    if (object["encoding"] !== undefined && side === "request" && codec !== "multipart") {
      report.warning(
        [object, "encoding", "key"],
        '"encoding" is not honoured: fields of forms are read in the style form, exploded',
        "describe the fields in that style, or check them in the handler",
      );
    }
    return { mediaType, codec, schema: object["schema"], fields: undefined, node: object };
  });
}
