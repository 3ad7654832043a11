// Types of requests and answers that the generated operations are written with.

import type { AnyStatus } from "./statuses.ts";

/** A part of the request; parameters with a default are always there. */
export type Present<Part, Defaulted extends string = never> = WithDefaults<
  NonNullable<Part>,
  Defaulted
>;

type WithDefaults<Part, Defaulted extends string> = [Defaulted] extends [never]
  ? Readonly<Part>
  : Readonly<
      Omit<Part, Defaulted> & { [Name in Defaulted & keyof Part]-?: Exclude<Part[Name], undefined> }
    >;

type RequiredNames<Headers> = {
  [Name in keyof Headers]-?: object extends Pick<Headers, Name> ? never : Name;
}[keyof Headers];

/** `headers` is required when the contract requires one that the edge does not add itself. */
type WithHeaders<Headers, Edge extends string> = [Exclude<RequiredNames<Headers>, Edge>] extends [
  never,
]
  ? { readonly headers?: Readonly<Omit<Headers, Edge>> }
  : { readonly headers: Readonly<Omit<Headers, Edge>> };

/** An answer with a JSON body. */
export type JsonAnswer<Status extends number, Body, Headers, Edge extends string> = {
  readonly status: Status;
  readonly body: Body;
} & WithHeaders<Headers, Edge>;

/** An answer with a JSON body under another name, such as application/problem+json. */
export type NamedJsonAnswer<
  Status extends number,
  MediaType extends string,
  Body,
  Headers,
  Edge extends string,
> = JsonAnswer<Status, Body, Headers, Edge> & { readonly contentType: MediaType };

/** An answer whose body is written as it is. */
export type RawAnswer<
  Status extends number,
  MediaType extends string,
  Headers,
  Edge extends string,
> = {
  readonly status: Status;
  readonly contentType: MediaType;
  /** of an iterable the pieces are sent one after the other */
  readonly body: string | Uint8Array | ReadableStream | AsyncIterable<string | Uint8Array>;
} & WithHeaders<Headers, Edge>;

/** An answer that is a row of items, each taken when the client is ready for it. */
export type ItemsAnswer<
  Status extends number,
  MediaType extends string,
  Item,
  Headers,
  Edge extends string,
> = {
  readonly status: Status;
  readonly contentType: MediaType;
  /** bytes among the items, and a text in the place of them all, are items that somebody has written already */
  readonly body: AsyncIterable<Item | Uint8Array> | Iterable<Item | Uint8Array> | string;
} & WithHeaders<Headers, Edge>;

/** What may stand in a stream of events: an event of the contract, or a note that no client hears of. */
export type EventOf<Item> = (Item & { readonly comment?: string }) | EventNote;

/** Lines that keep a connection alive, an id to begin with next time, how long to wait before that. */
export interface EventNote {
  readonly data?: undefined;
  readonly event?: undefined;
  readonly id?: string;
  /** milliseconds */
  readonly retry?: number;
  readonly comment?: string;
}

/** An answer without a body. */
export type EmptyAnswer<Status extends number, Headers, Edge extends string> = {
  readonly status: Status;
  readonly body?: undefined;
} & WithHeaders<Headers, Edge>;

/** Of an operation that documents no answer: any status with any JSON body. */
export type UndocumentedAnswer<Edge extends string> = JsonAnswer<AnyStatus, unknown, unknown, Edge>;

/** A file on its way in. */
export interface IncomingFile<Name extends string = string> {
  /** of its field */
  readonly name: Name;
  /** as the client says it: it may be any text */
  readonly filename: string;
  /** with its parameters, as the client says it; "text/plain" when it says nothing */
  readonly type: string;
  /** to be read before the next file is asked for; what is not read is skipped */
  readonly stream: ReadableStream<Uint8Array>;
}

/** A form whose files are read while they come. */
export interface IncomingForm<Fields, Name extends string> {
  /** what stands before the first file, and follows the contract */
  readonly fields: Fields;
  /**
   * In the order in which they are sent. What breaks the contract (a type, a size, a file that is missing at the end)
   * is thrown as a `RequestError` where it is met.
   */
  readonly files: AsyncIterable<IncomingFile<Name>>;
}

/** The members of a form that are no files. */
export type FieldsOf<Form, Name extends string> = {
  readonly [Field in keyof Form as Field extends Name ? never : Field]: Form[Field];
};

/** What the application writes for an operation. A property, so that it cannot ask for more. */
export type HandlerOf<Request, Answer, Caller> = (
  request: Request,
  caller: Caller,
) => Answer | Promise<Answer>;
