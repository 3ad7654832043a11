import { expect, test } from "vitest";
import type { Operation } from "../../../generator/runtime/runtime.ts";
import { appOf, brief, operation, z, type OperationInput, type Refusal } from "./harness.ts";

const schema = z.object({ a: z.string() });

function post(content: Record<string, object>, more: Partial<OperationInput> = {}): Operation {
  const body = { content, ...(more.extra?.["optional"] === true ? {} : { required: true }) };
  return operation({ id: "one", method: "post", path: "/one", request: { body }, ...more });
}

const jsonOnly = post({ "application/json": { schema } });

interface Sent {
  readonly type?: string;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Record<string, string>;
}

async function send(
  one: Operation,
  { type, body, headers = {} }: Sent,
): Promise<[number, unknown]> {
  const { app } = appOf({ operations: [one] });
  const response = await app.request("/one", {
    method: "POST",
    headers: type === undefined ? headers : { "content-type": type, ...headers },
    // bytes, because fetch adds a content type to text
    ...(body === undefined
      ? {}
      : { body: typeof body === "string" ? new TextEncoder().encode(body) : body }),
  });
  return [response.status, await response.json()];
}

test.for([
  "application/json",
  "Application/JSON",
  "application/json; charset=UTF-8",
  'application/json;profile="a,b"; charset="utf-8"',
  "application/json ;x=y",
])("takes %s for application/json", async (type) => {
  expect(await send(jsonOnly, { type, body: '{"a":"x"}' })).toEqual([
    200,
    { request: { body: { a: "x" } } },
  ]);
});

test.for([
  "application/jsonx",
  "text/plain",
  "application/json; charset=utf-16",
  "json",
  "application/problem+json",
  "",
])("refuses the content type '%s' where only JSON is expected", async (type) => {
  const [status, body] = await send(jsonOnly, { type, body: '{"a":"x"}' });
  expect([status, (body as Refusal).code]).toEqual([415, "unsupported_media_type"]);
});

test("refuses a body without a content type and a compressed body", async () => {
  expect((await send(jsonOnly, { body: "{}" }))[0]).toBe(415);
  const type = "application/json";
  const compressed = { type, body: "{}", headers: { "content-encoding": "gzip" } };
  expect((await send(jsonOnly, compressed))[0]).toBe(415);
  const plain = { type, body: '{"a":"x"}', headers: { "content-encoding": "Identity" } };
  expect((await send(jsonOnly, plain))[0]).toBe(200);
});

test("tells an absent body from an empty one", async () => {
  const [status, body] = await send(jsonOnly, { type: "application/json" });
  expect([status, brief(body)]).toEqual([400, ["body  required"]]);
  const optional = post({ "application/json": { schema } }, { extra: { optional: true } });
  expect(await send(optional, { type: "application/json" })).toEqual([200, { request: {} }]);
});

test("refuses a body where the contract has none", async () => {
  const none = operation({ id: "one", method: "post", path: "/one" });
  const [status, body] = await send(none, { type: "application/json", body: "{}" });
  expect([status, brief(body)]).toEqual([400, ["body  unexpected"]]);
  expect((await send(none, {}))[0]).toBe(200);
});

test.for([
  ['{"a":', "it ends too early at position 5 (line 1, column 6)"],
  ["   ", "it ends too early at position 3 (line 1, column 4)"],
  ['{"secret":"hunter2"\n  "b":1}', "unexpected text at position 22 (line 2, column 3)"],
  ['{"a":tru}', "unexpected text at position 5 (line 1, column 6)"],
  ['{"a":"x",}', "unexpected text at position 9 (line 1, column 10)"],
  ["[1,]", "unexpected text at position 3 (line 1, column 4)"],
  ["[1 2]", "unexpected text at position 3 (line 1, column 4)"],
  ["[01]", "unexpected text at position 1 (line 1, column 2)"],
  ["{'a':1}", "unexpected text at position 1 (line 1, column 2)"],
  ["[}", "unexpected text at position 1 (line 1, column 2)"],
  ['{"a":1]', "unexpected text at position 6 (line 1, column 7)"],
  ["{} {}", "unexpected text at position 3 (line 1, column 4)"],
  ['["a\nb"]', "unexpected text at position 1 (line 1, column 2)"],
  ['["\\x"]', "unexpected text at position 1 (line 1, column 2)"],
  ["NaN", "unexpected text at position 0 (line 1, column 1)"],
  ["\u{feff}{}", "it begins with a byte order mark"],
] as const)("says where %s stops being JSON, without quoting it", async ([body, where]) => {
  const [status, answer] = await send(jsonOnly, { type: "application/json", body });
  const { code, message, violations } = answer as Refusal; // of the edge in the harness
  expect([status, code]).toEqual([400, "invalid_json"]);
  expect(message).toBe(`the body is not JSON: ${where}`);
  expect(violations).toEqual([{ in: "body", pointer: "", rule: "json", message }]);
  expect(message).not.toContain("hunter2");
});

