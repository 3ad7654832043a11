// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import { createRoute } from "@hono/zod-openapi";
import type { RouteConfig } from "@hono/zod-openapi";
import * as combinations from "../runtime/combinations.ts";
import * as keywords from "../runtime/keywords.ts";
import type * as runtime from "../runtime/runtime.ts";
import type * as answers from "../runtime/answers.ts";
import type * as statuses from "../runtime/statuses.ts";
import * as responses from "../responses.ts";
import * as schemas from "../schemas.ts";
import type * as types from "../types.ts";

/** GET /events/of-data: the request, checked */
export interface WatchDataRequest {
  readonly signal: AbortSignal;
}

/** GET /events/of-data: every documented answer; the edge adds the headers named in `Edge` */
export type WatchDataAnswer<Edge extends string = never> =
  | answers.JsonAnswer<200, types.Thing, unknown, Edge>
  | answers.ItemsAnswer<
      200,
      "text/event-stream",
      answers.EventOf<
        types.operations["watchData"]["responses"][200]["content"]["text/event-stream"]
      >,
      unknown,
      Edge
    >;

export const watchData: runtime.Operation = {
  operationId: "watchData",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/events/of-data",
    operationId: "watchData",
    responses: {
      200: {
        description: "As JSON at once, or as events whose data is a thing.",
        content: {
          "application/json": { schema: schemas.Thing },
          "text/event-stream": {
            schema: z.looseObject({
              data: schemas.Thing,
              event: z.string().exactOptional(),
              id: z.string().exactOptional(),
              retry: z.int().min(0).exactOptional(),
            }),
          },
        },
      },
    },
  }),
  parameters: [],
};

/** GET /events/whole: the request, checked */
export interface WatchEventsRequest {
  readonly signal: AbortSignal;
}

/** GET /events/whole: every documented answer; the edge adds the headers named in `Edge` */
export type WatchEventsAnswer<Edge extends string = never> = answers.ItemsAnswer<
  200,
  "text/event-stream",
  answers.EventOf<
    types.operations["watchEvents"]["responses"][200]["content"]["text/event-stream"]
  >,
  unknown,
  Edge
>;

export const watchEvents: runtime.Operation = {
  operationId: "watchEvents",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/events/whole",
    operationId: "watchEvents",
    responses: {
      200: {
        description: "Each with a name of its own.",
        content: {
          "text/event-stream": {
            schema: combinations.oneOf(
              z.looseObject({
                event: z.literal("thing"),
                data: schemas.Thing,
              }),
              z.looseObject({
                data: z.literal("[DONE]"),
              }),
            ),
          },
        },
      },
    },
  }),
  parameters: [],
};

/** GET /events/of-3.2: the request, checked */
export interface WatchItemsRequest {
  readonly signal: AbortSignal;
}

/** GET /events/of-3.2: every documented answer; the edge adds the headers named in `Edge` */
export type WatchItemsAnswer<Edge extends string = never> = answers.ItemsAnswer<
  statuses.AnyStatus,
  "text/event-stream",
  answers.EventOf<
    types.operations["watchItems"]["responses"]["default"]["content"]["text/event-stream"]
  >,
  unknown,
  Edge
>;

export const watchItems: runtime.Operation = {
  operationId: "watchItems",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/events/of-3.2",
    operationId: "watchItems",
    responses: {
      default: {
        description: "Texts that hold JSON.",
        content: {
          "text/event-stream": {
            schema: z.looseObject({
              data: schemas.Thing,
              event: z.string().exactOptional(),
              id: z.string().nullable().exactOptional(),
            }),
          },
        },
      },
    },
  }),
  parameters: [],
  jsonEvents: ["default"],
};

/** GET /events/of-json: the request, checked */
export interface WatchJsonRequest {
  readonly signal: AbortSignal;
}

/** GET /events/of-json: every documented answer; the edge adds the headers named in `Edge` */
export type WatchJsonAnswer<Edge extends string = never> = answers.ItemsAnswer<
  200,
  "text/event-stream",
  answers.EventOf<types.operations["watchJson"]["responses"][200]["content"]["text/event-stream"]>,
  unknown,
  Edge
>;

