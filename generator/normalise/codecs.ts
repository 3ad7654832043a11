// How bodies and other texts stand for values, by their media type.

export type Codec = "json" | "form" | "multipart" | "text" | "bytes";

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
