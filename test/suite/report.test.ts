// What the reports say of a plain list of cells.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  buildMatrix,
  cellsOf,
  type DocumentedOperation,
  isSound,
  type Met,
} from "../../generator/suite/cells.ts";
import { htmlReport } from "../../generator/suite/report-html.ts";
import { junitReport } from "../../generator/suite/report-junit.ts";
import { textReport } from "../../generator/suite/report-text.ts";

const documented: readonly DocumentedOperation[] = [
  {
    operation: "makeThing",
    title: "POST /things",
    cells: [
      { operation: "makeThing", status: 201 },
      { operation: "makeThing", status: 409, code: "taken" },
      { operation: "makeThing", status: 409, code: "full" },
    ],
  },
  {
    operation: "getThing",
    title: "GET /things/{id}",
    cells: [
      { operation: "getThing", status: 200 },
      { operation: "getThing", status: 404, code: "not_found" },
    ],
  },
];

const all: readonly Met[] = documented.flatMap(({ cells }) =>
  cells.map((cell) => ({ ...cell, by: "things.test.ts > all" })),
);
const without = (code: string): readonly Met[] => all.filter((one) => one.code !== code);
const about = { title: "Things", about: "All of them." };

describe("a matrix", () => {
  test("is sound when every promised answer was met, and no other", () => {
    const matrix = buildMatrix(documented, all);
    expect(isSound(matrix)).toBe(true);
    expect(textReport(matrix)).toBe(
      [
        "2 operations x status x code: 5 of 5 answers met as they are promised",
        "",
        "           200  201  404  409",
        "makeThing    .    1    .    2",
        "getThing     1    .    1    .",
      ].join("\n"),
    );
  });

  test("names what nobody met", () => {
    const matrix = buildMatrix(documented, without("full"));
    expect(isSound(matrix)).toBe(false);
    expect(textReport(matrix)).toBe(
      [
        "2 operations x status x code: 4 of 5 answers met as they are promised",
        "",
        "           200  201  404  409",
        "makeThing    .    1    .  1/2",
        "getThing     1    .    1    .",
        "",
        "Promised, and never met:",
        "  makeThing 409 full",
      ].join("\n"),
    );
  });

  test.each<readonly [string, Omit<Met, "by">]>([
    ["a code that is another operation's", { operation: "getThing", status: 404, code: "taken" }],
    ["a status", { operation: "getThing", status: 418 }],
    ["an operation", { operation: "eatThing", status: 200 }],
    ["a code where none is promised", { operation: "getThing", status: 200, code: "taken" }],
    ["no code where one is promised", { operation: "getThing", status: 404 }],
  ])("names what was never promised: %s", (_, cell) => {
    const matrix = buildMatrix(documented, [...all, { ...cell, by: "odd.test.ts" }]);
    expect(isSound(matrix)).toBe(false);
    expect(cellsOf(matrix, "undocumented")).toMatchObject([cell]);
    expect(textReport(matrix)).toContain("Met, and never promised:\n");
    expect(textReport(matrix)).toContain("    odd.test.ts");
  });

  test("has failed where one of many answers was not what is promised", () => {
    const bad = { operation: "getThing", status: 200, by: "b.test.ts", problem: "id is missing" };
    const matrix = buildMatrix(documented, [...all, bad, ...all]);
    expect(isSound(matrix)).toBe(false);
    const [cell] = cellsOf(matrix, "failed");
    expect(cell?.met[0]).toEqual(bad);
    expect(textReport(matrix)).toContain("  getThing 200\n    b.test.ts");
  });

  test("of a part leaves out what nobody met, and nothing else", () => {
    const some = without("full").filter(({ operation }) => operation === "makeThing");
    const matrix = buildMatrix(documented, some, { isPartial: true });
    expect(isSound(matrix)).toBe(true);
    expect(cellsOf(matrix).map(({ code }) => code)).toEqual([undefined, "taken"]);
    const odd = [...some, { operation: "makeThing", status: 500, by: "odd.test.ts" }];
    expect(isSound(buildMatrix(documented, odd, { isPartial: true }))).toBe(false);
  });

  test("names what was not tried, with the reason, and does not count it as met", () => {
    const why = ({ code }: { readonly code?: string | undefined }) =>
      code === "full" ? 'nobody can "fill" it' : undefined;
    const matrix = buildMatrix(documented, without("full"), { whyUntried: why });
    expect(isSound(matrix)).toBe(true);
    expect(textReport(matrix)).toBe(
      [
        "2 operations x status x code: 4 of 5 answers met as they are promised, 1 not tried",
        "",
        "           200  201  404  409",
        "makeThing    .    1    .  1/2",
        "getThing     1    .    1    .",
        "",
        "Promised, and not tried:",
        '  nobody can "fill" it (1)',
        "    409 full: makeThing",
      ].join("\n"),
    );
    expect(htmlReport(matrix, about)).toContain("Not tried: nobody can &quot;fill&quot; it.");
    expect(htmlReport(matrix, about)).not.toContain("To repair");
    expect(junitReport(matrix)).toContain(
      '<testsuite name="makeThing" tests="3" failures="0" errors="0" skipped="1">',
    );
    expect(junitReport(matrix)).toContain('<skipped message="nobody can &quot;fill&quot; it"/>');
  });

  test("has no reason for what was met, or for what was in reach and not met", () => {
    const why = ({ status }: { readonly status: number }) =>
      status === 201 ? "too dear" : undefined;
    expect(cellsOf(buildMatrix(documented, all, { whyUntried: why }), "untried")).toEqual([]);
    const matrix = buildMatrix(documented, without("full"), { whyUntried: why });
    expect(isSound(matrix)).toBe(false);
    expect(cellsOf(matrix, "empty")).toMatchObject([{ code: "full" }]);
  });

  test("is the same in every report, in whatever order the answers came", () => {
    const bad = { operation: "getThing", status: 200, by: "b.test.ts", problem: "id is missing" };
    const odd = ["a", "b"].map((by) => ({ operation: "getThing", status: 500, by }));
    const met = [...without("taken"), bad, { ...bad, problem: "id is a number" }, ...odd];
    const reports = (one: readonly Met[]): readonly string[] => {
      const matrix = buildMatrix(documented, one);
      return [textReport(matrix), htmlReport(matrix, about), junitReport(matrix)];
    };
    const expected = reports(met);
    const shuffled = fc.shuffledSubarray(met, { minLength: met.length });
    fc.assert(
      fc.property(shuffled, (one) => {
        expect(reports(one)).toEqual(expected);
      }),
    );
  });
});

