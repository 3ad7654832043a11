// Multipart bodies as bytes: read as fetch reads them, wherever they are cut.

import fc from "fast-check";
import { expect, test } from "vitest";
import {
  boundaryOf,
  MultipartError,
  MultipartParser,
} from "../../../generator/runtime/multipart-parser.ts";
import { bytesOf } from "../../../generator/runtime/multipart.ts";

type Part = readonly [name: string, filename: string | undefined, type: string, text: string];

/** In pieces of so many bytes. */
async function parse(bytes: Uint8Array, boundary: string, size: number): Promise<readonly Part[]> {
  let at = 0;
  const parser = new MultipartParser(() => {
    const piece = at < bytes.length ? bytes.subarray(at, at + size) : undefined;
    at += size;
    return Promise.resolve(piece);
  }, boundary);
  const parts: Part[] = [];
  for (let head = await parser.next(); head !== undefined; head = await parser.next()) {
    const text = Buffer.from(await bytesOf(() => parser.piece())).toString("latin1");
    const type = head.filename === undefined ? undefined : head.contentType;
    parts.push([head.name, head.filename, type ?? "text/plain", text]);
  }
  return parts;
}

async function asFetchReads(
  bytes: Uint8Array<ArrayBuffer>,
  boundary: string,
): Promise<readonly Part[]> {
  const headers = { "content-type": `multipart/form-data; boundary="${boundary}"` };
  const form = await new Response(bytes, { headers }).formData();
  const parts: Part[] = [];
  for (const [name, part] of form) {
    if (typeof part === "string") {
      parts.push([name, undefined, "text/plain", Buffer.from(part).toString("latin1")]);
    } else {
      const text = Buffer.from(await part.arrayBuffer()).toString("latin1");
      parts.push([name, part.name, part.type, text]);
    }
  }
  return parts;
}

const boundary = "AaB03x";
/** Much of it looks like a boundary, or a part of one. */
const content = fc.string({
  unit: fc.constantFrom("a", "\r", "\n", "\r\n", "-", "--", "\r\n--AaB", "\r\n--AaB03", "é", "\0"),
  maxLength: 12,
});
const name = fc.string({
  unit: fc.constantFrom("a", "b", " ", "%22", ";", "=", "é", "€"),
  maxLength: 5,
});
const part = fc.record({ name, filename: fc.option(name), content });

function written(
  parts: readonly { name: string; filename: string | null; content: string }[],
): string {
  const texts = parts.map((one) => {
    const file = one.filename === null ? "" : `; filename="${one.filename}"\r\nContent-Type: a/b`;
    const head = `Content-Disposition: form-data; name="${one.name}"${file}`;
    return `--${boundary}\r\n${head}\r\n\r\n${one.content}\r\n`;
  });
  return `${texts.join("")}--${boundary}--\r\n`;
}

test("is read as fetch reads it, in pieces of any size", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(part, { maxLength: 4 }),
      fc.integer({ min: 1, max: 40 }),
      async (parts, size) => {
        const bytes = new TextEncoder().encode(written(parts));
        expect(await parse(bytes, boundary, size)).toEqual(await asFetchReads(bytes, boundary));
      },
    ),
  );
});

test("is read as FormData is written", async () => {
  const form = new FormData();
  form.append('a "quoted"\r\nname', "text\r\nof lines");
  form.append("file", new Blob([new Uint8Array([0, 255, 13, 10, 45, 45])]), 'x"y\\z.bin');
  form.append("empty", new Blob([]), "");
  const response = new Response(form);
  const used = boundaryOf(response.headers.get("content-type") ?? "");
  const bytes = new Uint8Array(await response.arrayBuffer());
  for (const size of [1, 3, 1000]) {
    expect(await parse(bytes, used, size)).toEqual(await asFetchReads(bytes, used));
  }
});

const head = 'Content-Disposition: form-data; name="a"';

