// Written by "npm run generate" from spec/openapi.yaml; do not edit.

// Answers that are a row of items: taken from the handler one by one, as fast as the client takes them.

import type { Checked } from "./checked.ts";
import { eventText } from "./events.ts";
import type { ItemFormat } from "./media-types.ts";
import { problemsToViolations } from "./violations.ts";

type Source = AsyncIterable<unknown> | Iterable<unknown> | ReadableStream<unknown>;

/** The body of an answer before anybody has asked for its first item; "bytes": pieces that are sent as they are. */
export class ItemBody {
  readonly source: Source;
  readonly format: ItemFormat | "bytes";
  constructor(source: Source, format: ItemBody["format"]) {
    this.source = source;
    this.format = format;
  }
}

export function isIterable(value: unknown): value is AsyncIterable<unknown> | Iterable<unknown> {
  return isAsyncIterable(value) || (isObject(value) && Symbol.iterator in value);
}

export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return isObject(value) && Symbol.asyncIterator in value;
}

/** The iterator of a stream would not cancel it before the next item has come. */
function iteratorOf(source: Source): AsyncIterator<unknown> | Iterator<unknown> {
  if (source instanceof ReadableStream) {
    const reader: ReadableStreamDefaultReader<unknown> = source.getReader();
    return {
      next: async () => {
        const { done, value } = await reader.read();
        return { done, value };
      },
      return: async () => {
        await reader.cancel();
        return { done: true, value: undefined };
      },
    };
  }
  return isAsyncIterable(source) ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
}

/** What bodies are read from on their way out: the default reader of a ReadableStream is one. */
export interface ChunkReader<Chunk> {
  readonly read: () => Promise<{ readonly done: boolean; readonly value?: Chunk | undefined }>;
  /** Nobody takes the rest. */
  readonly cancel: () => Promise<unknown>;
}

interface Writing {
  /** texts in the `data` of events are JSON, too */
  readonly isJson: boolean;
  /** of each item; undefined: not looked at */
  readonly check: Checked;
  /** makes the error for an item that the check refuses */
  readonly refusal: (problem: string) => Error;
}

const unchecked: Writing = { isJson: false, check: undefined, refusal: (text) => new Error(text) };

/** Short items of a list go together: less is done for each. */
const batchCharacters = 16_384;
/** After so many the process does something else: a source may be ready for ever, and no I/O gets in between. */
const readsInTurn = 32;
/** A client that waits longer for the first item gets the status and the headers before it. */
const firstItemMilliseconds = 250;

type Taken = string | Uint8Array | undefined;

/** Asks for an item when one is wanted, and never for the next before; of a list for several that are ready. */
export class ItemReader implements ChunkReader<string | Uint8Array> {
  readonly #iterator: AsyncIterator<unknown> | Iterator<unknown>;
  readonly #isSync: boolean;
  readonly #format: ItemBody["format"];
  readonly #writing: Writing;
  #first: Promise<Taken> | undefined;
  /** what was wrong behind the items that went before it */
  #failure: { readonly error: unknown } | undefined;
  /** an item that was taken, and waits itself */
  #held: { readonly value: unknown } | undefined;
  #count = 0;
  #reads = 0;
  /** the iterator has ended, or has been told to */
  #isOver = false;

  constructor({ source, format }: ItemBody, writing: Writing = unchecked) {
    // of one that waits for its turn, nobody else would hear that it fails
    if (Array.isArray(source)) for (const one of source) hush(one);
    this.#isSync = !(source instanceof ReadableStream) && !isAsyncIterable(source);
    this.#iterator = iteratorOf(source);
    this.#format = format;
    this.#writing = writing;
  }

