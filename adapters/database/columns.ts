// Values of many sets as columns: an array of PostgreSQL for each, in its binary form. That needs no quotes, and
// the server reads no text: an array of JSON objects costs both sides twice as much.
//
// The form is what `array_recv` and the `recv` functions of the types read (src/backend/utils/adt); all
// numbers are big-endian.

import type { Columns, ItemType } from "../../service/ports/database.ts";

/** A Buffer for each of `types`. Throws `TypeError` or `RangeError` for a value that is none of its type. */
export function encodeColumns(
  types: Readonly<Record<string, ItemType>>,
  sets: readonly Readonly<Record<string, unknown>>[],
): Columns {
  const entries = Object.entries(types);
  writer.clear();
  const ends = entries.map(([name, type]) => writer.add(type, name, sets));
  const written = writer.copy();
  return Object.fromEntries(
    entries.map(([name], index) => [name, written.subarray(ends[index - 1] ?? 0, ends[index])]),
  );
}

/** Object identifiers of types, from pg_type. */
const oids = {
  boolean: 16,
  bytea: 17,
  bigint: 20,
  integer: 23,
  text: 25,
  timestamptz: 1184,
} as const satisfies Readonly<Record<ItemType, number>>;

/** 2000-01-01, from which PostgreSQL counts microseconds. */
const epochMilliseconds = Date.UTC(2000);

const dimensions = 1;
const hasNull = 1;
const lowerBound = 1;
const lengthBytes = 4;
const keptBytes = 2 ** 16;
/** What one batch has needed beyond this is given back. */
const keptBytesMax = 2 ** 21;
const lengthOfNull = -1;
/** No unit of a string (a character has one or two) takes more in UTF-8. */
const utf8BytesMax = 3;

/** Bytes of one array after the other. */
class ArrayWriter {
  #bytes = Buffer.allocUnsafeSlow(keptBytes);
  #at = 0;

  clear(): void {
    this.#at = 0;
  }

  copy(): Buffer {
    const written = Buffer.from(this.#bytes.subarray(0, this.#at));
    if (this.#bytes.length > keptBytesMax) this.#bytes = Buffer.allocUnsafeSlow(keptBytes);
    return written;
  }

  /** @returns where it ends */
  add(type: ItemType, name: string, sets: readonly Readonly<Record<string, unknown>>[]): number {
    this.#putInteger(dimensions);
    const flag = this.#at;
    this.#putInteger(0);
    this.#putInteger(oids[type]);
    this.#putInteger(sets.length);
    this.#putInteger(lowerBound);
    for (const values of sets) {
      const item = values[name];
      if (item !== null && item !== undefined) {
        this.#putItem(type, item);
        continue;
      }
      this.#putInteger(lengthOfNull);
      this.#bytes.writeInt32BE(hasNull, flag);
    }
    return this.#at;
  }

  #putItem(type: ItemType, item: unknown): void {
    const start = this.#at;
    // its length, known afterwards
    this.#putInteger(0);
    this.#putValue(type, item);
    this.#bytes.writeInt32BE(this.#at - start - lengthBytes, start);
  }

  #putValue(type: ItemType, item: unknown): void {
    switch (type) {
      case "text":
        return this.#putText(textOf(item));
      case "integer":
        if (!Number.isInteger(item)) throw new TypeError("not an integer");
        return this.#putInteger(Number(item));
      case "bigint":
        if (typeof item !== "bigint") throw new TypeError("not a bigint");
        return this.#putBigint(item);
      case "boolean":
        if (typeof item !== "boolean") throw new TypeError("not a boolean");
        return this.#putBytes(Uint8Array.of(item ? 1 : 0));
      case "bytea":
        if (!(item instanceof Uint8Array)) throw new TypeError("not bytes");
        return this.#putBytes(item);
      case "timestamptz":
        if (!(item instanceof Date)) throw new TypeError("not a date");
        return this.#putBigint(BigInt(item.getTime() - epochMilliseconds) * 1000n);
    }
  }

  #putText(text: string): void {
    this.#makeRoom(text.length * utf8BytesMax);
    this.#at += this.#bytes.write(text, this.#at);
  }

  #putBytes(bytes: Uint8Array): void {
    this.#makeRoom(bytes.length);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  #putInteger(value: number): void {
    this.#makeRoom(4);
    this.#at = this.#bytes.writeInt32BE(value, this.#at);
  }

  #putBigint(value: bigint): void {
    this.#makeRoom(8);
    this.#at = this.#bytes.writeBigInt64BE(value, this.#at);
  }

  #makeRoom(bytes: number): void {
    const wanted = this.#at + bytes;
    if (wanted <= this.#bytes.length) return;
    const more = Buffer.allocUnsafeSlow(Math.max(wanted, 2 * this.#bytes.length));
    this.#bytes.copy(more, 0, 0, this.#at);
    this.#bytes = more;
  }
}

/** Used from its start by each call, which waits for nobody. */
const writer = new ArrayWriter();

/** A text, a number of any size, or an array of those in the form that PostgreSQL reads. */
function textOf(value: unknown): string {
  return Array.isArray(value) ? `{${value.map(quoted).join(",")}}` : plainText(value);
}

function plainText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "bigint" || Number.isFinite(value)) return String(value);
  throw new TypeError("not a text");
}

function quoted(item: unknown): string {
  if (item === null || item === undefined) return "NULL";
  const text = plainText(item);
  const isPlain = !text.includes('"') && !text.includes("\\");
  return `"${isPlain ? text : text.replaceAll(/["\\]/g, "\\$&")}"`;
}
