// Bodies that are a row of JSON texts: cut anywhere, as a list and as a stream.

import { describe, expect, test } from "vitest";
import type { BodyRules, Handler, Operation } from "../../../generator/runtime/runtime.ts";
import { Client, appOf, brief, host, operation, start, z } from "./harness.ts";

const lines = "application/x-ndjson";
const item = z.looseObject({ a: z.int() });
const answers = (text: string): number => text.split("HTTP/1.1 ").length - 1;

function taking(contentType: string, rules: BodyRules | undefined): Operation {
  const one = operation({
    id: "one",
    method: "post",
    path: "/one",
    request: { body: { required: true, content: { [contentType]: { schema: item } } } },
  });
  return rules === undefined ? one : { ...one, bodies: { [contentType]: rules } };
}

const listing = (async ({ body }: { readonly body: AsyncIterable<unknown> }) => {
  const items: unknown[] = [];
  for await (const one of body) items.push(one);
  return { status: 200, body: items };
}) as unknown as Handler;

const given: Handler = ({ body }: { readonly body: unknown }) => ({ status: 200, body });

interface Sent {
  readonly contentType?: string;
  readonly isStream?: boolean;
}

/** In pieces of so many bytes. */
async function sendItems(
  text: string | Uint8Array,
  { contentType = lines, isStream = true }: Sent = {},
  size = 1,
): Promise<[number, unknown]> {
  const { app } = appOf({
    operations: [taking(contentType, isStream ? { isStream: true } : undefined)],
    handlers: { one: isStream ? listing : given },
  });
  const all = typeof text === "string" ? new TextEncoder().encode(text) : text;
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (at >= all.length) {
        controller.close();
        return;
      }
      controller.enqueue(all.subarray(at, at + size));
      at += size;
    },
  });
  const response = await app.request("/one", {
    method: "POST",
    headers: { "content-type": contentType },
    body,
    duplex: "half",
  });
  return [response.status, await response.json()];
}

describe.each([true, false])("a row of items, as a stream: %s", (isStream) => {
  test.for<[string, string, string, unknown]>([
    ["lines", lines, '{"a":1}\n{"a":2}\n', [{ a: 1 }, { a: 2 }]],
    ["a last line without an end", lines, '{"a":1}\n{"a":2}', [{ a: 1 }, { a: 2 }]],
    [
      "CRLF, blank lines and spaces",
      lines,
      ' {"a":1} \r\n\r\n \t\n{"a":2}\r\n',
      [{ a: 1 }, { a: 2 }],
    ],
    ["nothing but line breaks", lines, "\n\r\n\n", []],
    ["characters of several bytes", lines, '{"a":1,"b":"é€😀"}\n', [{ a: 1, b: "é€😀" }]],
    [
      "a sequence",
      "application/json-seq",
      '\u{1e}{"a":1}\n\u{1e}\u{1e}{"a":2,\n"b":"\\n"}\n',
      [{ a: 1 }, { a: 2, b: "\n" }],
    ],
  ])("reads %s in pieces of any size", async ([, contentType, text, expected]) => {
    for (const size of [1, 2, 3, 7, 1000]) {
      expect(await sendItems(text, { contentType, isStream }, size)).toEqual([200, expected]);
    }
  });

  test.for<[string, string, readonly string[], string]>([
    [lines, '{"a":1}\n{"a":"x"}\n', ["body /1/a type"], "must be a number"],
    [lines, '{"a":1}\n\n{"a"\n', ["body /1 json"], "line 3 is not JSON: it ends too early"],
    [lines, '{"a":1}\n[1]\n', ["body /1 type"], "must be an object"],
    [lines, '{"a":1,"a":2}\n', ["body /0/a repeated"], "must be given only once"],
    [lines, '{"a":1,"b":9007199254740993}\n', ["body /0/b precision"], ""],
    [
      lines,
      '\u{feff}{"a":1}\n',
      ["body /0 json"],
      "line 1 is not JSON: it begins with a byte order mark",
    ],
    [lines, '{"a":[[[[[1]]]]]}\n', ["body /0 json"], "line 1 is nested deeper than 5 levels"],
    ["application/json-seq", '{"a":1}\n', ["body /0 json"], "item 1 has no separator before it"],
    [
      "application/json-seq",
      "\u{1e}12",
      ["body /0 json"],
      "item 1 has no separator before it, or no end",
    ],
    ["application/json-seq", '\u{1e}{"a":1}\n\u{1e}{"a"', ["body /1 json"], "item 2 is not JSON"],
  ])("says where %s %j breaks the contract", async ([contentType, text, expected, message]) => {
    for (const size of [1, 1000]) {
      const [status, answer] = await sendItems(text, { contentType, isStream }, size);
      expect([status, brief(answer)]).toEqual([400, expected]);
      expect(JSON.stringify(answer)).toContain(message);
    }
  });

  test("refuses bytes that are no UTF-8, wherever they are cut", async () => {
    const text = Buffer.from('{"a":1}\n{"a":1,"b":"\xe9"}\n', "latin1");
    for (const size of [1, 20, 1000]) {
      const [status, answer] = await sendItems(text, { isStream }, size);
      expect([status, brief(answer)]).toEqual([400, ["body /1 json"]]);
    }
  });

  test("holds no item in memory that is longer than a body may be", async () => {
    const [status, answer] = await sendItems(`{"a":1,"b":"${"x".repeat(1000)}"}\n`, { isStream });
    expect([status, (answer as { code: string }).code]).toEqual([413, "body_too_large"]);
  });
});

test("takes as many items as the limit of the stream allows, each below that of a body", async () => {
  const contentType = lines;
  const operations = [taking(contentType, { isStream: true, bytesMax: 1_000_000 })];
  const { url } = await start({ operations, handlers: { one: listing } });
  const body = '{"a":1}\n'.repeat(10_000);
  const response = await fetch(`${url}/one`, {
    method: "POST",
    headers: { "content-type": lines },
    body,
  });
  expect(((await response.json()) as unknown[]).length).toBe(10_000);
});

test("a handler that stops in the middle leaves a connection that can go on", async () => {
  const contentType = lines;
  const { port } = await start({
    operations: [taking(contentType, { isStream: true })],
    handlers: {
      one: async ({ body }: { readonly body: AsyncIterable<unknown> }) => {
        for await (const one of body) return { status: 200, body: one };
        return { status: 200, body: "none" };
      },
    },
  });
  const client = new Client(port);
  const text = '{"a":1}\n{"a":2}\n{"a":"x"}\n';
  for (const round of [1, 2]) {
    client.send(
      "POST /one HTTP/1.1",
      host,
      `Content-Type: ${lines}`,
      `Content-Length: ${text.length}`,
      "",
      text,
    );
    await client.until((all) => answers(all) === round && all.endsWith("}"));
  }
});

test("of a body that is read before, nothing is looked at behind what decides the answer", async () => {
  const rule = async (line: string): Promise<readonly [number, number, unknown]> => {
    const [status, told] = await sendItems(`${line}\n`.repeat(400), { isStream: false }, 65_536);
    // the refusal of the runtime
    const { violations = [], message } = told as { violations?: unknown[]; message?: string };
    return [status, violations.length, message];
  };
  expect(await rule("x")).toEqual([400, 1, expect.stringContaining("line 1")]);
  expect(await rule("1")).toEqual([400, 100, "the request does not match the contract"]);
});
