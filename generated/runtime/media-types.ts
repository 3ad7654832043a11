// Written by "npm run generate" from spec/openapi.yaml; do not edit.

// Names of media types, and what they say of bodies.

/** A media type in lower case, without parameters. */
export function essenceOf(contentType: string): string {
  const end = contentType.indexOf(";");
  return (end === -1 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}

export const jsonType = /^(?:application|text)\/json$|\+json$/;

/**
 * How a row of items is written, which may come one after the other and never end (OpenAPI 3.2, sequential media
 * types). events: server-sent (WHATWG HTML, 9.2). lines: JSON, one a line. sequence: JSON between separators
 * (RFC 7464).
 */
export type ItemFormat = "events" | "lines" | "sequence";

const lines: ReadonlySet<string> = new Set(
  ["jsonl", "ndjson", "jsonlines", "json-lines"].flatMap((name) => [
    `application/${name}`,
    `application/x-${name}`,
    `text/${name}`,
    `text/x-${name}`,
  ]),
);

/** @param essence in lower case, without parameters */
export function itemFormat(essence: string): ItemFormat | undefined {
  if (essence === "text/event-stream") return "events";
  if (lines.has(essence)) return "lines";
  // the suffix is RFC 8091's
  return essence === "application/json-seq" || essence.endsWith("+json-seq")
    ? "sequence"
    : undefined;
}

/** items: a row of values, each of which may be used before the next is there */
export type Codec = "json" | "form" | "multipart" | "items" | "text" | "bytes";

/**
 * How the body of a request becomes a value: JSON by its name or its suffix (RFC 6839), forms, items, text, bytes.
 * @param essence as above
 */
export function codecOf(essence: string): Codec {
  if (jsonType.test(essence)) return "json";
  if (essence === "application/x-www-form-urlencoded") return "form";
  if (essence === "multipart/form-data") return "multipart";
  const format = itemFormat(essence);
  // events are a server's to send: as a body of a request they are a text
  if (format !== undefined && format !== "events") return "items";
  return essence.startsWith("text/") ? "text" : "bytes";
}