  /**
   * Waits for the first item, but not for long. What fails by then is thrown here, before anything was sent, so that
   * the request can still be refused.
   */
  async begin(): Promise<void> {
    const first = this.#take();
    this.#first = first;
    // whoever reads hears of it, too
    first.catch(() => undefined);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, firstItemMilliseconds);
    });
    try {
      await Promise.race([first, patience]);
    } finally {
      clearTimeout(timer);
    }
  }

  async read(): Promise<{ readonly done: boolean; readonly value?: string | Uint8Array }> {
    const first = this.#first;
    this.#first = undefined;
    if (++this.#reads % readsInTurn === 0) await turnOfTheProcess();
    const value = await (first ?? this.#take());
    return value === undefined ? { done: true } : { done: false, value };
  }

  async cancel(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.#iterator.return?.();
  }

  /** The next item, of a list several, as they are sent; undefined: that was all. */
  async #take(): Promise<Taken> {
    if (this.#failure !== undefined) throw this.#failure.error;
    let text = "";
    try {
      for (;;) {
        const next = this.#held ?? (await this.#next());
        this.#held = undefined;
        if (next === undefined) return text === "" ? undefined : text;
        if (text !== "" && next.value instanceof Promise) {
          // what is ready does not wait for it
          this.#held = next;
          return text;
        }
        const item = await this.#encode(next.value);
        if (typeof item !== "string") return joined(text, item);
        text += item;
        if (!this.#isSync || text.length >= batchCharacters) return text;
      }
    } catch (error) {
      if (text === "") throw error;
      this.#failure = { error };
      return text;
    }
  }

  async #next(): Promise<{ readonly value: unknown } | undefined> {
    if (this.#isOver) return undefined;
    try {
      const result = this.#isSync ? this.#iterator.next() : await this.#iterator.next();
      // only of an asynchronous iterator is it a promise, which has been waited for
      const { done, value } = result as IteratorResult<unknown, unknown>;
      if (done !== true) return { value };
      this.#isOver = true;
      return undefined;
    } catch (error) {
      this.#isOver = true;
      throw error;
    }
  }

  async #encode(given: unknown): Promise<string | Uint8Array> {
    try {
      // a list may hold promises
      const item = this.#isSync && given instanceof Promise ? ((await given) as unknown) : given;
      this.#count += 1;
      // some write the items of a stream themselves
      if (item instanceof Uint8Array) return item;
      if (this.#format === "bytes") return piece(item);
      return this.#format === "events" ? this.#event(item) : this.#json(item);
    } catch (error) {
      // what it says to that comes too late: the reason is told
      this.cancel().catch(() => undefined);
      throw error;
    }
  }

  #event(item: unknown): string {
    const text = eventText(item, this.#writing.isJson);
    const { check } = this.#writing;
    // the object is one, or it would have no text
    const { comment: _, ...event } = item as Readonly<Record<string, unknown>>;
    const isHeard = event["data"] !== undefined || isNamed(event["event"]);
    if (check !== undefined && isHeard) this.#judge(JSON.parse(JSON.stringify(event)));
    return text;
  }

  #json(item: unknown): string {
    // functions and symbols have no JSON; the declared type of stringify leaves that out
    const text = JSON.stringify(item) as string | undefined;
    if (text === undefined) throw new TypeError("an item of the answer is nothing JSON can say");
    if (this.#writing.check !== undefined) this.#judge(JSON.parse(text));
    return this.#format === "lines" ? `${text}\n` : `\u{1e}${text}\n`;
  }

  /** As the client will see it. */
  #judge(item: unknown): void {
    const { check, refusal } = this.#writing;
    if (check === undefined || check.valid(item)) return;
    const said = problemsToViolations("body", check.problems(item))
      .map(({ pointer, message }) => `${pointer === "" ? "it" : pointer} ${message}`)
      .join("; ");
    throw refusal(`item ${this.#count}: ${said}`);
  }
}

function hush(item: unknown): void {
  if (item instanceof Promise) item.catch(() => undefined);
}

function isNamed(event: unknown): boolean {
  return event !== undefined && event !== null;
}

function piece(item: unknown): string {
  if (typeof item === "string") return item;
  throw new TypeError("a piece of a body is neither text nor bytes");
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function joined(text: string, bytes: Uint8Array): Uint8Array {
  if (text === "") return bytes;
  const before = encoder.encode(text);
  const all = new Uint8Array(before.length + bytes.length);
  all.set(before);
  all.set(bytes, before.length);
  return all;
}

/** Where there is no such thing, a timer is the next best. */
function turnOfTheProcess(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === "function") setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}

const encoder = new TextEncoder();

interface Listening {
  /** whether to its end or not */
  readonly ended?: () => void;
  readonly failed?: (error: unknown) => void;
  /** the client has gone */
  readonly left?: () => void;
}

/**
 * For those who take bytes by a web stream, when they ask for them. `failed` hears of what breaks off; whoever reads
 * is told that it did, and not why.
 */
export function webStream(
  reader: ChunkReader<string | Uint8Array>,
  { ended, failed, left }: Listening = {},
): ReadableStream<Uint8Array> {
  let isLeft = false;
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read();
          if (isLeft) return;
          if (done || value === undefined) {
            ended?.();
            controller.close();
          } else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
        } catch (error) {
          if (isLeft) return;
          ended?.();
          failed?.(error);
          // what was handed over is on its way by then
          await turnOfTheProcess();
          controller.error(new Error("the answer has broken off"));
        }
      },
      cancel: () => {
        isLeft = true;
        ended?.();
        left?.();
        return reader.cancel().then(() => undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

/** What takes its time to be sent. */
export type Streamed = ReadableStream<Uint8Array> | ItemBody | ItemReader;
export type Sendable = string | Uint8Array | Streamed | undefined;

export function isStreamed(body: Sendable): body is Streamed {
  return typeof body === "object" && !(body instanceof Uint8Array);
}

export function readerOf(body: Streamed): ChunkReader<string | Uint8Array> {
  if (body instanceof ReadableStream) return body.getReader();
  return body instanceof ItemBody ? new ItemReader(body) : body;
}
