// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import { createRoute } from "@hono/zod-openapi";
import type { RouteConfig } from "@hono/zod-openapi";
import * as combinations from "../runtime/combinations.ts";
import * as keywords from "../runtime/keywords.ts";
import * as objects from "../runtime/objects.ts";
import type * as runtime from "../runtime/runtime.ts";
import type * as answers from "../runtime/answers.ts";
import * as parameters from "../parameters.ts";
import * as schemas from "../schemas.ts";
import type * as types from "../types.ts";

/** GET /simple/{id}: the request, checked */
export interface GetSimpleRequest {
  readonly path: answers.Present<types.operations["getSimple"]["parameters"]["path"]>;
  readonly query: answers.Present<types.operations["getSimple"]["parameters"]["query"], "page">;
}

/** GET /simple/{id}: every documented answer; the edge adds the headers named in `Edge` */
export type GetSimpleAnswer<Edge extends string = never> = answers.EmptyAnswer<204, unknown, Edge>;

export const getSimple: runtime.Operation = {
  operationId: "getSimple",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/simple/{id}",
    operationId: "getSimple",
    request: {
      params: z.looseObject({
        id: z.int().min(1),
      }),
      query: z.looseObject({
        verbose: z.enum(["little", "much"]),
        page: parameters.Page.schema.exactOptional(),
        id: z.string().exactOptional(),
      }),
    },
    responses: {
      204: { description: "Fine." },
    },
  }),
  parameters: [
    { in: "path", name: "id", style: "simple", explode: false, kind: { scalar: ["integer"] } },
    { in: "query", name: "verbose", style: "form", explode: true, kind: { scalar: ["string"] } },
    parameters.Page,
    { in: "query", name: "id", style: "form", explode: true, kind: { scalar: ["string"] } },
  ],
};

/** HEAD /simple/{id}: the request, checked */
export interface HeadSimpleRequest {
  readonly path: answers.Present<types.operations["headSimple"]["parameters"]["path"]>;
  readonly query: answers.Present<
    types.operations["headSimple"]["parameters"]["query"],
    "verbose" | "page"
  >;
}

/** HEAD /simple/{id}: every documented answer; the edge adds the headers named in `Edge` */
export type HeadSimpleAnswer<Edge extends string = never> = answers.EmptyAnswer<204, unknown, Edge>;

export const headSimple: runtime.Operation = {
  operationId: "headSimple",
  route: createRoute<string, RouteConfig>({
    method: "head",
    path: "/simple/{id}",
    operationId: "headSimple",
    request: {
      params: z.looseObject({
        id: z.int().min(1),
      }),
      query: z.looseObject({
        verbose: z.boolean().exactOptional(),
        page: parameters.Page.schema.exactOptional(),
      }),
    },
    responses: {
      204: { description: "Fine." },
    },
  }),
  parameters: [
    { in: "path", name: "id", style: "simple", explode: false, kind: { scalar: ["integer"] } },
    {
      in: "query",
      name: "verbose",
      style: "form",
      explode: true,
      kind: { scalar: ["boolean"] },
      default: false,
    },
    parameters.Page,
  ],
};

/** GET /styles/{label}/{matrix}/{list}/{range}.{ending}: the request, checked */
export interface GetStylesRequest {
  readonly path: answers.Present<types.operations["getStyles"]["parameters"]["path"]>;
  readonly query: answers.Present<types.operations["getStyles"]["parameters"]["query"]>;
  readonly headers: answers.Present<types.operations["getStyles"]["parameters"]["header"]>;
  readonly cookies: answers.Present<types.operations["getStyles"]["parameters"]["cookie"]>;
}

/** GET /styles/{label}/{matrix}/{list}/{range}.{ending}: every documented answer; the edge adds the headers named in `Edge` */
export type GetStylesAnswer<Edge extends string = never> = answers.EmptyAnswer<204, unknown, Edge>;

