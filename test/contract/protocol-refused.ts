// For each operation what HTTP or the document forbids, as bytes, and what is said of it.

import type { Operation } from "../support/contract-document.ts";
import { targetOf, validRequest } from "../support/contract-requests.ts";
import { rawRequest, type Refused } from "./protocol-requests.ts";

const hasBody = ({ body }: Operation): boolean => body !== undefined;
const hasNone = ({ body }: Operation): boolean => body === undefined;
const hasId = ({ path }: Operation): boolean => path.includes("{");
const always = (): boolean => true;
const text = ({ body }: { readonly body: unknown }): string => JSON.stringify(body);

function withLines(...lines: readonly string[]): Refused["bytes"] {
  return (credentials, operation) => rawRequest(credentials, operation, { lines });
}

function withBody(body: string | Buffer): Refused["bytes"] {
  return (credentials, operation) => rawRequest(credentials, operation, { body });
}

/** The body by hand, after lines that say how long it is. */
function byHand(lines: readonly string[], bodyOf: (body: string) => string): Refused["bytes"] {
  return (credentials, operation) => {
    const body = hasBody(operation) ? text(validRequest(operation)) : "{}";
    const head = rawRequest(credentials, operation, { lines, body, isBodyByHand: true });
    return Buffer.concat([head, Buffer.from(bodyOf(body), "latin1")]);
  };
}

function atPath(change: (target: string) => string): Refused["bytes"] {
  return (credentials, operation) => {
    const target = change(targetOf(validRequest(operation)));
    return rawRequest(credentials, operation, { target });
  };
}

const hex = (body: string): string => body.length.toString(16);
const chunkedLine = "Transfer-Encoding: chunked";

/** What is said, and of which operations; all that are asked about where nothing else stands. */
type Says = readonly [status: number, code: string, only?: Refused["only"]];

/** Of operations with a body, if not said otherwise. */
function operationSays(
  name: string,
  [status, code, only = hasBody]: Says,
  bytes: Refused["bytes"],
): Refused {
  return { name, bytes, status, code, by: "operation", only };
}

const malformed: Says = [400, "invalid_request"];

function serverSays(
  name: string,
  bytes: Refused["bytes"],
  [status, code, only = always]: Says = malformed,
): Refused {
  return { name, bytes, status, code, by: "server", only };
}

const json = [400, "invalid_json"] as const;
const media = [415, "unsupported_media_type"] as const;
const unknownPath = [404, "not_found"] as const;

const bodies: readonly Refused[] = [
  ...["text/plain", "application/json; charset=utf-16"].map((type) =>
    operationSays(`Content-Type ${type}`, media, (credentials, operation) =>
      rawRequest(credentials, operation, { contentType: type }),
    ),
  ),
  operationSays("no Content-Type", media, (credentials, operation) =>
    rawRequest(credentials, operation, { contentType: null }),
  ),
  ...["gzip", "x-unheard-of"].map((coding) =>
    operationSays(`Content-Encoding ${coding}`, media, withLines(`Content-Encoding: ${coding}`)),
  ),
  operationSays("half of the JSON", json, withBody('{"a":')),
  operationSays("a byte order mark", json, withBody("\ufeff{}")),
  operationSays("bytes that are no UTF-8", json, withBody(Buffer.from([0x7b, 0xff, 0x7d]))),
  operationSays("33 levels", json, withBody("[".repeat(33) + "]".repeat(33))),
  operationSays("levels without end", json, withBody("[".repeat(60_000))),
  operationSays("a name twice", [400, "invalid_request"], withBody('{"url":"a","url":"b"}')),
  operationSays("__proto__", [400, "invalid_request"], withBody('{"__proto__":{"admin":true}}')),
  operationSays(
    "a number of 400 digits",
    [400, "invalid_request"],
    withBody(`{"a":${"9".repeat(400)}}`),
  ),
  operationSays("one byte too many", [413, "body_too_large"], withBody(`"${"a".repeat(65_535)}"`)),
  operationSays("a body where none is taken", [400, "invalid_request", hasNone], withBody("{}")),
  operationSays(
    "one in chunks where none is taken",
    [400, "invalid_request", hasNone],
    byHand([chunkedLine], (body) => `${hex(body)}\r\n${body}\r\n0\r\n\r\n`),
  ),
];

