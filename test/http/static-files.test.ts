// Files that never change: compressed for whoever takes that, with a tag for each coding, and not sent
// again to whoever has them.

import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { once } from "node:events";
import { request } from "node:http";
import type { IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildStaticFile, codingFor } from "../../adapters/http/static-file.ts";
import { startServer } from "../programs/start-server.ts";
import type { TestServer } from "../programs/start-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server.close();
});

interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
}

/** As it comes, unlike with fetch, which decompresses. */
async function get(
  path: string,
  headers: Readonly<Record<string, string>>,
  method = "GET",
): Promise<Answer> {
  const sent = request(server.url + path, { headers, method });
  sent.end();
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  const { statusCode: status, headers: told } = answer;
  return { status, headers: told, bytes: await buffer(answer) };
}

const decoders = { br: brotliDecompressSync, gzip: gunzipSync } as const;
/** At most: the contract has 274 kB, the page of the errors 64 kB. */
const files = [
  ["/openapi.json", 50_000],
  ["/docs/errors", 20_000],
] as const;

describe.each(files)("%s", (path, bytesMax) => {
  test.each(["br", "gzip"] as const)("is sent as %s to whoever takes that", async (coding) => {
    const plain = await get(path, {});
    expect(plain.headers["content-encoding"]).toBeUndefined();
    const answer = await get(path, { "Accept-Encoding": coding });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      "content-encoding": coding,
      vary: "Accept-Encoding",
      "content-type": plain.headers["content-type"],
      "content-length": String(answer.bytes.byteLength),
    });
    expect(answer.bytes.byteLength).toBeLessThan(bytesMax);
    expect(decoders[coding](answer.bytes).equals(plain.bytes)).toBe(true);
    expect(answer.headers["etag"]).toMatch(/^"[^"]+"$/);
    expect(answer.headers["etag"]).not.toBe(plain.headers["etag"]);
  });

  test("is not sent to whoever has it, in that coding", async () => {
    const tags = new Map<string, string>();
    for (const coding of ["br", "gzip", "identity"]) {
      const { headers } = await get(path, { "Accept-Encoding": coding });
      tags.set(coding, String(headers["etag"]));
    }
    expect(new Set(tags.values()).size).toBe(3);
    for (const coding of tags.keys()) {
      for (const [owned, tag] of tags) {
        const answer = await get(path, { "Accept-Encoding": coding, "If-None-Match": `W/${tag}` });
        const seen = { coding, owned, status: answer.status };
        expect(seen).toEqual({ coding, owned, status: coding === owned ? 304 : 200 });
        if (answer.status !== 304) continue;
        expect(answer.bytes.byteLength).toBe(0);
        expect(answer.headers).toMatchObject({ etag: tag, vary: "Accept-Encoding" });
        expect(answer.headers["content-encoding"]).toBeUndefined();
      }
    }
  });

  test("its head is that of the whole", async () => {
    const whole = await get(path, { "Accept-Encoding": "br" });
    const head = await get(path, { "Accept-Encoding": "br" }, "HEAD");
    expect(head.bytes.byteLength).toBe(0);
    for (const name of ["etag", "content-encoding", "content-type", "vary"]) {
      expect(head.headers[name]).toBe(whole.headers[name]);
    }
  });
});

test.each([
  ["text/css", 1000, "br"],
  ["text/css", 999, undefined],
  ["application/json; charset=utf-8", 5000, "br"],
  ["image/svg+xml", 5000, "br"],
  ["image/png", 5000, undefined],
])("%s of %i bytes is sent as %s", async (type, bytes, coding) => {
  const whole = { status: 200, content: "a".repeat(bytes), headers: { "Content-Type": type } };
  const file = buildStaticFile(() => whole);
  const asked = new Request("http://localhost/", { headers: { "Accept-Encoding": "br, gzip" } });
  const { headers } = await file(asked, {});
  expect(headers["Content-Encoding"]).toBe(coding);
  expect(headers["Vary"]).toBe(coding === undefined ? undefined : "Accept-Encoding");
});

test("a file is asked for once, and again where that has failed", async () => {
  let asked = 0;
  const file = buildStaticFile(() => {
    asked += 1;
    if (asked === 1) throw new Error("too many open files");
    return { status: 200, content: "x", headers: {} };
  });
  await expect(file(new Request("http://localhost/"), {})).rejects.toThrow("too many open files");
  const answers = await Promise.all(
    [1, 2].map(async () => file(new Request("http://localhost/"), {})),
  );
  expect(answers).toMatchObject([{ status: 200 }, { status: 200 }]);
  expect(asked).toBe(2);
});

test.each([
  [null, "identity"],
  ["", "identity"],
  ["gzip, deflate, br, zstd", "br"],
  ["GZIP", "gzip"],
  ["gzip;q=1.0, br;q=0.5", "gzip"],
  ["br;q=0, gzip", "gzip"],
  ["br;q=0.1", "br"],
  ["*", "br"],
  ["*;q=0.5, br;q=0", "gzip"],
  ["deflate", "identity"],
  ["identity, br;q=0.5", "identity"],
  ["*;q=0", "identity"],
  ["identity;q=0, *;q=0", "identity"],
  ["br;q=nonsense", "br"],
  [",,;;==,gzip", "gzip"],
])("Accept-Encoding: %s is %s", (field, coding) => {
  expect(codingFor(field, ["br", "gzip", "identity"])).toBe(coding);
});

test("people who come to the root are led to the reference", async () => {
  const answer = await get("/", {});
  expect(answer).toMatchObject({ status: 302, headers: { location: "docs" } });
  expect((await fetch(`${server.url}/`)).url).toBe(`${server.url}/docs`);
});
