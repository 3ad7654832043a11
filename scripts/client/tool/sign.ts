// Prints a signed request, as a curl to paste.

import { randomBytes } from "node:crypto";
import type { SignedHeaders } from "../canonical.ts";
import { signSync } from "../sign-sync.ts";
import {
  type Command,
  type Given,
  keysOf,
  readInput,
  secretsHelp,
  serviceOptions,
  serviceUrl,
} from "./command.ts";
import { UsageError } from "./failures.ts";

const help = (program: string): string => `Signs one request and prints it.

  ${program} METHOD PATH[?QUERY] [options]
  ${program} GET '/v1/currencies?limit=5'
  ${program} POST /v1/webhook-endpoints --body endpoint.json --idempotency-key hook-1
  echo '{"active":false}' | ${program} POST /v1/webhook-endpoints/whe_.../status --body -

  --body FILE           the body; - reads standard input. Its bytes are sent as they are
  --idempotency-key K   for everything but GET; a random one is made when it is left out
  --url URL             where the service is (PAY_URL, or else http://127.0.0.1:8080)
  --curl                print a curl command (this is the default)
  --headers             print the headers, one a line:  curl -H @<(${program} ... --headers)
  --json                print method, url, headers and body as JSON, in one line
  --key K --secret S    instead of the environment
  --help

The key and its secret come from MERCHANT_API_KEY and MERCHANT_API_SECRET. ${secretsHelp}
--key and --secret are there for the demo key.

The printed command is for a POSIX shell (sh, bash, zsh; on Windows Git Bash or WSL).

The printed request works once and for five minutes: a nonce is taken once, and the timestamp may
be 300 seconds off.`;

interface Signed {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

export const sign: Command = {
  help,
  options: {
    ...serviceOptions,
    body: { type: "string" },
    "idempotency-key": { type: "string" },
    curl: { type: "boolean" },
    headers: { type: "boolean" },
  },
  run: (given, output) => {
    const signed = signedRequest(given);
    const chosen = ["curl", "headers", "json"].filter((name) => given.isSet(name));
    if (chosen.length > 1) throw new UsageError("choose one of --curl, --headers, --json");
    const { method, url, headers, body } = signed;
    const isText = !given.isSet("headers");
    const record = {
      method,
      url: url.href,
      headers,
      body: isText ? body && textOf(body) : undefined,
    };
    output.exact(isText ? curlOf(signed) : linesOf(headers), record);
  },
};

function signedRequest(given: Given): Signed {
  const [method, target, ...more] = given.words;
  if (method === undefined || target === undefined || more.length > 0) {
    throw new UsageError("say what to sign: METHOD PATH[?QUERY]");
  }
  if (!/^[A-Za-z]+$/.test(method)) throw new UsageError(`${method} is no method`);
  const url = urlOf(target, serviceUrl(given));
  const path = given.text("body");
  const body = path === undefined ? undefined : readInput("body", path);
  const isReading = /^(?:GET|HEAD)$/i.test(method);
  const madeKey = isReading ? undefined : `sign-${randomBytes(12).toString("hex")}`;
  const signed: SignedHeaders = signSync({
    ...keysOf(given),
    method,
    path: url.pathname,
    query: url.search.slice(1),
    body,
    idempotencyKey: given.text("idempotency-key") ?? madeKey,
  });
  const type = body === undefined ? {} : { "Content-Type": "application/json" };
  return { method: method.toUpperCase(), url, headers: { ...signed, ...type }, body };
}

/** In the form that is sent: what is no character of a URL is percent-encoded, and then signed. */
function urlOf(target: string, base: string): URL {
  if (!target.startsWith("/")) throw new UsageError("the path begins with /");
  if (!URL.canParse(base + target)) throw new UsageError(`${base}${target} is no URL`);
  const url = new URL(base + target);
  if (url.pathname !== target.replace(/[?#].*$/s, "") && /\/\.{1,2}(?:\/|$)/.test(target)) {
    throw new UsageError("the service refuses dot segments in a path");
  }
  url.hash = "";
  return url;
}

function linesOf(headers: Signed["headers"]): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

/** In single quotes a shell takes every character for itself, but for the quote. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function curlOf({ method, url, headers, body }: Signed): string {
  const parts = ["curl -sS -i"];
  if (method === "HEAD") parts.push("--head");
  else if (method !== "GET") parts.push(`--request ${method}`);
  // curl would read [ ] { } as patterns of many URLs, and @ as the name of a file
  if (/[[\]{}]/.test(url.href)) parts.push("--globoff");
  parts.push(quoted(url.href));
  for (const [name, value] of Object.entries(headers)) {
    parts.push(`-H ${quoted(`${name}: ${value}`)}`);
  }
  if (body !== undefined) parts.push(`--data-raw ${quoted(textOf(body))}`);
  return parts.join(" \\\n  ");
}

function textOf(body: Buffer): string {
  const text = body.toString("utf8");
  if (text.includes("\0") || !Buffer.from(text, "utf8").equals(body)) {
    throw new UsageError("a body that is no text cannot stand in a command; use --headers");
  }
  return text;
}
