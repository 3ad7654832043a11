// Written by "npm run generate" from spec/openapi.yaml; do not edit.

// Bodies that are a row of JSON texts, cut and read one by one: lines, and sequences (RFC 7464).

import { joined } from "./bytes.ts";
import type { Checked } from "./checked.ts";
import type { ItemFormat } from "./media-types.ts";
import { readJson } from "./json-body.ts";
import { invalidJson, invalidRequest, RequestError } from "./runtime.ts";
import { report, violationsMax, type Violation } from "./violations.ts";

export interface ItemPlan {
  readonly format: ItemFormat;
  /** of each item */
  readonly check: Checked;
  readonly depthMax: number;
  /** of an item, which is held in memory as a whole */
  readonly bytesMax: number;
}

const lineFeed = 0x0a;
const recordSeparator = 0x1e;

/** Cuts bytes as they come; what is not whole yet waits. */
class Cutter {
  readonly #separator: number;
  readonly #bytesMax: number;
  #waiting: Uint8Array[] = [];
  #size = 0;

  constructor({ format, bytesMax }: ItemPlan) {
    this.#separator = format === "sequence" ? recordSeparator : lineFeed;
    this.#bytesMax = bytesMax;
  }

  *push(bytes: Uint8Array): Generator<Uint8Array> {
    let start = 0;
    for (;;) {
      const end = bytes.indexOf(this.#separator, start);
      this.#keep(bytes.subarray(start, end === -1 ? bytes.length : end));
      if (end === -1) return;
      yield this.rest();
      start = end + 1;
    }
  }

  rest(): Uint8Array {
    const [first = new Uint8Array(0)] = this.#waiting;
    const whole = this.#waiting.length < 2 ? first : joined(this.#waiting, this.#size);
    this.#waiting = [];
    this.#size = 0;
    return whole;
  }

  #keep(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.#size += piece.length;
    if (this.#size > this.#bytesMax) {
      const message = `an item may have at most ${this.#bytesMax} bytes`;
      throw new RequestError(413, "body_too_large", message);
    }
    this.#waiting.push(piece);
  }
}

interface ReadItem {
  readonly value: unknown;
  /** why it is not even JSON */
  readonly malformed: string | undefined;
  readonly violations: readonly Violation[];
}

/** Numbers items from 0, as their places in a list, and lines from 1, as people do. */
class ItemCounter {
  readonly #plan: ItemPlan;
  #index = 0;
  #cuts = 0;

  constructor(plan: ItemPlan) {
    this.#plan = plan;
  }

  /** Undefined: nothing stands there. */
  read(bytes: Uint8Array): ReadItem | undefined {
    const { check, depthMax, format } = this.#plan;
    this.#cuts += 1;
    if (bytes.every(isSpace)) return undefined;
    const at = `/${this.#index}`;
    const what = format === "lines" ? `line ${this.#cuts}` : `item ${this.#index + 1}`;
    this.#index += 1;
    // no separator stands before it, or what may be a part of a number has no end
    const isCut = format === "sequence" && (this.#cuts === 1 || isOpenEnded(bytes));
    if (isCut) return malformedItem(at, `${what} has no separator before it, or no end`);
    const { value, malformed, violations } = readJson(bytes, { check, depthMax, at, what });
    return { value, malformed, violations };
  }
}

/** Of a number or a word nobody knows whether it was cut, unless something follows it (RFC 7464, section 2.4). */
function isOpenEnded(bytes: Uint8Array): boolean {
  const last = bytes.at(-1) ?? 0;
  const isWhole = last === 0x22 || last === 0x5d || last === 0x7d;
  return !isWhole && !isSpace(last);
}

/** JSON's white space. */
function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function malformedItem(pointer: string, message: string): ReadItem {
  const violations = [{ in: "body", pointer, rule: "json", message }] as const;
  return { value: undefined, malformed: message, violations };
}

/**
 * All items of a body that is there, as long as they can change the answer. @returns why one of them is no JSON
 */
export function readItems(
  bytes: Uint8Array,
  plan: ItemPlan,
  violations: Violation[],
): { readonly values: readonly unknown[]; readonly malformed: string | undefined } {
  const cutter = new Cutter(plan);
  const counter = new ItemCounter(plan);
  const values: unknown[] = [];
  let malformed: string | undefined;
  const take = (piece: Uint8Array): void => {
    const item = counter.read(piece);
    if (item === undefined) return;
    values.push(item.value);
    malformed ??= item.malformed;
    for (const one of item.violations) report(violations, one);
  };
  for (const piece of cutter.push(bytes)) {
    take(piece);
    if (malformed !== undefined || violations.length >= violationsMax) return { values, malformed };
  }
  take(cutter.rest());
  return { values, malformed };
}

/** Items while they come; one that breaks the contract ends it with a `RequestError`. */
export async function* streamItems(
  read: () => Promise<Uint8Array | undefined>,
  plan: ItemPlan,
): AsyncGenerator<unknown, void, undefined> {
  const cutter = new Cutter(plan);
  const counter = new ItemCounter(plan);
  for (;;) {
    const bytes = await read();
    const pieces = bytes === undefined ? [cutter.rest()] : cutter.push(bytes);
    for (const piece of pieces) {
      const item = counter.read(piece);
      if (item === undefined) continue;
      if (item.violations.length > 0) throw refusalOf(item);
      yield item.value;
    }
    if (bytes === undefined) return;
  }
}

function refusalOf({ malformed, violations }: ReadItem): RequestError {
  return malformed === undefined ? invalidRequest(violations) : invalidJson(malformed, violations);
}
