// RFC 8785, the JSON Canonicalization Scheme: one text for one value, so that a hash can stand for
// it. ECMAScript already writes numbers and strings as the RFC wants them; what is left is the
// order of members and what has no canonical form at all.

/** The value has no canonical form. */
export class CanonicalJsonError extends Error {
  /** JSON Pointer to the place */
  readonly pointer: string;
  readonly rule: "unicode" | "finite" | "json";
  constructor(pointer: string, rule: CanonicalJsonError["rule"], problem: string) {
    super(problem);
    this.name = "CanonicalJsonError";
    this.pointer = pointer;
    this.rule = rule;
  }
}

/**
 * The canonical text of a JSON value. Members that are undefined are left out, as JSON.stringify
 * does. Throws `CanonicalJsonError` for what I-JSON (RFC 7493) does not know: a lone surrogate, a
 * number that is not finite, and values that are not JSON.
 */
export function canonicalJson(value: unknown): string {
  return write(value, "");
}

function write(value: unknown, pointer: string): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return writeText(value, pointer);
  if (typeof value === "number") {
    // Section 3.2.2.3: as ECMAScript writes it, -0 as 0.
    if (Number.isFinite(value)) return JSON.stringify(value);
    throw new CanonicalJsonError(pointer, "finite", "must be a finite number");
  }
  if (Array.isArray(value)) return writeList(value, pointer);
  if (typeof value === "object") return writeObject(value, pointer);
  throw new CanonicalJsonError(pointer, "json", "must be a JSON value");
}

function writeText(text: string, pointer: string): string {
  // Section 3.2.2.2: JSON.stringify would escape a lone surrogate, which is no Unicode text.
  if (!text.isWellFormed())
    throw new CanonicalJsonError(pointer, "unicode", "must be well-formed Unicode");
  return JSON.stringify(text);
}

function writeList(list: readonly unknown[], pointer: string): string {
  return `[${list.map((one, index) => write(one, `${pointer}/${index}`)).join(",")}]`;
}

function writeObject(object: object, pointer: string): string {
  const members = Object.entries(object)
    .filter(([, value]) => value !== undefined)
    // Section 3.2.3: by UTF-16 code units, which is what < compares.
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]: [string, unknown]) => {
      const place = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      return `${writeText(name, place)}:${write(value, place)}`;
    });
  return `{${members.join(",")}}`;
}
