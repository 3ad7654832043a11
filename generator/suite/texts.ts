// Texts of a pattern, a format and a length.

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { withStrictTimes } from "./ajv-mistakes.ts";
import type { Dice } from "./dice.ts";
import { patternOf, repeatsRepetitions } from "./patterns.ts";

export interface TextWish {
  readonly patterns: readonly string[];
  readonly format: string | undefined;
  /** code points */
  readonly minLength: number;
  readonly maxLength: number;
}

const letters = "abcdefghijklmnopqrstuvwxyz0123456789";
const triesMax = 2_000_000_000;

/** One that may fit: whoever needs one that does looks at it. */
export function drawText(wish: TextWish, dice: Dice): string {
  const { patterns, format, minLength, maxLength } = wish;
  const [pattern] = patterns;
  if (pattern !== undefined) return drawByPattern(pattern, wish, dice);
  const formatted = format === undefined ? undefined : drawByFormat(format, dice);
  if (formatted !== undefined) return withLength(formatted, wish);
  const length = Math.min(maxLength, Math.max(minLength, 1 + dice.below(12)));
  return Array.from({ length }, () => letters.charAt(dice.below(letters.length))).join("");
}

function drawByPattern(pattern: string, wish: TextWish, dice: Dice): string {
  const { format, patterns } = wish;
  const others = patterns.slice(1).map(patternOf);
  const fits = (text: string): boolean =>
    isOfLength(text, wish) && isOfFormat(text, format) && others.every((one) => one.test(text));
  const isFresh = dice.chance(freshPart);
  const found = isFresh ? samplesOf(pattern, dice.below(triesMax), freshTexts) : storeOf(pattern);
  const start = dice.below(found.length);
  const some = [...found.slice(start), ...found.slice(0, start)].slice(0, freshTexts);
  const isWanted = patterns.some(repeatsRepetitions)
    ? (text: string): boolean => text.length <= charactersShort && fits(text)
    : fits;
  const plainestOf = (is: (text: string) => boolean): string | undefined =>
    some.filter(is).toSorted(byPlainness)[0] ?? found.find(is);
  const wanted = plainestOf(isWanted) ?? plainestOf(fits);
  return wanted ?? drawByBoth(wish, dice) ?? found[0] ?? "";
}

/**
 * Of a pattern that may read a text in many ways: whoever looks at one that breaks it, which is made from this one, may
 * try them all, and they are twice as many with each character or two.
 */
const charactersShort = 16;

/** Of ten thousand texts that a pattern of digits allows, three may be a time: from the format it is found at once. */
function drawByBoth(wish: TextWish, dice: Dice): string | undefined {
  const all = wish.patterns.map(patternOf);
  for (let tries = 0; tries < freshTexts; tries++) {
    const text = wish.format === undefined ? undefined : drawByFormat(wish.format, dice);
    if (text === undefined) return undefined;
    if (isOfLength(text, wish) && all.every((one) => one.test(text))) return text;
  }
  return undefined;
}

/** In code points, which are counted where it depends on them alone. */
function isOfLength(text: string, { minLength, maxLength }: TextWish): boolean {
  if (text.length < minLength || text.length > 2 * maxLength) return false;
  if (text.length >= 2 * minLength && text.length <= maxLength) return true;
  const { length } = Array.from(text);
  return length >= minLength && length <= maxLength;
}

/** Patterns with what must not be there take long to draw from: most texts come from a store. */
const stores = new Map<string, readonly string[]>();
const storedTexts = 200;
const freshTexts = 20;
const freshPart = 0.05;

function storeOf(pattern: string): readonly string[] {
  const store = stores.get(pattern) ?? samplesOf(pattern, storedTexts, storedTexts);
  stores.set(pattern, store);
  return store;
}

/** As Ajv judges it; servers read addresses with a parser, which knows more of them than that grammar. */
function isOfFormat(text: string, format: string | undefined): boolean {
  if (format === undefined) return true;
  if ((format === "uri" || format === "url") && !URL.canParse(text)) return false;
  ajv ??= withStrictTimes(addFormats.default(new Ajv2020({ strict: false, logger: false })));
  const judge = judgesByFormat.get(format) ?? ajv.compile({ format });
  judgesByFormat.set(format, judge);
  return judge(text);
}

let ajv: Ajv2020 | undefined;
const judgesByFormat = new Map<string, ValidateFunction>();

function samplesOf(pattern: string, seed: number, count: number): readonly string[] {
  const drawn = drawnBy.get(pattern) ?? drawnFrom(pattern);
  drawnBy.set(pattern, drawn);
  const one = drawn(seed, 1);
  const most = Math.floor(drawnCharactersMax / (one[0]?.length ?? 1));
  return most >= count ? drawn(seed, count) : most > 1 ? drawn(seed, most) : one;
}

