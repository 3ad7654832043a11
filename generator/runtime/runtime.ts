// What an application sees of the generated routes: operations as data, the hooks around them, and
// the errors they throw.

import type { RouteConfig } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { z } from "zod";
import { listed, type Violation } from "./violations.ts";

export type { Violation } from "./violations.ts";

export type ParameterLocation = "path" | "query" | "header" | "cookie";

/** What a piece of text may stand for, in the order it is tried; "string" always fits. */
export type ScalarKind = "string" | "integer" | "number" | "boolean" | "null";

export type ParameterKind =
  | { readonly scalar: readonly ScalarKind[] }
  | { readonly array: readonly ScalarKind[] }
  | {
      readonly object: Readonly<Record<string, readonly ScalarKind[]>>;
      /** for names that are not listed */
      readonly others: readonly ScalarKind[];
    }
  /** values inside values, each under a name of its own: `filter[status][0]=new` */
  | { readonly tree: Tree }
  /** `content: application/json`: the text is a JSON document */
  | "json";

/** What may stand at a place of a tree; several where the contract leaves a choice. */
export interface Tree {
  readonly scalar?: readonly ScalarKind[];
  readonly items?: Tree;
  readonly object?: Readonly<Record<string, Tree>>;
  /** for names that are not listed */
  readonly others?: Tree;
}

export interface ParameterPlan {
  readonly in: ParameterLocation;
  /** the name as the contract writes it; header names match without regard to case */
  readonly name: string;
  readonly style:
    | "simple"
    | "label"
    | "matrix"
    | "form"
    | "spaceDelimited"
    | "pipeDelimited"
    | "deepObject"
    | "cookie";
  readonly explode: boolean;
  readonly kind: ParameterKind;
  /** used when the parameter is absent */
  readonly default?: unknown;
  /** whether nothing may stand behind its "=", whatever its schema says of empty texts */
  readonly allowEmptyValue?: boolean;
}

/** The whole query as one value, in a media type; the handler gets it as `query`. */
export interface Querystring {
  readonly required: boolean;
  readonly mediaType: string;
  /** of a form: what the text of each field stands for */
  readonly fields?: Readonly<Record<string, FormField>>;
  readonly schema: z.ZodType;
}

/** How a caller can show who it is (OpenAPI 3.1.1, section 4.8.27); `name` is the contract's. */
export type SecurityScheme = { readonly name: string } & (
  | {
      readonly type: "apiKey";
      readonly in: "query" | "header" | "cookie";
      /** of the query parameter, header or cookie */
      readonly parameter: string;
    }
  | {
      readonly type: "http";
      /** in lower case: "bearer", "basic", ... */
      readonly scheme: string;
      readonly bearerFormat?: string;
    }
  | { readonly type: "oauth2" | "mutualTLS" }
  | { readonly type: "openIdConnect"; readonly openIdConnectUrl: string }
);

export interface SecurityRequirement {
  readonly scheme: SecurityScheme;
  /** scopes, or of other schemes than OAuth's what the contract calls roles */
  readonly scopes: readonly string[];
}

