// Generated TypeScript in the project's own style.

import * as prettier from "prettier";
import type { GeneratedFile } from "../emit/file.ts";
import { hashOf } from "./cache.ts";

export interface FormattedFile extends GeneratedFile {
  /** of what was formatted, and of how: an equal one gives an equal text */
  readonly draft: string;
}

/** The text that an earlier run has made of this draft; undefined: it is not there any more. */
export type Earlier = (path: string, draft: string) => string | undefined;

/** `folder` decides which prettier configuration holds. */
export async function formatFiles(
  files: readonly GeneratedFile[],
  folder: string,
  earlier: Earlier = () => undefined,
): Promise<FormattedFile[]> {
  const config = await prettier.resolveConfig(`${folder}/file.ts`, { editorconfig: true });
  const style = JSON.stringify([prettier.version, config]);
  const formatted: FormattedFile[] = [];
  for (const file of files) {
    const draft = hashOf(`${style}\n${file.text}`);
    const text =
      earlier(file.path, draft) ??
      (file.language === "json"
        ? file.text
        : await prettier.format(file.text, { ...config, parser: "typescript" }));
    formatted.push({ ...file, text, draft });
  }
  return formatted;
}
