// Everyday YAML is read as the package yaml reads it, or not at all.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "../../generator/json.ts";
import { escapeToken } from "../../generator/json.ts";
import { readEverydayYaml, withPlainEnds } from "../../generator/read/everyday-yaml.ts";
import { readSource } from "../../generator/read/read-source.ts";
import { readWholeYaml } from "../../generator/read/whole-yaml.ts";
import { effortOf } from "../support/patience.ts";
import { projectFolder } from "./work-folder.ts";

/** Of every value in a document, and of its name. */
function pointersOf(value: Json, pointer = ""): readonly string[] {
  if (typeof value !== "object" || value === null) return [pointer];
  const below = Object.entries(value).flatMap(([name, one]) =>
    pointersOf(one, `${pointer}/${escapeToken(name)}`),
  );
  return [pointer, ...below];
}

/** Whether it was decided here; what is decided is as the package has it, and in the same places. */
function isDecided(text: string): boolean {
  const data = readEverydayYaml(withPlainEnds(text));
  if (data === undefined) return false;
  const { source, problems } = readWholeYaml("a.yaml", "file:///a.yaml", text);
  expect(problems).toEqual([]);
  expect(data).toStrictEqual(source?.data);
  // the order of names, too
  expect(JSON.stringify(data)).toBe(JSON.stringify(source?.data));
  const own = readSource("a.yaml", "file:///a.yaml", text).source;
  for (const pointer of pointersOf(data)) {
    for (const what of ["value", "key"] as const) {
      expect(own?.place(pointer, what)).toEqual(source?.place(pointer, what));
    }
  }
  return true;
}

const words = fc.constantFrom(
  ...'a|b c|it\'s|say "no"|a:b|x#y|- |-a|?b|:c|200|1.5|-3|0|1e3|.5|null|true|False|~|2020-01-01'.split(
    "|",
  ),
  ..."10:30|0x1f|007|<<|ö|#/components/schemas/A|https://example.com/a?b=c#d|a, b|{x}|[y]|&a|*b|!c|%d".split(
    "|",
  ),
);
const names = fc.constantFrom(
  ..."a|b|c d|200|$ref|x-y|/items/{id}|'q'|\"r\"|true|application/json|4XX|a:b".split("|"),
);
const spaces = fc.constantFrom("", "", "", " ", "  ");
const comment = fc.constantFrom("", "", "", "", " # note", "  # a: b");
const gap = fc.constantFrom("", "", "", "", "\n", "  \n", "# note\n", "    # note\n");

/** Lines of a text, each with spaces before it. */
const block = fc
  .tuple(
    fc.constantFrom("|", ">", "|-", ">-", "|+", ">+", "|2", ">2-"),
    fc.array(fc.tuple(fc.constantFrom("", "", "", "  ", " "), fc.oneof(words, fc.constant("")))),
  )
  .map(([header, lines]) => ({ header, lines: lines.map(([deep, line]) => deep + line) }));

interface Drawn {
  /** what stands on the line of the name, and the lines below it, without their indentation */
  readonly first: string;
  readonly below: readonly string[];
  /** they begin where the name begins */
  readonly isFlat?: boolean;
}

const scalar: fc.Arbitrary<Drawn> = fc.oneof(
  fc.tuple(words, comment).map(([word, note]) => ({ first: word + note, below: [] })),
  fc.tuple(words, words).map(([one, two]) => ({ first: one, below: [two] })),
  fc.tuple(words, words, gap).map(([one, two, between]) => ({
    first: one,
    below: [...between.split("\n").slice(0, -1), two],
  })),
  fc.tuple(fc.string({ maxLength: 9 }), comment).map(([value, note]) => ({
    first: JSON.stringify(value) + note,
    below: [],
  })),
  fc.tuple(words, words).map(([one, two]) => ({
    first: `"${one.replaceAll('"', "\\n")}\\`,
    below: [`${two.replaceAll('"', "\\u00e9")} "`],
  })),
  fc.tuple(words, words).map(([one, two]) => ({
    first: `'${one.replaceAll("'", "''")} `,
    below: ["", `${two.replaceAll("'", "''")}'`],
  })),
  block.map(({ header, lines }) => ({ first: header, below: lines })),
);

const flow = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    words,
    words.map((word) => JSON.stringify(word)),
    fc
      .tuple(fc.array(tie("value"), { maxLength: 3 }), spaces)
      .map(([list, space]) => `[${space}${list.join(`,${space}`)}${space}]`),
    fc
      .tuple(
        fc.array(fc.tuple(names, tie("value")), { maxLength: 3 }),
        fc.constantFrom(" ", "\n    "),
      )
      .map(
        ([list, space]) => `{${list.map(([name, one]) => `${space}${name}: ${one}`).join(",")} }`,
      ),
  ),
})).value;

function below(lines: readonly string[], indent: string): readonly string[] {
  return lines
    .flatMap((line) => line.split("\n"))
    .map((line) => (line === "" ? "" : indent + line));
}

const node = fc.letrec<{ value: Drawn }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    scalar,
    flow.map((text) => ({ first: text, below: [] })),
    fc
      .tuple(
        fc.array(fc.tuple(names, tie("value"), comment, gap), { minLength: 1, maxLength: 4 }),
        fc.constantFrom(" ", "  ", "    "),
      )
      .map(([pairs, indent]) => ({
        first: "",
        below: pairs.flatMap(([name, { first, below: own, isFlat }, note, between]) => [
          ...between.split("\n").slice(0, -1),
          `${name}:${first === "" ? note : ` ${first}`}`,
          ...below(own, isFlat === true ? "" : indent),
        ]),
      })),
    fc
      .tuple(fc.array(tie("value"), { minLength: 1, maxLength: 4 }), fc.boolean(), spaces)
      .map(([items, isFlat, space]) => ({
        first: "",
        isFlat,
        below: items.flatMap(({ first, below: own }) => {
          const lines = below(own, `  ${space}`);
          if (first !== "" || lines.length === 0) return [`- ${space}${first}`, ...lines];
          const [one = "", ...more] = lines;
          return [`- ${space}${one.trimStart()}`, ...more];
        }),
      })),
  ),
})).value;

