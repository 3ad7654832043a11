import type { Problem } from "../../generator/problems.ts";

/** A problem without its file and advice. */
export function said({ code, place, message }: Problem): string {
  return `${place.line ?? 0}:${place.column ?? 0} ${code} ${message}`;
}
