// What a client makes of answers: documented ones, those of no contract, and what breaks.

import { describe, expect, test } from "vitest";
import { generate, type LooseClient } from "./both-sides.ts";
import { answered, jsonOf, shop } from "./shop.ts";

const generated = generate(shop);
const rex = { id: "1", name: "Rex" };
const missing = { code: "not_found", message: "There is no such pet." };

const getPet = async (response: Response | Error) => {
  const { client, ...others } = await answered(generated, [response]);
  return { ...others, client, call: () => client["pets"]?.["getPet"]?.({ pet_id: "1" }) };
};

const headersOf = (type: string) => ({ headers: { "Content-Type": type } });

describe("documented", () => {
  test("a success is its body", async () => {
    const { call, requests } = await getPet(jsonOf(200, rex));
    expect(await call()).toEqual(rex);
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "GET https://shop.example/v1/pets/1",
    ]);
    expect(requests[0]?.headers.get("Accept")).toBe("application/json");
  });

  test.each([
    [404, missing],
    [409, { code: "taken", message: "Another has it." }],
    [503, { code: "unavailable", message: "Not now." }],
  ])("%i is thrown, with its code", async (status, body) => {
    const { call, client, ResponseError } = await getPet(
      jsonOf(status, body, { "Retry-After": "7" }),
    );
    const error: unknown = await call()?.catch((one: unknown) => one);
    expect(error).toBeInstanceOf(ResponseError);
    expect(error).toMatchObject({
      name: "ResponseError",
      operationId: "getPet",
      message: `getPet: ${status} ${body.code} ${body.message}`,
      status,
      body,
      code: body.code,
    });
    const { headers } = error as { headers: Headers };
    expect(headers.get("Retry-After")).toBe("7");
    expect(client["pets"]?.["getPet"]?.isError(error)).toBe(true);
    expect(client["pets"]?.["putPet"]?.isError(error)).toBe(false);
    expect(client["pets"]?.["getPet"]?.isError(new Error("getPet: 404"))).toBe(false);
  });

  test("whichever comes is an answer", async () => {
    const { client } = await answered(generated, [jsonOf(404, missing), jsonOf(200, rex)]);
    const call = () => client["pets"]?.["getPet"]?.answer({ pet_id: "1" });
    expect(await call()).toMatchObject({ status: 404, body: missing });
    expect(await call()).toMatchObject({ status: 200, body: rex });
  });

  test("a range stands for its statuses", async () => {
    const body = { code: "invalid", message: "No." };
    const { client } = await answered(generated, [jsonOf(418, body)]);
    const answer = await client["pets"]?.["putPet"]?.answer({ pet_id: "1", id: "1" });
    expect(answer).toMatchObject({ status: 418, body });
  });

  test("default stands for whatever nobody names but another success, where it has no list", async () => {
    const { client } = await answered(generated, [jsonOf(599, {}), jsonOf(599, {})]);
    expect(await client["pets"]?.["patchPet"]?.answer({ pet_id: "1" })).toMatchObject({
      status: 599,
      body: {},
    });
    const other = await answered(generated, [jsonOf(201, {})]);
    await expect(other.client["pets"]?.["patchPet"]?.({ pet_id: "1" })).rejects.toThrow(
      "patchPet: 201, which the contract does not name",
    );
  });
});

/** Of what an answer is, by the operation that gives it. */
async function bodyOf(
  call: (client: LooseClient) => Promise<unknown> | undefined,
  response: Response,
): Promise<unknown> {
  const { client } = await answered(generated, [response]);
  return call(client);
}

