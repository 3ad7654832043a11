// Written by "npm run generate" from openapi.yaml; do not edit.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const written: unknown = JSON.parse(
  readFileSync(new URL("./openapi.json", import.meta.url), "utf8"),
);

/** The contract as it is served: every file of it in one, no white space. */
export const documentText: string = JSON.stringify(written);

/** A strong validator (RFC 9110 section 8.8.3): it changes with any byte of the text. */
export const documentEtag = `"${createHash("sha256").update(documentText).digest("base64url")}"`;
