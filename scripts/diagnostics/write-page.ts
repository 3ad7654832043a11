// Pages that are made from tables: as prettier leaves them.

import { join } from "node:path";
import { format, resolveConfig } from "prettier";

/** Of the project's own style. */
export async function asPage(text: string): Promise<string> {
  const config = await resolveConfig(join(import.meta.dirname, "page.md"), { editorconfig: true });
  return format(text, { ...config, parser: "markdown" });
}
