// What OpenAPI 3.2 says of parts by their position, and of items: what of it nobody looks at is said.

import type { JsonObject } from "../json.ts";
import { entriesOf, isObject } from "../json.ts";
import type { Report } from "../read/origins.ts";
import { itemFormat } from "../runtime/media-types.ts";

interface Positioned {
  readonly media: JsonObject;
  readonly mediaType: string;
  /** of the media type */
  readonly essence: string;
  readonly side: "request" | "answer";
}

/** OpenAPI 3.2.0, sections 4.14 and 4.15. */
export function checkPositions(given: Positioned, report: Report): void {
  const { media } = given;
  const isRequest = given.side === "request";
  const noteParts = (node: JsonObject, names: readonly string[]): void => {
    const name = names.find((one) => node[one] !== undefined);
    if (name === undefined) return;
    report.warning(
      "OAG529",
      [node, name, "key"],
      [
        `"${name}" is not looked at: ${isRequest ? "parts are read by their names, and are not taken apart" : "what the handler gives is sent as it is"}`,
        isRequest
          ? 'name the parts, in multipart/form-data with "encoding", or read them in the handler'
          : "write the parts in the handler",
      ],
    );
  };
  noteParts(media, byPosition);
  for (const [, encoding] of entriesOf(media["encoding"])) {
    if (isObject(encoding)) noteParts(encoding, ["encoding", ...byPosition]);
  }
  checkItemSchema(given, report);
}

const byPosition = ["prefixEncoding", "itemEncoding"];

function checkItemSchema({ media, mediaType, essence, side }: Positioned, report: Report): void {
  if (media["itemSchema"] === undefined) return;
  const format = itemFormat(essence);
  // nobody sends events to a server
  if (format !== undefined && (side === "answer" || format !== "events")) return;
  report.warning(
    "OAG530",
    [media, "itemSchema", "key"],
    [
      `a body of "${mediaType}" is no row of items: "itemSchema" is not looked at`,
      'describe all of it by "schema", or use application/jsonl, application/json-seq or text/event-stream',
    ],
  );
}
