// What a run says, to whom: people at a terminal, files and pipes, programs, GitHub; and what is allowed.

import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { frameOf } from "../../generator/command/frame.ts";
import { progressOn } from "../../generator/command/progress.ts";
import { paintOf, type Screen, screenOf } from "../../generator/command/screen.ts";
import { columnsOf } from "../../generator/command/width.ts";
import { formatProblem, problemAt } from "../../generator/problems.ts";
import { contract, copyOfFresh, edit, flags, useFreshProject } from "./fresh-project.ts";
import { command, type Ended, writeFile } from "./work-folder.ts";

useFreshProject();
afterEach(() => {
  vi.unstubAllEnvs();
});

/** A copy of the small project with another word in its contract. */
function projectWith(from: string, to: string): string {
  const copy = copyOfFresh();
  edit(join(copy, "openapi.yaml"), from, to);
  return copy;
}

const generate = (cwd: string, ...more: readonly string[]): Promise<Ended> =>
  command([...flags, ...more], cwd);

const wrongType = ["items: { type: string }", "items: { type: strng }"] as const;
const doubtful = ["items: { type: string }", "items: { type: string, format: iban }"] as const;

describe("--allow", () => {
  test("an error that is allowed is a warning that says what happens, and files are written", async () => {
    const copy = projectWith(...wrongType);
    expect(await generate(copy)).toMatchObject({ code: 1 });
    const { code, output, errors } = await generate(copy, "--allow", "OAG401");
    expect(code).toBe(0);
    expect(output).toContain("rewrote generated/schemas.ts");
    expect(errors).toBe(
      'openapi.yaml:20:43  /components/schemas/Things/items/type\n    warning OAG401: the text "strng" is not a type\n    allowed: the schema does not say its type\n',
    );
    // A run that has nothing to do says it again, and --strict does not take back what is allowed.
    const again = await generate(copy, "--allow", "OAG401", "--strict");
    expect(again).toEqual({ code: 0, output: "generated is up to date\n", errors });
    // What one run was allowed is not allowed the next one.
    expect(await generate(copy)).toMatchObject({ code: 1, output: "" });
  });

  test("a warning that is allowed is not said, and --strict is content", async () => {
    const copy = projectWith(...doubtful);
    expect((await generate(copy)).errors).toContain("warning OAG417");
    expect(await generate(copy, "--strict")).toMatchObject({ code: 1 });
    expect(await generate(copy, "--allow", "OAG303, OAG417", "--strict")).toMatchObject({
      code: 0,
      errors: "",
    });
  });

  test("is said in the configuration as well, for all contracts or for one", async () => {
    const copy = projectWith(...wrongType);
    edit(join(copy, "openapi.yaml"), "title: Command", "titel: x, title: Command");
    const configuration = {
      contracts: { one: { spec: "openapi.yaml", out: "generated", allow: ["OAG401"] } },
      allow: ["OAG301"],
    };
    writeFile(join(copy, "generator.config.json"), JSON.stringify(configuration));
    expect(await command(["--no-handlers"], copy)).toMatchObject({ code: 0 });
    const wrong = { ...configuration, allow: ["OAG703", "OAG31"] };
    writeFile(join(copy, "generator.config.json"), JSON.stringify(wrong));
    const { code, errors } = await command([], copy);
    expect(code).toBe(2);
    expect(errors).toContain("allow is a list: OAG703 (a field that may be meant as security)");
    expect(errors).toContain('there is no code "OAG31"; each problem is said with its code');
  });

  test.for([
    [
      "OAG703",
      "OAG703 (a field that may be meant as security) cannot be allowed: an operation could",
    ],
    [
      "OAG301,OAG103",
      "OAG103 (text that is not YAML) cannot be allowed: what the file says is not known",
    ],
    [
      "OAG999",
      'there is no code "OAG999"; each problem is said with its code, and docs/generator/diagnostics.md',
    ],
    ["oag301", 'there is no code "oag301"; did you mean OAG301?'],
    ["0AG3O1", 'there is no code "0AG3O1"; did you mean OAG301?'],
    ["OAG-301", 'there is no code "OAG-301"; did you mean OAG301?'],
    ["301", 'there is no code "301"; did you mean OAG301?'],
    ["everything", 'there is no code "everything"; each problem is said with its code'],
    ["", 'there is no code ""'],
    ["__proto__", 'there is no code "__proto__"'],
  ])("%s ends with 2 and says why", async ([names = "", why = ""]) => {
    const { code, output, errors } = await generate(copyOfFresh(), "--allow", names);
    expect({ code, output }).toEqual({ code: 2, output: "" });
    expect(errors).toContain(`--allow: ${why}`);
  });
});