/** One operation as data. The schemas of all parts stand in `route` (a `createRoute` object). */
export interface Operation {
  readonly operationId: string;
  /** method, path template, `request.{params,query,headers,cookies,body}`, `responses` */
  readonly route: RouteConfig;
  readonly parameters: readonly ParameterPlan[];
  /** in the place of query parameters */
  readonly querystring?: Querystring;
  /** property kinds of `application/x-www-form-urlencoded` bodies, by media type */
  readonly forms?: Readonly<Record<string, Readonly<Record<string, FormField>>>>;
  /** parts of `multipart/form-data` bodies, by media type and name */
  readonly parts?: Readonly<Record<string, Readonly<Record<string, PartPlan>>>>;
  /** headers that parts of multipart bodies come with, by media type and name */
  readonly partHeaders?: Readonly<Record<string, Readonly<Record<string, PartHeaders>>>>;
  /** what holds of bodies beside their schemas, by media type */
  readonly bodies?: Readonly<Record<string, BodyRules>>;
  /** answers (statuses as the contract writes them) whose events have JSON in `data` where it is a text, too */
  readonly jsonEvents?: readonly string[];
  /** headers of answers that are more than text, by status as the contract writes it and by name */
  readonly answerHeaders?: Readonly<Record<string, Readonly<Record<string, AnswerHeader>>>>;
  /**
   * one of these has to be met, and of it every part; an empty one is met by anybody. Absent: nothing is
   * asked. A list of none can be met by nobody: the operation is answered as if nobody had written it, and
   * `authenticate` is not called. The contract's own words for everything else it asks are in `extensions`
   */
  readonly security?: readonly (readonly SecurityRequirement[])[];
  /** the operation's `x-...`, where they are plain values or lists of them */
  readonly extensions?: Readonly<Record<string, Extension>>;
}

type PlainValue = string | number | boolean | null;
type Extension = PlainValue | readonly PlainValue[];

/** A list is exploded, and an object is a deepObject, where nothing else is said. */
export type FormField =
  | ParameterKind
  | {
      readonly kind: ParameterKind;
      readonly style: "form" | "spaceDelimited" | "pipeDelimited";
      readonly explode: boolean;
    };

export interface BodyRules {
  /** of bytes, and of a body that is read while it comes */
  readonly bytesMin?: number;
  readonly bytesMax?: number;
  /** the handler reads it while it comes; without `bytesMax` the limit of the edge holds */
  readonly isStream?: true;
  /** of a range: JSON that comes is read as such, and anything else is bytes */
  readonly mayBeJson?: true;
}

/** What a part of a multipart body stands for. */
export interface PartPlan {
  readonly kind: PartKind;
  /** whether it may come several times */
  readonly isList: boolean;
  /** of files: so many, and the next is refused before it is read */
  readonly itemsMax?: number;
  /** of a text or JSON: what it may be sent as, where the contract says so and the client says anything */
  readonly contentTypes?: readonly string[];
}

export type PartKind =
  | { readonly text: readonly ScalarKind[] }
  | "json"
  | {
      readonly file: {
        readonly minBytes?: number;
        readonly maxBytes?: number;
        /** of which it must be one; ranges such as "image/*" among them */
        readonly contentTypes?: readonly string[];
      };
    };

export interface PartHeaders {
  /** a zod object of them */
  readonly schema: z.ZodType;
  /** of those that are more than text */
  readonly readings: Readonly<Record<string, AnswerHeader>>;
}

/** How the text of a header is read; the style is simple. */
export type AnswerHeader = Pick<ParameterPlan, "kind" | "explode">;

type HeaderScalar = string | number | boolean | null;

/** A header as a handler gives it: a list is written with commas. */
export type HeaderValue = HeaderScalar | readonly HeaderScalar[];

/** What every hook can see of the request as it arrived. */
export interface RawRequest {
  readonly method: string;
  /** path exactly as on the request line, without query */
  readonly path: string;
  /** query exactly as on the request line, without "?", "" when there is none */
  readonly query: string;
  /** lower-case names; repeated headers joined by ", " as Node does */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** the body bytes as they were sent; empty when there is none */
  readonly body: Uint8Array;
  /** the peer's address, undefined when not served over a socket */
  readonly remoteAddress: string | undefined;
}

export type RequestProblem =
  | "invalid_request" // 400: violations of the contract
  | "invalid_json" // 400: body is not JSON (or not UTF-8, or deeper than allowed)
  | "not_found" // 404
  | "method_not_allowed" // 405; `allow` lists the methods
  | "body_too_large" // 413
  | "unsupported_media_type"; // 415