test.for<[string, string, readonly Part[]]>([
  ["nothing", "--b--", []],
  ["nothing, and something behind it", "--b--\r\nepilogue\r\n--b\r\n", []],
  [
    "a preamble",
    `preamble\r\n--b\r\n${head}\r\n\r\nx\r\n--b--`,
    [["a", undefined, "text/plain", "x"]],
  ],
  [
    "padding",
    `--b \t\r\n${head}\r\n\r\nx\r\n--b  \r\n${head}\r\n\r\ny\r\n--b--`,
    [
      ["a", undefined, "text/plain", "x"],
      ["a", undefined, "text/plain", "y"],
    ],
  ],
  ["an empty part", `--b\r\n${head}\r\n\r\n\r\n--b--`, [["a", undefined, "text/plain", ""]]],
  [
    "names without quotes, in any case",
    "--b\r\nCONTENT-disposition: Form-Data; NAME=a; FileName=b.txt\r\ncontent-TYPE: A/B;c=d\r\n\r\n\r\n--b--",
    [["a", "b.txt", "A/B;c=d", ""]],
  ],
  [
    "a name of a file in other letters",
    "--b\r\nContent-Disposition: form-data; name=a; filename*=UTF-8''%e2%82%ac.txt\r\n\r\n\r\n--b--",
    [["a", "€.txt", "text/plain", ""]],
  ],
  [
    "a quote behind a backslash",
    '--b\r\nContent-Disposition: form-data; name="a\\"b"; filename="C:\\x\\y.txt"\r\n\r\n\r\n--b--',
    [['a"b', "C:\\x\\y.txt", "text/plain", ""]],
  ],
  [
    "a backslash at the end, as browsers send it",
    '--b\r\nContent-Disposition: form-data; name="f\\"; filename="C:\\d\\"\r\n\r\n\r\n--b--',
    [["f\\", "C:\\d\\", "text/plain", ""]],
  ],
  [
    "a part without content, whose empty line ends it",
    `--b\r\n${head}\r\n\r\n--b\r\n${head}\r\n\r\n1\r\n--b--`,
    [
      ["a", undefined, "text/plain", ""],
      ["a", undefined, "text/plain", "1"],
    ],
  ],
])("reads %s", async ([, text, expected]) => {
  for (const size of [1, 2, 1000]) {
    expect(await parse(new TextEncoder().encode(text), "b", size)).toEqual(expected);
  }
});

test.for<[string, string]>([
  ["no boundary", "nothing of the kind"],
  ["nothing at all", ""],
  ["a boundary in the middle of a line", "x--b--"],
  ["no end", `--b\r\n${head}\r\n\r\nx`],
  ["no end of a head", `--b\r\n${head}\r\n`],
  ["a head without a name", "--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--"],
  ["a head of another kind", '--b\r\nContent-Disposition: attachment; name="a"\r\n\r\nx\r\n--b--'],
  ["no head", "--b\r\n\r\nx\r\n--b--"],
  [
    "a head that goes on where nothing can be read",
    '--b\r\nContent-Disposition: form-data; name="a\\"; b"\r\n\r\nx\r\n--b--',
  ],
  ["a line that is no header", `--b\r\n${head}\r\nno colon\r\n\r\nx\r\n--b--`],
  ["a boundary that goes on", `--bc\r\n${head}\r\n\r\nx\r\n--b--`],
  [
    "a wrong escape",
    "--b\r\nContent-Disposition: form-data; name=a; filename*=UTF-8''%e2%8\r\n\r\n--b--",
  ],
  ["a head without end", `--b\r\n${head}\r\nX: ${"x".repeat(20_000)}\r\n\r\nx\r\n--b--`],
])("refuses %s", async ([, text]) => {
  for (const size of [1, 7, 100_000]) {
    const parsed = parse(new TextEncoder().encode(text), "b", size);
    await expect(parsed).rejects.toThrow(MultipartError);
  }
});

test("refuses a head that is not UTF-8", async () => {
  const bytes = Buffer.from(`--b\r\n${head.replace('"a"', '"\xe9"')}\r\n\r\nx\r\n--b--`, "latin1");
  await expect(parse(bytes, "b", 5)).rejects.toThrow(MultipartError);
});

test.for([
  ["multipart/form-data; boundary=abc", "abc"],
  ['multipart/form-data; charset=utf-8; Boundary="a b?"; x=y', "a b?"],
  ["multipart/form-data;boundary=a;", "a"],
] as const)("finds the boundary of %s", ([type, expected]) => {
  expect(boundaryOf(type)).toBe(expected);
});

test.for([
  "multipart/form-data",
  "multipart/form-data; boundary=",
  `multipart/form-data; boundary=${"a".repeat(71)}`,
])("finds no boundary in %s", (type) => {
  expect(() => boundaryOf(type)).toThrow(MultipartError);
});

test("is quick about bytes that are nothing but the beginnings of a boundary", async () => {
  const text = `${head}\r\n\r\n${"\r\n--AaB03".repeat(200_000)}`;
  const bytes = new TextEncoder().encode(`--${boundary}\r\n${text}\r\n--${boundary}--`);
  const parts = await parse(bytes, boundary, 65_536);
  expect(parts[0]?.[3].length).toBe(9 * 200_000);
});
