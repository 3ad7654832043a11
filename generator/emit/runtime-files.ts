// The runtime is written by hand in generator/runtime/ and goes into the output as it is; so does that of clients.

import { readdirSync, readFileSync } from "node:fs";
import type { FileWriter, GeneratedFile } from "./file.ts";

export function emitRuntime(writer: FileWriter): GeneratedFile[] {
  return copiedFiles(new URL("../runtime/", import.meta.url), "runtime", writer);
}

/** @param name of the folder in the output */
export function copiedFiles(folder: URL, name: string, writer: FileWriter): GeneratedFile[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".ts"))
    .toSorted()
    .map((file) => writer.verbatim(`${name}/${file}`, readFileSync(new URL(file, folder), "utf8")));
}