export const getStyles: runtime.Operation = {
  operationId: "getStyles",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/styles/{label}/{matrix}/{list}/{range}.{ending}",
    operationId: "getStyles",
    request: {
      params: z.looseObject({
        label: keywords.array(z.int()),
        matrix: keywords.array(z.string()),
        list: keywords.array(z.string()).check(keywords.minItems(1)),
        range: schemas.Range,
        ending: z.literal("json"),
      }),
      query: z.looseObject({
        exploded: keywords.array(z.string()).exactOptional(),
        comma: keywords.array(z.int()).check(keywords.uniqueItems()).exactOptional(),
        space: keywords.array(z.string()).exactOptional(),
        pipe: keywords.array(z.boolean()).exactOptional(),
        filter: schemas.Range.exactOptional(),
        tree: schemas.Tree.exactOptional(),
        ids: keywords.array(z.int()).exactOptional(),
        created: combinations.anyOf(z.int(), schemas.Range).exactOptional(),
        flag: z.boolean().exactOptional(),
        rows: keywords.array(schemas.Range).exactOptional(),
        spread: objects
          .members({
            properties: [["from", z.int(), "optional"]],
            others: z.string(),
          })
          .exactOptional(),
        choice: combinations.anyOf(z.int(), z.null(), z.literal("all")).exactOptional(),
        one: combinations.oneOf(z.int(), z.boolean()).exactOptional(),
        both: combinations
          .allOf(z.int(), keywords.byType({ number: z.number().min(1) }, "allowed"))
          .exactOptional(),
        whatever: keywords.anything().exactOptional(),
      }),
      headers: z.looseObject({
        "X-Trace": z.string(),
        "x-flags": keywords.array(z.boolean()).exactOptional(),
      }),
      cookies: z.looseObject({
        session: z.string().exactOptional(),
      }),
    },
    responses: {
      204: { description: "Fine." },
    },
  }),
  parameters: [
    { in: "path", name: "label", style: "label", explode: false, kind: { array: ["integer"] } },
    { in: "path", name: "matrix", style: "matrix", explode: true, kind: { array: ["string"] } },
    { in: "path", name: "list", style: "simple", explode: false, kind: { array: ["string"] } },
    {
      in: "path",
      name: "range",
      style: "simple",
      explode: false,
      kind: { object: { from: ["integer"], to: ["null", "integer"] }, others: ["string"] },
    },
    { in: "path", name: "ending", style: "simple", explode: false, kind: { scalar: ["string"] } },
    { in: "query", name: "exploded", style: "form", explode: true, kind: { array: ["string"] } },
    { in: "query", name: "comma", style: "form", explode: false, kind: { array: ["integer"] } },
    {
      in: "query",
      name: "space",
      style: "spaceDelimited",
      explode: false,
      kind: { array: ["string"] },
    },
    {
      in: "query",
      name: "pipe",
      style: "pipeDelimited",
      explode: false,
      kind: { array: ["boolean"] },
    },
    {
      in: "query",
      name: "filter",
      style: "deepObject",
      explode: true,
      kind: { object: { from: ["integer"], to: ["null", "integer"] }, others: ["string"] },
    },
    {
      in: "query",
      name: "tree",
      style: "deepObject",
      explode: false,
      kind: {
        tree: {
          object: {
            name: { scalar: ["string"] },
            kinds: { items: { scalar: ["string"] } },
            parts: {
              items: {
                object: {
                  name: { scalar: ["string"] },
                  kinds: { items: { scalar: ["string"] } },
                  parts: {
                    items: {
                      object: {
                        name: { scalar: ["string"] },
                        kinds: { items: { scalar: ["string"] } },
                        parts: { items: { scalar: ["string"] } },
                        or: {
                          scalar: ["null"],
                          object: {
                            from: { scalar: ["integer"] },
                            to: { scalar: ["null", "integer"] },
                          },
                          others: { scalar: ["string"] },
                        },
                      },
                      others: { scalar: ["string"] },
                    },
                  },
                  or: {
                    scalar: ["null"],
                    object: { from: { scalar: ["integer"] }, to: { scalar: ["null", "integer"] } },
                    others: { scalar: ["string"] },
                  },
                },
                others: { scalar: ["string"] },
              },
            },
            or: {
              scalar: ["null"],
              object: { from: { scalar: ["integer"] }, to: { scalar: ["null", "integer"] } },
              others: { scalar: ["string"] },
            },
          },
          others: { scalar: ["string"] },
        },
      },
    },
    {
      in: "query",
      name: "ids",
      style: "deepObject",
      explode: false,
      kind: { tree: { items: { scalar: ["integer"] } } },
    },
    {
      in: "query",
      name: "created",
      style: "deepObject",
      explode: false,
      kind: {
        tree: {
          scalar: ["integer"],
          object: { from: { scalar: ["integer"] }, to: { scalar: ["null", "integer"] } },
          others: { scalar: ["string"] },
        },
      },
    },
    {
      in: "query",
      name: "flag",
      style: "form",
      explode: true,
      kind: { scalar: ["boolean"] },
      allowEmptyValue: true,
    },
    { in: "query", name: "rows", style: "form", explode: true, kind: { array: ["string"] } },
    {
      in: "query",
      name: "spread",
      style: "form",
      explode: true,
      kind: { object: { from: ["integer"] }, others: ["string"] },
    },
    {
      in: "query",
      name: "choice",
      style: "form",
      explode: true,
      kind: { scalar: ["null", "integer", "string"] },
    },
    {
      in: "query",
      name: "one",
      style: "form",
      explode: true,
      kind: { scalar: ["boolean", "integer"] },
    },
    { in: "query", name: "both", style: "form", explode: true, kind: { scalar: ["integer"] } },
    { in: "query", name: "whatever", style: "form", explode: true, kind: { scalar: ["string"] } },
    {
      in: "header",
      name: "X-Trace",
      style: "simple",
      explode: false,
      kind: { scalar: ["string"] },
    },
    {
      in: "header",
      name: "x-flags",
      style: "simple",
      explode: false,
      kind: { array: ["boolean"] },
    },
    { in: "cookie", name: "session", style: "form", explode: true, kind: { scalar: ["string"] } },
  ],
};

