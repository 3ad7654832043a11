// What goes wrong on purpose, what comes bit by bit, who else may ask, and a contract that changes.

import { readFileSync, writeFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { drawTroubles } from "../../../generator/mock/faults.ts";
import { DocumentError } from "../../../generator/problems.ts";
import type { JsonObject } from "../../../generator/suite/json.ts";
import { documentOf, serve, type Serving } from "./serving.ts";

const answer = (content: JsonObject): JsonObject => ({ "200": { description: "Fine.", content } });
const list: JsonObject = { type: "array", minItems: 40, items: { type: "string", minLength: 20 } };
const tick: JsonObject = {
  type: "object",
  required: ["data"],
  properties: { data: { const: "tick" }, event: { const: "t" } },
};
const document = documentOf({
  "/list": {
    get: {
      responses: {
        ...answer({ "application/json": { schema: list } }),
        "503": {
          description: "Later.",
          content: { "application/json": { schema: { const: "later" } } },
        },
      },
    },
  },
  "/events": { get: { responses: answer({ "text/event-stream": { schema: tick } }) } },
  "/lines": {
    get: {
      responses: answer({
        "application/x-ndjson": {
          schema: { type: "object", properties: { n: { type: "integer" } } },
        },
      }),
    },
  },
});

let serving: Serving | undefined;
afterEach(async () => {
  await serving?.close();
  serving = undefined;
});

async function ask(path: string, headers: Record<string, string> = {}, init: RequestInit = {}) {
  return fetch(`${serving?.url ?? ""}${path}`, { ...init, headers });
}

describe("a fault that is asked for:", () => {
  test("the connection breaks", async () => {
    serving = await serve(document);
    await expect(ask("/list", { Prefer: "fault=reset" })).rejects.toThrow("fetch failed");
    expect(serving.lines.at(-1)).toMatchObject({ status: 0, target: "/list" });
  });

  test("the body ends in the middle", async () => {
    serving = await serve(document);
    const response = await ask("/list", { Prefer: "fault=truncated" });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow("terminated");
    expect((await ask("/list")).status).toBe(200);
  });

  test("500, and 503 with Retry-After in the contract's words", async () => {
    serving = await serve(document);
    const broken = await ask("/list", { Prefer: "fault=500" });
    expect([broken.status, await broken.json()]).toMatchObject([500, { code: "fault" }]);
    const later = await ask("/list", { Prefer: "fault=503" });
    expect([later.status, later.headers.get("Retry-After"), await later.json()]).toEqual([
      503,
      "1",
      "later",
    ]);
  });
});

test("a share of requests has a fault, the same for the same seed", async () => {
  const seen = async (): Promise<readonly string[]> => {
    const own = await serve(document, {
      seed: 9,
      troubles: { latencyMilliseconds: [0, 0], faultPercent: 50 },
    });
    const found: string[] = [];
    for (let count = 0; count < 60; count++) {
      found.push(
        await fetch(`${own.url}/list`).then(
          async (response) =>
            response.text().then(
              () => String(response.status),
              () => "truncated",
            ),
          () => "reset",
        ),
      );
    }
    await own.close();
    return found;
  };
  const first = await seen();
  expect(await seen()).toEqual(first);
  expect(new Set(first)).toEqual(new Set(["200", "500", "503", "reset", "truncated"]));
});

test("the share and the range are what they are said to be", () => {
  const draw = drawTroubles({ latencyMilliseconds: [10, 20], faultPercent: 25 }, 4);
  const drawn = Array.from({ length: 4_000 }, () => draw(undefined));
  const faulty = drawn.filter(({ fault }) => fault !== undefined).length;
  expect(faulty / drawn.length).toBeGreaterThan(0.22);
  expect(faulty / drawn.length).toBeLessThan(0.28);
  const late = new Set(drawn.map(({ latencyMilliseconds }) => latencyMilliseconds));
  expect([Math.min(...late), Math.max(...late), late.size]).toEqual([10, 20, 11]);
});

test("an answer comes as late as it is asked for", async () => {
  serving = await serve(document);
  const started = performance.now();
  await ask("/list", { Prefer: "latency=80" });
  expect(performance.now() - started).toBeGreaterThan(75);
});

describe("a stream", () => {
  test("of events has one after the other", async () => {
    serving = await serve(document, { streamDelayMilliseconds: 30 });
    const started = performance.now();
    const response = await ask("/events");
    expect(response.headers.get("Content-Type")).toBe("text/event-stream");
    const chunks: string[] = [];
    for await (const chunk of response.body ?? [])
      chunks.push(new TextDecoder().decode(chunk as Uint8Array));
    expect(chunks.join("")).toMatch(/^(?:(?:event: t\n)?data: tick\n\n){3}$/);
    expect(chunks.length).toBeGreaterThan(1);
    expect(performance.now() - started).toBeGreaterThan(50);
  });

  test("of lines has a value in each", async () => {
    serving = await serve(document);
    const lines = (await (await ask("/lines")).text()).trimEnd().split("\n");
    expect(lines.length).toBe(3);
    for (const line of lines) expect(JSON.parse(line)).toBeTypeOf("object");
  });
});

describe("browsers of other origins", () => {
  test("may ask where it is said", async () => {
    serving = await serve(document, { cors: "https://app.example" });
    const headers = {
      Origin: "https://app.example",
      "Access-Control-Request-Method": "PUT",
      "Access-Control-Request-Headers": "x-a",
    };
    const preflight = await ask("/list", headers, { method: "OPTIONS" });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("Access-Control-Allow-Methods")).toBe("PUT");
    expect(preflight.headers.get("Access-Control-Allow-Headers")).toBe("x-a");
    for (const path of ["/list", "/nowhere", "/openapi.json"]) {
      expect((await ask(path)).headers.get("Access-Control-Allow-Origin")).toBe(
        "https://app.example",
      );
    }
  });

  test("may not where nobody has said so", async () => {
    serving = await serve(document);
    expect((await ask("/list")).headers.has("Access-Control-Allow-Origin")).toBe(false);
    const preflight = await ask(
      "/list",
      { "Access-Control-Request-Method": "GET" },
      { method: "OPTIONS" },
    );
    expect(preflight.status).toBe(405);
  });
});

test("a contract that has changed is served anew, one that is broken as it was", async () => {
  const own = await serve(document);
  serving = own;
  const [spec = ""] = own.reading.files;
  const text = readFileSync(spec, "utf8");
  writeFileSync(spec, text.replace("/lines", "/rows"));
  await own.reload();
  expect([(await ask("/rows")).status, (await ask("/lines")).status]).toEqual([200, 404]);
  writeFileSync(spec, text.replace('"integer"', '"intger"'));
  await expect(own.reload()).rejects.toThrow(DocumentError);
  expect((await ask("/rows")).status).toBe(200);
});
