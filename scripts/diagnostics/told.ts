// What the generator says of an example.

import type { Code } from "../../generator/diagnostics/codes.ts";
import { readContract, type Reading } from "../../generator/generate.ts";
import { DocumentError, type Problem } from "../../generator/problems.ts";
import type { Example } from "./documents.ts";

export interface Told {
  readonly problems: readonly Problem[];
  /** undefined when it is refused */
  readonly reading: Reading | undefined;
}

/** The files stand in the root of a disk that has nothing else. */
export function toldOf({ files, basePath }: Example, allow?: ReadonlySet<Code>): Told {
  const read = (path: string): Uint8Array => {
    const data = files[path.slice(1)];
    if (data === undefined) throw Object.assign(new Error(path), { code: "ENOENT" });
    return typeof data === "string" ? Buffer.from(data) : data;
  };
  const [name = "openapi.yaml"] = Object.keys(files);
  const shelf = { read, shown: (path: string) => path.slice(1) };
  try {
    const allowed = allow === undefined ? {} : { allow };
    const reading = readContract(`/${name}`, { shelf, basePath, ...allowed });
    return { problems: reading.warnings, reading };
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return { problems: error.problems, reading: undefined };
  }
}
