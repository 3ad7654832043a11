// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import { createRoute } from "@hono/zod-openapi";
import type { RouteConfig } from "@hono/zod-openapi";
import * as combinations from "../runtime/combinations.ts";
import * as keywords from "../runtime/keywords.ts";
import type * as runtime from "../runtime/runtime.ts";
import type * as answers from "../runtime/answers.ts";
import * as schemas from "../schemas.ts";
import type * as types from "../types.ts";

/** POST /several: the request, checked */
export interface PostSeveralRequest {
  readonly body:
    | { readonly contentType: "application/json"; readonly value: types.Thing }
    | {
        readonly contentType: "application/merge-patch+json";
        readonly value: NonNullable<
          types.operations["postSeveral"]["requestBody"]
        >["content"]["application/merge-patch+json"];
      }
    | {
        readonly contentType: "application/vnd.thing.v2+json";
        readonly value: NonNullable<
          types.operations["postSeveral"]["requestBody"]
        >["content"]["application/vnd.thing.v2+json"];
      }
    | { readonly contentType: "application/x-www-form-urlencoded"; readonly value: types.Thing }
    | { readonly contentType: "text/plain"; readonly value: string }
    | { readonly contentType: "application/octet-stream"; readonly value: Uint8Array };
}

/** POST /several: every documented answer; the edge adds the headers named in `Edge` */
export type PostSeveralAnswer<Edge extends string = never> =
  | answers.JsonAnswer<200, types.Thing, unknown, Edge>
  | answers.NamedJsonAnswer<
      200,
      "application/problem+json",
      types.operations["postSeveral"]["responses"][200]["content"]["application/problem+json"],
      unknown,
      Edge
    >
  | answers.RawAnswer<200, "text/csv", unknown, Edge>
  | answers.RawAnswer<200, "image/png", unknown, Edge>;

