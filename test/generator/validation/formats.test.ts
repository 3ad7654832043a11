// Each format against texts from the RFC that defines it, and against Ajv's idea of it.

import { describe, expect, test } from "vitest";
import { formats } from "../../../generator/runtime/formats.ts";
import { compileSchema } from "../../../generator/conformance/compile.ts";
import { formatSamples } from "./format-samples.ts";
import { compileOracle } from "./oracle.ts";
import { effortOf } from "../../support/patience.ts";

test("every format that is checked has samples", () => {
  expect(Object.keys(formatSamples).toSorted()).toEqual(Object.keys(formats).toSorted());
});

describe.each(Object.entries(formatSamples))("%s", (format, samples) => {
  const { good, bad, onlyOurs = [], onlyAjv = [] } = samples;
  const schema = { type: "string", format };
  const { valid, problems } = compileSchema({ schema });
  const oracle = compileOracle({ schema });

  test("takes what the RFC allows", () => {
    expect([...good, ...onlyOurs].filter((text) => !valid(text))).toEqual([]);
  });

  test("refuses everything else, and says so without repeating it", () => {
    for (const text of [...bad, ...onlyAjv]) {
      expect({ text, problems: problems(text) }).toEqual({
        text,
        problems: [{ path: [], rule: "format", message: `must be a valid ${format}` }],
      });
      expect(valid(text)).toBe(false);
    }
  });

  test("differs from Ajv only where it is written down", () => {
    const verdicts = (list: readonly string[]): readonly string[] =>
      list.filter((one) => oracle(one));
    expect(verdicts([...good, ...bad])).toEqual(good);
    expect(verdicts([...onlyOurs, ...onlyAjv])).toEqual(onlyAjv);
  });

  test("says nothing of other types", () => {
    const untyped = compileSchema({ schema: { format } });
    expect([1, null, true, [], {}].filter((value) => !untyped.valid(value))).toEqual([]);
  });
});

test("long texts are refused in linear time", async () => {
  for (const format of Object.keys(formats)) {
    const { valid } = compileSchema({ schema: { type: "string", format } });
    for (const unit of [
      "a",
      "1",
      ":",
      ".",
      "/",
      "%",
      "a.",
      "1:",
      "%61",
      "-",
      "~0",
      "PT1S",
      "(a+)+",
      '"',
      '"\\"',
      "xn--a",
      "@[",
    ]) {
      const effort = await effortOf(() => {
        for (const end of ["", "!", "\n"]) valid(unit.repeat(20_000) + end);
      });
      // a quadratic matcher needs seconds for 100 kB
      expect({ format, unit, slow: effort > 60 }).toMatchObject({ slow: false });
    }
  }
});
