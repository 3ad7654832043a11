// Slips of those who write JSON by hand: each is one problem, in the words of JSON.

import { describe, expect, test } from "vitest";
import { json } from "../../scripts/diagnostics/documents.ts";
import { toldOf } from "../../scripts/diagnostics/told.ts";
import { said } from "./said.ts";

describe("a slip of JSON is one problem, in JSON's words", () => {
  test.for([
    ["a comma at the end", '{\n  "a": 1,\n}', '2:9 OAG104 nothing follows this comma before "}"'],
    [
      "a comma at the end of a list",
      '{"a": [1, 2,]}',
      '1:12 OAG104 nothing follows this comma before "]"',
    ],
    ["a comma that is missing", '{\n  "a": 1\n  "b": 2\n}', "2:9 OAG104 a comma is missing"],
    ["a comma that is missing in a list", "[1 2]", "1:3 OAG104 a comma is missing"],
    ["a comma too many", "[1,,2]", "1:4 OAG104 nothing stands before this comma"],
    ["single quotes around a name", "{'a': 1}", "1:2 OAG104 texts stand in double quotes"],
    ["single quotes around a text", "{\"a\": 'b'}", "1:7 OAG104 texts stand in double quotes"],
    ["quotes of a word processor", "{“a”: 1}", "1:2 OAG104 “ is no quote of JSON"],
    ["no quotes around a name", "{a: 1}", "1:2 OAG104 the name a has to stand in double quotes"],
    ["no quotes around a text", '{"a": abc}', "1:7 OAG104 abc is no value of JSON"],
    ["a comment", '{\n  // x\n  "a": 1}', "2:3 OAG104 JSON has no comments"],
    ["a comment of another kind", '{"a": 1 /* x */}', "1:9 OAG104 JSON has no comments"],
    ["a comment of YAML", '{"a": 1, # x\n"b": 2}', "1:10 OAG104 JSON has no comments"],
    ["a word of Python", '{"a": True}', "1:7 OAG104 True is no value of JSON"],
    ["nothing, as other languages say it", '{"a": undefined}', "1:7 OAG104 JSON has no undefined"],
    ["no number", '{"a": NaN}', "1:7 OAG104 JSON has no NaN"],
    ["a number that no double holds", '{"a": 1e400}', '1:7 OAG110 JSON has no value for "1e400"'],
    ["a number that begins with 0", '{"a": 007}', "1:7 OAG104 the number 007 begins with 0"],
    [
      "a number without its 0",
      '{"a": .5}',
      "1:7 OAG104 the number .5 has no digit before its point",
    ],
    ["a number of another language", '{"a": 0x1f}', "1:7 OAG104 0x1f is no number of JSON"],
    [
      "a line break in a text",
      '{"a": "b\n"}',
      "1:7 OAG104 the text that begins here does not end in its line",
    ],
    ["a tab in a text", '{"a": "b\tc"}', "1:9 OAG104 a tab stands inside a text"],
    ["an escape that is none", '{"a": "\\d"}', "1:8 OAG104 \\d is no escape of JSON"],
    [
      "a quote in a text",
      '{"a": "b "c" d"}',
      "1:10 OAG104 a text ends at this quote, and something follows",
    ],
    [
      "a bracket that is missing",
      '{\n  "a": {\n    "b": 1,\n  "c": 2\n}',
      '2:8 OAG104 this "{" is never closed',
    ],
    [
      "a bracket of the wrong kind",
      '{"a": [1}',
      '1:9 OAG104 "}" stands where the "[" of 1:7 has to be closed',
    ],
    ["a bracket too many", '{"a": 1}}', '1:9 OAG104 "}" closes nothing: nothing is open here'],
    ["a colon that is missing", '{"a" 1}', '1:5 OAG104 a colon is missing after the name "a"'],
    ["= for a colon", '{"a" = 1}', '1:6 OAG104 a colon is missing after the name "a"'],
    ["no value", '{"a": , "b": 1}', '1:6 OAG104 the name "a" has no value'],
    [
      "texts that are put together",
      '{"a": "b" + "c"}',
      "1:11 OAG104 texts cannot be put together in JSON",
    ],
    [
      "a blank that is none",
      '{\u00a0"a": 1}',
      "1:2 OAG104 the invisible character U+00A0 stands between values",
    ],
    ["a second document", "{} {}", "1:4 OAG104 the document has ended, and something follows"],
    ["nothing at all", " \n", "1:1 OAG104 the file is empty"],
    [
      "a name that stands twice",
      '{\n  "a": 1,\n  "a": 2}',
      '3:3 OAG105 "a" stands twice in this object, first at 2:3',
    ],
  ])("%s", ([, text = "", expected = ""]) => {
    expect(toldOf(json(text)).problems.map(said)).toEqual([expected]);
  });

  test("and what JSON takes is taken, whatever it looks like", () => {
    const info = '"info": { "title": "// no \\u0022comment\\u0022 # \'", "version": "1" }';
    const text = `\ufeff{ "openapi": "3.1.0",\r\n\t${info}, "paths": {}, "x-n": [-0, 1e5, 1E-2, {}] }`;
    expect(toldOf(json(text)).problems).toEqual([]);
  });

  test("a text of many megabytes is read to its end", () => {
    const text = `{"a": "${"b\\n".repeat(2_000_000)}" "c": 1}`;
    expect(toldOf(json(text)).problems).toMatchObject([{ message: "a comma is missing" }]);
  });
});
