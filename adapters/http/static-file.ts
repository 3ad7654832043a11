// A file that never changes while the process runs: compressed once for each coding that somebody
// takes, and not sent again to whoever has it (RFC 9110 sections 8.8.3, 12.5.3 and 13.1.2).

import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { parseAccept } from "hono/utils/accept";

type Bytes = Uint8Array<ArrayBuffer>;

export interface FileAnswer {
  readonly status: number;
  readonly content: string | Bytes | ReadableStream<Uint8Array> | null;
  readonly headers: Readonly<Record<string, string>>;
}

type Coding = "br" | "gzip" | "identity";

/** The first one that is liked best is sent. */
const codings: readonly Coding[] = ["br", "gzip", "identity"];
/** Smaller ones fit into one packet anyway. */
const compressedBytesMin = 1_000;
const compressedTypes = /^(?:text\/|application\/json\b|image\/svg)/;
/** Of 11: the two above it take seconds for a megabyte, and save a twentieth. */
const brotliQuality = 9;

const okStatus = 200;

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);
const compressors: Readonly<
  Record<Exclude<Coding, "identity">, (content: Bytes) => Promise<Bytes>>
> = {
  br: (content) =>
    toBrotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: (content) => toGzip(content, { level: constants.Z_BEST_COMPRESSION }),
};

interface Representation {
  readonly etag: string;
  readonly content: Bytes;
  readonly headers: Readonly<Record<string, string>>;
}

type Serve<State> = (request: Request, state: State) => FileAnswer | Promise<FileAnswer>;

/** Asks once for the whole file, whoever wants it, and whatever way it is sent then. */
export function buildStaticFile<State>(serve: Serve<State>): Serve<State> {
  const file = once(async (request: Request, state: State) => {
    return new StaticFile(await serve(request, state));
  });
  return async (request, state) => (await file(request, state)).answer(request.headers);
}

class StaticFile {
  readonly #whole: FileAnswer;
  readonly #bytes: Bytes;
  readonly #hash: string;
  readonly #codings: readonly Coding[];
  readonly #vary: Readonly<Record<string, string>>;
  readonly #made = new Map<Coding, () => Promise<Representation>>();

  constructor(whole: FileAnswer) {
    const { content, headers } = whole;
    if (content === null || content instanceof ReadableStream) {
      throw new Error("a static file has content, and all of it at once");
    }
    this.#whole = whole;
    this.#bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    this.#hash = createHash("sha256").update(this.#bytes).digest("base64url");
    const isText = compressedTypes.test(headers["Content-Type"] ?? "");
    const isWorthIt = isText && this.#bytes.byteLength >= compressedBytesMin;
    this.#codings = isWorthIt ? codings : ["identity"];
    const { Vary: ownVary } = headers;
    this.#vary = isWorthIt ? { Vary: varyOf(ownVary) } : {};
    for (const coding of this.#codings)
      this.#made.set(
        coding,
        once(() => this.#make(coding)),
      );
  }

  async answer(asked: Headers): Promise<FileAnswer> {
    const coding = codingFor(asked.get("Accept-Encoding"), this.#codings);
    const representation = await this.#made.get(coding)?.();
    if (representation === undefined) throw new Error(`nothing is made of ${coding}`);
    const { etag, content } = representation;
    const { status, headers } = this.#whole;
    // Of what is not there nobody has a version, and no condition is looked at (RFC 9110 section 13.2.1).
    if (status !== okStatus) {
      return { status, content, headers: { ...headers, ...this.#vary, ...representation.headers } };
    }
    const about = { ETag: etag, ...this.#vary };
    if (hasIt(asked.get("If-None-Match"), etag)) {
      const { "Content-Type": _, ...others } = headers;
      return { status: 304, content: null, headers: { ...others, ...about } };
    }
    return { status, content, headers: { ...headers, ...about, ...representation.headers } };
  }

  /** A strong tag is of these bytes, so each coding has its own. */
  async #make(coding: Coding): Promise<Representation> {
    if (coding === "identity")
      return { etag: `"${this.#hash}"`, content: this.#bytes, headers: {} };
    const content = await compressors[coding](this.#bytes);
    const headers = { "Content-Encoding": coding };
    return { etag: `"${this.#hash}-${coding}"`, content, headers };
  }
}

/** @param own header fields that the answer depends on anyway */
function varyOf(own: string | undefined): string {
  return own === undefined ? "Accept-Encoding" : `${own}, Accept-Encoding`;
}

/**
 * The coding that is liked best. Without the header, or where nothing of ours is liked, it is sent as
 * it is, which RFC 9110 allows always.
 */
export function codingFor(field: string | null, offered: readonly Coding[]): Coding {
  if (field === null) return "identity";
  const liked = new Map(parseAccept(field).map(({ type, q }) => [type.toLowerCase(), q]));
  const others = liked.get("*");
  // Not named, it is taken, and liked least.
  const weightOf = (coding: Coding): number =>
    liked.get(coding) ?? others ?? (coding === "identity" ? Number.MIN_VALUE : 0);
  let best: Coding = "identity";
  for (const coding of offered.toReversed()) {
    if (weightOf(coding) > 0 && weightOf(coding) >= weightOf(best)) best = coding;
  }
  return best;
}

/** A list or "*", compared weakly, so `W/` makes no difference. */
function hasIt(field: string | null, etag: string): boolean {
  if (field === null) return false;
  const listed = new Set(field.split(",").map((one) => one.trim().replace(/^W\//, "")));
  return listed.has("*") || listed.has(etag);
}

/** Remembers what was made, but no failure: too many open files is soon over. */
function once<Input extends unknown[], Made>(
  make: (...input: Input) => Promise<Made>,
): (...input: Input) => Promise<Made> {
  let made: Promise<Made> | undefined;
  return async (...input) => {
    made ??= make(...input);
    try {
      return await made;
    } catch (error) {
      made = undefined;
      throw error;
    }
  };
}
