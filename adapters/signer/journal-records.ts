// The records of the journal. BigInts are decimal text; every line has a checksum, so what is read
// is what this program wrote.

import type { NumberKey, NumberUse, Signature, SpentAsset } from "./policy.ts";

export type JournalRecord =
  /** the first one: the hot account of the seed, and the day that amounts and gas are of */
  | { readonly kind: "journal"; readonly owner: string; readonly day: string }
  | ({ readonly kind: "signed" } & Signature)
  | ({ readonly kind: "released" } & NumberKey)
  /** deposit addresses from this index on were never given to a payment */
  | { readonly kind: "free_index"; readonly freeFrom: bigint }
  // What is left of older records:
  | ({ readonly kind: "number" } & NumberKey & NumberUse)
  | ({ readonly kind: "first_number" } & NumberKey)
  | ({ readonly kind: "amount"; readonly amountRaw: bigint } & SpentAsset)
  | { readonly kind: "gas"; readonly chainId: string; readonly gasRaw: bigint };

/** What JSON has of a record. */
export function wireRecord(record: JournalRecord): unknown {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === "bigint" ? value.toString() : value,
    ]),
  );
}

const bigintNames = new Set(["nonce", "amountRaw", "gasRaw", "gasAddedRaw", "freeFrom"]);

export function parseRecord(value: unknown): JournalRecord {
  // A record of ours: its checksum was right.
  const members = Object.entries(value as Readonly<Record<string, string | null>>);
  const record = members.map(([name, text]) => [
    name,
    bigintNames.has(name) && text !== null ? BigInt(text) : text,
  ]);
  return Object.fromEntries(record) as JournalRecord;
}
