// Forms whose files are read while they come: what is checked before the handler is asked, and what where it reads.

import { describe, expect, test } from "vitest";
import type { IncomingFile, IncomingForm } from "../../../generator/runtime/answers.ts";
import type { BodyRules, Handler, PartPlan } from "../../../generator/runtime/runtime.ts";
import { Client, appOf, brief, host, operation, z, type Setup } from "./harness.ts";
import { startBy, ways } from "./ways.ts";

const type = "multipart/form-data";
const text = { kind: { text: ["string"] }, isList: false } as const;

const parts: Readonly<Record<string, PartPlan>> = {
  title: text,
  count: { kind: { text: ["integer"] }, isList: false },
  thing: { kind: "json", isList: false, contentTypes: ["application/json"] },
  file: {
    kind: { file: { minBytes: 2, maxBytes: 100_000, contentTypes: ["text/*"] } },
    isList: false,
  },
  more: { kind: { file: {} }, isList: true, itemsMax: 2 },
};

const form = z.looseObject({
  title: z.string().max(5),
  count: z.int().exactOptional(),
  thing: z.strictObject({ a: z.int() }).exactOptional(),
  file: z.unknown(),
  more: z.array(z.unknown()).max(2).exactOptional(),
});

type Form = IncomingForm<Readonly<Record<string, unknown>>, string>;
type Answer = (form: Form) => unknown;

interface Wish {
  readonly rules?: BodyRules;
  readonly known?: Readonly<Record<string, PartPlan>>;
  readonly schema?: z.ZodType;
}

function uploading(answer: Answer, { rules = {}, known = parts, schema = form }: Wish = {}): Setup {
  const one = operation({
    id: "one",
    method: "post",
    path: "/one",
    request: { body: { required: true, content: { [type]: { schema } } } },
    parts: { [type]: known },
  });
  const headers = { schema: z.looseObject({ "X-Sum": z.int().max(9) }), readings: sumReading };
  return {
    operations: [
      {
        ...one,
        bodies: { [type]: { isStream: true, bytesMax: 1_000_000, ...rules } },
        partHeaders: { [type]: { more: headers } },
      },
      operation({ id: "other", path: "/other" }),
    ],
    handlers: { one: (({ body }: { readonly body: Form }) => answer(body)) as Handler },
  };
}
const sumReading = { "X-Sum": { kind: { scalar: ["integer"] }, explode: false } } as const;

async function textOf({ stream }: IncomingFile): Promise<string> {
  let found = "";
  for await (const piece of stream) found += Buffer.from(piece).toString("latin1");
  return found;
}

const listing: Answer = async ({ fields, files }) => {
  const found: unknown[] = [];
  for await (const file of files) {
    found.push([file.name, file.filename, file.type, (await textOf(file)).slice(0, 20)]);
  }
  return { status: 200, body: { fields, files: found } };
};

type Part = readonly [name: string, content: string, head?: string];

const file = (name: string, content: string, more = ""): Part => [
  name,
  content,
  `; filename="${name}.txt"\r\nContent-Type: text/plain${more}`,
];

function written(given: readonly Part[]): string {
  const texts = given.map(
    ([name, content, head = ""]) =>
      `--b\r\nContent-Disposition: form-data; name="${name}"${head}\r\n\r\n${content}\r\n`,
  );
  return `${texts.join("")}--b--\r\n`;
}

async function send(
  given: readonly Part[] | string,
  { answer = listing, size = 1000, ...wish }: Wish & { answer?: Answer; size?: number } = {},
): Promise<[number, unknown]> {
  const bytes = Buffer.from(typeof given === "string" ? given : written(given), "latin1");
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(new Uint8Array(bytes.subarray(at, at + size)));
      at += size;
    },
  });
  const response = await appOf(uploading(answer, wish)).app.request("/one", {
    method: "POST",
    headers: { "content-type": `${type}; boundary=b` },
    body,
    duplex: "half",
  });
  return [response.status, await response.json()];
}

const good: readonly Part[] = [
  ["title", "abc"],
  ["count", "7"],
  ["thing", '{"a":1}', "\r\nContent-Type: application/json"],
  file("file", "content"),
  file("more", "a", "\r\nX-Sum: 5"),
  file("more", "", "\r\nX-Sum: 6"),
];

test("gives fields as values, and files in their order, in pieces of any size", async () => {
  for (const size of [1, 3, 1000]) {
    expect(await send(good, { size })).toEqual([
      200,
      {
        fields: { title: "abc", count: 7, thing: { a: 1 } },
        files: [
          ["file", "file.txt", "text/plain", "content"],
          ["more", "more.txt", "text/plain", "a"],
          ["more", "more.txt", "text/plain", ""],
        ],
      },
    ]);
  }
});