describe("--format json", () => {
  const parse = ({ output, errors }: Ended): unknown => {
    expect(errors).toBe("");
    expect(output.trimEnd().split("\n")).toHaveLength(1);
    return JSON.parse(output);
  };

  test("is one document with what was found and what was written", async () => {
    const copy = projectWith(...doubtful);
    const ended = await generate(copy, "--format", "json");
    expect(ended.code).toBe(0);
    expect(parse(ended)).toEqual({
      exitCode: 0,
      problems: [
        {
          code: "OAG417",
          severity: "warning",
          title: "a format that is not checked",
          message: 'the format "iban" is not checked',
          advice: 'add a "pattern" if values must be checked',
          file: "openapi.yaml",
          line: 20,
          column: 59,
          pointer: "/components/schemas/Things/items/format",
        },
      ],
      files: expect.arrayContaining([
        { file: "generated/openapi.json", change: "rewrote" },
      ]) as unknown,
      edited: [],
      stubs: [],
      orphans: [],
      upToDate: [],
      failures: [],
    });
  });

  test("of a document that is wrong, and of one cause in several places", async () => {
    const copy = projectWith(
      '"#/components/schemas/Things" } } }',
      '"#/components/schemas/Thing" } } }',
    );
    edit(
      join(copy, "openapi.yaml"),
      "components:\n",
      'x-y: 1\ncomponents:\n  responses: { A: { description: A, content: { a/json: { schema: { $ref: "#/components/schemas/Thing" } } } } }\n',
    );
    const ended = await generate(copy, "--format", "json");
    expect(ended.code).toBe(1);
    expect(parse(ended)).toMatchObject({
      exitCode: 1,
      problems: [{ code: "OAG201", severity: "error", line: 13, also: [{ line: 18 }] }],
      files: [],
    });
  });

  test("of a run that has nothing to do, and of --check", async () => {
    const copy = copyOfFresh();
    expect(parse(await generate(copy, "--format", "json"))).toMatchObject({
      exitCode: 0,
      problems: [],
      upToDate: ["generated"],
    });
    edit(join(copy, "openapi.yaml"), "maxItems: 10", "maxItems: 11");
    expect(parse(await generate(copy, "--format", "json", "--check"))).toMatchObject({
      exitCode: 1,
      files: expect.arrayContaining([{ file: "generated/schemas.ts", change: "stale" }]) as unknown,
    });
  });

  test("names operations that are new or have left", async () => {
    const copy = projectWith("operationId: listOthers", "operationId: listMore");
    expect(parse(await generate(copy, "--format", "json"))).toMatchObject({
      stubs: [
        { operationId: "listMore", file: "handlers/others.ts", nameIn: "handlers/handlers.ts" },
      ],
      orphans: [{ operationId: "listOthers", file: "handlers/others.ts" }],
    });
  });
});

describe("--format github", () => {
  test("is an annotation for each problem, and everything else as it is", async () => {
    const copy = projectWith(...doubtful);
    const { code, output, errors } = await generate(copy, "--format", "github");
    expect({ code, errors }).toEqual({ code: 0, errors: "" });
    const [first, ...rest] = output.split("\n");
    expect(first).toBe(
      '::warning file=openapi.yaml,line=20,col=59,title=OAG417::the format "iban" is not checked%0Aadd a "pattern" if values must be checked',
    );
    expect(rest).toContain("rewrote generated/openapi.json");
  });

  test("names files from the folder that GitHub has checked out", async () => {
    const copy = projectWith(...wrongType);
    vi.stubEnv("GITHUB_WORKSPACE", join(copy, ".."));
    const { output } = await generate(copy, "--format", "github");
    expect(output).toMatch(/^::error file=\d+\/openapi\.yaml,line=20,col=43,title=OAG401::/);
  });

  test("nothing of a document ends the line, or begins another command", async () => {
    const copy = copyOfFresh();
    writeFile(
      join(copy, "a,b:c%.yaml"),
      contract.replace("type: string }", '"ty%0Ape\\n::set-output name=x::y\\r": string }'),
    );
    const own = ["--spec", "a,b:c%.yaml", "--out", "generated", "--no-handlers"];
    const { output } = await command([...own, "--format", "github"], copy);
    expect(output).toMatch(
      /^::warning file=a%2Cb%3Ac%25\.yaml,line=20,col=37,title=OAG405::"ty%250Ape\\u000a::set-output name=x::y\\u000d" is not a keyword/,
    );
    expect(output).not.toMatch(/^\s*::set-output/m);
    const text = await command(own, copy);
    expect(text.errors).toContain(
      'warning OAG405: "ty%0Ape\\u000a::set-output name=x::y\\u000d" is',
    );
  });
});