const documents = fc
  .tuple(node, fc.constantFrom("", "---\n", "# a contract\n"))
  .map(
    ([{ first, below: lines }, mark]) =>
      `${mark}${first === "" ? "" : `a: ${first}\n`}${lines.join("\n")}\n`,
  );

/** To YAML they are signs like any other. */
const foreignSpaces = "\u00a0 \u2028 \u2029 \u3000 \u1680 \ufeff \v \f \u0085".split(" ");

const signs = fc.constantFrom(
  "\r",
  ..." :#-\n\"'[]{},|>&*!%@?\t\\a1~<.".split(""),
  "  ",
  "\n\n",
  ": ",
  "- ",
  " #",
  ...foreignSpaces,
);
const edits = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 3 }), fc.oneof(signs, fc.constant(""))), {
  minLength: 1,
  maxLength: 3,
});

/** Something is put in the place of a few characters. */
function edited(text: string, list: readonly (readonly [number, number, string])[]): string {
  return list.reduce((result, [at, length, sign]) => {
    const place = at % (result.length + 1);
    return result.slice(0, place) + sign + result.slice(place + length);
  }, text);
}

const runs = { numRuns: Number(process.env["RUNS"] ?? 2_000) };

test("what is drawn is read as the package does", () => {
  let decided = 0;
  fc.assert(
    fc.property(documents, (text) => {
      if (isDecided(text)) decided += 1;
    }),
    runs,
  );
  expect(decided / runs.numRuns).toBeGreaterThan(0.2);
});

test("and so is what somebody has spoilt", () => {
  fc.assert(
    fc.property(documents, edits, (text, list) => {
      isDecided(edited(text, list));
    }),
    runs,
  );
});

const pieces = fc.constantFrom(
  ..."a|b: |- |\n|  |#| #|'|\"|\"x\"|'y'|[|]|{|}|, |: |1|null|~|true|\\|\\n|\\u0041|\n\n|---\n|key:|<<|0x1|.5|-|?|é".split(
    "|",
  ),
  ..."|\n|>\n|>-\n|\\\n|    |c:\n  |  - |\n- |\n  |d: e\n".split("|"),
  "|\n",
  "|+\n  ",
  "|2\n",
  "\t",
  "\r",
  "\r\n",
  ...foreignSpaces,
);

test("and any heap of signs", () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 24 }), (list) => {
      isDecided(`a: ${list.join("")}`);
      isDecided(list.join(""));
    }),
    runs,
  );
});

test("with line ends of Windows, all or some of them, as well", () => {
  let decided = 0;
  fc.assert(
    fc.property(documents, edits, fc.infiniteStream(fc.boolean()), (text, list, ends) => {
      const windows = text.replaceAll("\n", "\r\n");
      if (isDecided(windows)) decided += 1;
      isDecided(edited(windows, list));
      isDecided(text.replaceAll("\n", () => (ends.next().value === true ? "\r\n" : "\n")));
    }),
    runs,
  );
  expect(decided / runs.numRuns).toBeGreaterThan(0.2);
});

test("names and texts of any length, and as many lines as there may be", () => {
  for (const length of [900, 1_001, 1_100]) {
    for (const name of [`'${"''".repeat(length / 2)}'`, `"${"\\u0041".repeat(length / 6)}"`]) {
      isDecided(`${name}: b\n`);
    }
    isDecided(`a${" ".repeat(length)}: b\n`);
    isDecided(`'a'${" ".repeat(length)}: b\n`);
    isDecided(`{ ${"a".repeat(length)}: b }\n`);
    isDecided(`a: { ${"a".repeat(length)}: b }\n`);
  }
  const long = "x".repeat(20_000_000);
  const many = (line: string): string => line.repeat(200_000);
  for (const text of [
    `- "${long}"\n`,
    `a:\n${many("- abcdefg\n")}`,
    `a:\n${many("- [b,\n  c]\n")}`,
    `a: {${Array.from({ length: 200_000 }, (_, index) => `"k${index}": "v"`).join(", ")}}\n`,
    `a: "b${" ".repeat(200_000)}c\n d"\n`,
    `a: "b\n${many(" c\n")} d"\n`,
    `a: b\n${many("  c\n")}`,
    `a: |\n${many("  c\n")}`,
  ]) {
    expect(readEverydayYaml(text)).toBeDefined();
  }
});

test("a contract with line ends of Windows takes no longer", async () => {
  const text = readFileSync(join(projectFolder, "spec/openapi.yaml"), "utf8");
  const effortWith = (ends: string): Promise<number> =>
    effortOf(() => readSource("a.yaml", "file:///a.yaml", text.replaceAll("\n", ends)));
  // the package takes several times as long
  expect(await effortWith("\r\n")).toBeLessThan(3 * (await effortWith("\n")) + 2);
});

test("our own contract is everyday YAML", () => {
  const text = readFileSync(join(projectFolder, "spec/openapi.yaml"), "utf8");
  expect(isDecided(text)).toBe(true);
  expect(isDecided(text.replaceAll("\n", "\r\n"))).toBe(true);
  for (const bit of ["\t", "a: &b c\n", "...\n", "--- \n", "a: !b c\n"]) {
    expect(readEverydayYaml(text + bit)).toBe(undefined);
  }
});
