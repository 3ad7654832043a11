import { hash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { refusalBody } from "./answers.ts";
import { startServer } from "../programs/start-server.ts";
import type { TestServer } from "../programs/start-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server.close();
});

const get = (path: string, init?: RequestInit): Promise<Response> => fetch(server.url + path, init);

describe("GET /openapi.json", () => {
  test("serves the contract with a strong ETag", async () => {
    const response = await get("/openapi.json");
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("application/json");
    expect(response.headers.get("ETag")).toMatch(/^"[^"]+"$/);
    expect(await response.text()).toMatch(/^\{"openapi":"3\.1/);
  });

  test.each([
    ["the same", (etag: string) => etag],
    ["the same, weakly", (etag: string) => `W/${etag}`],
    ["a list with it", (etag: string) => `"other", ${etag}`],
    ["anything", () => "*"],
  ])("answers 304 without a body to a client that has %s", async (_name, condition) => {
    const etag = (await get("/openapi.json")).headers.get("ETag") ?? "";
    const response = await get("/openapi.json", { headers: { "If-None-Match": condition(etag) } });
    expect(response.status).toBe(304);
    expect(response.headers.get("ETag")).toBe(etag);
    expect(response.headers.get("X-Request-Id")).toMatch(/^req_/);
    expect(await response.text()).toBe("");
  });

  test("sends it again to a client that has another version", async () => {
    const response = await get("/openapi.json", { headers: { "If-None-Match": '"other"' } });
    expect(response.status).toBe(200);
  });
});

describe("GET /docs where the site is not built", () => {
  test("says so, and leads to the errors and the contract", async () => {
    const response = await get("/docs");
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(html).toContain("not available here");
    const links = Array.from(html.matchAll(/<a href="([^"]+)"/g), ([, link = ""]) => link);
    expect(links).toEqual(["docs/errors", "openapi.json"]);
    for (const link of links) {
      expect((await fetch(new URL(link, `${server.url}/docs`))).status).toBe(200);
    }
  });

  test("is a page without a script, and names nothing of another host", async () => {
    const response = await get("/docs");
    const html = await response.text();
    const [, style = ""] = /<style>([^]*?)<\/style>/.exec(html) ?? [];
    const policy = response.headers.get("Content-Security-Policy");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`style-src 'sha256-${hash("sha256", style, "base64")}'`);
    expect(policy).not.toMatch(/unsafe|https?:|\*|script-src/);
    expect(html).not.toMatch(/https?:\/\/|<script|\son\w+=|\bstyle=/);
  });

  test("is found behind a slash, too", async () => {
    expect((await get("/docs/")).url).toBe(`${server.url}/docs`);
  });

  test.each(["index.html", "package.json", "assets/app.js", "a/b/c", "errors/"])(
    "has nothing else: %j",
    async (name) => {
      const body = await refusalBody(await get(`/docs/${name}`), 404);
      expect(body.code).toBe("not_found");
    },
  );
});

describe("health", () => {
  test("/healthz says that the process lives", async () => {
    const response = await get("/healthz");
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: "alive" });
  });

  test("/readyz turns to 503 as soon as the process begins to stop, /healthz does not", async () => {
    expect((await get("/readyz")).status).toBe(200);
    server.setReady(false);
    const body = await refusalBody(await get("/readyz"), 503);
    expect(body.code).toBe("service_unavailable");
    expect((await get("/healthz")).status).toBe(200);
    server.setReady(true);
    expect((await get("/readyz")).status).toBe(200);
  });
});

describe("X-Request-Id", () => {
  test.each(["/healthz", "/readyz", "/docs", "/openapi.json", "/nowhere", "/v1/payments"])(
    "is on the answer and on the log line of %s",
    async (path) => {
      const id = (await get(path)).headers.get("X-Request-Id");
      expect(id).toMatch(/^req_[0-9A-HJKMNP-TV-Z]{26}$/);
      const lines = server.log.filter((line) => line["request_id"] === id);
      expect(lines).toMatchObject([{ method: "GET", path, msg: "answered" }]);
    },
  );

  test("is never the one that a client sends", async () => {
    const response = await get("/healthz", { headers: { "X-Request-Id": "chosen-by-me" } });
    expect(response.headers.get("X-Request-Id")).toMatch(/^req_/);
    expect(JSON.stringify(server.log)).not.toContain("chosen-by-me");
  });
});
