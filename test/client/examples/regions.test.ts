// The examples of all operations, as the pages of the reference take them: regions of programs.

import { describe, expect, test } from "vitest";
import { examplesOf, programOf, regionsIn, setupOf } from "../../../scripts/reference/examples.ts";
import { type Operation, operations } from "../../support/contract-document.ts";

const languages = ["sh", "ts", "py", "go"] as const;
const ids = operations.map(({ operationId }) => operationId);
/** What is longer is no example any more. */
const linesMax = 15;

const namesIn = (language: (typeof languages)[number]): readonly string[] => [
  ...programOf(language).regions.keys(),
];

describe.each(languages)("operations.%s", (language) => {
  test("has each operation of the contract once, and what stands in front of them", () => {
    expect(namesIn(language).toSorted()).toEqual(["setup", ...ids].toSorted());
  });

  test("has them in the order of the other languages", () => {
    expect(namesIn(language)).toEqual(namesIn("sh"));
  });

  test(`has two to ${linesMax} lines for each`, () => {
    const lengths = ids.map((id) => {
      const { code = "" } = examplesOf(id).find((one) => one.language === language) ?? {};
      return { id, lines: code.split("\n").length };
    });
    expect(lengths.filter(({ lines }) => lines < 2 || lines > linesMax)).toEqual([]);
  });

  test("explains the key of whatever writes", () => {
    const writing = operations.filter(({ method }) => method !== "GET");
    expect(writing.length).toBeGreaterThan(10);
    const { regions, comment } = programOf(language);
    for (const operation of writing) {
      expect(regions.get(operation.operationId)).toMatch(explanationOf(operation, comment));
    }
  });

  test("says what it needs as the others do", () => {
    expect(environmentOf(language)).toHaveLength(10);
    expect(environmentOf(language)).toEqual(environmentOf("sh"));
  });
});

/**
 * What makes the key another one when something else is to be done; or, where nothing is paid by it, why it is drawn; or,
 * where the contract asks for none, why there is none.
 */
function explanationOf({ node, parameters }: Operation, comment: string): RegExp {
  const isAsked = parameters.some(({ name, required }) => name === "Idempotency-Key" && required);
  const named = "Named after|One key is";
  const drawn = "A (?:new key|key is drawn) for each change";
  const all = node["x-rate-limit-policy"] === "money" ? named : `${named}|${drawn}`;
  return new RegExp(`^\\s*${comment} (?:${isAsked ? all : "No key is needed"})`, "m");
}

/** What the top of a program says of its environment. */
function environmentOf(language: (typeof languages)[number]): readonly string[] {
  const { text } = programOf(language);
  return Array.from(
    text.matchAll(/^(?:#|\/\/)?\s+([A-Z][A-Z0-9_]+) {3,}(\S.*)$/gm),
    ([, name, what]) => `${name}: ${what}`,
  );
}

describe("what is read", () => {
  test("is the code alone, without its indent, in each language", () => {
    const examples = examplesOf("cancelPayment");
    expect(examples.map(({ language, title, fence }) => ({ language, title, fence }))).toEqual([
      { language: "sh", title: "curl", fence: "sh" },
      { language: "ts", title: "TypeScript", fence: "ts" },
      { language: "py", title: "Python", fence: "python" },
      { language: "go", title: "Go", fence: "go" },
    ]);
    for (const { code } of examples) {
      expect(code).toMatch(/^\S[^]*\S$/);
      expect(code).not.toContain("region");
    }
  });

  test("has the client and its environment once for a language", () => {
    for (const language of languages) {
      expect(setupOf(language)).toContain("MERCHANT_API_SECRET");
    }
  });

  test("names the program where an operation is missing", () => {
    expect(() => examplesOf("cancelOrder")).toThrow(
      'docs/examples/operations.sh has no region cancelOrder: write its example there between "# #region cancelOrder"',
    );
  });

  const read = (...lines: readonly string[]) =>
    Object.fromEntries(regionsIn(lines.join("\n"), { file: "a.go", comment: "//" }));

  test("keeps the inner indent, and leaves out what stands between regions", () => {
    const lines = ["a", "\t// #region one", "\tif b {", "", "\t\tc", "\t}", "\t// #endregion one"];
    expect(read(...lines, "d")).toEqual({ one: "if b {\n\n\tc\n}" });
  });

  test.each([
    [["// #region one", "a"], "a.go: the region one does not end"],
    [["// #region one", "// #region two"], "a.go, line 2: two begins within one"],
    [["// #endregion one"], "a.go, line 1: one ends here, open is none"],
    [["// #region one", "// #endregion two"], "a.go, line 2: two ends here, open is one"],
    [["// #region a", "// #endregion a", "// #region a"], "a.go, line 3: a is there twice"],
    [["# #region a"], 'a.go, line 1: expected is "// #region NAME"'],
    [["// #region"], 'a.go, line 1: expected is "// #region NAME"'],
    [["a() // #region b"], 'a.go, line 1: expected is "// #region NAME"'],
  ])("refuses %j", (lines, problem) => {
    expect(() => read(...lines)).toThrow(problem);
  });
});
