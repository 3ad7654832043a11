// Patterns that keep a server busy are told of with a text that shows it, and no others. How busy is counted by a
// matcher that goes back to try, as engines do.

import fc from "fast-check";
import { expect, test } from "vitest";
import { costOf } from "../../../generator/check/patterns/cost.ts";
import { treeOf } from "../../../generator/check/patterns/tree.ts";
import { readContract } from "../../../generator/generate.ts";
import { said } from "../said.ts";
import { temporaryFolder, writeFile } from "../work-folder.ts";
import { tryOut } from "./counting-matcher.ts";

/** What a text of the attack costs, with its middle so often. */
function looks(pattern: string, times: number): number {
  const cost = costOf(pattern);
  if (cost === undefined) throw new Error(`${pattern} costs nothing`);
  const { begin, pump, end } = cost;
  const text = begin + pump.repeat(times) + end;
  return tryOut(treeOf(pattern, true), text).looks;
}

const exponential = [
  "^(a+)+$",
  "^(a*)*$",
  "^(?:a+)*b",
  "^(a|a)*$",
  "^(a|b|ab)*$",
  "^(a|[ab])*c$",
  "^(\\w+\\s?)*$",
  "^([a-z0-9]+-?)+$",
  "^(([a-z])+.)+[A-Z]([a-z])+$",
  "(x+x+)+y",
  "^(a{2,})+$",
  "^(a{1,30}){1,30}$",
  "^(?:(?:a?)+b)*$",
  "^(?:(?:ab?)+)+$",
  "^(a?b?a?)*$",
  "^(https?://)?([\\w.-]+)+(:\\d+)?$",
  "^x|^(a+)+$",
  "(\\w+\\s?)*$",
];

test.each(exponential)("%s: each repetition doubles what it costs", (pattern) => {
  expect(costOf(pattern)?.growth).toBe("exponential");
  expect(looks(pattern, 12)).toBeGreaterThanOrEqual(2 ** 12);
});

const polynomial = [
  "\\d+$",
  "^\\s+|\\s+$",
  "(^\\s+|\\s+$)",
  "\\s*$",
  "(.*)\\.json",
  "a.*b.*c",
  "^.*a.*b.*$",
  "^\\d+\\.?\\d*$",
  "^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$",
  "^\\p{L}+\\p{Lu}*$",
  "^a*a*a*$",
];

test.each(polynomial)("%s: twice the text costs four times as much", (pattern) => {
  expect(costOf(pattern)?.growth).toBe("polynomial");
  expect(looks(pattern, 60)).toBeGreaterThanOrEqual(60 ** 2 / 2);
});

test.each([
  "^[a-z]+$",
  "^.*$",
  "^.*\\.json$",
  "[a-z]+",
  "(a+)+",
  "^[\\s\\S]*$",
  "^(?:[\\s\\S]*)*$",
  "^(?:a?)+$",
  "^(a{2})+$",
  "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
  "^\\p{L}+(?:[ -]\\p{L}+)*$",
  "^[a-z]([a-z0-9-]*[a-z0-9])?(\\.[a-z]([a-z0-9-]*[a-z0-9])?)*$",
  "^[^;]{1,100}(;[^;]{1,100}){0,99}$",
  "^(?:(?:a?){0,2}b)*$",
  "^(?:\\d(?:\\s?){0,2})*$",
  "^-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?$",
])("%s costs in proportion, and nothing is said", (pattern) => {
  expect(costOf(pattern)).toBeUndefined();
});

test.each([
  ["refers back", "^(a+)+\\1$"],
  ["begins inside", "(^|,)(a+)+$"],
  ["has more places than are looked at", `^(?:${"ab?".repeat(300)})+$`],
  ["is no pattern", "^(a+"],
  ["looks ahead", "^(?!a)(?:\\w+\\s?)*$"],
  ["looks behind", "^[a-z]+(?<=b)[a-z]*$"],
  ["asks for the bounds of words", "^(?:\\w+\\b)*$"],
  ["counts beyond reason", "^a*b*c{99999999999}$"],
  ["counts nothing beyond reason", "^a*(?:(?:(?:){1000}){1000}){1000}b*$"],
  ["has too many ways that fit", `^${"[\\s\\S]*".repeat(150)}$`],
  ["is nested beyond reason", `${"(".repeat(200)}a+${")+".repeat(200)}$`],
])("what %s is not decided", (_, pattern) => {
  expect(costOf(pattern)).toBeUndefined();
});