export const postSeveral: runtime.Operation = {
  operationId: "postSeveral",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/several",
    operationId: "postSeveral",
    request: {
      body: {
        required: true,
        content: {
          "application/json": { schema: schemas.Thing },
          "application/merge-patch+json": { schema: z.looseObject({}) },
          "application/vnd.thing.v2+json": {
            schema: combinations.allOf(
              schemas.Thing,
              keywords.byType(
                {
                  object: z.looseObject({
                    b: keywords.anything(),
                  }),
                },
                "allowed",
              ),
            ),
          },
          "application/x-www-form-urlencoded": { schema: schemas.Thing },
          "text/plain": { schema: z.string().check(keywords.maxLength(100)) },
          "application/octet-stream": { schema: z.unknown() },
        },
      },
    },
    responses: {
      200: {
        description: "What was sent, in its own form.",
        content: {
          "application/json": { schema: schemas.Thing },
          "application/problem+json": {
            schema: z.looseObject({
              title: z.string().exactOptional(),
            }),
          },
          "text/csv": { schema: z.string() },
          "image/png": { schema: z.unknown() },
        },
      },
    },
  }),
  parameters: [],
  forms: {
    "application/x-www-form-urlencoded": { a: { scalar: ["string"] }, b: { scalar: ["integer"] } },
  },
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
            schema: z.looseObject({
              name: z.string(),
              count: z.int().exactOptional(),
              tags: keywords.array(z.string()).exactOptional(),
              rows: keywords
                .array(
                  z.looseObject({
                    a: z.int().exactOptional(),
                  }),
                )
                .exactOptional(),
              ids: keywords.array(z.int()).exactOptional(),
              range: z
                .looseObject({
                  from: z.int().exactOptional(),
                })
                .exactOptional(),
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
  forms: {
    "application/x-www-form-urlencoded": {
      name: { scalar: ["string"] },
      count: { scalar: ["integer"] },
      tags: { array: ["string"] },
      rows: {
        tree: { items: { object: { a: { scalar: ["integer"] } }, others: { scalar: ["string"] } } },
      },
      ids: { tree: { items: { scalar: ["integer"] } } },
      range: { object: { from: ["integer"] }, others: ["string"] },
    },
  },
};

/** POST /other-form: the request, checked */
export interface PostOtherFormRequest {
  readonly body:
    | NonNullable<
        types.operations["postOtherForm"]["requestBody"]
      >["content"]["application/x-www-form-urlencoded"]
    | undefined;
}

/** POST /other-form: every documented answer; the edge adds the headers named in `Edge` */
export type PostOtherFormAnswer<Edge extends string = never> = answers.EmptyAnswer<
  204,
  unknown,
  Edge
>;

export const postOtherForm: runtime.Operation = {
  operationId: "postOtherForm",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/other-form",
    operationId: "postOtherForm",
    request: {
      body: {
        required: false,
        content: {
          "application/x-www-form-urlencoded": {
            schema: z.looseObject({
              tags: keywords.array(z.string()).exactOptional(),
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
  forms: {
    "application/x-www-form-urlencoded": {
      tags: { kind: { array: ["string"] }, style: "pipeDelimited", explode: false },
    },
  },
};

/** POST /upload: the request, checked */
export interface UploadRequest {
  readonly body: NonNullable<
    types.operations["upload"]["requestBody"]
  >["content"]["multipart/form-data"];
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
            schema: z.strictObject({
              file: keywords.anything(),
              more: keywords.array(keywords.anything()).check(keywords.maxItems(2)).exactOptional(),
              raw: keywords.anything().exactOptional(),
              typed: keywords.anything().exactOptional(),
              encoded: z.string().exactOptional(),
              note: z.string().check(keywords.maxLength(5)).exactOptional(),
              count: z.int().exactOptional(),
              tags: keywords.array(z.enum(["a", "b"])).exactOptional(),
              thing: schemas.Thing.exactOptional(),
              things: keywords.array(schemas.Thing).exactOptional(),
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
      file: {
        kind: { file: { minBytes: 1, maxBytes: 1000, contentTypes: ["image/png", "image/jpeg"] } },
        isList: false,
      },
      more: { kind: { file: {} }, isList: true, itemsMax: 2 },
      raw: { kind: { file: {} }, isList: false },
      typed: { kind: { file: {} }, isList: false },
      encoded: { kind: { text: ["string"] }, isList: false },
      note: { kind: { text: ["string"] }, isList: false },
      count: { kind: { text: ["integer"] }, isList: false },
      tags: { kind: { text: ["string"] }, isList: true },
      thing: { kind: "json", isList: false },
      things: { kind: "json", isList: true },
    },
  },
};

/** POST /shared-upload: the request, checked */
export interface SharedUploadRequest {
  readonly body:
    | {
        readonly contentType: "Multipart/Form-Data";
        readonly value: NonNullable<
          types.operations["sharedUpload"]["requestBody"]
        >["content"]["Multipart/Form-Data"];
      }
    | { readonly contentType: "application/json"; readonly value: types.Upload }
    | undefined;
}

/** POST /shared-upload: every documented answer; the edge adds the headers named in `Edge` */
export type SharedUploadAnswer<Edge extends string = never> = answers.EmptyAnswer<
  204,
  unknown,
  Edge
>;

export const sharedUpload: runtime.Operation = {
  operationId: "sharedUpload",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/shared-upload",
    operationId: "sharedUpload",
    request: {
      body: {
        required: false,
        content: {
          "Multipart/Form-Data": {
            schema: combinations.allOf(
              schemas.Thing,
              z.looseObject({
                scan: keywords.anything(),
              }),
            ),
          },
          "application/json": { schema: schemas.Upload },
        },
      },
    },
    responses: {
      204: { description: "Fine." },
    },
  }),
  parameters: [],
  parts: {
    "Multipart/Form-Data": {
      a: { kind: { text: ["string"] }, isList: false },
      b: { kind: { text: ["integer"] }, isList: false },
      scan: { kind: { file: {} }, isList: false },
    },
  },
};

/** POST /one-part: the request, checked */
export interface PostOnePartRequest {
  readonly body:
    | NonNullable<types.operations["postOnePart"]["requestBody"]>["content"]["multipart/form-data"]
    | undefined;
}

/** POST /one-part: every documented answer; the edge adds the headers named in `Edge` */
export type PostOnePartAnswer<Edge extends string = never> = answers.EmptyAnswer<
  204,
  unknown,
  Edge
>;

export const postOnePart: runtime.Operation = {
  operationId: "postOnePart",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/one-part",
    operationId: "postOnePart",
    request: {
      body: {
        required: false,
        content: {
          "multipart/form-data": {
            schema: keywords.byType(
              {
                object: z.looseObject({
                  either: combinations.anyOf(keywords.array(z.int()), z.int()).exactOptional(),
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
  parts: { "multipart/form-data": { either: { kind: { text: ["integer"] }, isList: false } } },
};

/** POST /form-as-it-is: the request, checked */
export interface PostFormAsItIsRequest {
  readonly body: FormData;
}

/** POST /form-as-it-is: every documented answer; the edge adds the headers named in `Edge` */
export type PostFormAsItIsAnswer<Edge extends string = never> = answers.EmptyAnswer<
  204,
  unknown,
  Edge
>;

export const postFormAsItIs: runtime.Operation = {
  operationId: "postFormAsItIs",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/form-as-it-is",
    operationId: "postFormAsItIs",
    request: {
      body: { required: true, content: { "multipart/form-data": { schema: z.unknown() } } },
    },
    responses: {
      204: { description: "Fine." },
    },
  }),
  parameters: [],
};

/** PUT /text: the request, checked */
export interface PutTextRequest {
  readonly body: string | undefined;
}

/** PUT /text: every documented answer; the edge adds the headers named in `Edge` */
export type PutTextAnswer<Edge extends string = never> = answers.EmptyAnswer<204, unknown, Edge>;

export const putText: runtime.Operation = {
  operationId: "putText",
  route: createRoute<string, RouteConfig>({
    method: "put",
    path: "/text",
    operationId: "putText",
    request: {
      body: {
        required: false,
        content: { "text/markdown": { schema: z.string().check(keywords.minLength(1)) } },
      },
    },
    responses: {
      204: { description: "Fine." },
    },
  }),
  parameters: [],
};

/** PUT /bytes: the request, checked */
export interface PutBytesRequest {
  readonly body: Uint8Array;
}

/** PUT /bytes: every documented answer; the edge adds the headers named in `Edge` */
export type PutBytesAnswer<Edge extends string = never> =
  | answers.JsonAnswer<200, unknown, unknown, Edge>
  | answers.RawAnswer<200, `${string}/${string}`, unknown, Edge>;

export const putBytes: runtime.Operation = {
  operationId: "putBytes",
  route: createRoute<string, RouteConfig>({
    method: "put",
    path: "/bytes",
    operationId: "putBytes",
    request: {
      body: { required: true, content: { "application/pdf": { schema: z.string() } } },
    },
    responses: {
      200: { description: "The bytes.", content: { "*/*": { schema: z.unknown() } } },
    },
  }),
  parameters: [],
};

/** POST /unheard: the request, checked */
export interface PostUnheardRequest {
  readonly body:
    | { readonly contentType: "application/xml"; readonly value: Uint8Array }
    | { readonly contentType: "text/xml"; readonly value: string }
    | { readonly contentType: "application/soap+xml"; readonly value: Uint8Array }
    | { readonly contentType: "application/x-ndjson"; readonly value: readonly types.Thing[] }
    | { readonly contentType: "application/octet-stream"; readonly value: Uint8Array }
    | { readonly contentType: "image/png"; readonly value: Uint8Array }
    | undefined;
  readonly signal: AbortSignal;
}

/** POST /unheard: every documented answer; the edge adds the headers named in `Edge` */
export type PostUnheardAnswer<Edge extends string = never> =
  | answers.ItemsAnswer<
      200,
      "text/event-stream",
      answers.EventOf<
        types.operations["postUnheard"]["responses"][200]["content"]["text/event-stream"]
      >,
      unknown,
      Edge
    >
  | answers.RawAnswer<200, "application/zip", unknown, Edge>
  | answers.RawAnswer<200, "application/gzip", unknown, Edge>;

export const postUnheard: runtime.Operation = {
  operationId: "postUnheard",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/unheard",
    operationId: "postUnheard",
    request: {
      body: {
        required: false,
        content: {
          "application/xml": { schema: z.unknown() },
          "text/xml": { schema: z.unknown() },
          "application/soap+xml": { schema: z.string() },
          "application/x-ndjson": { schema: schemas.Thing },
          "application/octet-stream": { schema: z.string().check(keywords.maxLength(10)) },
          "image/png": { schema: schemas.File_2 },
        },
      },
    },
    responses: {
      200: {
        description: "As it is.",
        content: {
          "text/event-stream": {
            schema: z.looseObject({
              data: schemas.Thing,
              event: z.string().exactOptional(),
              id: z.string().exactOptional(),
              retry: z.int().min(0).exactOptional(),
            }),
          },
          "application/zip": { schema: schemas.File_2 },
          "application/gzip": { schema: z.unknown() },
        },
      },
    },
  }),
  parameters: [],
  bodies: { "application/octet-stream": { bytesMax: 10 } },
};

/** POST /parameter: the request, checked */
export interface PostParameterRequest {
  readonly body: types.Thing;
}

/** POST /parameter: every documented answer; the edge adds the headers named in `Edge` */
export type PostParameterAnswer<Edge extends string = never> = answers.EmptyAnswer<
  204,
  unknown,
  Edge
>;

export const postParameter: runtime.Operation = {
  operationId: "postParameter",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/parameter",
    operationId: "postParameter",
    request: {
      body: {
        required: true,
        content: { "application/json; version=1.0.0": { schema: schemas.Thing } },
      },
    },
    responses: {
      204: { description: "Fine." },
    },
  }),
  parameters: [],
};

/** POST /anything: the request, checked */
export interface PostAnythingRequest {
  readonly body: unknown;
}

/** POST /anything: every documented answer; the edge adds the headers named in `Edge` */
export type PostAnythingAnswer<Edge extends string = never> = answers.EmptyAnswer<
  204,
  unknown,
  Edge
>;

export const postAnything: runtime.Operation = {
  operationId: "postAnything",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/anything",
    operationId: "postAnything",
    request: {
      body: { required: true, content: { "application/json": { schema: z.unknown() } } },
    },
    responses: {
      204: { description: "Fine." },
    },
  }),
  parameters: [],
};

/** POST /shared: the request, checked */
export interface PostSharedRequest {
  readonly body: types.Thing;
}

/** POST /shared: every documented answer; the edge adds the headers named in `Edge` */
export type PostSharedAnswer<Edge extends string = never> = answers.EmptyAnswer<204, unknown, Edge>;

export const postShared: runtime.Operation = {
  operationId: "postShared",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/shared",
    operationId: "postShared",
    request: {
      body: { required: true, content: { "application/json": { schema: schemas.Thing } } },
    },
    responses: {
      204: { description: "Fine." },
    },
  }),
  parameters: [],
};

/** POST /ranges: the request, checked */
export interface PostRangesRequest {
  readonly body:
    | { readonly contentType: `text/${string}`; readonly value: string }
    | {
        readonly contentType: `${string}/${string}`;
        readonly value:
          NonNullable<types.operations["postRanges"]["requestBody"]>["content"]["*/*"] | Uint8Array;
      }
    | {
        readonly contentType: "application/json; version=1";
        readonly value: NonNullable<
          types.operations["postRanges"]["requestBody"]
        >["content"]["application/json; version=1"];
      }
    | {
        readonly contentType: "application/json; version=2";
        readonly value: NonNullable<
          types.operations["postRanges"]["requestBody"]
        >["content"]["application/json; version=2"];
      }
    | undefined;
}

/** POST /ranges: every documented answer; the edge adds the headers named in `Edge` */
export type PostRangesAnswer<Edge extends string = never> =
  | answers.RawAnswer<200, `image/${string}`, unknown, Edge>
  | answers.JsonAnswer<200, types.Thing, unknown, Edge>
  | answers.RawAnswer<200, `${string}/${string}`, unknown, Edge>;

export const postRanges: runtime.Operation = {
  operationId: "postRanges",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/ranges",
    operationId: "postRanges",
    request: {
      body: {
        required: false,
        content: {
          "text/*": { schema: z.string() },
          "*/*": { schema: z.looseObject({}) },
          "application/json; version=1": { schema: z.string() },
          "application/json; version=2": { schema: z.int() },
        },
      },
    },
    responses: {
      200: {
        description: "Of any type that fits.",
        content: { "image/*": { schema: z.unknown() }, "*/*": { schema: schemas.Thing } },
      },
    },
  }),
  parameters: [],
  bodies: { "*/*": { mayBeJson: true } },
};
