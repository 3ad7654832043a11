// Texts that a schema of a contract allows, drawn at random: of a pattern, of a format, or any at all.

import fc from "fast-check";
import { type JsonObject } from "./contract-document.ts";

/** What a text is drawn for; other keywords say nothing of texts. */
export interface TextBounds {
  readonly minLength: number;
  /** undefined: nobody says */
  readonly maxLength: number | undefined;
}

export function boundsOfText({ minLength, maxLength }: JsonObject): TextBounds {
  return {
    minLength: typeof minLength === "number" ? minLength : 0,
    maxLength: typeof maxLength === "number" ? maxLength : undefined,
  };
}

/** JSON Schema counts code points. */
export function lengthOf(text: string): number {
  return Array.from(text).length;
}

export function textsFor(schema: JsonObject): fc.Arbitrary<string> {
  const bounds = boundsOfText(schema);
  const { pattern, format } = schema;
  const { minLength, maxLength = Infinity } = bounds;
  const fits = (text: string): boolean => {
    const length = lengthOf(text);
    return length >= minLength && length <= maxLength;
  };
  if (typeof pattern === "string") {
    // Both keywords at once: what has the pattern is looked at again.
    if (format !== undefined) throw new Error(`no texts are drawn for ${JSON.stringify(schema)}`);
    return fc.stringMatching(new RegExp(pattern, "u")).filter(fits);
  }
  if (format === "uri") return uris.filter(fits);
  if (format === "date-time") return dateTimes.filter(fits);
  if (format !== undefined)
    throw new Error(`no texts are drawn for the format ${JSON.stringify(format)}`);
  return anyTexts(bounds);
}

/** Beside letters of all scripts what programs trip over. U+0000 and halves of pairs nobody keeps. */
const pieces = fc.oneof(
  fc.string({ unit: "grapheme-ascii", maxLength: 8 }),
  fc.string({ unit: "grapheme", maxLength: 4 }),
  fc.string({ unit: "binary", maxLength: 4 }).map((text) => text.replaceAll("\0", "")),
  fc.constantFrom("\u2028", "\ufeff", "e\u0301", "\u202e", '"', "\\", "/", "\n", "\u007f", "😀"),
  fc.constantFrom("null", "0", "\\u0041", "%00", "${a}", "<b>", "' or 1=1 --", "__proto__"),
);

/** Any text whose length is allowed; those on the bounds come more often. */
export function anyTexts({ minLength, maxLength = minLength + 300 }: TextBounds) {
  const short = Math.min(maxLength, minLength + 12);
  const lengths = fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: minLength, max: short }) },
    { weight: 1, arbitrary: fc.constantFrom(minLength, maxLength) },
  );
  return fc
    .tuple(fc.array(pieces, { maxLength: 3 }), lengths)
    .map(([found, length]) => ofLength(found.join(""), length));
}

/** The text, cut or repeated to so many code points. */
function ofLength(text: string, length: number): string {
  const points = Array.from(text === "" ? "a" : text);
  return Array.from({ length }, (_, index) => points[index % points.length]).join("");
}

// RFC 3986: every character that may stand in a path, a query and a fragment, escapes among them.
const segments = fc.stringMatching(/^([A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2}){0,9}$/);
const hosts = fc.oneof(
  fc.stringMatching(/^([a-z0-9]([a-z0-9-]{0,6}[a-z0-9])?\.){1,2}[a-z]{2,6}$/),
  fc.ipV4(),
  fc.ipV6().map((address) => `[${address}]`),
);
const ports = fc.option(fc.integer({ min: 0, max: 65_535 }), { nil: undefined });
const endings = fc.tuple(
  fc.array(segments, { maxLength: 3 }),
  fc.option(segments, { nil: undefined }),
  fc.option(segments, { nil: undefined }),
);

type Ending = readonly [
  path: readonly string[],
  query: string | undefined,
  fragment: string | undefined,
];

function endingOf([path, query, fragment]: Ending): string {
  const parts = [...path.map((one) => `/${one}`), query === undefined ? "" : `?${query}`];
  return parts.join("") + (fragment === undefined ? "" : `#${fragment}`);
}

const uris = fc.oneof(
  fc
    .tuple(fc.stringMatching(/^[A-Za-z][A-Za-z0-9+.-]{0,5}$/), hosts, ports, endings)
    .map(([scheme, host, port, ending]) => {
      const authority = port === undefined ? host : `${host}:${port}`;
      return `${scheme}://${authority}${endingOf(ending)}`;
    }),
  fc.constantFrom("urn:isbn:0451450523", "mailto:a@shop.example", "tel:+1-816-555-1212"),
);

/** For those who are asked for a page that a browser opens; without user information. */
export const webPages = fc
  .tuple(fc.constantFrom("https", "HTTPS"), hosts, ports, endings)
  .map(([scheme, host, port = 443, ending]) => `${scheme}://${host}:${port}${endingOf(ending)}`)
  // IPv6 hosts of which URL makes nothing, and the like
  .filter((text) => URL.canParse(text) && lengthOf(text) <= 1024);

/** RFC 3339 with any offset, any number of digits, and letters of both cases. */
const dateTimes = fc
  .tuple(
    fc.date({
      min: new Date("0001-01-02T00:00:00Z"),
      max: new Date("9999-12-30T00:00:00Z"),
      noInvalidDate: true,
    }),
    fc.stringMatching(/^(\.[0-9]{1,9})?$/),
    fc.stringMatching(/^([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$/),
    fc.constantFrom("T", "t"),
  )
  .map(([date, fraction, offset, letter]) => {
    const [day, time = ""] = date.toISOString().slice(0, 19).split("T");
    return `${day}${letter}${time}${fraction}${offset}`;
  });