const title: Part = ["title", "abc"];

test.for<[string, readonly Part[], readonly string[]]>([
  ["a field that is missing", [file("file", "content")], ["body /title required"]],
  [
    "a field that is wrong",
    [["title", "abcdef"], file("file", "content")],
    ["body /title maximum"],
  ],
  ["a field twice", [title, title, file("file", "content")], ["body /title repeated"]],
  [
    "several fields",
    [["count", "x"], ["thing", "{"], file("file", "content")],
    ["body /thing json", "body /title required", "body /count type"],
  ],
  [
    "a field of another type",
    [title, ["thing", '{"a":1}', "\r\nContent-Type: text/plain"], file("file", "content")],
    ["body /thing contentType"],
  ],
  [
    "a field that is no UTF-8",
    [["title", "\xff"], file("file", "content")],
    ["body /title encoding"],
  ],
  ["a text for a file", [title, ["file", "content"]], ["body /file file"]],
  ["no file at all", [title], ["body /file required"]],
])("refuses %s before the handler is asked", async ([, given, expected]) => {
  let isCalled = false;
  const answer: Answer = (incoming) => {
    isCalled = true;
    return listing(incoming);
  };
  const [status, body] = await send(given, { answer });
  expect([status, brief(body)]).toEqual([400, expected]);
  expect(isCalled).toBe(false);
});

test.for<[string, readonly Part[], readonly string[]]>([
  ["a file that is too small", [title, file("file", "x")], ["body /file minLength"]],
  [
    "a file that is too large",
    [title, file("file", "x".repeat(100_001))],
    ["body /file maxLength"],
  ],
  [
    "a file of another type",
    [title, ["file", "content", '; filename="a"\r\nContent-Type: image/png']],
    ["body /file contentType"],
  ],
  [
    "a file twice",
    [title, file("file", "content"), file("file", "content")],
    ["body /file repeated"],
  ],
  [
    "a file without its header",
    [title, file("file", "content"), file("more", "")],
    ["body /more/0 required"],
  ],
  [
    "a file with a wrong header",
    [title, file("file", "content"), file("more", "", "\r\nx-sum: 10")],
    ["body /more/0 maximum"],
  ],
  [
    "one file too many",
    [title, file("file", "content"), ...Array<Part>(3).fill(file("more", "", "\r\nX-Sum: 1"))],
    ["body /more maximum"],
  ],
  [
    "a field behind a file",
    [title, file("file", "content"), ["count", "1"]],
    ["body /count order"],
  ],
  ["a file that nobody knows", [title, file("other", "content")], ["body /other unknown"]],
  [
    "a file that is missing at the end",
    [title, file("more", "a", "\r\nX-Sum: 1")],
    ["body /file required"],
  ],
])("refuses %s where the handler meets it", async ([, given, expected]) => {
  let isCalled = false;
  const answer: Answer = (incoming) => {
    isCalled = true;
    return listing(incoming);
  };
  for (const size of [997, 50_000]) {
    const [status, body] = await send(given, { answer, size });
    expect([status, brief(body)]).toEqual([400, expected]);
    expect(isCalled).toBe(true);
  }
});

test("skips a file that is not read, and holds it to its size all the same", async () => {
  const names: Answer = async ({ files }) => {
    const found: string[] = [];
    for await (const { name } of files) found.push(name);
    return { status: 200, body: found };
  };
  expect(await send(good, { answer: names })).toEqual([200, ["file", "more", "more"]]);
  const large = [title, file("file", "x".repeat(100_001))];
  const [status, body] = await send(large, { answer: names });
  expect([status, brief(body)]).toEqual([400, ["body /file maxLength"]]);
});

test("a file cannot be read any more when the next one is there", async () => {
  const late: Answer = async ({ files }) => {
    const all: IncomingFile[] = [];
    for await (const one of files) all.push(one);
    return { status: 200, body: await all[0]?.stream.getReader().read().catch(String) };
  };
  const [status, body] = await send(good, { answer: late });
  expect([status, body]).toEqual([200, "Error: a file is read before the next one is asked for"]);
});

test("takes an input for files that nobody has chosen for nothing", async () => {
  const none: Part = ["more", "", '; filename=""\r\nContent-Type: application/octet-stream'];
  const [status, body] = await send([title, none, file("file", "content"), none]);
  expect([status, body]).toEqual([
    200,
    { fields: { title: "abc" }, files: [["file", "file.txt", "text/plain", "content"]] },
  ]);
});