/** GET /content: the request, checked */
export interface GetContentRequest {
  readonly query: answers.Present<types.operations["getContent"]["parameters"]["query"]>;
  readonly headers: answers.Present<types.operations["getContent"]["parameters"]["header"]>;
}

/** GET /content: every documented answer; the edge adds the headers named in `Edge` */
export type GetContentAnswer<Edge extends string = never> = answers.EmptyAnswer<204, unknown, Edge>;

export const getContent: runtime.Operation = {
  operationId: "getContent",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/content",
    operationId: "getContent",
    request: {
      query: z.looseObject({
        query: schemas.Range,
        note: z.string().check(keywords.maxLength(3)).exactOptional(),
      }),
      headers: z.looseObject({
        "X-Scope": keywords.anything().exactOptional(),
      }),
    },
    responses: {
      204: { description: "Fine." },
    },
  }),
  parameters: [
    { in: "query", name: "query", style: "form", explode: true, kind: "json" },
    { in: "query", name: "note", style: "form", explode: true, kind: { scalar: ["string"] } },
    { in: "header", name: "X-Scope", style: "simple", explode: false, kind: "json" },
  ],
};

/** GET /defaults: the request, checked */
export interface GetDefaultsRequest {
  readonly query: answers.Present<
    types.operations["getDefaults"]["parameters"]["query"],
    "size" | "tags" | "order" | "page"
  >;
  readonly headers: answers.Present<
    types.operations["getDefaults"]["parameters"]["header"],
    "X-Mode"
  >;
}

/** GET /defaults: every documented answer; the edge adds the headers named in `Edge` */
export type GetDefaultsAnswer<Edge extends string = never> = answers.EmptyAnswer<
  204,
  unknown,
  Edge
>;

export const getDefaults: runtime.Operation = {
  operationId: "getDefaults",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/defaults",
    operationId: "getDefaults",
    request: {
      query: z.looseObject({
        size: schemas.Size.exactOptional(),
        tags: keywords.array(z.string()).exactOptional(),
        order: z.enum(["up", "down"]).exactOptional(),
        page: parameters.Page.schema.exactOptional(),
      }),
      headers: z.looseObject({
        "X-Mode": z.string().exactOptional(),
      }),
    },
    responses: {
      204: { description: "Fine." },
    },
  }),
  parameters: [
    {
      in: "query",
      name: "size",
      style: "form",
      explode: true,
      kind: { scalar: ["integer"] },
      default: 10,
    },
    {
      in: "query",
      name: "tags",
      style: "form",
      explode: true,
      kind: { array: ["string"] },
      default: ["a", "b"],
    },
    {
      in: "query",
      name: "order",
      style: "form",
      explode: true,
      kind: { scalar: ["string"] },
      default: "up",
    },
    {
      in: "header",
      name: "X-Mode",
      style: "simple",
      explode: false,
      kind: { scalar: ["string"] },
      default: "plain",
    },
    parameters.Page,
  ],
};

/** GET /headers: the request, checked */
export interface GetHeadersRequest {
  readonly query: answers.Present<types.operations["getHeaders"]["parameters"]["query"]>;
  readonly headers: answers.Present<types.operations["getHeaders"]["parameters"]["header"]>;
}

/** GET /headers: every documented answer; the edge adds the headers named in `Edge` */
export type GetHeadersAnswer<Edge extends string = never> = answers.EmptyAnswer<204, unknown, Edge>;

export const getHeaders: runtime.Operation = {
  operationId: "getHeaders",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/headers",
    operationId: "getHeaders",
    request: {
      query: objects.named([
        ["constructor", z.string(), "optional"],
        ["__proto__", z.string(), "optional"],
        ["filter[name]", z.string(), "optional"],
      ]),
      headers: z.looseObject({
        "x-request-id": z.string().check(keywords.minLength(8)),
      }),
    },
    responses: {
      204: { description: "Fine." },
    },
  }),
  parameters: [
    {
      in: "header",
      name: "x-request-id",
      style: "simple",
      explode: false,
      kind: { scalar: ["string"] },
    },
    {
      in: "query",
      name: "constructor",
      style: "form",
      explode: true,
      kind: { scalar: ["string"] },
    },
    { in: "query", name: "__proto__", style: "form", explode: true, kind: { scalar: ["string"] } },
    {
      in: "query",
      name: "filter[name]",
      style: "form",
      explode: true,
      kind: { scalar: ["string"] },
    },
  ],
};
