// Bodies of forms: `application/x-www-form-urlencoded` and `multipart/form-data` (RFC 7578) from an object.

import { isObject, type Json, textOf } from "./json.ts";

export interface Form {
  /** with its boundary */
  readonly type: string;
  readonly text: string;
}

const boundary = "contract-suite-boundary";

/** What parts are files, and how each is named: its media type, "" where the document names none. */
export type FormFiles = ReadonlyMap<string, string>;

/** Undefined: it is no form, or what is in it has no one way to be written. */
export function writeForm(
  mediaType: string,
  value: Json,
  files: FormFiles = new Map(),
): Form | undefined {
  if (!isObject(value)) return undefined;
  const pairs = Object.entries(value);
  if (pairs.some(([, one]) => isObject(one) || (Array.isArray(one) && one.some(isObject)))) {
    return undefined;
  }
  const flat = pairs.flatMap(([name, one]): [string, string][] =>
    (Array.isArray(one) ? one : [one]).map((each) => [name, textOf(each)] as const),
  );
  if (mediaType === "application/x-www-form-urlencoded") {
    return { type: mediaType, text: new URLSearchParams(flat).toString() };
  }
  if (mediaType !== "multipart/form-data") return undefined;
  // a server that reads files while they come has to have the other fields by then
  const ordered = flat.toSorted(
    ([one], [other]) => Number(files.has(one)) - Number(files.has(other)),
  );
  const parts = ordered.map(([name, text]) => {
    const head = `Content-Disposition: form-data; name="${encodeURIComponent(name)}"`;
    const file = files.get(name);
    const type = file === undefined || file === "" ? "" : `\r\nContent-Type: ${file}`;
    const asFile = file === undefined ? "" : `; filename="file"${type}`;
    return `--${boundary}\r\n${head}${asFile}\r\n\r\n${text}\r\n`;
  });
  return {
    type: `${mediaType}; boundary=${boundary}`,
    text: `${parts.join("")}--${boundary}--\r\n`,
  };
}
