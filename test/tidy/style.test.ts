import { describe, expect, test } from "vitest";
import { readSourceFiles } from "./source-files.ts";
import {
  commentsNameNoFiles,
  exceptionsHaveReasons,
  filesAreShort,
  foldersAreRemoved,
  generatorIsGeneral,
  namesSaySomething,
  testsAreOn,
  testsHaveNoTimeLimits,
  timeIsHandedIn,
} from "./style-rules.ts";
import type { StyleRule } from "./style-rules.ts";

// Put together here, so that this file does not break the rules it proves.
const only = ["test", "only"].join(".");
const disable = ["oxlint", "disable-next-line no-x"].join("-");

/** Each rule with a file that must set it off. */
const table: readonly (readonly [StyleRule, string, string])[] = [
  [filesAreShort, "service/long.ts", "\n".repeat(401)],
  [testsAreOn, "test/x.test.ts", `${only}("x", () => {});`],
  [testsHaveNoTimeLimits, "test/x.test.ts", ["}, 30", "000);"].join("_")],
  [foldersAreRemoved, "test/x.test.ts", ["makeFolder", "();"].join("")],
  [generatorIsGeneral, "generator/x.ts", "// like the withdrawals"],
  [timeIsHandedIn, "service/x.ts", "const now = new Date();"],
  [namesSaySomething, "service/utils.ts", ""],
  [commentsNameNoFiles, "service/x.ts", "const a = 1; // see adapters/database/open.ts"],
  [exceptionsHaveReasons, "service/x.ts", `// ${disable}`],
];

describe.each(table)("%o", (rule, path, text) => {
  test("holds everywhere", () => {
    expect(rule(readSourceFiles())).toEqual([]);
  });

  test("sees what breaks it", () => {
    expect(rule(new Map([[path, text]]))).toHaveLength(1);
  });
});
