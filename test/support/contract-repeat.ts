// A request as commands that send it again, signed anew: with the key and the secret of the environment,
// so that no report ever holds one. What a test has signed wrongly on purpose is signed rightly here.

import type { PlainRequest } from "./contract-requests.ts";

/** The server that CONTRACT_URL names, or one that `npm start` has started. */
const anyServer = '"${CONTRACT_URL:-http://127.0.0.1:8080}"';

/** For bash; MERCHANT_API_KEY and MERCHANT_API_SECRET are set. `server`: its address, where it is known. */
export function repeatCommands(request: PlainRequest, server?: string): string {
  const url = server === undefined ? anyServer : quoted(server);
  const { method, target, headers = {}, absent = [], body } = request;
  const hasBody = body !== undefined && body.length > 0;
  const named = Object.entries(headers);
  const key = named.find(([name]) => name.toLowerCase() === "idempotency-key");
  // What is given by hand, or left out on purpose, is not taken from the signature.
  const dropped = [...named.map(([name]) => name), ...absent];
  const signing = [
    `npm run -s sign -- ${method} ${quoted(target)} --url ${url} --headers`,
    ...(key === undefined || key[1] === "" ? [] : [`--idempotency-key ${quoted(key[1])}`]),
    ...(hasBody ? ['--body "$body"'] : []),
    ...dropped.map((name) => `| grep -vi ${quoted(`^${name}:`)}`),
  ];
  const curl = [
    `curl -sS -i --globoff --path-as-is --request ${method}`,
    `-H @<(${signing.join(" ")})`,
    ...named.map(
      ([name, value]) => `-H ${quoted(value === "" ? `${name};` : `${name}: ${value}`)}`,
    ),
    ...(hasBody ? ['--data-binary @"$body"'] : []),
    url + quoted(target),
  ];
  return [...(hasBody ? storing(body) : []), curl.join(" \\\n  ")].join("\n");
}

/** Bytes that are no text go through base64: a command line holds text only. */
function storing(body: NonNullable<PlainRequest["body"]>): readonly string[] {
  const bytes = Buffer.from(body);
  const text = bytes.toString("utf8");
  const isText = Buffer.from(text, "utf8").equals(bytes) && !text.includes("\0");
  const printing = isText
    ? `printf %s ${quoted(text)}`
    : `printf %s ${bytes.toString("base64")} | base64 -d`;
  return ["body=$(mktemp)", `${printing} > "$body"`];
}

/** In single quotes a shell takes every character for itself, but for the quote. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