export const watchJson: runtime.Operation = {
  operationId: "watchJson",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/events/of-json",
    operationId: "watchJson",
    responses: {
      200: {
        description: "What stands in data is described in its place.",
        content: {
          "text/event-stream": {
            schema: z.looseObject({
              data: keywords.anything(),
              event: z.string().exactOptional(),
              id: z.string().exactOptional(),
              retry: z.int().min(0).exactOptional(),
            }),
          },
        },
      },
    },
  }),
  parameters: [],
  jsonEvents: ["200"],
};

/** GET /events/plain: the request, checked */
export interface WatchTextsRequest {
  readonly signal: AbortSignal;
}

/** GET /events/plain: every documented answer; the edge adds the headers named in `Edge` */
export type WatchTextsAnswer<Edge extends string = never> =
  | answers.ItemsAnswer<
      200,
      "text/event-stream",
      answers.EventOf<
        types.operations["watchTexts"]["responses"][200]["content"]["text/event-stream"]
      >,
      unknown,
      Edge
    >
  | answers.ItemsAnswer<
      201,
      "text/event-stream",
      answers.EventOf<
        types.operations["watchTexts"]["responses"][201]["content"]["text/event-stream"]
      >,
      unknown,
      Edge
    >
  | answers.ItemsAnswer<
      202,
      "text/event-stream",
      answers.EventOf<
        types.operations["watchTexts"]["responses"][202]["content"]["text/event-stream"]
      >,
      unknown,
      Edge
    >
  | answers.ItemsAnswer<
      203,
      "text/event-stream",
      answers.EventOf<
        types.operations["watchTexts"]["responses"][203]["content"]["text/event-stream"]
      >,
      unknown,
      Edge
    >
  | answers.ItemsAnswer<
      206,
      "text/event-stream",
      answers.EventOf<
        types.operations["watchTexts"]["responses"][206]["content"]["text/event-stream"]
      >,
      unknown,
      Edge
    >;

export const watchTexts: runtime.Operation = {
  operationId: "watchTexts",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/events/plain",
    operationId: "watchTexts",
    responses: {
      200: {
        description: "Any.",
        content: {
          "text/event-stream": {
            schema: z.looseObject({
              data: keywords.anything(),
              event: z.string().exactOptional(),
              id: z.string().exactOptional(),
              retry: z.int().min(0).exactOptional(),
            }),
          },
        },
      },
      201: {
        description: "Any.",
        content: {
          "text/event-stream": {
            schema: z.looseObject({
              data: keywords.anything(),
              event: z.string().exactOptional(),
              id: z.string().exactOptional(),
              retry: z.int().min(0).exactOptional(),
            }),
          },
        },
      },
      202: {
        description: "Any event.",
        content: {
          "text/event-stream": {
            schema: z.looseObject({
              data: keywords.anything(),
              event: z.string().exactOptional(),
              id: z.string().exactOptional(),
              retry: z.int().min(0).exactOptional(),
            }),
          },
        },
      },
      203: {
        description: "A list of events.",
        content: {
          "text/event-stream": {
            schema: z.looseObject({
              data: z.int(),
            }),
          },
        },
      },
      206: {
        description: "Data in the place of an event, and a schema too many.",
        content: {
          "text/event-stream": {
            schema: z.looseObject({
              data: schemas.Thing,
              event: z.string().exactOptional(),
              id: z.string().exactOptional(),
              retry: z.int().min(0).exactOptional(),
            }),
          },
        },
      },
    },
  }),
  parameters: [],
};

/** GET /lines: the request, checked */
export interface ListLinesRequest {
  readonly signal: AbortSignal;
}

/** GET /lines: every documented answer; the edge adds the headers named in `Edge` */
export type ListLinesAnswer<Edge extends string = never> = answers.ItemsAnswer<
  200,
  "application/x-ndjson",
  types.Thing,
  unknown,
  Edge
>;

export const listLines: runtime.Operation = {
  operationId: "listLines",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/lines",
    operationId: "listLines",
    responses: {
      200: responses.Lines,
    },
  }),
  parameters: [],
};

/** POST /lines: the request, checked */
export interface SendLinesRequest {
  readonly body: readonly types.ThingRequest[];
  readonly signal: AbortSignal;
}

