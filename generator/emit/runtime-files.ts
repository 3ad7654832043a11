// The runtime is written by hand in generator/runtime/ and goes into the output as it is.

import { readdirSync, readFileSync } from "node:fs";
import type { FileWriter, GeneratedFile } from "./file.ts";

const folder = new URL("../runtime/", import.meta.url);

export function emitRuntime(writer: FileWriter): GeneratedFile[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".ts"))
    .toSorted()
    .map((name) => writer.verbatim(`runtime/${name}`, readFileSync(new URL(name, folder), "utf8")));
}