/** The request is wrong: by the contract, or by what an application knows besides. */
export class RequestError extends Error {
  readonly status: 400 | 404 | 405 | 413 | 415;
  readonly problem: RequestProblem;
  readonly violations: readonly Violation[];
  readonly allow: readonly string[];
  /** of a 415: the body came in a coding, whatever its type */
  readonly isAboutCoding: boolean;
  constructor(
    status: RequestError["status"],
    problem: RequestProblem,
    message: string,
    more: {
      readonly violations?: readonly Violation[];
      readonly allow?: readonly string[];
      readonly isAboutCoding?: boolean;
    } = {},
  ) {
    super(message);
    this.name = "RequestError";
    this.status = status;
    this.problem = problem;
    this.violations = listed(more.violations ?? []);
    this.allow = more.allow ?? [];
    this.isAboutCoding = more.isAboutCoding ?? false;
  }
}

export function invalidRequest(violations: readonly Violation[]): RequestError {
  const message = "the request does not match the contract";
  return new RequestError(400, "invalid_request", message, { violations });
}

export function invalidJson(message: string, violations: readonly Violation[]): RequestError {
  return new RequestError(400, "invalid_json", message, { violations });
}

/** A scaffolded handler nobody has written yet. */
export class NotImplementedError extends Error {
  readonly operationId: string;
  constructor(operationId: string) {
    super(`operation ${operationId} is not implemented`);
    this.name = "NotImplementedError";
    this.operationId = operationId;
  }
}

/** A handler's answer breaks the contract (only with `checkAnswers`). */
export class AnswerError extends Error {
  readonly operationId: string;
  constructor(operationId: string, message: string) {
    super(`${operationId}: ${message}`);
    this.name = "AnswerError";
    this.operationId = operationId;
  }
}

/** An answer on its way out: JSON unless `contentType` says otherwise. */
export interface WireAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, HeaderValue | undefined>>;
  readonly contentType?: string;
}

/** Hooks of the application around the generated routes. `State` is made first, once a request. */
export interface Edge<State, Caller> {
  /**
   * first thing called; cannot fail (request id, start time). The short way from Node, `nodeListener`, has no
   * context
   */
  readonly begin: (
    raw: Omit<RawRequest, "body">,
    operation: Operation | undefined,
    context?: Context,
  ) => State;
  /** `begin` is given the context always: nothing goes the short way */
  readonly needsContext?: boolean;
  /** after the raw body arrived and before anything is checked; throw to refuse */
  readonly authenticate: (
    raw: RawRequest,
    operation: Operation,
    state: State,
  ) => Caller | Promise<Caller>;
  /**
   * What else is wrong with a request that breaks the contract, so that all of it can be repaired in
   * one go; the contract's violations come first. Asked after `authenticate`, and never of a request
   * that follows the contract. `parts` are the `ValidParts` of the body.
   */
  readonly judge?: (
    parts: unknown,
    operation: Operation,
    caller: Caller,
  ) => readonly Violation[] | Promise<readonly Violation[]>;
  /**
   * a request that is refused before `authenticate` (no route serves it, its body is too large); throw to
   * refuse it in another way
   */
  readonly turnedAway?: (state: State) => void | Promise<void>;
  /** turns whatever was thrown into an answer; must not throw */
  readonly refuse: (error: unknown, state: State, operation: Operation | undefined) => WireAnswer;
  /** headers of every answer, refusals included */
  readonly headers: (state: State, status: number) => Readonly<Record<string, string>>;
  /** called once the answer has been handed to the transport */
  readonly answered?: (state: State, status: number, operation: Operation | undefined) => void;
  readonly bodyBytesMax: number;
  /** nesting of JSON bodies */
  readonly depthMax: number;
  /** check every answer against the contract too and fail loudly (tests, development) */
  readonly checkAnswers: boolean;
  /** check what `refuse` says, too; left out: as `checkAnswers` says */
  readonly checkRefusals?: boolean;
}

export type Handler = (request: never, caller: never) => WireAnswer | Promise<WireAnswer>;

/** Paths that the application serves besides the contract, with their methods. */
export interface RegisterOptions {
  readonly otherRoutes?: Readonly<Record<string, readonly string[]>>;
}
