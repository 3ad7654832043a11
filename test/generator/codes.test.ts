// The codes of problems: each has an example that is wrong in this way alone, and means one thing.

import { describe, expect, test } from "vitest";
import {
  type Code,
  codes,
  consequenceOf,
  diagnostics,
  isCode,
} from "../../generator/diagnostics/codes.ts";
import { emitFiles } from "../../generator/generate.ts";
import { examples } from "../../scripts/diagnostics/examples.ts";
import { toldOf } from "../../scripts/diagnostics/told.ts";
import { readSourceFiles } from "../tidy/source-files.ts";

const all = Object.keys(codes).filter(isCode);

/** Found in several places of the generator, and the same to the one who reads of it. */
const inSeveralPlaces: Readonly<Record<string, string>> = {
  OAG105: "YAML and JSON are read by different parsers",
  OAG108: "an alias inside itself is seen before the aliases are counted",
  OAG110: "YAML and JSON are read by different parsers",
  OAG205:
    "references to no part at all are found when they are followed, to another part when all are taken in",
  OAG216: "references of OpenAPI are followed later than those it does not know",
  OAG302: "OpenAPI 3.0 needs paths, and 3.1 does not: no table of fields can say that",
  OAG303: "fields, and values of fields",
  OAG304: "fields are held against their table, and against what the version says of bounds",
  OAG307: "single objects, and maps and lists of them",
  OAG310: "whatever the conversion needs before it begins",
  OAG704: "requirements that are no objects, and scopes that are no list",
};

/** Of a document that is converted that is said besides. */
function isSaid(found: Code, wanted: Code): boolean {
  return found !== "OAG117" || wanted === "OAG117";
}

describe("every code", () => {
  test.for(all)("%s is said of its example, and nothing else is", (code) => {
    const problems = toldOf(examples[code]).problems.filter((one) => isSaid(one.code, code));
    expect(problems.map((one) => one.code)).toEqual([code]);
    expect(problems[0]?.severity).toBe(codes[code].severity);
  });

  test("means one thing, which is found in one place or for a reason in several", () => {
    const used = [...readSourceFiles()]
      .filter(([path]) => path.startsWith("generator/") && !path.endsWith("/codes.ts"))
      .filter(([path]) => !/^generator\/(?:problems|configuration\/fields)\.ts$/.test(path))
      .flatMap(([, text]) => text.replace(/allows\("OAG\d{3}"\)/g, "").match(/"OAG\d{3}"/g) ?? [])
      .map((text) => text.slice(1, -1));
    const counts = Map.groupBy(used, (code) => code);
    expect([...counts.keys()].toSorted()).toEqual(all);
    const several = [...counts].filter(([, places]) => places.length > 1).map(([code]) => code);
    expect(several.toSorted()).toEqual(Object.keys(inSeveralPlaces));
  });

  test("has a title of its own, and stands in the order of its number", () => {
    const titles = Object.values(codes).map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
    expect(all).toEqual(all.toSorted());
  });
});

describe("allowed by name", () => {
  const allowed = (code: Code) => toldOf(examples[code], new Set([code]));

  test.for(all.filter((code) => codes[code].severity === "warning"))(
    "the warning %s is not said",
    (code) => {
      const { problems, reading } = allowed(code);
      expect(problems.filter((one) => isSaid(one.code, code))).toEqual([]);
      expect(reading).toBeDefined();
    },
  );

  test.for(all.filter((code) => consequenceOf(code) !== undefined))(
    "the error %s is a warning that says what happens, and files are made",
    (code) => {
      const { problems, reading } = allowed(code);
      expect(problems).toMatchObject([{ code, severity: "warning", allowed: consequenceOf(code) }]);
      if (reading === undefined) throw new Error("it was refused");
      expect(emitFiles(reading, "openapi.yaml").length).toBeGreaterThan(5);
    },
  );

  test.for(all.filter((code) => "never" in diagnostics[code]))(
    "the error %s stays one all the same",
    (code) => {
      const { problems, reading } = allowed(code);
      expect(reading).toBeUndefined();
      expect(problems).toMatchObject([{ code, severity: "error" }]);
    },
  );
});
