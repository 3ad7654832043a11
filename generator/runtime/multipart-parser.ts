// Multipart bodies as bytes (RFC 7578, RFC 2046 section 5.1): one part after the other, each read in pieces. Nothing
// is held in memory but the piece that came last and the head of a part.

import { joined } from "./bytes.ts";
import { utf8 } from "./json.ts";

/** The bytes are no multipart body. */
export class MultipartError extends Error {}

export interface PartHead {
  readonly name: string;
  /** undefined: it is no file */
  readonly filename: string | undefined;
  /** as it was sent; undefined: nothing was said of it */
  readonly contentType: string | undefined;
  /** lower-case names; of two the last */
  readonly headers: ReadonlyMap<string, string>;
}

const headBytesMax = 16_384;
const encoder = new TextEncoder();
const lineBreak = encoder.encode("\r\n");
const emptyLine = encoder.encode("\r\n\r\n");

/** RFC 2046 section 5.1.1. Throws `MultipartError`. */
export function boundaryOf(contentType: string): string {
  const match = /;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))\s*(?:;|$)/i.exec(contentType);
  const boundary = match?.[1] ?? match?.[2];
  if (boundary === undefined) throw new MultipartError("its type has no boundary");
  return boundary;
}

export class MultipartParser {
  readonly #read: () => Promise<Uint8Array | undefined>;
  readonly #delimiter: Uint8Array;
  /** what has come and was not handed on; the body begins after a line break that nobody sent */
  #bytes: Uint8Array = lineBreak;
  #state: "before" | "inside" | "over" = "before";

  constructor(read: () => Promise<Uint8Array | undefined>, boundary: string) {
    this.#read = read;
    this.#delimiter = encoder.encode(`\r\n--${boundary}`);
  }

  /** Skips what is left of the part before; undefined: that was the last one. */
  async next(): Promise<PartHead | undefined> {
    if (this.#state === "over") return undefined;
    while ((await this.piece()) !== undefined);
    this.#skip(this.#delimiter.length);
    if (await this.#isLast()) {
      this.#state = "over";
      // what stands behind the last part means nothing, and is read so that the connection can go on
      while ((await this.#read()) !== undefined);
      return undefined;
    }
    const head = await this.#head();
    this.#state = "inside";
    return head;
  }

  /** The next bytes of this part, or of what stands before the first; undefined: it has ended. */
  async piece(): Promise<Uint8Array | undefined> {
    for (;;) {
      const at = indexOf(this.#bytes, this.#delimiter);
      if (at === 0) return undefined;
      // the end of what is there may be the beginning of the delimiter
      const safe = at === -1 ? this.#bytes.length - this.#delimiter.length + 1 : at;
      if (safe > 0) {
        const piece = this.#bytes.subarray(0, safe);
        this.#skip(safe);
        return piece;
      }
      await this.#more();
    }
  }

  async #isLast(): Promise<boolean> {
    while (this.#bytes.length < 2) await this.#more();
    return this.#bytes[0] === 0x2d && this.#bytes[1] === 0x2d;
  }

  async #head(): Promise<PartHead> {
    for (let from = 0; ;) {
      const end = indexOf(this.#bytes, emptyLine, from);
      from = Math.max(0, this.#bytes.length - emptyLine.length);
      if (end > headBytesMax || (end === -1 && this.#bytes.length > headBytesMax)) {
        throw new MultipartError(`the head of a part has more than ${headBytesMax} bytes`);
      }
      if (end !== -1) {
        const head = this.#bytes.subarray(0, end);
        this.#skip(end + lineBreak.length);
        await this.#beginContent();
        return partHead(head);
      }
      await this.#more();
    }
  }

  /** Of a part without content, the end of the empty line may be the line break of the delimiter. */
  async #beginContent(): Promise<void> {
    while (this.#bytes.length < this.#delimiter.length) await this.#more();
    if (indexOf(this.#bytes.subarray(0, this.#delimiter.length), this.#delimiter) === -1) {
      this.#skip(lineBreak.length);
    }
  }

  #skip(count: number): void {
    this.#bytes = this.#bytes.subarray(count);
  }

  async #more(): Promise<void> {
    const bytes = await this.#read();
    if (bytes === undefined) throw new MultipartError("the body ends in the middle of a part");
    this.#bytes =
      this.#bytes.length === 0
        ? bytes
        : joined([this.#bytes, bytes], this.#bytes.length + bytes.length);
  }
}

/** Where the needle stands; -1: nowhere. The search for its first byte is native. */
function indexOf(bytes: Uint8Array, needle: Uint8Array, from = 0): number {
  const [first = 0] = needle;
  for (let at = bytes.indexOf(first, from); at !== -1; at = bytes.indexOf(first, at + 1)) {
    let length = 1;
    while (length < needle.length && bytes[at + length] === needle[length]) length++;
    if (length === needle.length) return at;
  }
  return -1;
}

function partHead(bytes: Uint8Array): PartHead {
  const [padding = "", ...lines] = textOf(bytes).split("\r\n");
  if (/[^ \t]/.test(padding)) throw new MultipartError("a boundary goes on after its end");
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon < 1) throw new MultipartError("a line in the head of a part is no header");
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  const { name, filename } = disposition(headers.get("content-disposition") ?? "");
  return { name, filename, contentType: headers.get("content-type"), headers };
}

function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new MultipartError("the head of a part is not UTF-8");
  }
}

/** A backslash at the end of a value is itself, since browsers escape by percent; elsewhere it may escape a quote. */
const parameter =
  /;\s*([^\s=;"]+)=(?:"((?:[^"\\]|\\"(?!\s*(?:;|$))|\\(?!")|\\(?="\s*(?:;|$)))*)"|([^\s;"]*))\s*/y;

/** RFC 6266 as browsers write it (WHATWG HTML, section 4.10.21.8). */
function disposition(text: string): Pick<PartHead, "name" | "filename"> {
  const [kind = ""] = text.split(";", 1);
  const values = new Map<string, string>();
  parameter.lastIndex = kind.length;
  let end = parameter.lastIndex;
  for (let match = parameter.exec(text); match !== null; match = parameter.exec(text)) {
    end = parameter.lastIndex;
    const [, name = "", quoted, token = ""] = match;
    values.set(name.toLowerCase(), quoted === undefined ? token : unquoted(quoted));
  }
  if (!/^\s*;?\s*$/.test(text.slice(end))) {
    throw new MultipartError("the Content-Disposition of a part cannot be read to its end");
  }
  const name = values.get("name");
  if (kind.trim().toLowerCase() !== "form-data" || name === undefined) {
    throw new MultipartError('a part has no "Content-Disposition: form-data" with a name');
  }
  const extended = values.get("filename*");
  return { name, filename: values.get("filename") ?? (extended && extendedText(extended)) };
}

/** Browsers escape three characters by percent, others one by a backslash. */
function unquoted(text: string): string {
  const escapes: Readonly<Record<string, string>> = { "%22": '"', "%0D": "\r", "%0A": "\n" };
  return text
    .replaceAll('\\"', '"')
    .replace(/%(?:22|0D|0A)/gi, (escape) => escapes[escape.toUpperCase()] ?? escape);
}

/** RFC 8187. */
function extendedText(text: string): string {
  try {
    return decodeURIComponent(/^utf-8'[^']*'(.*)$/is.exec(text)?.[1] ?? text);
  } catch {
    throw new MultipartError("the name of a file has a wrong percent-encoding");
  }
}
