// The codes of problems: each is met by a case, and means one thing.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Code, codes } from "../../generator/diagnostics/codes.ts";
import { readContract } from "../../generator/generate.ts";
import { DocumentError } from "../../generator/problems.ts";
import { readSourceFiles } from "../tidy/source-files.ts";
import { cases } from "./cases.ts";

const all = Object.keys(codes);

function inCases(): Set<string> {
  const texts = cases.flatMap(({ folder }) =>
    ["problems.txt", "warnings.txt"].map((name) => {
      try {
        return readFileSync(join(folder, name), "utf8");
      } catch {
        return ""; // a case has one of the two, or none
      }
    }),
  );
  return new Set(texts.join("").match(/OAG\d{3}/g));
}

function codesOf(document: string, path = "/openapi.json"): readonly Code[] {
  const read = (asked: string): Uint8Array => {
    if (asked === path && document !== "") return Buffer.from(document);
    throw Object.assign(new Error(asked), { code: "ENOENT" });
  };
  try {
    const { warnings } = readContract(path, { shelf: { read, shown: (name) => name } });
    return warnings.map(({ code }) => code);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return error.problems.map(({ code }) => code);
  }
}

/** Each of so many names means one of two things, depending on the way that was taken: 2 ** steps meanings. */
function manyMeanings(steps: number): string {
  const numbers = [...Array(steps).keys()];
  const schemas = numbers.flatMap((step) => {
    const next = step + 1 === steps ? "leaf" : `choice${step + 1}`;
    const way = (side: string): object => ({
      $id: `https://example.com/${side}${step}`,
      $defs: { own: { $dynamicAnchor: `name${step}`, title: side } },
      $ref: `https://example.com/openapi#/components/schemas/${next}`,
    });
    const sides = ["a", "b"].map((side) => [`${side}${step}`, way(side)] as const);
    const anyOf = sides.map(([name]) => ({ $ref: `#/components/schemas/${name}` }));
    return [[`choice${step}`, { anyOf }] as const, ...sides];
  });
  const properties = Object.fromEntries(
    numbers.map((step) => [
      `p${step}`,
      { $dynamicRef: `#name${step}`, $defs: { own: { $dynamicAnchor: `name${step}` } } },
    ]),
  );
  const leaf = { $id: "https://example.com/leaf", properties };
  return JSON.stringify({
    openapi: "3.1.0",
    info: { title: "many", version: "1" },
    paths: {},
    components: { schemas: { leaf, ...Object.fromEntries(schemas) } },
  }).replaceAll("https://example.com/openapi#", "file:///openapi.json#");
}

/** What needs more than a folder with a document, or is too long for one. */
const elsewhere: readonly (readonly [code: Code, what: string, document: string])[] = [
  ["OAG101", "a file that is not there", ""],
  ["OAG214", "thousands of meanings of one name", manyMeanings(11)],
];

/** Found in several places of the generator, and the same to the one who reads of it. */
const inSeveralPlaces: Readonly<Record<string, string>> = {
  OAG208: "circles of schemas and circles of other references are found in two ways",
  OAG302: "OpenAPI 3.0 needs paths, and 3.1 does not: no table of fields can say that",
  OAG304: "fields, entries of maps, objects and lists are looked at each by its own function",
};

describe("every code", () => {
  test("is met by a case", () => {
    const met = new Set([...inCases(), ...elsewhere.map(([code]) => code)]);
    expect(all.filter((code) => !met.has(code))).toEqual([]);
  });

  test.for(elsewhere)("%s: %s", ([code, , document]) => {
    expect(codesOf(document)).toContain(code);
  });

  test("means one thing, which is found in one place or for a reason in several", () => {
    const used = [...readSourceFiles()]
      .filter(([path]) => path.startsWith("generator/"))
      .flatMap(([, text]) => text.match(/"OAG\d{3}"/g) ?? [])
      .map((text) => text.slice(1, -1));
    const counts = Map.groupBy(used, (code) => code);
    expect([...counts.keys()].toSorted()).toEqual(all);
    const several = [...counts].filter(([, places]) => places.length > 1).map(([code]) => code);
    expect(several.toSorted()).toEqual(Object.keys(inSeveralPlaces));
  });

  test("has a title of its own", () => {
    const titles = Object.values(codes).map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
  });

  test("stands in the order of its number", () => {
    expect(all).toEqual(all.toSorted());
  });
});
