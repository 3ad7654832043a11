// Multipart bodies part by part: what each stands for, how large it is, and how it was sent.

import { expect, test } from "vitest";
import type { Handler, PartPlan } from "../../../generator/runtime/runtime.ts";
import { appOf, brief, operation, start, z } from "./harness.ts";

const parts: Readonly<Record<string, PartPlan>> = {
  file: {
    kind: { file: { minBytes: 2, maxBytes: 5, contentTypes: ["image/png", "text/*"] } },
    isList: false,
  },
  more: { kind: { file: {} }, isList: true },
  count: { kind: { text: ["integer"] }, isList: false },
  tags: { kind: { text: ["string"] }, isList: true },
  thing: { kind: "json", isList: false },
  things: { kind: "json", isList: true },
  ["__proto__"]: { kind: { text: ["string"] }, isList: false },
};

const schema = z.looseObject({
  file: z.unknown().exactOptional(),
  more: z.array(z.unknown()).max(2).exactOptional(),
  count: z.int().max(9).exactOptional(),
  tags: z.array(z.enum(["a", "b"])).exactOptional(),
  thing: z.strictObject({ a: z.int() }).exactOptional(),
  things: z.array(z.strictObject({ a: z.int() })).exactOptional(),
});

const type = "multipart/form-data";

const setup = {
  operations: [
    operation({
      id: "one",
      method: "post",
      path: "/one",
      request: { body: { required: true, content: { [type]: { schema } } } },
      parts: { [type]: parts },
    }),
  ],
  handlers: {
    one: (async ({ body }: { readonly body: Readonly<Record<string, unknown>> }) => ({
      status: 200,
      body: await shown(body),
    })) as Handler,
  },
};

/** Files by name, type and text. */
async function shown(value: unknown): Promise<unknown> {
  if (value instanceof File) return [value.name, value.type, await value.text()];
  if (Array.isArray(value)) return Promise.all(value.map(shown));
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) === null) {
    return value;
  }
  const names = Object.entries(value).map(async ([name, one]) => [name, await shown(one)]);
  return Object.fromEntries((await Promise.all(names)) as [string, unknown][]);
}

type Part = readonly [name: string, value: string | Blob, filename?: string];

function formOf(given: readonly Part[]): FormData {
  const form = new FormData();
  for (const [name, value, filename] of given) {
    if (typeof value === "string") form.append(name, value);
    else form.append(name, value, filename ?? "blob");
  }
  return form;
}

const blob = (text: string, mediaType = "text/plain"): Blob =>
  new Blob([text], { type: mediaType });

test.for<[string, readonly Part[], unknown]>([
  ["a file", [["file", blob("abc"), "a.txt"]], { file: ["a.txt", "text/plain", "abc"] }],
  [
    "a file in a type of its list",
    [["file", blob("ab", "image/png"), "a"]],
    { file: ["a", "image/png", "ab"] },
  ],
  ["one of several files", [["more", blob("a"), "x"]], { more: [["x", "text/plain", "a"]] }],
  [
    "several files",
    [
      ["more", blob("a"), "x"],
      ["more", blob("", ""), "y"],
    ],
    {
      more: [
        ["x", "text/plain", "a"],
        ["y", "application/octet-stream", ""],
      ],
    },
  ],
  ["a number", [["count", "7"]], { count: 7 }],
  ["a text with a file's name", [["count", blob("7"), "count.txt"]], { count: 7 }],
  [
    "several texts",
    [
      ["tags", "a"],
      ["tags", "b"],
    ],
    { tags: ["a", "b"] },
  ],
  ["JSON", [["thing", '{"a":1}']], { thing: { a: 1 } }],
  ["JSON as a file", [["thing", blob('{"a":1}', "application/json"), "blob"]], { thing: { a: 1 } }],
  [
    "several values",
    [
      ["things", '{"a":1}'],
      ["things", '{"a":2}'],
    ],
    { things: [{ a: 1 }, { a: 2 }] },
  ],
  [
    "names that nobody has described",
    [
      ["x", "1"],
      ["y", "1"],
      ["y", "2"],
    ],
    { x: "1", y: ["1", "2"] },
  ],
  [
    "an input for files that nobody has chosen",
    [["file", blob("", "application/octet-stream"), ""]],
    {},
  ],
  [
    "a name of every object",
    [
      ["__proto__", "x"],
      ["constructor", "y"],
    ],
    { ["__proto__"]: "x", constructor: "y" },
  ],
])("takes %s", async ([, given, expected]) => {
  const { url } = await start(setup);
  const body = (): FormData => formOf(given);
  for (const response of [
    await appOf(setup).app.request("/one", { method: "POST", body: body() }),
    await fetch(`${url}/one`, { method: "POST", body: body() }),
  ]) {
    expect([response.status, await response.json()]).toEqual([200, expected]);
  }
});

