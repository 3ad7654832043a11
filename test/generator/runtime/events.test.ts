// Server-sent events: what was written is what a reader of the standard reads, wherever the bytes are cut.

import fc from "fast-check";
import { expect, test } from "vitest";
import { eventText } from "../../../generator/runtime/events.ts";

interface Heard {
  readonly event: string;
  readonly data: string;
  readonly id: string;
}

/** WHATWG HTML, section 9.2.6, by its letter. @returns events, and the last time to wait that was said */
function interpret(pieces: readonly Uint8Array[]): {
  heard: readonly Heard[];
  retry: number | undefined;
} {
  const decoder = new TextDecoder();
  const text =
    pieces.map((piece) => decoder.decode(piece, { stream: true })).join("") + decoder.decode();
  const heard: Heard[] = [];
  let [data, event, id, retry] = ["", "", "", undefined as number | undefined];
  const lines = text.split(/\r\n|\n|\r/);
  // what follows the last line break is no line yet
  lines.pop();
  for (const line of lines) {
    if (line === "") {
      if (data !== "") heard.push({ event: event || "message", data: data.replace(/\n$/, ""), id });
      [data, event] = ["", ""];
      continue;
    }
    const colon = line.indexOf(":");
    if (colon === 0) continue;
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "event") event = value;
    else if (name === "data") data += `${value}\n`;
    else if (name === "id" && !value.includes("\0")) id = value;
    else if (name === "retry" && /^[0-9]+$/.test(value)) retry = Number(value);
  }
  return { heard, retry };
}

const hostile = fc.string({
  unit: fc.constantFrom(
    "a",
    " ",
    ":",
    "\n",
    "\r",
    "\r\n",
    "é",
    "€",
    "😀",
    "data: x",
    "\u{feff}",
    "\0",
  ),
  maxLength: 12,
});
const oneLine = fc.string({ unit: fc.constantFrom("a", " ", ":", "é", "😀", "id"), maxLength: 6 });

const anyEvent = fc.record(
  { data: hostile, event: oneLine, id: oneLine, retry: fc.nat(), comment: hostile },
  { requiredKeys: ["data"] },
);

test("is read as it was meant, in pieces of any size", () => {
  fc.assert(
    fc.property(
      fc.array(anyEvent, { maxLength: 4 }),
      fc.integer({ min: 1, max: 9 }),
      (events, size) => {
        const bytes = new TextEncoder().encode(events.map((one) => eventText(one, false)).join(""));
        const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          bytes.subarray(index * size, (index + 1) * size),
        );
        let id = "";
        const expected = events.map((one): Heard => {
          id = one.id ?? id;
          // a reader joins lines by LF, however they were broken
          return { event: one.event || "message", data: one.data.replaceAll(/\r\n?/g, "\n"), id };
        });
        const { heard, retry } = interpret(pieces);
        expect(heard).toEqual(expected);
        expect(retry).toBe(events.findLast((one) => one.retry !== undefined)?.retry);
      },
    ),
  );
});

test("carries every JSON value in one line of data", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.boolean(), (data, isJson) => {
      const text = eventText({ data }, isJson);
      const [only] = interpret([new TextEncoder().encode(text)]).heard;
      if (typeof data === "string" && !isJson) return;
      expect(JSON.parse(only?.data ?? "")).toEqual(JSON.parse(JSON.stringify(data)));
      expect(text.split("\n").length).toBe(3);
    }),
  );
});

test.for<[unknown, string]>([
  [{}, ":\n\n"],
  [{ comment: "" }, ":\n\n"],
  [{ comment: "a\r\nb\rc" }, ": a\n: b\n: c\n\n"],
  [{ event: null, id: null, retry: null, data: "x" }, "data: x\n\n"],
  [{ id: 7, event: 5 }, "event: 5\nid: 7\n\n"],
  [{ data: " x" }, "data:  x\n\n"],
  [{ data: "a\n\nb\n" }, "data: a\ndata: \ndata: b\ndata: \n\n"],
])("writes %j", ([item, text]) => {
  expect(eventText(item, false)).toBe(text);
});

test.for<[string, unknown]>([
  ["no object", "text"],
  ["null", null],
  ["a list", []],
  ["a name with a line break", { event: "a\nid: 1", data: "x" }],
  ["a name with a carriage return", { event: "a\rb", data: "x" }],
  ["an id with a line break", { id: "1\r\n", data: "x" }],
  ["an id with NUL", { id: "1\0", data: "x" }],
  ["an id that is an object", { id: {}, data: "x" }],
  ["a time below 0", { retry: -1 }],
  ["a time with a fraction", { retry: 0.5 }],
  ["a time as text", { retry: "5" }],
  ["a comment that is an object", { comment: {} }],
  ["data that JSON cannot say", { data: () => 1 }],
  ["data in a circle", circle()],
])("refuses %s", ([, item]) => {
  expect(() => eventText(item, false)).toThrow(TypeError);
});

function circle(): object {
  const data: Record<string, unknown> = {};
  data["data"] = data;
  return { data };
}
