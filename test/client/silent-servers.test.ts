// A server that accepts and says nothing, or stops in the middle: what ends a call then. The garbage collector runs
// meanwhile, since what only a Request holds is gone with it.

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signingFetch } from "../../scripts/client/signing-fetch.ts";
import { vectorKey as key, vectorSecret as secret } from "./vectors.ts";

setFlagsFromString("--expose-gc");
// the function that the flag makes
const collect = runInNewContext("gc") as () => void;

const answers: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
  "/nothing": () => undefined,
  "/head": (response) => response.writeHead(200).flushHeaders(),
  "/half": (response) => response.writeHead(200, { "Content-Length": "9" }).write('{"id":'),
  "/later": (response) => response.writeHead(503, { "Retry-After": "20" }).end("{}"),
};
const server = createServer((request, response) => {
  const { url = "" } = request;
  if (url === "/echo") request.pipe(response);
  else answers[url]?.(response);
});
let base = "";
let collecting: ReturnType<typeof setInterval>;
beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  collecting = setInterval(collect, 20);
});
afterAll(async () => {
  clearInterval(collecting);
  server.closeAllConnections();
  await once(server.close(), "close");
});

const inits = { GET: { method: "GET" }, POST: { method: "POST", body: "{}" } };

describe.each(["/nothing", "/head", "/half"])("%s", (path) => {
  test.each(["GET", "POST"] as const)("a %s ends after its time", async (method) => {
    const call = signingFetch({ key, secret }, { timeoutMilliseconds: 200, attemptsMax: 1 });
    await expect(call(base + path, inits[method])).rejects.toMatchObject({ name: "TimeoutError" });
  });

  test.each(["GET", "POST"] as const)(
    "a %s ends with its signal, by its reason",
    async (method) => {
      const call = signingFetch({ key, secret });
      const reason = new Error("enough");
      const controller = new AbortController();
      setTimeout(() => controller.abort(reason), 200);
      const init = { ...inits[method], signal: controller.signal };
      await expect(call(base + path, init)).rejects.toBe(reason);
      await expect(call(base + path, init)).rejects.toBe(reason);
    },
  );
});

describe("a body that is a stream", () => {
  const streamed = (body: ReadableStream): RequestInit & { readonly duplex: "half" } => ({
    method: "POST",
    body,
    duplex: "half",
  });

  test("and never ends, ends the call after its time, or with its signal", async () => {
    const call = signingFetch({ key, secret }, { timeoutMilliseconds: 200 });
    const endless = call(`${base}/later`, streamed(new ReadableStream()));
    await expect(endless).rejects.toMatchObject({ name: "TimeoutError" });
    const reason = new Error("enough");
    const init = { ...streamed(new ReadableStream()), signal: AbortSignal.abort(reason) };
    await expect(signingFetch({ key, secret })(`${base}/later`, init)).rejects.toBe(reason);
  });

  test("is sent as a whole", async () => {
    const stream = new Blob(['{"a":1}']).stream();
    const call = signingFetch({ key, secret }, { attemptsMax: 1 });
    const response = await call(`${base}/echo`, streamed(stream));
    expect(await response.text()).toBe('{"a":1}');
  });
});

test("a wait ends with the signal, by its reason", async () => {
  const call = signingFetch({ key, secret });
  const reason = new Error("enough");
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), 200);
  await expect(call(`${base}/later`, { signal: controller.signal })).rejects.toBe(reason);
});