const headers: readonly Refused[] = [
  ...["X-Api-Key: mk_test_0123456789abcdef", "X-Nonce: 0123456789abcdef", "X-Signature: 00"].map(
    (line) => operationSays(`a second ${line}`, [400, "invalid_header", always], withLines(line)),
  ),
  operationSays(
    "a second Idempotency-Key",
    [400, "invalid_header", ({ method }) => method !== "GET"],
    withLines("Idempotency-Key: an other"),
  ),
  serverSays("a second Host", withLines("Host: elsewhere")),
  serverSays("a second Content-Type", withLines("Content-Type: application/json"), [
    400,
    "invalid_header",
    hasBody,
  ]),
  serverSays(
    "two lengths",
    byHand(["Content-Length: 2", "Content-Length: 3"], () => "{}"),
  ),
  serverSays(
    "the same length twice",
    byHand(["Content-Length: 2", "Content-Length: 2"], () => "{}"),
  ),
  serverSays(
    "a list of lengths",
    byHand(["Content-Length: 2, 2"], () => "{}"),
  ),
  serverSays(
    "a length with a sign",
    byHand(["Content-Length: +2"], () => "{}"),
  ),
  serverSays(
    "a length below 0",
    byHand(["Content-Length: -1"], () => "{}"),
  ),
  serverSays(
    "a length in hex",
    byHand(["Content-Length: 0x2"], () => "{}"),
  ),
  serverSays(
    "a length and chunks",
    byHand(["Content-Length: 4", chunkedLine], () => "0\r\n\r\n"),
  ),
  serverSays(
    "chunks and a length",
    byHand([chunkedLine, "Content-Length: 4"], () => "0\r\n\r\n"),
  ),
  serverSays(
    "a coding after chunked",
    byHand(["Transfer-Encoding: chunked, gzip"], () => "0\r\n\r\n"),
  ),
  serverSays("a space before the colon", withLines("X-More : 1")),
  serverSays("a name that is none", withLines("X(More): 1")),
  serverSays("NUL in a value", withLines("X-More: a\0b")),
  serverSays("a bare CR in a value", withLines("X-More: a\rb")),
  serverSays("too much of it", withLines(`X-More: ${"a".repeat(17_000)}`), [
    431,
    "headers_too_large",
  ]),
  serverSays(
    "too many of it",
    withLines(...Array.from({ length: 101 }, (_, at) => `X-More-${at}: 1`)),
    [431, "headers_too_large"],
  ),
];

const chunks: readonly Refused[] = ["zz", "-1", "0x2", "", " ", "1;\n", "fffffffffffffffff"].map(
  (size) =>
    serverSays(
      `a chunk of the size ${JSON.stringify(size)}`,
      byHand([chunkedLine], (body) => `${size}\r\n${body}\r\n0\r\n\r\n`),
    ),
);
const brokenChunks: readonly Refused[] = [
  serverSays(
    "a chunk that is longer than it says",
    byHand([chunkedLine], (body) => `1\r\n${body}\r\n0\r\n\r\n`),
  ),
];

const paths: readonly Refused[] = [
  serverSays(
    "two slashes at its start",
    atPath((target) => `/${target}`),
  ),
  serverSays(
    "two slashes inside",
    atPath((target) => target.replace("/v1/", "/v1//")),
  ),
  serverSays(
    "a dot segment",
    atPath((target) => target.replace("/v1/", "/v1/./")),
  ),
  serverSays(
    "a way up and down again",
    atPath((target) => `/v1/..${target}`),
  ),
  serverSays(
    "the same in escapes",
    atPath((target) => `/v1/%2e%2E${target}`),
  ),
  serverSays(
    "an encoded slash",
    atPath((target) => `/v1%2f${target.slice(4)}`),
  ),
  serverSays(
    "an encoded backslash",
    atPath((target) => `/v1%5C${target.slice(4)}`),
  ),
  serverSays(
    "a broken escape",
    atPath((target) => `${target}%zz`),
  ),
  serverSays(
    "half of an escape",
    atPath((target) => `${target}%2`),
  ),
  serverSays(
    "bytes that are no UTF-8",
    atPath((target) => `${target}%ff`),
  ),
  serverSays(
    "a bare byte above ASCII",
    atPath((target) => `${target}\u00e9`),
  ),
  serverSays(
    "a slash at its end",
    atPath((target) => `${target}/`),
    unknownPath,
  ),
  serverSays(
    "capital letters",
    atPath((target) => target.replace("/v1/", "/V1/")),
    unknownPath,
  ),
  operationSays(
    "a needless escape",
    [400, "invalid_request", always],
    atPath((target) => target.replace("/v1/", "/%76%31/")),
  ),
  serverSays(
    "a fragment of a route",
    atPath((target) => `${target}%00`),
    [404, "not_found", ({ path }) => !path.endsWith("}")],
  ),
  operationSays(
    "a name of 8,000 characters",
    [400, "unknown_parameter", always],
    atPath((target) => `${target}?${"a".repeat(8_000)}=1`),
  ),
  operationSays(
    "a broken escape in its query",
    [400, "invalid_request", always],
    atPath((target) => `${target}?a=%zz`),
  ),
  operationSays(
    "an id of 9,000 characters",
    [400, "invalid_request", hasId],
    atPath((target) => target.replace(/(?<=\/)(?:\w+_)?[\w]+_\w+/, "a".repeat(9_000))),
  ),
];

export const refusedRequests: readonly Refused[] = [
  ...bodies,
  ...headers,
  ...chunks,
  ...brokenChunks,
  ...paths,
];
