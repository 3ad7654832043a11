// For each keyword of a schema, what breaks it in a given value.

import fc from "fast-check";
import {
  isObject,
  type Json,
  type JsonObject,
  listAt,
  objectAt,
  type Place,
  textOf,
} from "./contract-document.ts";
import { anyTexts, boundsOfText, lengthOf } from "./contract-texts.ts";

export type Path = readonly string[];

/** A place of a value that a schema speaks of. */
export interface Spot extends Place {
  /** pointer of what refers to the schema, or of the schema itself */
  readonly from: string;
  readonly path: Path;
  readonly value: Json;
  /** whose value says which alternative is meant */
  readonly isTag: boolean;
  /** one of several alternatives, none of which says by a tag that it is meant */
  readonly alternative?: Alternative;
}

interface Alternative {
  readonly union: Path;
  /** members that only this one has */
  readonly own: ReadonlySet<string>;
}

export interface Change {
  /** below the spot: the member that it is about */
  readonly path: Path;
  /** what stands there then; undefined: nothing */
  readonly value: Json | undefined;
}

export interface KeywordBreak {
  readonly keyword: string;
  readonly changes: fc.Arbitrary<Change>;
}

export function breaksOf(spot: Spot): readonly KeywordBreak[] {
  return [
    ...brokenType(spot),
    ...brokenText(spot),
    ...brokenNumber(spot),
    ...brokenList(spot),
    ...brokenObject(spot),
  ];
}

function here(keyword: string, values: fc.Arbitrary<Json>): KeywordBreak {
  return { keyword, changes: values.map((value) => ({ path: [], value })) };
}

const anyType: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json[]>(null, true, false, 7, 1.5, -1, "7", "", "text", [], {}, [[]], { a: 1 }),
  fc.string({ maxLength: 8 }),
  fc.array(fc.integer(), { maxLength: 3 }),
);

function brokenType({ node, value }: Spot): readonly KeywordBreak[] {
  if (listAt(node, "oneOf").length > 0) {
    // What has a tag is looked at by its tag, so it is asked for an object.
    const isTagged = node["discriminator"] !== undefined;
    return [
      here(
        isTagged ? "type" : "oneOf",
        anyType.filter((one) => !isTagged || !isObject(one)),
      ),
    ];
  }
  const found: KeywordBreak[] = [];
  if (node["type"] !== undefined) found.push(here("type", anyType));
  for (const keyword of ["enum", "const"]) {
    if (node[keyword] === undefined) continue;
    const text = textOf(value);
    const near = [text.toUpperCase(), `${text} `, ` ${text}`, `${text}\n`, text.slice(1), ""];
    found.push(here(keyword, fc.oneof(fc.constantFrom(...near), fc.string({ maxLength: 12 }))));
  }
  return found;
}

/** The text with something put into it, at its ends as often as in the middle. */
function disturbed(text: string): fc.Arbitrary<string> {
  const marks = fc.oneof(
    fc.constantFrom(
      "\n",
      " ",
      "\t",
      "é",
      "٣",
      "１",
      "😀",
      ".",
      "-",
      "+",
      "0",
      "x",
      "\u2028",
      "\u007f",
    ),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 3 }),
  );
  const places = fc.oneof(fc.constantFrom(0, text.length), fc.nat({ max: text.length }));
  return fc
    .tuple(marks, places)
    .map(([mark, at]) => (text.slice(0, at) + mark + text.slice(at)).replaceAll("\0", ""));
}

function brokenText({ node, value }: Spot): readonly KeywordBreak[] {
  if (typeof value !== "string") return [];
  const found: KeywordBreak[] = [];
  const bounds = boundsOfText(node);
  const odd = fc.oneof(
    disturbed(value),
    anyTexts({ ...bounds, maxLength: bounds.maxLength ?? 40 }),
  );
  if (node["pattern"] !== undefined) found.push(here("pattern", odd));
  if (node["format"] !== undefined) found.push(here("format", odd));
  const { minLength, maxLength } = bounds;
  if (maxLength !== undefined) {
    const more = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 200 }));
    const units = fc.constantFrom("1", "a", "~", "0", "é", "😀", Array.from(value).at(-1) ?? "a");
    // What a pattern lets nobody go on with is written anew.
    const starts = fc.constantFrom(value, "");
    const long = fc
      .tuple(starts, units, more)
      .map(([start, unit, count]) => start + unit.repeat(maxLength - lengthOf(start) + count));
    found.push(here("maxLength", long));
  }
  if (minLength > 0) {
    const shorter = fc.nat({ max: minLength - 1 });
    const short = shorter.map((count) => Array.from(value).slice(0, count).join(""));
    found.push(here("minLength", short));
  }
  return found;
}

/** Beyond a bound: by one, by a little, by as much as a double can. */
function beyond(bound: number, sign: 1 | -1): fc.Arbitrary<number> {
  return fc
    .oneof(
      fc.constantFrom(1, 2, 1000, 2 ** 31, 2 ** 53, 2 ** 63, 1e300),
      fc.integer({ min: 1, max: 9 }),
    )
    .map((distance) => bound + sign * distance);
}

