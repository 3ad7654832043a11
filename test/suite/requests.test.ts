// How values of parameters are written: the table of OpenAPI 3.1, section 4.8.12.4, whose values are blue, black
// and brown, and a colour in three parts.

import { expect, test } from "vitest";
import { Contract } from "../../generator/suite/contract.ts";
import { writeForm } from "../../generator/suite/forms.ts";
import type { Json } from "../../generator/suite/json.ts";
import { compose, whyUnwritable } from "../../generator/suite/requests.ts";

const list = ["blue", "black", "brown"];
const object = { R: 100, G: 200, B: 150 };

function operationWith(part: string, style: string | undefined, explode: boolean | undefined) {
  const parameter = {
    name: "color",
    in: part,
    required: true,
    schema: {},
    ...(style === undefined ? {} : { style }),
    ...(explode === undefined ? {} : { explode }),
  };
  const path = part === "path" ? "/a/{color}" : "/a";
  const { operations } = new Contract({
    openapi: "3.1.0",
    paths: { [path]: { get: { parameters: [parameter], responses: {} } } },
  });
  const [operation] = operations;
  if (operation === undefined) throw new Error("there is one");
  return operation;
}

function written(
  [part, style, explode]: readonly [
    part: string,
    style: string | undefined,
    explode: boolean | undefined,
  ],
  value: Json,
): string | undefined {
  const parameters = new Map([[`${part} color`, value]]);
  const operation = operationWith(part, style, explode);
  const { target, headers } = compose(operation, { parameters, body: undefined });
  if (part === "header") return headers["color"];
  if (part === "cookie") return headers["Cookie"];
  return target.replace(part === "path" ? "/a/" : "/a?", "");
}

test.each([
  [["query"], "blue", "color=blue"],
  [["query"], list, "color=blue&color=black&color=brown"],
  [["query"], object, "R=100&G=200&B=150"],
  [["query", "form", false], list, "color=blue,black,brown"],
  [["query", "form", false], object, "color=R,100,G,200,B,150"],
  [["query", "spaceDelimited", false], list, "color=blue%20black%20brown"],
  [["query", "pipeDelimited", false], list, "color=blue%7Cblack%7Cbrown"],
  [["query", "deepObject", true], object, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"],
  [
    ["query", "deepObject", true],
    { a: [1, { b: "x y" }], "c/d": { e: true } },
    "color%5Ba%5D%5B0%5D=1&color%5Ba%5D%5B1%5D%5Bb%5D=x%20y&color%5Bc%2Fd%5D%5Be%5D=true",
  ],
  [["path"], "a/b c", "a%2Fb%20c"],
  [["path"], list, "blue,black,brown"],
  [["path"], object, "R,100,G,200,B,150"],
  [["path", "simple", true], object, "R=100,G=200,B=150"],
  [["path", "label", false], list, ".blue,black,brown"],
  [["path", "label", true], list, ".blue.black.brown"],
  [["path", "matrix", false], "blue", ";color=blue"],
  [["path", "matrix", false], list, ";color=blue,black,brown"],
  [["path", "matrix", true], list, ";color=blue;color=black;color=brown"],
  [["path", "matrix", true], object, ";R=100;G=200;B=150"],
  [["header"], list, "blue,black,brown"],
  [["header"], object, "R,100,G,200,B,150"],
  [["header", "simple", true], object, "R=100,G=200,B=150"],
  [["cookie"], "blue", "color=blue"],
  [["cookie", "form", false], list, "color=blue,black,brown"],
  [["cookie", "form", false], object, "color=R,100,G,200,B,150"],
  [["cookie", "cookie"], "%20blue", "color=%20blue"],
  [["cookie", "cookie"], list, "color=blue; color=black; color=brown"],
  [["cookie", "cookie"], object, "R=100; G=200; B=150"],
  [["cookie", "cookie", false], list, "color=blue,black,brown"],
  [["cookie", "cookie", false], object, "color=R,100,G,200,B,150"],
] as const)("%j %j", (place, value, expected) => {
  expect(written([place[0], place[1], place[2]], structuredClone(value) as Json)).toBe(expected);
});

test.each([
  ["path", "", "an empty segment is another path"],
  ["path", "..", "an empty segment is another path"],
  ["header", "ö", "no header has such a text"],
  ["query", [], "an empty list has no form"],
  ["query", [{ a: 1 }], "a list in a list has no form"],
  ["query", ["a,b", "c"], "it would be read as more"],
] as const)("what has no form in a %s: %j", (part, value, why) => {
  const [parameter] = operationWith(part, undefined, false).parameters;
  if (parameter === undefined) throw new Error("there is one");
  expect(whyUnwritable(parameter, structuredClone(value) as Json)).toBe(why);
});

test("a cookie that is taken apart has no one form", () => {
  const [parameter] = operationWith("cookie", "form", true).parameters;
  if (parameter === undefined) throw new Error("there is one");
  const why = "a cookie that is taken apart has no one form";
  expect([whyUnwritable(parameter, object), whyUnwritable(parameter, list)]).toEqual([why, why]);
  expect(whyUnwritable(parameter, ["blue"])).toBeUndefined();
});

test.each([
  ["application/x-www-form-urlencoded", { a: "b c", list: [1, 2] }, "/a?a=b+c&list=1&list=2"],
  ["application/x-www-form-urlencoded", {}, "/a"],
  ["application/json", { a: [1] }, "/a?%7B%22a%22%3A%5B1%5D%7D"],
  ["application/jsonpath", "$.a", "/a?%24.a"],
] as const)("the whole query in %s: %j", (mediaType, value, expected) => {
  const parameter = { name: "q", in: "querystring", content: { [mediaType]: {} } };
  const { operations } = new Contract({ paths: { "/a": { get: { parameters: [parameter] } } } });
  const [operation] = operations;
  if (operation === undefined) throw new Error("there is one");
  const parameters = new Map([["querystring q", structuredClone(value) as Json]]);
  expect(compose(operation, { parameters, body: undefined }).target).toBe(expected);
});

test("forms", () => {
  const urlencoded = writeForm("application/x-www-form-urlencoded", { a: "b c", list: [1, 2] });
  expect(urlencoded?.text).toBe("a=b+c&list=1&list=2");
  const multipart = writeForm("multipart/form-data", { a: "b" });
  expect(multipart?.type).toMatch(/^multipart\/form-data; boundary=(\S+)$/);
  expect(multipart?.text).toContain('Content-Disposition: form-data; name="a"\r\n\r\nb\r\n--');
  expect(writeForm("multipart/form-data", { a: { b: 1 } })).toBeUndefined();
  expect(writeForm("text/csv", { a: "b" })).toBeUndefined();
  const files = new Map([
    ["a", "image/png"],
    ["b", ""],
  ]);
  const withFiles = writeForm("multipart/form-data", { a: "x", b: ["y"], c: "z" }, files)?.text;
  expect(withFiles).toContain('name="a"; filename="file"\r\nContent-Type: image/png\r\n\r\nx\r\n');
  expect(withFiles).toContain('name="b"; filename="file"\r\n\r\ny\r\n');
  expect(withFiles).toContain('name="c"\r\n\r\nz\r\n');
});
