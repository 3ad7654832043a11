// The types of values on their way from the database, the same for both engines because both are
// read by the same driver: bigint columns as bigint (a number would lose digits beyond 2^53),
// numeric as text, timestamptz as Date, bytea as Uint8Array, jsonb parsed.

import pg from "pg";

type Parse = (text: string) => unknown;

/** Object identifiers of types, from pg_type. */
const textArray: number = 1009;
const timestamptz: number = 1184;
const zero = "0".charCodeAt(0);
const parsers = new Map<number, Parse>([
  [20, BigInt], // bigint
  [1016, eachItem(BigInt)], // bigint[]
  [1231, eachItem(String)], // numeric[]
  [17, bytesOf],
  [1001, eachItem(bytesOf)], // bytea[]
  [timestamptz, momentOf], // timestamptz
]);

/** For the `types` member of a client or pool of `pg`. */
export const valueTypes = {
  // We never ask for binary results, so every value is text.
  getTypeParser: (type: number): Parse => parsers.get(type) ?? standardParser(type),
};

function standardParser(type: number): Parse {
  // Declared for an enumeration of the types that ship with PostgreSQL, and with `any` as result.
  const { getTypeParser } = pg.types as { getTypeParser: (type: number, format: "text") => Parse };
  return getTypeParser(type, "text");
}

/** Ends in the time zone that is UTC, with or without a fraction. */
const utc = "+00";
const [dateLength, secondsLength] = [10, 19];

/**
 * What the driver makes of it, in a fifth of its time: a page of a hundred rows spends a tenth of its own on
 * its times. A form that is not of our days (a time zone, another era, infinity) is left to the driver.
 */
function momentOf(text: string): unknown {
  const end = text.length - utc.length;
  const isPlain =
    text.endsWith(utc) &&
    text[4] === "-" &&
    text[dateLength] === " " &&
    (end === secondsLength || text[secondsLength] === ".");
  const year = isPlain ? digits(text, 0) * 100 + digits(text, 2) : 0;
  // Of a year of two digits Date.UTC makes one of the last century.
  if (year < 100) return standardParser(timestamptz)(text);
  let milliseconds = 0;
  for (let at = secondsLength + 1, unit = 100; unit >= 1 && at < end; at++, unit /= 10) {
    milliseconds += (text.charCodeAt(at) - zero) * unit;
  }
  const [month, day] = [digits(text, 5) - 1, digits(text, 8)];
  const [hour, minute, second] = [digits(text, 11), digits(text, 14), digits(text, 17)];
  return new Date(Date.UTC(year, month, day, hour, minute, second, milliseconds));
}

/** Of two digits. */
function digits(text: string, at: number): number {
  return (text.charCodeAt(at) - zero) * 10 + text.charCodeAt(at + 1) - zero;
}

function bytesOf(text: string): Uint8Array {
  // "\x" and hexadecimal digits: bytea_output is "hex" since PostgreSQL 9.0.
  return new Uint8Array(Buffer.from(text.slice(2), "hex"));
}

function eachItem(parse: Parse): Parse {
  return (text) => {
    // What the driver makes of text[].
    const items = standardParser(textArray)(text) as readonly (string | null)[];
    return items.map((item) => (item === null ? null : parse(item)));
  };
}
