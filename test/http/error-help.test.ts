// The page that every error leads to, over HTTP: each Link is followed as a client would.

import { hash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NotImplementedError, RequestError } from "../../generated/runtime/runtime.ts";
import type { Violation } from "../../generated/runtime/runtime.ts";
import { statusByCode, TransportError } from "../../handlers/errors.ts";
import type { ErrorCode } from "../../handlers/errors.ts";
import { ServiceError, serviceErrorCodes } from "../../service/errors.ts";
import { startServer } from "../programs/start-server.ts";
import type { TestServer } from "../programs/start-server.ts";

let server: TestServer;
let thrown: unknown;
beforeAll(async () => {
  const handler = (): never => {
    throw thrown;
  };
  server = await startServer({ handler, isUnchecked: true });
});
afterAll(async () => {
  await server.close();
});

const codes = Object.keys(statusByCode) as ErrorCode[]; // its keys are codes

const violations: Readonly<Partial<Record<ErrorCode, Violation>>> = {
  invalid_request: { in: "body", pointer: "", rule: "type", message: "" },
  missing_header: { in: "header", pointer: "/X-Nonce", rule: "required", message: "" },
  invalid_header: { in: "header", pointer: "/X-Nonce", rule: "pattern", message: "" },
  unknown_parameter: { in: "query", pointer: "/x", rule: "unknown", message: "" },
  invalid_limit: { in: "query", pointer: "/limit", rule: "maximum", message: "" },
};

const problems = {
  invalid_json: 400,
  not_found: 404,
  method_not_allowed: 405,
  body_too_large: 413,
  unsupported_media_type: 415,
} as const;

/** What has to be thrown for a refusal with this code. */
function errorOf(code: ErrorCode): Error {
  const violation = violations[code];
  if (violation !== undefined) {
    return new RequestError(400, "invalid_request", "no", { violations: [violation] });
  }
  for (const [problem, status] of Object.entries(problems)) {
    if (problem === code) return new RequestError(status, code as keyof typeof problems, "no");
  }
  const ofService = serviceErrorCodes.find((one) => one === code);
  if (ofService !== undefined) return new ServiceError(ofService, "no");
  if (code === "not_implemented") return new NotImplementedError("listCurrencies");
  if (code === "request_timeout" || code === "headers_too_large") {
    return new TransportError(code, "no");
  }
  return new Error("of nobody");
}

/** RFC 8288: the target of the relation `help`, resolved against the address of the request. */
function helpOf(response: Response): URL {
  const [, target = ""] = /^<([^>]+)>; rel="help"$/.exec(response.headers.get("Link") ?? "") ?? [];
  return new URL(target, response.url);
}

test.each(codes)("the Link of %s leads to its entry", async (code) => {
  thrown = errorOf(code);
  const target = "/v1/currencies";
  const headers = server.sign({ method: "GET", target });
  const refused = await fetch(server.url + target, { headers });
  expect(refused.status).toBe(statusByCode[code]);
  expect(await refused.json()).toMatchObject({ code });
  const help = helpOf(refused);
  const page = await fetch(help);
  expect([page.status, page.headers.get("Content-Type")]).toEqual([
    200,
    "text/html; charset=utf-8",
  ]);
  const entries = (await page.text()).split(/(?=<section )/);
  const entry = entries.find((one) => one.startsWith(`<section id="${help.hash.slice(1)}">`));
  expect(help.hash).toBe(`#${code}`);
  expect(entry).toContain(`<h3><code>${code}</code></h3>`);
  expect(entry).toContain(`<dd>${statusByCode[code]}, to `);
});

describe("the page", () => {
  const get = () => fetch(`${server.url}/docs/errors`);

  test("needs no script and nothing of another host, and forbids both", async () => {
    const page = await get();
    const text = await page.text();
    const [, style = ""] = /<style>([^]*?)<\/style>/.exec(text) ?? [];
    expect(page.headers.get("Content-Security-Policy")).toBe(
      [
        "default-src 'none'",
        `style-src 'sha256-${hash("sha256", style, "base64")}'`,
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ].join("; "),
    );
    expect(page.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(text).not.toMatch(/<script|\bstyle=|\son\w+=|https?:\/\//);
  });

  test("has an entry for every code, and every link in it leads somewhere", async () => {
    const text = await (await get()).text();
    const ids = Array.from(text.matchAll(/ id="([^"]+)"/g), ([, id = ""]) => id);
    expect(ids.toSorted()).toEqual(codes.toSorted());
    const links = Array.from(text.matchAll(/<a href="([^"]+)"/g), ([, link = ""]) => link);
    const [contract, ...others] = links.toSorted(
      (one, other) => Number(one[0] === "#") - Number(other[0] === "#"),
    );
    expect(new Set(others)).toEqual(new Set(codes.map((code) => `#${code}`)));
    const response = await fetch(new URL(contract ?? "", `${server.url}/docs/errors`));
    expect(response.headers.get("Content-Type")).toBe("application/json");
  });

  test("is compressed, and is not sent again to who has it", async () => {
    const wish = { "Accept-Encoding": "br" };
    const first = await fetch(`${server.url}/docs/errors`, { headers: wish });
    expect(first.headers.get("Content-Encoding")).toBe("br");
    expect(first.headers.get("Cache-Control")).toBe("no-cache");
    const headers = { ...wish, "If-None-Match": first.headers.get("ETag") ?? "" };
    expect((await fetch(`${server.url}/docs/errors`, { headers })).status).toBe(304);
    const other = await fetch(`${server.url}/docs/errors`, { method: "POST" });
    expect([other.status, other.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
    expect(helpOf(other).hash).toBe("#method_not_allowed");
  });
});

test.each(["/nowhere", "/a/b/c/d", "/docs/errors/more", "/v1/payments/"])(
  "the Link of what is nowhere leads there from %s too",
  async (path) => {
    const refused = await fetch(server.url + path);
    expect(refused.status).toBe(404);
    expect(helpOf(refused).href).toBe(`${server.url}/docs/errors#not_found`);
  },
);
