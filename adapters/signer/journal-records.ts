// The records of the journal. BigInts are decimal text, times milliseconds; every line has a checksum,
// so what is read is what this program wrote.

import type { NumberKey, NumberUse, Signature, SpentAsset } from "./policy.ts";

export type JournalRecord =
  /** the first one: the hot account of the seed; and the newest time that was counted */
  | {
      readonly kind: "journal";
      readonly owner: string;
      readonly at?: number;
      readonly day?: string;
    }
  /** with a day in place of the time: of an older version */
  | ({ readonly kind: "signed"; readonly at?: number; readonly day?: string } & Omit<
      Signature,
      "at"
    >)
  | ({ readonly kind: "released" } & NumberKey)
  /** an operator says that this is the next number, and what was signed from there on is not mined */
  | ({ readonly kind: "next_number" } & NumberKey)
  /** an operator says that the clock is right */
  | { readonly kind: "clock"; readonly at: number }
  /** what an operator has mended, and why */
  | Mend
  /** deposit addresses from this index on were never given to a payment */
  | { readonly kind: "free_index"; readonly freeFrom: bigint; readonly at?: number }
  // What is left of older records:
  | ({ readonly kind: "number" } & NumberKey & NumberUse)
  | ({ readonly kind: "first_number" } & NumberKey)
  | ({ readonly kind: "amount"; readonly at?: number; readonly amountRaw: bigint } & SpentAsset)
  | {
      readonly kind: "gas";
      readonly at?: number;
      readonly chainId: string;
      readonly gasRaw: bigint;
    }
  | ({ readonly kind: "count"; readonly at: number; readonly count: bigint } & Omit<
      NumberKey,
      "nonce"
    >)
  | { readonly kind: "claimed"; readonly at: number; readonly count: bigint };

export interface Mend {
  readonly kind: "mended";
  readonly at: number;
  /** the command, as it was written */
  readonly command: string;
  readonly evidence: string;
}

/** What JSON has of a record. */
export function wireRecord(record: JournalRecord): unknown {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === "bigint" ? value.toString() : value,
    ]),
  );
}

const bigintNames = new Set(["nonce", "amountRaw", "gasRaw", "gasAddedRaw", "freeFrom", "count"]);

export function parseRecord(value: unknown): JournalRecord {
  // A record of ours: its checksum was right.
  const members = Object.entries(value as Readonly<Record<string, string | null>>);
  const record = members.map(([name, text]) => [
    name,
    bigintNames.has(name) && text !== null ? BigInt(text) : text,
  ]);
  return Object.fromEntries(record) as JournalRecord;
}