function brokenNumber({ node, value }: Spot): readonly KeywordBreak[] {
  if (typeof value !== "number") return [];
  const found: KeywordBreak[] = [];
  const bounds = [
    ["minimum", -1, 0],
    ["maximum", 1, 0],
    ["exclusiveMinimum", -1, 1],
    ["exclusiveMaximum", 1, -1],
  ] as const;
  for (const [keyword, sign, inside] of bounds) {
    const bound = node[keyword];
    if (typeof bound === "number") found.push(here(keyword, beyond(bound + inside, sign)));
  }
  if (node["type"] === "integer") {
    // Either way: beside a bound only one of them breaks nothing else.
    const parts = fc.constantFrom(0.5, 0.25, 0.000_001, -0.5, -0.25, -0.000_001);
    found.push(
      here(
        "type",
        parts.map((part) => Math.min(Math.abs(value), 1e6) + part),
      ),
    );
  }
  const { multipleOf } = node;
  if (typeof multipleOf === "number") {
    found.push(here("multipleOf", fc.constant(value + multipleOf / 2)));
  }
  return found;
}

function numberAt(node: JsonObject, name: string): number | undefined {
  const value = node[name];
  return typeof value === "number" ? value : undefined;
}

function brokenList({ node, value }: Spot): readonly KeywordBreak[] {
  if (!Array.isArray(value)) return [];
  const found: KeywordBreak[] = [];
  const least = numberAt(node, "minItems");
  const most = numberAt(node, "maxItems");
  const [first] = value;
  if (least !== undefined && least > 0) {
    found.push(
      here(
        "minItems",
        fc.nat({ max: least - 1 }).map((size) => value.slice(0, size)),
      ),
    );
  }
  if (most !== undefined && first !== undefined) {
    const more = fc.integer({ min: 1, max: 8 });
    found.push(
      here(
        "maxItems",
        more.map((count) => manyOf(value, first, most + count)),
      ),
    );
  }
  if (node["uniqueItems"] === true && first !== undefined && value.length < (most ?? Infinity)) {
    const doubled = fc.tuple(fc.constantFrom(...value), fc.nat({ max: value.length }));
    found.push(
      here(
        "uniqueItems",
        doubled.map(([one, at]) => value.toSpliced(at, 0, one)),
      ),
    );
  }
  return found;
}

/** All different, where they are texts. */
function manyOf(items: readonly Json[], item: Json, size: number): Json[] {
  const more = Array.from({ length: size - items.length }, (_, at) =>
    typeof item === "string" ? `${at}${item}`.slice(0, Math.max(4, item.length)) : item,
  );
  return [...items, ...more];
}

const undeclaredNames = fc.oneof(
  fc.constantFrom("undeclared", "__proto__", "constructor", "toString", "", "a/b", "a~b", "é 😀"),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }),
);

function brokenObject({ node, value }: Spot): readonly KeywordBreak[] {
  if (!isObject(value)) return [];
  const found: KeywordBreak[] = [];
  for (const name of listAt(node, "required").map(textOf)) {
    const without = { path: [name], value: undefined };
    found.push({ keyword: "required", changes: fc.constant(without) });
  }
  const properties = objectAt(node, "properties");
  if (node["additionalProperties"] === false) {
    const names = undeclaredNames.filter((name) => !Object.hasOwn(properties, name));
    const changes = fc.tuple(names, anyType).map(([name, one]) => ({ path: [name], value: one }));
    found.push({ keyword: "additionalProperties", changes });
  }
  return [...found, ...brokenMap(node, value)];
}

const sizeOf = (value: Json): number => JSON.stringify(value).length;

function brokenMap(node: JsonObject, value: JsonObject): readonly KeywordBreak[] {
  const found: KeywordBreak[] = [];
  const least = numberAt(node, "minProperties");
  const most = numberAt(node, "maxProperties");
  // the smallest: so many large ones would be too much of a body
  const [member] = Object.values(value).toSorted((one, other) => sizeOf(one) - sizeOf(other));
  if (least !== undefined && least > 0) found.push(here("minProperties", fc.constant({})));
  if (most !== undefined && member !== undefined) {
    const more = fc.integer({ min: 1, max: 8 }).map((count) => most + count);
    const names = (size: number) => Array.from({ length: size }, (_, at) => [`cur_${at}`, member]);
    found.push(
      here(
        "maxProperties",
        more.map((size) => Object.fromEntries(names(size)) as Json),
      ),
    );
  }
  const rule = node["propertyNames"];
  const longest = isObject(rule) ? numberAt(rule, "maxLength") : undefined;
  // One more would be too many as well.
  const isFull = most !== undefined && Object.keys(value).length >= most;
  if (longest !== undefined && member !== undefined && !isFull) {
    const more = fc.integer({ min: 1, max: 40 });
    const names = more.map((count) => ({ path: ["n".repeat(longest + count)], value: member }));
    found.push({ keyword: "propertyNames", changes: names });
  }
  return found;
}
