// Handlers of the case "streams" that keep its contract, and mistakes that the compiler must find.

const right = `import type { Handlers } from "../streams/generated/handlers.ts";
import type * as operations from "../streams/generated/operations/default.ts";

type Keys = "watchData" | "watchEvents" | "watchItems" | "listLines" | "streamLines" | "putBytes";
type More = "sendLines" | "postBytes" | "postRange" | "upload" | "uploadAnything";

async function* things(signal: AbortSignal) {
  for (let id = 1; !signal.aborted; id++) yield { id, name: "x" };
}

export const handlers: Pick<Handlers<string>, Keys | More> = {
  watchData: ({ signal }): operations.WatchDataAnswer => {
    async function* events() {
      yield { comment: "alive" };
      yield { retry: 1000, id: "" };
      for await (const data of things(signal)) yield { data, event: "thing", id: "1", comment: "x" };
    }
    return { status: 200, contentType: "text/event-stream", body: events() };
  },
  watchEvents: (): operations.WatchEventsAnswer => ({
    status: 200,
    contentType: "text/event-stream",
    body: [{ event: "thing", data: { id: 1, name: "x" } }, { data: "[DONE]" }, { comment: "" }],
  }),
  watchItems: ({ signal }) => ({
    status: 200,
    contentType: "text/event-stream",
    body: (async function* () {
      for await (const data of things(signal)) yield { data, id: null };
    })(),
  }),
  listLines: ({ signal }) => ({ status: 200, contentType: "application/x-ndjson", body: things(signal) }),
  streamLines: async ({ body }) => {
    if (body?.contentType === "application/jsonl") {
      for await (const { name } of body.value) name.toUpperCase();
    }
    return { status: 204 };
  },
  putBytes: async ({ body }) => {
    for await (const piece of body) piece.subarray(1);
    return { status: 204 };
  },
  sendLines: ({ body }) =>
    body.length > 1
      ? { status: 200, contentType: "application/jsonl", body: body.map(({ name }) => name) }
      : { status: 200, contentType: "application/json-seq", body: new Set([1]) },
  postBytes: async ({ body }) => {
    if (body.contentType === "application/zip") {
      // a range may be this type, too
      if (body.value instanceof Uint8Array) body.value.subarray(1);
    } else if (body.contentType === "text/csv" && body.value instanceof ReadableStream) {
      await body.value.cancel();
    }
    return { status: 204 };
  },
  postRange: ({ body }) => ({
    status: 200,
    contentType: \`application/\${body.contentType.slice("image/".length)}\`,
    body: body.value,
  }),
  upload: async ({ body }) => {
    const title: string = body.fields.title;
    const name: string | undefined = body.fields.thing?.name;
    for await (const { name: field, filename, stream } of body.files) {
      const known: "file" | "more" = field;
      for await (const piece of stream) \`\${title}\${name ?? known}\${filename}\${piece.length}\`.trim();
    }
    return { status: 204 };
  },
  uploadAnything: async ({ body }) => {
    const some: unknown = body?.fields["some"];
    for await (const { name } of body?.files ?? []) name.at(Number(some));
    return { status: 204 };
  },
};

// pieces that somebody has written already
export const raw: readonly operations.ListLinesAnswer[] = [
  { status: 200, contentType: "application/x-ndjson", body: "{}\\n" },
  { status: 200, contentType: "application/x-ndjson", body: [new Uint8Array(1)] },
  { status: 200, contentType: "application/x-ndjson", body: new ReadableStream<Uint8Array>() },
];
`;

interface Mistake {
  readonly name: string;
  readonly promise: string;
  readonly from: string;
  readonly to: string;
  readonly error: RegExp;
}

export const wrongStreams: readonly Mistake[] = [
  {
    name: "wrong-item",
    promise: "an item with a wrong value",
    from: 'yield { id, name: "x" };',
    to: "yield { id, name: 1 };",
    error: /'number' is not assignable to type 'string'/,
  },
  {
    name: "wrong-data",
    promise: "an event with other data than the contract has",
    from: '{ event: "thing", data: { id: 1, name: "x" } }',
    to: '{ event: "thing", data: { id: 1, named: "x" } }',
    error: /named/,
  },
  {
    name: "wrong-event",
    promise: "an event of a name that is not in the contract",
    from: '{ event: "thing", data: { id: 1, name: "x" } }',
    to: '{ event: "things", data: { id: 1, name: "x" } }',
    error: /"things"/,
  },
  {
    name: "no-content-type",
    promise: "a stream that does not say what it is",
    from: 'contentType: "application/x-ndjson", body: things(signal)',
    to: "body: things(signal)",
    error: /contentType/,
  },
  {
    name: "unknown-field",
    promise: "reading a field that is a file",
    from: "body.fields.title;",
    to: "body.fields.file;",
    error: /'file' does not exist/,
  },
  {
    name: "stream-as-bytes",
    promise: "taking a stream for bytes",
    from: "for await (const piece of body) piece.subarray(1);",
    to: "body.subarray(1);",
    error: /subarray/,
  },
  {
    name: "signal-elsewhere",
    promise: "a signal where no answer lasts",
    from: "postRange: ({ body }) => ({",
    to: "postRange: ({ body, signal }) => ({",
    error: /'signal' does not exist/,
  },
];

/** Name of the module and its text. */
export const streamingModules: readonly (readonly [name: string, text: string])[] = [
  ["right", right],
  ...wrongStreams.map(({ name, from, to }): readonly [string, string] => {
    if (!right.includes(from)) throw new Error(`"${name}" must change something`);
    return [name, right.replace(from, () => to)];
  }),
];