test.for<[string, readonly Part[], readonly string[]]>([
  ["a text for a file", [["file", "abc"]], ["body /file file"]],
  ["a file that is too small", [["file", blob("a"), "a"]], ["body /file minLength"]],
  ["a file that is too large", [["file", blob("abcdef"), "a"]], ["body /file maxLength"]],
  [
    "a file of a type that begins alike",
    [["file", blob("abc", "textual/x"), "a"]],
    ["body /file contentType"],
  ],
  [
    "a file of another type",
    [["file", blob("abc", "image/jpeg"), "a"]],
    ["body /file contentType"],
  ],
  [
    "two files for one",
    [
      ["file", blob("abc"), "a"],
      ["file", blob("abc"), "b"],
    ],
    ["body /file repeated"],
  ],
  [
    "one file too many",
    [
      ["more", blob("a")],
      ["more", blob("a")],
      ["more", blob("a")],
    ],
    ["body /more maximum"],
  ],
  [
    "a text among files",
    [
      ["more", blob("a")],
      ["more", "a"],
    ],
    ["body /more/1 file"],
  ],
  ["no number", [["count", "x"]], ["body /count type"]],
  ["a number that is too large", [["count", "10"]], ["body /count maximum"]],
  [
    "a number twice",
    [
      ["count", "1"],
      ["count", "2"],
    ],
    ["body /count repeated"],
  ],
  [
    "another word",
    [
      ["tags", "a"],
      ["tags", "c"],
    ],
    ["body /tags/1 enum"],
  ],
  ["no JSON", [["thing", "{"]], ["body /thing json"]],
  ["JSON with a name twice", [["thing", '{"a":1,"a":2}']], ["body /thing repeated"]],
  ["JSON that is too deep", [["thing", "[[[[[[1]]]]]]"]], ["body /thing json"]],
  [
    "a number that becomes another",
    [["thing", '{"a":9007199254740993}']],
    ["body /thing/a precision"],
  ],
  [
    "another value",
    [
      ["things", '{"a":1}'],
      ["things", '{"a":"1"}'],
    ],
    ["body /things/1/a type"],
  ],
  [
    "a text that is no UTF-8",
    [["count", new Blob([Uint8Array.of(0xff)]), "a"]],
    ["body /count encoding"],
  ],
  [
    "several at once",
    [
      ["file", "abc"],
      ["count", "x"],
      ["thing", "{"],
    ],
    ["body /file file", "body /thing json", "body /count type"],
  ],
])("refuses %s", async ([, given, expected]) => {
  const response = await appOf(setup).app.request("/one", { method: "POST", body: formOf(given) });
  expect([response.status, brief(await response.json())]).toEqual([400, expected]);
});

test("holds the head of a part against the contract: its type where one is said, and its headers", async () => {
  const [first] = setup.operations;
  if (first === undefined) throw new Error("there is an operation");
  const headers = {
    schema: z.looseObject({ "X-Sum": z.int().max(9), "X-Note": z.string().exactOptional() }),
    readings: { "X-Sum": { kind: { scalar: ["integer"] }, explode: false } },
  } as const;
  const one = {
    ...first,
    parts: {
      [type]: {
        ...parts,
        thing: { kind: "json", isList: false, contentTypes: ["application/json"] },
      },
    },
    partHeaders: { [type]: { count: headers } },
  } as const;
  const { app } = appOf({ ...setup, operations: [one] });
  const sent = async (name: string, content: string, head: string): Promise<unknown> => {
    const disposition = `Content-Disposition: form-data; name="${name}"`;
    const body = `--b\r\n${disposition}${head}\r\n\r\n${content}\r\n--b--`;
    const contentType = `${type}; boundary=b`;
    const init = { method: "POST", headers: { "content-type": contentType }, body };
    const response = await app.request("/one", init);
    const answer: unknown = await response.json();
    return response.status === 200 ? answer : brief(answer);
  };
  expect(await sent("thing", '{"a":1}', "")).toEqual({ thing: { a: 1 } });
  const json = "\r\nContent-Type: Application/JSON; charset=utf-8";
  expect(await sent("thing", '{"a":1}', json)).toEqual({ thing: { a: 1 } });
  const other = "\r\nContent-Type: text/plain";
  expect(await sent("thing", '{"a":1}', other)).toEqual(["body /thing contentType"]);
  expect(await sent("count", "7", "\r\nx-sum: 9")).toEqual({ count: 7 });
  expect(await sent("count", "7", "\r\nX-Sum: 10")).toEqual(["body /count maximum"]);
  expect(await sent("count", "7", "\r\nX-Note: a")).toEqual(["body /count required"]);
  expect(await sent("count", "\xff7", "\r\nX-Sum: 1")).not.toEqual({ count: 7 });
});
