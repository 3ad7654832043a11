// Requests as bytes, for each operation: right ones, and ones that HTTP or the document forbids.

import { type Operation, operations } from "../support/contract-document.ts";
import type { Credentials } from "../../scripts/client/canonical.ts";
import { signedHeaders, targetOf, validRequest } from "../support/contract-requests.ts";

export interface RawWish {
  readonly method?: string;
  readonly target?: string;
  readonly version?: string;
  /** further lines, after those of the signature */
  readonly lines?: readonly string[];
  /** in place of an example of the document */
  readonly body?: string | Buffer;
  /** its lines and bytes are in `lines` and behind the head, by hand */
  readonly isBodyByHand?: boolean;
  /** left out: it is JSON where there is a body */
  readonly contentType?: string | null;
}

/** Signed, whatever else is wrong with it. */
export function rawRequest(
  credentials: Credentials,
  operation: Operation,
  wish: RawWish = {},
): Buffer {
  const plain = validRequest(operation);
  const { method = operation.method, target = targetOf(plain), version = "1.1" } = wish;
  const example = plain.body === undefined ? "" : JSON.stringify(plain.body);
  const body = Buffer.from(wish.body ?? example);
  const headers = signedHeaders(
    { ...credentials, url: "" },
    { method, target, headers: plain.headers, body: Uint8Array.from(body) },
  );
  const { contentType = body.length === 0 ? null : "application/json" } = wish;
  const lines = [
    `${method} ${target} HTTP/${version}`,
    "Host: localhost",
    ...Array.from(headers, ([name, value]) => `${name}: ${value}`),
    ...(contentType === null ? [] : [`Content-Type: ${contentType}`]),
    ...(wish.isBodyByHand === true || body.length === 0 ? [] : [`Content-Length: ${body.length}`]),
    ...(wish.lines ?? []),
  ];
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  return wish.isBodyByHand === true ? head : Buffer.concat([head, body]);
}

/** In chunks of the sizes that are told; the text of a size is sent as it is. */
export function chunked(body: string, sizes: readonly [text: string, bytes: number][]): string {
  let at = 0;
  const chunks = sizes.map(([text, bytes]) => {
    const piece = body.slice(at, at + bytes);
    at += bytes;
    return `${text}\r\n${piece}\r\n`;
  });
  return chunks.join("");
}

/** What a path answers to, by the document; HEAD is asked as GET is. */
export function methodsAt(path: string): readonly string[] {
  const methods = operations.filter((one) => one.path === path).map(({ method }) => method);
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : [])].toSorted();
}

export interface Refused {
  readonly name: string;
  readonly bytes: (credentials: Credentials, operation: Operation) => Buffer;
  readonly status: number;
  readonly code: string;
  /** who refuses it: the operation, or the server before anybody knows which operation is meant */
  readonly by: "operation" | "server";
  readonly only?: (operation: Operation) => boolean;
}
