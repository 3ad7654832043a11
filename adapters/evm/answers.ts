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

export class AnswerLate extends AnswerTooMuch {}

/** A node has answered, with an error. The text is what it said, without control characters. */
export class NodeError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.name = "NodeError";
    this.code = code;
  }
}

/** It has had enough of us for now: whatever it is asked next makes it worse. */
export function isTiredText({ code, message }: NodeError): boolean {
  return (
    code === -32_005 ||
    code === 429 ||
    /rate limit|limit exceeded|too many requests|quota/i.test(message)
  );
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

const shortForm = /^0x[0-9a-fA-F]{1,7}$/;

/** Small enough for what counts places in a block. */
export function count(value: unknown, what: string): number {
  // Numbers are quicker than bigints; of so few digits they are exact.
  if (typeof value === "string" && shortForm.test(value)) return Number(value);
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
/** By their digits: the same few come again and again, and each checksum is a hash. */
const checksums = new BoundedCache<string, string>(20_000);

export function address(value: unknown, what: string): string {
  if (typeof value !== "string" || !addressForm.test(value)) throw odd(what);
  return checked(value.slice(2).toLowerCase());
}

const addressTopicForm = /^0x0{24}[0-9a-fA-F]{40}$/;

/** An address as a topic of a log. */
export function addressOfTopic(topic: string, what: string): string {
  if (!addressTopicForm.test(topic)) throw odd(what);
  return checked(topic.slice(26).toLowerCase());
}

function checked(digits: string): string {
  const known = checksums.get(digits);
  if (known !== undefined) return known;
  const spelled = checksumAddress(`0x${digits}`);
  checksums.set(digits, spelled);
  return spelled;
}

/** The same reading, for answers in which the same comes many times in a row. */
export function rememberingLast(
  read: (value: unknown, what: string) => string,
): (value: unknown, what: string) => string {
  let last: { readonly value: unknown; readonly is: string } | undefined;
  return (value, what) => {
    if (last === undefined || last.value !== value) last = { value, is: read(value, what) };
    return last.is;
  };
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