test.for([
  ['{"a":1,"a":1}', ["/a"]],
  ['{"a":1,"\\u0061":2}', ["/a"]],
  ['{"a":[{"b":1},{"b":1,"c":":","b":2}],"d":{"a":1,"a":{"a":1}}}', ["/a/1/b", "/d/a"]],
  ['{"a/~":{"":1,"":2,"":3}}', ["/a~1~0/"]],
  ['{"__proto__":1,"__proto__":2}', ["/__proto__"]],
  ['{"constructor":{},"constructor":[]}', ["/constructor"]],
  ['[[0],[0,{"x":[],"y":{},"x":[{"z":1,"z":1}]}]]', ["/1/1/x", "/1/1/x/0/z"]],
] as const)("refuses %s, which says two things", async ([body, pointers]) => {
  const any = post({ "application/json": { schema: z.unknown() } });
  const [status, answer] = await send(any, { type: "application/json", body });
  expect([status, (answer as Refusal).code]).toEqual([400, "invalid_request"]);
  expect(brief(answer)).toEqual(pointers.map((pointer) => `body ${pointer} repeated`));
});

test("takes names that stand in several objects, in strings and beside colons", async () => {
  const any = post({ "application/json": { schema: z.unknown() } });
  const bodies = [
    '{"a":{"a":[{"a":1},{"a":1}]},"b":"\\"a\\":\\"a\\":","c:":":","\\\\":"\\\\:"}',
    '{"url":"https://shop.example:8443/a:b","at":"2026-01-01T00:00:00Z"}',
    '{"__proto__":{"__proto__":1},"toString":1}',
    '"a:a"',
    "[]",
  ];
  for (const body of bodies) {
    expect((await send(any, { type: "application/json", body }))[0]).toBe(200);
  }
});

test("an answer about repeated names is not much longer than the question", async () => {
  const any = post({ "application/json": { schema: z.unknown() } });
  const name = "n".repeat(300);
  const twice = Array.from({ length: 40 }, (_, index) => `"${index}":1,"${index}":1`);
  const body = `{"${name}":{${twice.join(",")}}}`;
  const [status, answer] = await send(any, { type: "application/json", body });
  expect(status).toBe(400);
  expect(JSON.stringify(answer).length).toBeLessThan(4 * body.length);
});

test("refuses JSON that is not UTF-8", async () => {
  const body = Uint8Array.of(0x22, 0xe9, 0x22);
  const [status, answer] = await send(jsonOnly, { type: "application/json", body });
  expect([status, (answer as Refusal).message]).toEqual([
    400,
    "the body is not JSON: it is not valid UTF-8",
  ]);
});

test("counts nesting outside of strings only", async () => {
  const any = post({ "application/json": { schema: z.unknown() } });
  const type = "application/json";
  const ok = [
    "[[[[[1]]]]]",
    '["[[[[[[[", "\\"[[[[[[", "\\\\", [[[[1]]]], {}]',
    '[{},{},{},[],[],"}"]',
  ];
  for (const body of ok) expect((await send(any, { type, body }))[0]).toBe(200);
  const deep = ["[[[[[[1]]]]]]", '{"a":{"a":{"a":{"a":{"a":[]}}}}}', "[".repeat(900)];
  for (const body of deep) {
    const [status, answer] = await send(any, { type, body });
    expect(status).toBe(400);
    expect((answer as Refusal).message).toBe("the body is nested deeper than 5 levels");
  }
});

test("reports a malformed body together with the problems of the other parts", async () => {
  const one = post(
    { "application/json": { schema } },
    {
      request: {
        headers: z.object({ "X-Key": z.string() }),
        body: { content: { "application/json": { schema } } },
      },
      parameters: [
        {
          in: "header",
          name: "X-Key",
          style: "simple",
          explode: false,
          kind: { scalar: ["string"] },
        },
      ],
    },
  );
  const [status, body] = await send(one, { type: "application/json", body: "{" });
  expect([status, (body as Refusal).code]).toEqual([400, "invalid_json"]);
  expect(brief(body)).toEqual(["header /X-Key required", "body  json"]);
});

test("gives pointers into the body, escaped", async () => {
  const one = post({
    "application/json": { schema: z.object({ "a/b~": z.array(z.object({ c: z.int() })) }) },
  });
  const body = '{"a/b~":[{"c":1},{"c":"secret"}]}';
  const [, answer] = await send(one, { type: "application/json", body });
  expect(brief(answer)).toEqual(["body /a~1b~0/1/c type"]);
  expect(JSON.stringify(answer)).not.toContain("secret");
});