/** POST /lines: every documented answer; the edge adds the headers named in `Edge` */
export type SendLinesAnswer<Edge extends string = never> =
  | answers.ItemsAnswer<200, "application/jsonl", unknown, unknown, Edge>
  | answers.ItemsAnswer<
      200,
      "application/json-seq",
      types.operations["sendLines"]["responses"][200]["content"]["application/json-seq"],
      unknown,
      Edge
    >
  | answers.ItemsAnswer<200, "application/geo+json-seq", unknown, unknown, Edge>;

export const sendLines: runtime.Operation = {
  operationId: "sendLines",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/lines",
    operationId: "sendLines",
    request: {
      body: {
        required: true,
        content: { "application/x-ndjson": { schema: schemas.ThingRequest } },
      },
    },
    responses: {
      200: {
        description: "Whatever stands there.",
        content: {
          "application/jsonl": { schema: z.unknown() },
          "application/json-seq": { schema: z.int() },
          "application/geo+json-seq": { schema: z.unknown() },
        },
      },
    },
  }),
  parameters: [],
};

/** PUT /lines: the request, checked */
export interface StreamLinesRequest {
  readonly body:
    | {
        readonly contentType: "application/jsonl";
        readonly value: AsyncIterable<types.ThingRequest>;
      }
    | { readonly contentType: "application/json-seq"; readonly value: readonly unknown[] }
    | undefined;
  readonly signal: AbortSignal;
}

/** PUT /lines: every documented answer; the edge adds the headers named in `Edge` */
export type StreamLinesAnswer<Edge extends string = never> = answers.EmptyAnswer<
  204,
  unknown,
  Edge
>;

export const streamLines: runtime.Operation = {
  operationId: "streamLines",
  route: createRoute<string, RouteConfig>({
    method: "put",
    path: "/lines",
    operationId: "streamLines",
    request: {
      body: {
        required: false,
        content: {
          "application/jsonl": { schema: schemas.ThingRequest },
          "application/json-seq": { schema: z.unknown() },
        },
      },
    },
    responses: {
      204: { description: "Fine." },
    },
  }),
  parameters: [],
  bodies: { "application/jsonl": { isStream: true } },
};

/** PUT /bytes: the request, checked */
export interface PutBytesRequest {
  readonly body: ReadableStream<Uint8Array>;
  readonly signal: AbortSignal;
}

/** PUT /bytes: every documented answer; the edge adds the headers named in `Edge` */
export type PutBytesAnswer<Edge extends string = never> = answers.EmptyAnswer<204, unknown, Edge>;

export const putBytes: runtime.Operation = {
  operationId: "putBytes",
  route: createRoute<string, RouteConfig>({
    method: "put",
    path: "/bytes",
    operationId: "putBytes",
    request: {
      body: {
        required: true,
        content: {
          "application/octet-stream": {
            schema: z.string().check(keywords.minLength(1), keywords.maxLength(1000000000)),
          },
        },
      },
    },
    responses: {
      204: { description: "Fine." },
    },
  }),
  parameters: [],
  bodies: { "application/octet-stream": { bytesMin: 1, bytesMax: 1000000000, isStream: true } },
};

/** POST /bytes: the request, checked */
export interface PostBytesRequest {
  readonly body:
    | { readonly contentType: "text/csv"; readonly value: ReadableStream<Uint8Array> }
    | { readonly contentType: "application/zip"; readonly value: Uint8Array }
    | { readonly contentType: `image/${string}`; readonly value: ReadableStream<Uint8Array> }
    | {
        readonly contentType: `${string}/${string}`;
        readonly value: types.ThingRequest | Uint8Array;
      };
  readonly signal: AbortSignal;
}

/** POST /bytes: every documented answer; the edge adds the headers named in `Edge` */
export type PostBytesAnswer<Edge extends string = never> = answers.EmptyAnswer<204, unknown, Edge>;

export const postBytes: runtime.Operation = {
  operationId: "postBytes",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/bytes",
    operationId: "postBytes",
    request: {
      body: {
        required: true,
        content: {
          "text/csv": { schema: z.string().check(keywords.maxLength(50)) },
          "application/zip": { schema: z.string().check(keywords.maxLength(9)) },
          "image/*": { schema: z.unknown() },
          "*/*": { schema: schemas.ThingRequest },
        },
      },
    },
    responses: {
      204: { description: "Fine." },
    },
  }),
  parameters: [],
  bodies: {
    "text/csv": { bytesMax: 20, isStream: true },
    "application/zip": { bytesMax: 9 },
    "image/*": { isStream: true },
    "*/*": { mayBeJson: true },
  },
};