test("--format in another word ends with 2", async () => {
  const { code, errors } = await generate(copyOfFresh(), "--format", "xml");
  expect(code).toBe(2);
  expect(errors).toContain("--format xml: write text, json, github");
});

describe("a terminal", () => {
  const drawn: string[] = [];
  const screen = (columns: number): Screen => ({
    hasColours: false,
    view: { columns: () => columns, draw: (text) => void drawn.push(text) },
  });

  test("shows the line with its neighbours and a caret, and a file or a pipe does not", async () => {
    const copy = projectWith(...wrongType);
    const { errors } = await command(flags, copy, screen(80));
    expect(errors).toBe(
      `openapi.yaml:20:43  /components/schemas/Things/items/type
    error OAG401: the text "strng" is not a type
        19 |   schemas:
      > 20 |     Things: { type: array, items: { type: strng }, maxItems: 10 }
           |                                           ^
    did you mean "string"?

1 error; nothing was written
`,
    );
    expect((await generate(copy)).errors).not.toContain("^");
  });

  test("has an empty line between two problems, which files and pipes have not", async () => {
    const copy = projectWith(...wrongType);
    edit(join(copy, "openapi.yaml"), "title: Command", "titel: x, title: Command");
    const between = /\n\nopenapi\.yaml:20:43/;
    expect((await command(flags, copy, screen(80))).errors).toMatch(between);
    expect((await generate(copy)).errors).not.toMatch(between);
  });

  test("shows colours around what it shows without", async () => {
    const copy = projectWith(...wrongType);
    const plain = await command(flags, copy, screen(80));
    const { errors } = await command(flags, copy, { ...screen(80), hasColours: true });
    expect(errors).toContain("\u001b[31m");
    // oxlint-disable-next-line no-control-regex -- colours are control characters
    expect(errors.replace(/\u001b\[\d+m/g, "")).toBe(plain.errors);
  });

  const stream = { isTTY: true, write: (): boolean => true };
  test.for([
    ["a terminal", stream, {}, true, true],
    ["a pipe", { write: (): boolean => true }, {}, false, false],
    ["NO_COLOR", stream, { NO_COLOR: "1" }, false, true],
    ["NO_COLOR with nothing in it", stream, { NO_COLOR: "" }, true, true],
    ["FORCE_COLOR in a pipe", { write: (): boolean => true }, { FORCE_COLOR: "1" }, true, false],
    ["FORCE_COLOR=0", stream, { FORCE_COLOR: "0" }, false, true],
    ["both", stream, { FORCE_COLOR: "", NO_COLOR: "1" }, true, true],
    ["a terminal that knows nothing", stream, { TERM: "dumb" }, false, true],
  ] as const)("colours and frames: %s", ([, of, environment, hasColours, isSeen]) => {
    const { hasColours: found, view } = screenOf(of, environment);
    expect([found, view !== undefined]).toEqual([hasColours, isSeen]);
    if ("TERM" in environment) expect(view?.draw).toBeUndefined();
  });

  test.for([
    [120, 120],
    [0, 80],
    [undefined, 80],
  ] as const)("a terminal that says %s columns is %s wide", ([columns, wide]) => {
    const { view } = screenOf({ ...stream, ...(columns === undefined ? {} : { columns }) }, {});
    expect(view?.columns()).toBe(wide);
  });
});

describe("a frame", () => {
  const paint = paintOf({ hasColours: false });
  const frame = (text: string, column: number, columns = 60): readonly string[] =>
    frameOf(text.split("\n"), { line: 1, column }, { columns, paint, around: 1 });

  test.for([
    ["a tab", "\tab: c", 2, "  "],
    ["a tab inside", "a:\tb", 4, "    "],
    ["Chinese", "名称: x", 5, "      "],
    ["a picture of two units", "🙂: x", 4, "   "],
    ["a family, which is one picture", "👨‍👩‍👧: x", 11, "    "],
    ["an accent of its own", "e\u0301: x", 4, "  "],
    ["a control character", "\u001b[31m: x", 8, "       "],
    ["behind the end", "abc", 4, "   "],
  ] as const)("has its caret below the place: %s", ([, line, column, blank]) => {
    const [shown = "", caret = ""] = frame(line, column);
    expect(caret).toBe(`    | ${blank}^`);
    expect(shown.startsWith("> 1 | ")).toBe(true);
    // oxlint-disable-next-line no-control-regex -- which must not reach the terminal
    expect(shown).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  });

  test("of a line that is far too long shows what is around the place", () => {
    const line = `{${'"a": 1, '.repeat(20_000)}"wrong": true, ${'"b": 2, '.repeat(20_000)}}`;
    const column = line.indexOf('"wrong"') + 1;
    const [shown = "", caret = ""] = frame(line, column, 60);
    expect(shown.length).toBeLessThanOrEqual(60);
    expect(shown.slice(caret.indexOf("^"))).toMatch(/^"wrong"/);
    expect(shown).toMatch(/^> 1 \| ….*…$/);
  });

  test.for([
    ["pictures", "😀".repeat(100), 50],
    ["Chinese", "日".repeat(300), 60],
    ["a narrow terminal", "x".repeat(20), 20],
  ] as const)("shows the place behind %s", ([, before, columns]) => {
    const [shown = "", caret = ""] = frame(`${before}HERE`, before.length + 1, columns);
    expect(shown).toContain("H");
    expect(caret.length).toBeLessThanOrEqual(Math.max(columns, 27));
  });

  test("shows no sign that turns the line about", () => {
    expect(frame("a\u202e: x", 1)[0]).toBe("> 1 | a\ufffd: x");
  });

  test("ends with the file", () => {
    expect(
      frameOf(["a: 1", ""], { line: 1, column: 1 }, { columns: 60, paint, around: 1 }),
    ).toHaveLength(2);
    expect(frameOf([""], { line: 1, column: 1 }, { columns: 60, paint, around: 1 })).toEqual([
      "> 1 |",
      "    | ^",
    ]);
  });
});

describe("progress", () => {
  function watched(columns = 40) {
    const drawn: string[] = [];
    let at = 0;
    const view = { columns: () => columns, draw: (text: string) => void drawn.push(text) };
    const { progress, clear } = progressOn({ hasColours: false, view }, () => at);
    const doing = (milliseconds: number, what: string): void => {
      at = milliseconds;
      progress(what);
    };
    return { drawn, doing, clear };
  }

  test("is silent for a second, then one line, not more often than anybody could read", () => {
    const { drawn, doing, clear } = watched();
    for (const at of [0, 500, 999]) doing(at, "reading");
    clear();
    expect(drawn).toEqual([]);
    doing(1000, "reading a");
    doing(1050, "reading b");
    doing(2150, "reading c");
    expect(drawn).toEqual(["\r\u001b[2K1 s  reading a", "\r\u001b[2K2 s  reading c"]);
    clear();
    clear();
    expect(drawn.slice(2)).toEqual(["\r\u001b[2K"]);
  });

  test("never fills the line, whatever a file is called", () => {
    const { drawn, doing } = watched(20);
    doing(1000, `reading ${"名".repeat(40)}\u001b[1m`);
    const line = (drawn[0] ?? "").replace("\r\u001b[2K", "");
    expect(columnsOf(line).reduce((sum, { width }) => sum + width, 0)).toBeLessThan(20);
    expect(line).not.toContain("\u001b");
  });

  test("goes nowhere where nobody looks", () => {
    const { progress, clear } = progressOn({ hasColours: true, view: undefined }, () => 5000);
    progress("reading");
    clear();
  });
});

test("names of a document end no line, and turn no terminal about", () => {
  const place = { file: "a\u001b[2J.yaml", pointer: "/a\nb", line: 1, column: 2 };
  const text = formatProblem(
    problemAt("OAG301", place, ['"\u001b]8;;x\u0007" is no field', "a\u2028b"]),
  );
  expect(text).toBe(
    'a\\u001b[2J.yaml:1:2  /a\\u000ab\n    error OAG301: "\\u001b]8;;x\\u0007" is no field\n    a\\u2028b',
  );
});
