// Where the next page begins, handed to the caller and back: opaque, bound to the merchant and to
// the filters it was made for, and sealed with a MAC so that nobody can write one (threat 52).

import { createHash, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { ServiceError } from "./errors.ts";

/** Says what the bytes mean. A cursor of another version is refused like a forged one. */
const version = 1;
const macBytes = 16;
/** What the contract allows in the parameter `cursor`. */
const charactersMax = 1024;

/** What a cursor belongs to; with anything else it is refused. */
export interface CursorScope {
  readonly merchantId: string;
  /** The operation and its filters, defaults filled in. The page size is not a filter. */
  readonly filters: Readonly<Record<string, string | null>>;
}

/** The values the list is ordered by, of the last entry shown; the id comes last. */
export type CursorPosition = readonly string[];

export class Cursors {
  readonly #key: Uint8Array;
  readonly #older: readonly Uint8Array[];

  /**
   * The keys of the cursors are derived from the encryption keys, so there is one secret to keep.
   * `older` only read: while the key is being changed, other processes still write with it.
   */
  constructor(encryptionKey: Uint8Array, older: readonly Uint8Array[] = []) {
    this.#key = cursorKey(encryptionKey);
    this.#older = older.map(cursorKey);
  }

  /** The cursor of the page after `position`. */
  write(scope: CursorScope, position: CursorPosition): string {
    const payload = Buffer.from(JSON.stringify([version, position, ...bindings(scope)]), "utf8");
    return Buffer.concat([macOf(payload, this.#key), payload]).toString("base64url");
  }

  /** Throws `invalid_cursor` for everything this service did not write for exactly this scope. */
  read(scope: CursorScope, cursor: string): CursorPosition {
    const bytes = decode(cursor);
    const payload = bytes.subarray(macBytes);
    // The MAC first: nothing a stranger wrote is parsed.
    const mac = bytes.subarray(0, macBytes);
    const isOurs = (key: Uint8Array): boolean => timingSafeEqual(mac, macOf(payload, key));
    if (bytes.length <= macBytes || ![this.#key, ...this.#older].some(isOurs)) {
      throw invalidCursor(
        "The cursor is not one that this service made. Use X-Next-Cursor as it is.",
      );
    }
    // Written by `write` above, of this or of another version of this file.
    const [writtenVersion, position, ...written] = JSON.parse(
      payload.toString("utf8"),
    ) as unknown[];
    if (writtenVersion !== version || !isPosition(position)) {
      throw invalidCursor(
        "The cursor was made by another version of the service. Start at the first page.",
      );
    }
    const expected = bindings(scope);
    if (
      written.length !== expected.length ||
      expected.some((value, index) => value !== written[index])
    ) {
      throw invalidCursor("The cursor was made for other filters or another merchant.");
    }
    return position;
  }
}

function cursorKey(encryptionKey: Uint8Array): Uint8Array {
  const info = "merchant-crypto-payments cursor v1";
  return new Uint8Array(hkdfSync("sha256", encryptionKey, new Uint8Array(), info, 32));
}

function macOf(payload: Uint8Array, key: Uint8Array): Uint8Array {
  return createHmac("sha256", key).update(payload).digest().subarray(0, macBytes);
}

/** Hashes keep a cursor short whatever the filters are. */
function bindings({ merchantId, filters }: CursorScope): readonly string[] {
  const sorted = Object.entries(filters).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const hash = createHash("sha256").update(JSON.stringify(sorted)).digest();
  return [hash.subarray(0, 12).toString("base64url"), merchantId];
}

/** Only the one spelling that `write` uses: no padding, no foreign letters, no stray bits. */
function decode(cursor: string): Buffer {
  const bytes = cursor.length > charactersMax ? Buffer.alloc(0) : Buffer.from(cursor, "base64url");
  return bytes.toString("base64url") === cursor ? bytes : Buffer.alloc(0);
}

function isPosition(value: unknown): value is CursorPosition {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string");
}

function invalidCursor(message: string): ServiceError {
  const violations = [
    { in: "query", pointer: "/cursor", rule: "issued", message: "is not the cursor of this list" },
  ];
  return new ServiceError("invalid_cursor", message, { details: { violations } });
}