test("finds the most exact media type and says which one came", async () => {
  const content = {
    "application/vnd.github.v3+json": { schema },
    "text/*": { schema: z.string().regex(/^.{0,3}$/) },
    "*/*": { schema },
    "application/octet-stream; x=y": {},
  };
  const one = post(content);
  const sent = async (type: string, body: string, to = one): Promise<unknown> =>
    (await send(to, { type, body }))[1];
  expect(await sent("application/vnd.github.v3+json", '{"a":"x"}')).toEqual({
    request: { body: { contentType: "application/vnd.github.v3+json", value: { a: "x" } } },
  });
  expect(await sent("Text/CSV; charset=utf-8", "é")).toEqual({
    request: { body: { contentType: "text/csv", value: "é" } },
  });
  expect(brief(await sent("text/csv", "abcd"))).toEqual(["body  pattern"]);
  expect(await sent("image/png", "ab")).toEqual({
    request: { body: { contentType: "image/png", value: { 0: 97, 1: 98 } } },
  });
  // a range is bytes, whatever comes, where the contract does not say that it may be JSON
  expect(await sent("application/x+json", "[1]")).toEqual({
    request: { body: { contentType: "application/x+json", value: { 0: 91, 1: 49, 2: 93 } } },
  });
  const other = { ...one, bodies: { "*/*": { mayBeJson: true } } } as const;
  expect(await sent("application/x+json", '{"a":"x"}', other)).toEqual({
    request: { body: { contentType: "application/x+json", value: { a: "x" } } },
  });
  expect(brief(await sent("application/x+json", "[1]", other))).toEqual(["body  type"]);
  expect(await sent("image/png", "a", other)).toMatchObject({
    request: { body: { contentType: "image/png", value: { 0: 97 } } },
  });
  expect(await sent("application/octet-stream", "a")).toMatchObject({
    request: { body: { contentType: "application/octet-stream; x=y" } },
  });
});

test("says which type came where there is one range and no other type", async () => {
  const one = post({ "image/*": {} });
  expect(await send(one, { type: "image/png", body: "a" })).toEqual([
    200,
    { request: { body: { contentType: "image/png", value: { 0: 97 } } } },
  ]);
  expect((await send(one, { type: "video/png", body: "a" }))[0]).toBe(415);
});

test("counts the bytes of a body where the contract bounds them", async () => {
  const one = {
    ...post({ "application/octet-stream": {} }),
    bodies: { "application/octet-stream": { bytesMin: 2, bytesMax: 3 } },
  };
  const sent = async (body: string): Promise<unknown> => {
    const [status, answer] = await send(one, { type: "application/octet-stream", body });
    return status === 200 ? status : brief(answer);
  };
  expect(await sent("a")).toEqual(["body  minLength"]);
  expect(await sent("é")).toBe(200);
  expect(await sent("éé")).toEqual(["body  maxLength"]);
});

test("refuses text that is not UTF-8", async () => {
  const one = post({ "text/plain": { schema: z.string() } });
  const [status, body] = await send(one, { type: "text/plain", body: Uint8Array.of(0xff) });
  expect([status, brief(body)]).toEqual([400, ["body  encoding"]]);
});

test("hands over multipart forms and refuses what is none", async () => {
  const { app } = appOf({
    operations: [post({ "multipart/form-data": {} })],
    handlers: {
      one: async ({ body }: { body: FormData }) => {
        const file = body.get("file");
        const text = file instanceof File ? await file.text() : "no file";
        return { status: 200, body: { name: body.get("name"), text } };
      },
    },
  });
  const form = new FormData();
  form.set("name", "a");
  form.set("file", new Blob(["content"]), "f.txt");
  const good = await app.request("/one", { method: "POST", body: form });
  expect(await good.json()).toEqual({ name: "a", text: "content" });
  const bad = await app.request("/one", {
    method: "POST",
    headers: { "content-type": "multipart/form-data; boundary=x" },
    body: "nothing of the kind",
  });
  expect([bad.status, brief(await bad.json())]).toEqual([400, ["body  multipart"]]);
});

test("refuses bodies over the limit, announced or not", async () => {
  const { app, log } = appOf({ operations: [jsonOnly] });
  const init = { method: "POST", headers: { "content-type": "application/json" } };
  const announced = await app.request("/one", {
    ...init,
    headers: { ...init.headers, "content-length": "1001" },
    body: "{}",
  });
  expect(announced.status).toBe(413);
  let pulled = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      pulled++;
      controller.enqueue(new Uint8Array(300));
    },
  });
  const streamed = await app.request("/one", { ...init, body: endless, duplex: "half" });
  expect([streamed.status, streamed.headers.get("connection")]).toEqual([413, "close"]);
  expect(pulled).toBeLessThan(10);
  expect(log.lines).not.toContain("authenticate");
});

test("gives hooks the raw request, and middleware may have read the body before", async () => {
  const { app, log } = appOf({
    operations: [jsonOnly],
    prepare: (app) =>
      void app.use(async (c, next) => {
        await c.req.json();
        await next();
      }),
  });
  const response = await app.request("/one", {
    method: "POST",
    headers: { "content-type": "application/json", "X-Some": "Thing" },
    body: '{"a":"x"}',
  });
  expect(await response.json()).toEqual({ request: { body: { a: "x" } } });
  const [raw] = log.raw;
  expect(raw).toMatchObject({ method: "POST", path: "/one", query: "", remoteAddress: undefined });
  expect(raw?.headers["x-some"]).toBe("Thing");
});
