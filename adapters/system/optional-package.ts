// Packages that an installation may lack: what is for trials and for people who read is left out of an image for
// production (`npm ci --omit=optional`).

import { createRequire } from "node:module";

const { resolve } = createRequire(import.meta.url);

/** Where a package, or a file of one, lies. Undefined: it is not installed. */
export function findOptional(name: string): string | undefined {
  try {
    return resolve(name);
  } catch (error) {
    const isAbsent = error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND";
    if (isAbsent) return undefined;
    throw error;
  }
}

/** For whoever asks for what is not there; the message says what to do. */
export class PackageMissing extends Error {
  constructor(name: string, instead: string) {
    super(
      `${instead}, or install the package ${name}, which is not there: npm ci --include=optional`,
    );
    this.name = "PackageMissing";
  }
}
