// Every generated file, the types included, whose compiler takes a while to load.

import { emitFilesWith, type Reading } from "../generate.ts";
import type { GeneratedFile } from "./file.ts";
import { typedDocument } from "./typed-document.ts";
import { emitTypes } from "./types.ts";

/** Unformatted, in a fixed order. */
export function emitFiles(reading: Reading, source: string): GeneratedFile[] {
  return emitFilesWith(emitTypes(typedDocument(reading.model)), reading, source);
}