describe("JUnit", () => {
  test("has a suite for each operation and a case for each cell", () => {
    const bad = {
      operation: "getThing",
      status: 200,
      by: "b.test.ts",
      problem: "x",
      repeat: "curl",
    };
    const xml = junitReport(buildMatrix(documented, [...without("full"), bad]));
    expect(xml).toBe(
      `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="contract" tests="5" failures="2" errors="0">
<testsuite name="makeThing" tests="3" failures="1" errors="0">
<testcase classname="contract.makeThing" name="201"/>
<testcase classname="contract.makeThing" name="409 taken"/>
<testcase classname="contract.makeThing" name="409 full">
<failure type="empty" message="makeThing 409 full is promised, and was never met"></failure>
</testcase>
</testsuite>
<testsuite name="getThing" tests="2" failures="1" errors="0">
<testcase classname="contract.getThing" name="200">
<failure type="failed" message="getThing 200 is not what is promised">b.test.ts&#10;x&#10;curl</failure>
</testcase>
<testcase classname="contract.getThing" name="404 not_found"/>
</testsuite>
</testsuites>
`,
    );
  });
});

describe("texts of others", () => {
  const hostile = `<script>alert("1")</script>&'\0\u0001\ud800\ufffe]]><!-- \u2028`;
  const bad = { operation: hostile, status: 200, code: hostile, by: hostile };
  const matrix = buildMatrix(
    [...documented, { operation: hostile, title: hostile, cells: [bad] }],
    [{ ...bad, problem: hostile, repeat: hostile }],
  );

  test("are no markup in the page, which has no script and loads nothing", () => {
    const page = htmlReport(matrix, { title: hostile, about: hostile });
    expect(page).not.toMatch(/<script|<!--|<link|<img|src=|@import|url\(/);
    expect(page).toContain("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;");
    expect(page).toContain("default-src 'none'");
    expect(page.isWellFormed()).toBe(true);
    expect(page.match(/"/g)?.length).toBe(page.replaceAll(/&quot;/g, "").match(/"/g)?.length);
  });

  test("are no markup in the XML, and nothing that XML cannot hold", () => {
    const xml = junitReport(matrix);
    expect(xml).not.toMatch(/<script|<!--|\]\]>/);
    // oxlint-disable-next-line no-control-regex -- what XML 1.0 cannot hold
    expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
    expect(xml.isWellFormed()).toBe(true);
  });
});