/** Each character takes microseconds, and a pattern may ask for hundreds of thousands of them. */
const drawnCharactersMax = 500_000;

type Draw = (seed: number, count: number) => readonly string[];

/** What takes time is to read a pattern, up to half a second of a long one; to draw from it takes none. */
const drawnBy = new Map<string, Draw>();

function drawnFrom(pattern: string): Draw {
  try {
    const texts = fc.stringMatching(patternOf(pattern));
    return (seed, numRuns) => fc.sample(texts, { seed, numRuns });
  } catch {
    return drawnAround(pattern);
  }
}

/** What stands ahead or behind must be there or not, without being part of it. */
const lookAround = /\(\?<?[=!]((?:[^()\\[]|\\.|\[(?:\\.|[^\]\\])*\]|\((?:\\.|[^()\\])*\))*)\)/g;

/** The library draws no look-around: what it asks for is put in front of the rest, and what fits is kept. */
function drawnAround(pattern: string): Draw {
  const whole = patternOf(pattern);
  const asked = Array.from(pattern.matchAll(lookAround), ([text, inner = ""]) =>
    text.startsWith("(?=") ? inner.replaceAll(/^\.[*+]|\$$/g, "") : "",
  ).filter((one) => one !== "");
  try {
    const own = fc.stringMatching(patternOf(pattern.replaceAll(lookAround, "")));
    const parts = asked.map((one) => fc.stringMatching(patternOf(`^(?:${one})$`)));
    const texts = fc.oneof(
      fc.tuple(...parts, own).map((all) => all.join("")),
      own,
    );
    return (seed, count) => {
      const found = fc.sample(texts, { seed, numRuns: aroundTimes * count });
      return found.filter((one) => whole.test(one)).slice(0, count);
    };
  } catch {
    return () => []; // whoever needs a text that fits looks at it
  }
}

const aroundTimes = 5;

/** Texts that can stand in a path and a header first. */
function byPlainness(one: string, other: string): number {
  const oddness = (text: string): number => text.replaceAll(/[\w.:-]/g, "").length;
  return oddness(one) - oddness(other);
}

function drawByFormat(format: string, dice: Dice): string | undefined {
  const hex = (length: number): string =>
    Array.from({ length }, () => dice.below(16).toString(16)).join("");
  const two = (max: number): string => String(1 + dice.below(max)).padStart(2, "0");
  const date = `20${two(40)}-${two(12)}-${two(28)}`;
  const time = `${two(22)}:${two(58)}:${two(58)}Z`;
  switch (format) {
    case "uuid":
      return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
    case "date":
      return date;
    case "time":
      return time;
    case "date-time":
      return `${date}T${time}`;
    case "duration":
      return `P${1 + dice.below(9)}D`;
    case "email":
    case "idn-email":
      return `a${hex(4)}@example.com`;
    case "hostname":
    case "idn-hostname":
      return `a${hex(4)}.example.com`;
    case "ipv4":
      return `192.0.2.${dice.below(255)}`;
    case "ipv6":
      return `2001:db8::${hex(4)}`;
    case "uri":
    case "url":
    case "iri":
    case "uri-reference":
      return `https://example.com/${hex(6)}`;
    case "uri-template":
      return `https://example.com/{${hex(4).replaceAll(/\d/g, "a")}}`;
    case "json-pointer":
      return `/${hex(4)}`;
    case "relative-json-pointer":
      return `1/${hex(4)}`;
    case "regex":
      return "^a+$";
    case "byte":
      return Buffer.from(hex(6)).toString("base64");
    default:
      return undefined;
  }
}

/** Longer by its last character, which most formats allow before their end. */
function withLength(text: string, { minLength }: TextWish): string {
  const missing = minLength - Array.from(text).length;
  return missing <= 0 ? text : text + "a".repeat(missing);
}

/** Other lengths of a text that fits: cut, or one of its characters repeated, wherever that may be. */
export function textsOfLength(text: string, length: number): string[] {
  const points = Array.from(text);
  if (points.length >= length) {
    return [points.slice(0, length).join(""), points.slice(points.length - length).join("")];
  }
  const missing = length - points.length;
  const longer = points.slice(0, placesMax).map((point, at) => {
    return points.slice(0, at).join("") + point.repeat(missing) + points.slice(at).join("");
  });
  const last = points.at(-1) ?? "a";
  return [
    text + last.repeat(missing),
    ...longer,
    text + "a".repeat(missing),
    "a".repeat(missing) + text,
  ];
}

const placesMax = 24;