/** POST /range: the request, checked */
export interface PostRangeRequest {
  readonly body: { readonly contentType: `image/${string}`; readonly value: Uint8Array };
}

/** POST /range: every documented answer; the edge adds the headers named in `Edge` */
export type PostRangeAnswer<Edge extends string = never> =
  | answers.JsonAnswer<200, types.Thing, unknown, Edge>
  | answers.RawAnswer<200, `application/${string}`, unknown, Edge>;

export const postRange: runtime.Operation = {
  operationId: "postRange",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/range",
    operationId: "postRange",
    request: {
      body: { required: true, content: { "image/*": { schema: z.string() } } },
    },
    responses: {
      200: { description: "JSON or not.", content: { "application/*": { schema: schemas.Thing } } },
    },
  }),
  parameters: [],
};

/** POST /upload: the request, checked */
export interface UploadRequest {
  readonly body: answers.IncomingForm<
    answers.FieldsOf<
      NonNullable<types.operations["upload"]["requestBody"]>["content"]["multipart/form-data"],
      "file" | "more"
    >,
    "file" | "more"
  >;
  readonly signal: AbortSignal;
}

/** POST /upload: every documented answer; the edge adds the headers named in `Edge` */
export type UploadAnswer<Edge extends string = never> = answers.EmptyAnswer<204, unknown, Edge>;

export const upload: runtime.Operation = {
  operationId: "upload",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/upload",
    operationId: "upload",
    request: {
      body: {
        required: true,
        content: {
          "multipart/form-data": {
            schema: z.looseObject({
              title: z.string().check(keywords.maxLength(10)),
              thing: schemas.ThingRequest.exactOptional(),
              file: keywords.anything(),
              more: keywords.array(keywords.anything()).check(keywords.maxItems(2)).exactOptional(),
            }),
          },
        },
      },
    },
    responses: {
      204: { description: "Fine." },
    },
  }),
  parameters: [],
  parts: {
    "multipart/form-data": {
      title: { kind: { text: ["string"] }, isList: false },
      thing: { kind: "json", isList: false, contentTypes: ["application/json"] },
      file: { kind: { file: { maxBytes: 1000000, contentTypes: ["image/*"] } }, isList: false },
      more: { kind: { file: {} }, isList: true, itemsMax: 2 },
    },
  },
  partHeaders: {
    "multipart/form-data": {
      file: {
        schema: z.looseObject({
          "X-Checksum": z.string().regex(/^[0-9a-f]+$/u),
          "X-Count": z.int().exactOptional(),
        }),
        readings: { "X-Count": { kind: { scalar: ["integer"] }, explode: false } },
      },
    },
  },
  bodies: { "multipart/form-data": { bytesMax: 5000000, isStream: true } },
};

/** POST /upload/anything: the request, checked */
export interface UploadAnythingRequest {
  readonly body: answers.IncomingForm<Readonly<Record<string, unknown>>, string> | undefined;
  readonly signal: AbortSignal;
}

/** POST /upload/anything: every documented answer; the edge adds the headers named in `Edge` */
export type UploadAnythingAnswer<Edge extends string = never> = answers.EmptyAnswer<
  204,
  unknown,
  Edge
>;

export const uploadAnything: runtime.Operation = {
  operationId: "uploadAnything",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/upload/anything",
    operationId: "uploadAnything",
    request: {
      body: { required: false, content: { "multipart/form-data": { schema: z.unknown() } } },
    },
    responses: {
      204: { description: "Fine." },
    },
  }),
  parameters: [],
  bodies: { "multipart/form-data": { isStream: true } },
};

/** POST /upload/fields: the request, checked */
export interface UploadFieldsRequest {
  readonly body:
    | answers.IncomingForm<
        NonNullable<
          types.operations["uploadFields"]["requestBody"]
        >["content"]["multipart/form-data"],
        string
      >
    | undefined;
  readonly signal: AbortSignal;
}

