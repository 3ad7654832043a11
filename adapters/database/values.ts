// The types of values on their way from the database, the same for both engines because both are
// read by the same driver: bigint columns as bigint (a number would lose digits beyond 2^53),
// numeric as text, timestamptz as Date, bytea as Uint8Array, jsonb parsed.

import pg from "pg";

type Parse = (text: string) => unknown;

/** Object identifiers of types, from pg_type. */
const textArray: number = 1009;
const parsers = new Map<number, Parse>([
  [20, BigInt], // bigint
  [1016, eachItem(BigInt)], // bigint[]
  [1231, eachItem(String)], // numeric[]
  [17, bytesOf],
  [1001, eachItem(bytesOf)], // bytea[]
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
