// What nodes answer, believed only in the form it has to have. Every other form is the fault of the
// endpoint that gave it.

import { BoundedCache } from "../../service/bounded-cache.ts";
import { checksumAddress } from "../../service/evm-address.ts";

/** An endpoint that cannot be used right now; another one may do. The text is for the log. */
export class EndpointFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = "EndpointFailure";
  }
}

/** It has not answered in time, or with more than anybody should. */
export class AnswerTooMuch extends EndpointFailure {}

/** A node has answered, with an error. The text is what it said, without control characters. */
export class NodeError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.name = "NodeError";
    this.code = code;
  }
}

const textMax = 300;

/** Nodes put raw bytes of contracts into their texts; no log and no text column wants those. */
export function printable(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, " ")
    .trim()
    .slice(0, textMax);
}

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown, what: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw odd(what);
  // It is an object, whatever it has in it.
  return value as Fields;
}

export function listOf(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw odd(what);
  return value;
}

const quantityForm = /^0x[0-9a-fA-F]{1,64}$/;

export function quantity(value: unknown, what: string): bigint {
  if (typeof value !== "string" || !quantityForm.test(value)) throw odd(what);
  return BigInt(value);
}

/** Small enough for what counts places in a block. */
export function count(value: unknown, what: string): number {
  const number = quantity(value, what);
  if (number > 2_147_483_647n) throw odd(what);
  return Number(number);
}

const hashForm = /^0x[0-9a-fA-F]{64}$/;

export function hash(value: unknown, what: string): string {
  if (typeof value !== "string" || !hashForm.test(value)) throw odd(what);
  return value.toLowerCase();
}

const dataForm = /^0x(?:[0-9a-fA-F]{2})*$/;

export function data(value: unknown, what: string): string {
  if (typeof value !== "string" || !dataForm.test(value)) throw odd(what);
  return value.toLowerCase();
}

/** What a call of a contract gives, as one word. */
export function word(value: unknown, what: string): bigint {
  return BigInt(hash(value, what));
}

const addressForm = /^0x[0-9a-fA-F]{40}$/;
/** The same few come again and again, and each checksum is a hash. */
const checksums = new BoundedCache<string, string>(20_000);

export function address(value: unknown, what: string): string {
  if (typeof value !== "string" || !addressForm.test(value)) throw odd(what);
  const digits = value.toLowerCase();
  const known = checksums.get(digits);
  if (known !== undefined) return known;
  const checked = checksumAddress(digits);
  checksums.set(digits, checked);
  return checked;
}

/** An address as a topic of a log. */
export function addressOfTopic(topic: string, what: string): string {
  if (!topic.startsWith("0x000000000000000000000000")) throw odd(what);
  return address(`0x${topic.slice(26)}`, what);
}

export function topicOfAddress(text: string): string {
  return `0x${text.slice(2).toLowerCase().padStart(64, "0")}`;
}

export function hexNumber(value: bigint): string {
  return `0x${value.toString(16)}`;
}

function odd(what: string): EndpointFailure {
  return new EndpointFailure(`${what} has another form than it should`);
}