/** Patterns of two letters, small enough that every text can be tried. */
const { part } = fc.letrec<{ part: string; group: string }>((tie) => ({
  group: fc
    .array(tie("part"), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.join(""))
    .chain((row) => fc.constantFrom(`(?:${row})`, `(?:${row}|a)`, `(?:b|${row})`)),
  part: fc
    .tuple(
      fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom("a", "b", "[ab]") },
        { weight: 1, arbitrary: tie("group") },
      ),
      fc.constantFrom("", "", "*", "+", "?", "{2}", "{1,3}", "{0,2}", "{2,}"),
    )
    .map(([one, times]) => one + times),
}));
const patterns = fc
  .tuple(
    fc.constantFrom("^", ""),
    fc.array(part, { minLength: 1, maxLength: 4 }),
    fc.constantFrom("$", ""),
  )
  .map(([begin, parts, end]) => begin + parts.join("") + end);

const words = (most: number): string[] =>
  most === 0 ? [""] : ["", ...words(most - 1).flatMap((one) => [`a${one}`, `b${one}`])];
const attacks = words(2).flatMap((begin) =>
  words(3).flatMap((pump) => words(1).map((end) => [begin, pump, end] as const)),
);

/** The text of a few letters, repeated, that does not fit and costs more than three times as much at twice the length. */
function costly(pattern: string): string | undefined {
  const tree = treeOf(pattern, true);
  const found = attacks.find(([begin, pump, end]) => {
    const once = tryOut(tree, begin + pump.repeat(20) + end);
    const twice = tryOut(tree, begin + pump.repeat(40) + end);
    return !once.fits && !twice.fits && (twice.looks === Infinity || twice.looks > 3 * once.looks);
  });
  return found?.join(" ");
}

test("of patterns that are drawn: what is told of is so, and nearly all that grows faster than the text is told of", () => {
  const seen = { exponential: 0, polynomial: 0, none: 0 };
  const missed: string[] = [];
  fc.assert(
    fc.property(patterns, (pattern) => {
      const cost = costOf(pattern);
      seen[cost?.growth ?? "none"] += 1;
      if (cost?.growth === "exponential")
        expect(looks(pattern, 12)).toBeGreaterThanOrEqual(2 ** 12);
      else if (cost !== undefined) expect(looks(pattern, 60)).toBeGreaterThanOrEqual(60 ** 2 / 2);
      else {
        const text = costly(pattern);
        if (text !== undefined) missed.push(`${pattern} ${text}`);
      }
    }),
    { numRuns: 120 },
  );
  // of those that are not told of, a text of another kind may have to be found
  expect(missed.slice(8)).toEqual([]);
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(5);
});

function warningsOf(schemas: object): readonly string[] {
  const path = `${temporaryFolder()}/openapi.json`;
  const info = { title: "Patterns", version: "1" };
  writeFile(path, JSON.stringify({ openapi: "3.1.0", info, paths: {}, components: { schemas } }));
  return readContract(path).warnings.map((one) => said(one).replace(/^\S+ /, ""));
}

test("what means nothing with the flag u is read without it, and two units are one character with it", () => {
  expect(costOf("^([\\w-.]+-?)+$")?.growth).toBe("exponential");
  expect(costOf("^(?:\\uD83D\\uDE00+)+$")).toMatchObject({ growth: "exponential", pump: "😀" });
});

test("a warning names the text; a maxLength that keeps texts short is enough", () => {
  const doubling = "^(a+)+$";
  const square = "^\\d+\\.?\\d*$";
  const twice =
    'OAG428 a text such as "aaaa…a0" can keep this pattern busy at least twice as long with each "a" that it has more';
  const fourTimes =
    'OAG428 a text such as "0000…0a" can keep this pattern busy four times as long, or more, when it has twice the length';
  const type = "string";
  expect(warningsOf({ A: { type, pattern: doubling } })).toEqual([twice]);
  expect(warningsOf({ A: { type, pattern: doubling, maxLength: 11 } })).toEqual([twice]);
  expect(warningsOf({ A: { type, pattern: doubling, maxLength: 10 } })).toEqual([]);
  expect(warningsOf({ A: { type, pattern: square, maxLength: 5001 } })).toEqual([fourTimes]);
  expect(warningsOf({ A: { type, pattern: square, maxLength: 5000 } })).toEqual([]);
  // searched for, with two repetitions before it is found: n^3
  const cubic = ".+@.+\\..+";
  expect(warningsOf({ A: { type, pattern: cubic, maxLength: 342 } })).toHaveLength(1);
  expect(warningsOf({ A: { type, pattern: cubic, maxLength: 341 } })).toEqual([]);
  const numbers = warningsOf({ A: { type: "integer", pattern: doubling } });
  expect(numbers.filter((one) => one.startsWith("OAG428"))).toEqual([]);
  const names = { type: "object", patternProperties: { [doubling]: {} }, maxLength: 1 };
  expect(warningsOf({ A: names }).filter((one) => one.startsWith("OAG428"))).toEqual([twice]);
});
