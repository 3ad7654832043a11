// Puts the pages of the reference where they are kept.

import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { renderReference } from "./pages.ts";

export const referenceFolder = join(import.meta.dirname, "..", "..", "docs", "reference");

/** A page of a subject that is gone goes, too. */
export async function writeReference(): Promise<void> {
  const pages = await renderReference();
  mkdirSync(referenceFolder, { recursive: true });
  const gone = readdirSync(referenceFolder).filter((name) => !pages.has(name));
  for (const name of gone) rmSync(join(referenceFolder, name));
  for (const [name, text] of pages) writeFileSync(join(referenceFolder, name), text);
}
