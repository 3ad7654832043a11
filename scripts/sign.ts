// Prints a signed request, as a curl to paste: npm run -s sign -- GET /v1/currencies

import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { signSync } from "./client/sign-sync.ts";
import type { SignedHeaders } from "./client/canonical.ts";

const help = `Signs one request and prints it.

  npm run -s sign -- METHOD PATH[?QUERY] [options]
  npm run -s sign -- GET '/v1/currencies?limit=5'
  npm run -s sign -- POST /v1/webhook-endpoints --body endpoint.json --idempotency-key hook-1
  echo '{"active":false}' | npm run -s sign -- POST /v1/webhook-endpoints/whe_.../status --body -

  --body FILE           the body; - reads standard input. Its bytes are sent as they are
  --idempotency-key K   for everything but GET; a random one is made when it is left out
  --url URL             where the service is (http://127.0.0.1:8080)
  --curl                print a curl command (this is the default)
  --headers             print the headers, one a line:  curl -H @<(npm run -s sign -- ... --headers)
  --json                print method, url, headers and body as JSON
  --key K --secret S    instead of the environment
  --help

The key and its secret come from MERCHANT_API_KEY and MERCHANT_API_SECRET. The command line is the
wrong place for a secret: every user of the machine can read it in the list of processes, and the
shell writes it into its history. --key and --secret are there for the demo key.

The printed request works once and for five minutes: a nonce is taken once, and the timestamp may
be 300 seconds off.`;

class UsageError extends Error {}

interface Signed {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        body: { type: "string" },
        "idempotency-key": { type: "string" },
        url: { type: "string", default: "http://127.0.0.1:8080" },
        curl: { type: "boolean" },
        headers: { type: "boolean" },
        json: { type: "boolean" },
        key: { type: "string" },
        secret: { type: "string" },
        help: { type: "boolean" },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

type Arguments = ReturnType<typeof readArguments>;

function signedRequest({ values, positionals }: Arguments): Signed {
  const [method, target, ...more] = positionals;
  if (method === undefined || target === undefined || more.length > 0) {
    throw new UsageError("say what to sign: METHOD PATH[?QUERY]");
  }
  if (!/^[A-Za-z]+$/.test(method)) throw new UsageError(`${method} is no method`);
  const key = values.key ?? process.env["MERCHANT_API_KEY"];
  const secret = values.secret ?? process.env["MERCHANT_API_SECRET"];
  if (!key || !secret) throw new UsageError("set MERCHANT_API_KEY and MERCHANT_API_SECRET");
  const url = urlOf(target, values.url);
  const body = values.body === undefined ? undefined : readBody(values.body);
  const isReading = /^(?:GET|HEAD)$/i.test(method);
  const madeKey = isReading ? undefined : `sign-${randomBytes(12).toString("hex")}`;
  const signed: SignedHeaders = signSync({
    key,
    secret,
    method,
    path: url.pathname,
    query: url.search.slice(1),
    body,
    idempotencyKey: values["idempotency-key"] ?? madeKey,
  });
  const type = body === undefined ? {} : { "Content-Type": "application/json" };
  return { method: method.toUpperCase(), url, headers: { ...signed, ...type }, body };
}

/** In the form that is sent: what is no character of a URL is percent-encoded, and then signed. */
function urlOf(target: string, base: string): URL {
  if (!target.startsWith("/")) throw new UsageError("the path begins with /");
  const origin = URL.parse(base);
  const url = URL.parse(base.replace(/\/+$/, "") + target);
  if (origin === null || url === null) throw new UsageError(`${base} is no URL`);
  if (url.pathname !== target.replace(/[?#].*$/s, "") && /\/\.{1,2}(?:\/|$)/.test(target)) {
    throw new UsageError("the service refuses dot segments in a path");
  }
  url.hash = "";
  return url;
}

function readBody(path: string): Buffer {
  try {
    // npm starts scripts in the project's folder; INIT_CWD is where the person is
    return readFileSync(path === "-" ? 0 : resolve(process.env["INIT_CWD"] ?? "", path));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`the body cannot be read: ${reason}`);
  }
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
  for (const [name, value] of Object.entries(headers))
    parts.push(`-H ${quoted(`${name}: ${value}`)}`);
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

function printed(signed: Signed, values: Arguments["values"]): string {
  const chosen = [values.curl, values.headers, values.json].filter(Boolean);
  if (chosen.length > 1) throw new UsageError("choose one of --curl, --headers, --json");
  const { method, url, headers, body } = signed;
  if (values.json) {
    const shown = { method, url: url.href, headers, body: body && textOf(body) };
    return JSON.stringify(shown, null, 2);
  }
  if (!values.headers) return curlOf(signed);
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

try {
  const given = readArguments();
  if (given.values.help) console.log(help);
  else console.log(printed(signedRequest(given), given.values));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`${error.message}\nnpm run -s sign -- --help says more`);
  process.exitCode = 2;
}