describe("bodies", () => {
  test.for<readonly [string, string, object, Response]>([
    ["204", "putPet", { id: "1" }, new Response(null, { status: 204 })],
    ["205", "patchPet", {}, new Response(null, { status: 205 })],
    ["HEAD", "hasPet", {}, new Response(null, headersOf("application/json"))],
  ])("%s has none", async ([, name, given, response]) => {
    const call = (client: LooseClient) => client["pets"]?.[name]?.({ pet_id: "1", ...given });
    expect(await bodyOf(call, response)).toBeUndefined();
  });

  test("304 has none, and is no success", async () => {
    const { client } = await answered(generated, [new Response(null, { status: 304 })]);
    const answer = await client["pets"]?.["putPet"]?.answer({ pet_id: "1", id: "1" });
    expect(answer).toMatchObject({ status: 304, body: undefined });
  });

  test("one that the contract does not have is not looked at", async () => {
    const response = new Response("ignored", headersOf("text/html"));
    const { client } = await answered(generated, [response]);
    expect(await client["pets"]?.["hasPet"]?.({ pet_id: "1" })).toBeUndefined();
  });

  test("bytes are a blob of the type that came", async () => {
    const bytes = new Uint8Array([0, 255, 10]);
    const body = await bodyOf(
      (client) => client["files"]?.["getFile"]?.({ name: "a" }),
      new Response(bytes, headersOf("image/png")),
    );
    expect(body).toBeInstanceOf(Blob);
    expect((body as Blob).type).toBe("image/png");
    expect(await (body as Blob).bytes()).toEqual(bytes);
  });

  test("a text is a text, of whichever type of text", async () => {
    const call = (client: LooseClient) =>
      client["files"]?.["getNamed"]?.({ name: "a", ending: "csv" });
    const response = new Response("a;ö", headersOf("text/plain; charset=utf-8"));
    expect(await bodyOf(call, response)).toBe("a;ö");
  });

  test("rows are a stream, which is there before its end", async () => {
    let finish = (): void => undefined;
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode("data: 1\n\n"));
        finish = () => controller.close();
      },
    });
    const body = await bodyOf(
      (client) => client["files"]?.["events"]?.(),
      new Response(stream, headersOf("text/event-stream")),
    );
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    const { value } = await reader.read();
    expect(new TextDecoder().decode(value)).toBe("data: 1\n\n");
    finish();
    expect((await reader.read()).done).toBe(true);
  });

  test("of any type is JSON, as the server of the contract sends it", async () => {
    const { client, requests } = await answered(generated, [jsonOf(200, rex)]);
    expect(await client["files"]?.["any_"]?.()).toEqual(rex);
    expect(requests[0]?.headers.get("Accept")).toBe("application/json");
  });

  test("names of objects are names like any other", async () => {
    const text = '{"__proto__":{"a":1},"constructor":2}';
    const { call } = await getPet(new Response(text, headersOf("application/json")));
    const body = await call();
    expect(Object.keys(body as object)).toEqual(["__proto__", "constructor"]);
    expect(JSON.stringify(body)).toBe(text);
  });
});

describe("of no contract", () => {
  const html = "<h1>Bad gateway</h1>";

  test.for<readonly [string, Response, string, string]>([
    [
      "a status that it does not name",
      jsonOf(418, {}),
      "getPet: 418, which the contract does not name",
      "{}",
    ],
    [
      "a status that default is not for",
      new Response(html, { status: 502, ...headersOf("text/html") }),
      "getPet: 502, which the contract does not name",
      html,
    ],
    [
      "a page in the place of JSON",
      new Response(html, headersOf("text/html")),
      "getPet: 200, with text/html in place of application/json",
      html,
    ],
    [
      "JSON that breaks off",
      new Response('{"id":', headersOf("application/json")),
      "getPet: 200, with a body that is no JSON",
      '{"id":',
    ],
    ["JSON that is empty", new Response(""), "getPet: 200, with text/plain", ""],
    [
      "no body at all",
      new Response(null, { status: 200 }),
      "getPet: 200, with a body that is no JSON",
      "",
    ],
  ])("%s", async ([, response, message, text]) => {
    const { status } = response;
    const { call, client, UnexpectedResponseError } = await getPet(response);
    const error: unknown = await call()?.catch((one: unknown) => one);
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(error).toMatchObject({ operationId: "getPet", status, text });
    expect(String(error)).toContain(message);
    expect(client["pets"]?.["getPet"]?.isError(error)).toBe(false);
  });

  test("a failure is not taken for another one by answer, either", async () => {
    const { client } = await answered(generated, [new Response(html, { status: 502 })]);
    await expect(client["pets"]?.["getPet"]?.answer({ pet_id: "1" })).rejects.toThrow(
      "getPet: 502, which the contract does not name",
    );
  });

  test("another media type of JSON is JSON", async () => {
    const response = new Response(
      JSON.stringify(rex),
      headersOf("application/vnd.pet+json; charset=utf-8"),
    );
    expect(await (await getPet(response)).call()).toEqual(rex);
  });

  test("JSON without a type is taken for what the contract says", async () => {
    const response = jsonOf(200, rex);
    response.headers.delete("Content-Type");
    expect(await (await getPet(response)).call()).toEqual(rex);
  });
});

describe("nothing comes", () => {
  test("what fetch throws is thrown", async () => {
    const error = new TypeError("fetch failed");
    await expect((await getPet(error)).call()).rejects.toThrow("fetch failed");
  });

  test("a signal ends a call, before and while it is sent", async () => {
    const reason = new Error("not any more");
    const { client } = await answered(generated, [jsonOf(200, rex)]);
    const signal = AbortSignal.abort(reason);
    await expect(client["pets"]?.["getPet"]?.({ pet_id: "1" }, { signal })).rejects.toThrow(
      "not any more",
    );
    const controller = new AbortController();
    const waiting = await answered(generated, [], {
      fetch: (request) =>
        new Promise((_, reject) => {
          const { signal: own } = request;
          own.addEventListener("abort", () => reject(own.reason as Error));
          controller.abort(reason);
        }),
    });
    const call = waiting.client["pets"]?.["getPet"]?.({ pet_id: "1" }, controller);
    await expect(call).rejects.toThrow("not any more");
  });

  test("a body that breaks off is what its stream says", async () => {
    const stream = new ReadableStream({
      pull: (controller) => controller.error(new TypeError("terminated")),
    });
    const response = new Response(stream, headersOf("application/json"));
    await expect((await getPet(response)).call()).rejects.toThrow("terminated");
  });
});