test("any file may come where the contract names none", async () => {
  const wish = { known: { title: text }, schema: z.looseObject({ title: z.string() }) };
  const [status, body] = await send([title, file("file", "a"), file("x", "b")], wish);
  const files = [
    ["file", "file.txt", "text/plain", "a"],
    ["x", "x.txt", "text/plain", "b"],
  ];
  expect([status, body]).toEqual([200, { fields: { title: "abc" }, files }]);
  const closed = { ...wish, schema: z.strictObject({ title: z.string() }) };
  const [refused, why] = await send([title, file("file", "a")], closed);
  expect([refused, brief(why)]).toEqual([400, ["body /file additionalProperties"]]);
});

test.for<[string, string]>([
  ["no form", "nothing of the kind"],
  ["a form that ends in a field", '--b\r\nContent-Disposition: form-data; name="title"\r\n\r\nabc'],
  ["a form that ends in a file", written(good).slice(0, -20)],
])("refuses %s", async ([, given]) => {
  const [status, body] = await send(given);
  expect([status, brief(body)]).toEqual([400, ["body  multipart"]]);
});

test("refuses a form without a boundary", async () => {
  const { app } = appOf(uploading(listing));
  const init = { method: "POST", headers: { "content-type": type }, body: written(good) };
  const response = await app.request("/one", init);
  expect([response.status, brief(await response.json())]).toEqual([400, ["body  multipart"]]);
});

test("holds no more of the fields in memory than of a body, however they are cut", async () => {
  const long: readonly Part[] = [["title", "x".repeat(1100)], file("file", "content")];
  const many: readonly Part[] = [
    ...Array.from({ length: 20 }, (): Part => ["x", ""]),
    title,
    file("file", "content"),
  ];
  for (const given of [long, many]) {
    const [status, body] = await send(given);
    expect([status, (body as { code: string }).code]).toEqual([413, "body_too_large"]);
  }
});

describe.each(ways)("by the %s", (way) => {
  test("gives a file as it comes, and the limit of all is that of the contract", async () => {
    const first = Promise.withResolvers<string>();
    const answer: Answer = async ({ files }) => {
      let size = 0;
      for await (const { stream } of files) {
        for await (const piece of stream) {
          first.resolve(new TextDecoder().decode(piece));
          size += piece.length;
        }
      }
      return { status: 200, body: { size } };
    };
    const { port } = await startBy(way, uploading(answer));
    const client = new Client(port);
    // the last bytes that have come may be the beginning of a boundary, and wait
    const [before = "", after = ""] = written([title, file("file", "abcdefgh|ij")]).split("|");
    const head = [host, `Content-Type: ${type}; boundary=b`] as const;
    const length = before.length + after.length;
    client.send("POST /one HTTP/1.1", ...head, `Content-Length: ${length}`, "", before);
    expect(await first.promise).toBe("abcd");
    client.send(after);
    await client.until((said) => said.includes('{"size":10}'));
    client.send("GET /other HTTP/1.1", host, "", "");
    await client.until((said) => said.split("HTTP/1.1 ").length === 3);
    const large = new Client(port);
    large.send("POST /one HTTP/1.1", ...head, "Content-Length: 1000001", "", "");
    expect(await large.until((said) => said.includes("body_too_large"))).toContain(" 413 ");
  });
});

test("a file that is read beside the loop is whole, or its reader is told", async () => {
  const sent: Part[] = [
    ["title", "a"],
    file("file", "x".repeat(3_000)),
    file("more", "y", "\r\nX-Sum: 5"),
  ];
  const aside: Answer = async ({ files }) => {
    const reading: Promise<string>[] = [];
    for await (const one of files) reading.push(textOf(one));
    const ends = await Promise.allSettled(reading);
    const told = ends.map((end) =>
      end.status === "fulfilled" ? end.value.length : String(end.reason),
    );
    return { status: 200, body: told };
  };
  const [status, told] = await send(sent, { answer: aside });
  const late = "Error: a file is read before the next one is asked for";
  expect([status, told]).toEqual([200, [late, late]]);
});

test("files count as what is held of them", async () => {
  let taken = 0;
  const counting: Answer = async ({ files }) => {
    taken = 0;
    for await (const _ of files) taken += 1;
    return { status: 200, body: taken };
  };
  const known = { more: { kind: { file: {} }, isList: true } } as const;
  const schema = z.looseObject({ more: z.array(z.unknown()) });
  const many = (count: number): Part[] =>
    Array.from({ length: count }, () => file("more", "", "\r\nX-Sum: 1"));
  const wish = { answer: counting, known, schema };
  expect(await send(many(8), wish)).toEqual([200, 8]);
  // the edge of these tests takes a thousand bytes, and a file counts a hundred and its names
  expect([(await send(many(9), wish))[0], taken]).toEqual([413, 8]);
});