/** POST /upload/fields: every documented answer; the edge adds the headers named in `Edge` */
export type UploadFieldsAnswer<Edge extends string = never> = answers.EmptyAnswer<
  204,
  unknown,
  Edge
>;

export const uploadFields: runtime.Operation = {
  operationId: "uploadFields",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/upload/fields",
    operationId: "uploadFields",
    request: {
      body: {
        required: false,
        content: {
          "multipart/form-data": {
            schema: keywords.byType(
              {
                object: z.looseObject({
                  title: z.string().exactOptional(),
                }),
              },
              "allowed",
            ),
          },
        },
      },
    },
    responses: {
      204: { description: "Fine." },
    },
  }),
  parameters: [],
  parts: { "multipart/form-data": { title: { kind: { text: ["string"] }, isList: false } } },
  bodies: { "multipart/form-data": { isStream: true } },
};

/** POST /form: the request, checked */
export interface PostFormRequest {
  readonly body:
    | NonNullable<
        types.operations["postForm"]["requestBody"]
      >["content"]["application/x-www-form-urlencoded"]
    | undefined;
}

/** POST /form: every documented answer; the edge adds the headers named in `Edge` */
export type PostFormAnswer<Edge extends string = never> = answers.EmptyAnswer<204, unknown, Edge>;

export const postForm: runtime.Operation = {
  operationId: "postForm",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/form",
    operationId: "postForm",
    request: {
      body: {
        required: false,
        content: {
          "application/x-www-form-urlencoded": {
            schema: keywords.byType(
              {
                object: z.looseObject({
                  commas: keywords.array(z.int()).exactOptional(),
                  pipes: keywords.array(z.string()).exactOptional(),
                  spaces: keywords.array(z.string()).exactOptional(),
                  usual: keywords.array(z.string()).exactOptional(),
                  spread: z
                    .looseObject({
                      r: z.int().exactOptional(),
                    })
                    .exactOptional(),
                  flat: z
                    .looseObject({
                      r: z.int().exactOptional(),
                    })
                    .exactOptional(),
                  deep: z
                    .looseObject({
                      r: z.int().exactOptional(),
                    })
                    .exactOptional(),
                  json: schemas.ThingRequest.exactOptional(),
                  text: z.string().exactOptional(),
                  one: z.int().exactOptional(),
                  image: z.string().exactOptional(),
                  nested: keywords
                    .array(
                      z.looseObject({
                        r: z.int().exactOptional(),
                      }),
                    )
                    .exactOptional(),
                }),
              },
              "allowed",
            ),
          },
        },
      },
    },
    responses: {
      204: { description: "Fine." },
    },
  }),
  parameters: [],
  forms: {
    "application/x-www-form-urlencoded": {
      commas: { kind: { array: ["integer"] }, style: "form", explode: false },
      pipes: { kind: { array: ["string"] }, style: "pipeDelimited", explode: false },
      spaces: { kind: { array: ["string"] }, style: "spaceDelimited", explode: false },
      usual: { array: ["string"] },
      spread: {
        kind: { object: { r: ["integer"] }, others: ["string"] },
        style: "form",
        explode: true,
      },
      flat: {
        kind: { object: { r: ["integer"] }, others: ["string"] },
        style: "form",
        explode: false,
      },
      deep: { object: { r: ["integer"] }, others: ["string"] },
      json: "json",
      text: { scalar: ["string"] },
      one: { scalar: ["integer"] },
      image: { scalar: ["string"] },
      nested: {
        tree: { items: { object: { r: { scalar: ["integer"] } }, others: { scalar: ["string"] } } },
      },
    },
  },
};

/** POST /json-encoding: the request, checked */
export interface PostJsonRequest {
  readonly body:
    | NonNullable<types.operations["postJson"]["requestBody"]>["content"]["application/json"]
    | undefined;
}

/** POST /json-encoding: every documented answer; the edge adds the headers named in `Edge` */
export type PostJsonAnswer<Edge extends string = never> = answers.EmptyAnswer<204, unknown, Edge>;

export const postJson: runtime.Operation = {
  operationId: "postJson",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/json-encoding",
    operationId: "postJson",
    request: {
      body: { required: false, content: { "application/json": { schema: keywords.anything() } } },
    },
    responses: {
      204: { description: "Fine." },
    },
  }),
  parameters: [],
};
