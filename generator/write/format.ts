// Generated TypeScript in the project's own style.

import * as prettier from "prettier";
import type { GeneratedFile } from "../emit/file.ts";

/** `folder` decides which prettier configuration holds. */
export async function formatFiles(
  files: readonly GeneratedFile[],
  folder: string,
): Promise<GeneratedFile[]> {
  const config = await prettier.resolveConfig(`${folder}/file.ts`, { editorconfig: true });
  const formatted: GeneratedFile[] = [];
  for (const file of files) {
    const text =
      file.language === "json"
        ? file.text
        : await prettier.format(file.text, { ...config, parser: "typescript" });
    formatted.push({ ...file, text });
  }
  return formatted;
}
