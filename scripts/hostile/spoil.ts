// One fault in a document: in its data, where any value may become any other, or in its text, as a slip of the
// keyboard would make it. Which one comes from the dice alone.

import * as yaml from "yaml";
import type { Json } from "../../generator/json.ts";
import { escapeToken, isObject, put } from "../../generator/json.ts";
import type { Dice } from "../../generator/suite/dice.ts";

export interface Spoiled {
  /** what was done, for people */
  readonly fault: string;
  readonly text: string;
  /** how its file has to end */
  readonly ending: ".json" | ".yaml";
}

/** Where a value stands: in `parent`, which is an object or an array, under `name`. */
interface Spot {
  readonly parent: Json;
  readonly name: string;
  readonly pointer: string;
}

/** Values that a document may hold somewhere, and hardly ever where they are put. */
const oddValues: readonly Json[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  "",
  " ",
  "a b",
  "__proto__",
  "constructor",
  "#",
  "#/",
  "#/components/schemas/none",
  "../../nothing.yaml#/a",
  "https://example.com/elsewhere",
  "(",
  "(?<name>x)\\k<name>",
  "\\p{L}+$",
  "{id}",
  "/{a}/{a}",
  "*/*",
  "text/plain; charset=utf-8",
  "\u0000\u2028\ud800",
  "`${1}` */ // \\",
  "x".repeat(5000),
  [],
  {},
  [[]],
  [null],
  ["a", "a"],
  { $ref: "#" },
  { $ref: "" },
  { $ref: 7 },
  { type: "object", properties: { __proto__: true }, required: ["constructor"] },
  { allOf: [{ $ref: "#/components/schemas/none" }] },
  { type: ["string", "null", "string"] },
  { const: { a: [1] } },
  { enum: [{}, [], null, 1, "1"] },
  { not: {} },
  { "x-anything": [1] },
];

const oddNames: readonly string[] = [
  "",
  " ",
  "a/b~c",
  "Äö ü",
  "\u0000",
  "0",
  "01",
  "class",
  "default",
  "__proto__",
  "constructor",
  "toString",
  "$ref",
  "x-y",
  "get",
  "type",
  "properties",
  "4XX",
  "999",
  "{id}",
  "/",
  "application/json;a=b",
];

function spotsOf(value: Json, pointer = ""): Spot[] {
  const entries = Array.isArray(value)
    ? value.map((item, index): [string, Json] => [String(index), item])
    : isObject(value)
      ? Object.entries(value)
      : [];
  return entries.flatMap(([name, item]) => {
    const own = `${pointer}/${escapeToken(name)}`;
    return [{ parent: value, name, pointer: own }, ...spotsOf(item, own)];
  });
}

function valueAt({ parent, name }: Spot): Json {
  const found = Array.isArray(parent)
    ? parent[Number(name)]
    : isObject(parent)
      ? parent[name]
      : null;
  return found ?? null;
}

function set({ parent, name }: Spot, value: Json): void {
  if (Array.isArray(parent)) parent[Number(name)] = value;
  else if (isObject(parent)) put(parent, name, value);
}

function remove({ parent, name }: Spot): void {
  if (Array.isArray(parent)) parent.splice(Number(name), 1);
  else if (isObject(parent)) delete parent[name];
}

/** So deep that whoever goes down by calling himself falls. */
function nested(depth: number): Json {
  let schema: Json = { type: "string" };
  for (let level = 0; level < depth; level += 1)
    schema = level % 2 === 0 ? { type: "array", items: schema } : { allOf: [schema] };
  return schema;
}

type Fault = (spot: Spot, dice: Dice, spots: readonly Spot[]) => string;

const dataFaults: readonly Fault[] = [
  (spot) => {
    remove(spot);
    return `${spot.pointer} left out`;
  },
  (spot, dice) => {
    const value = structuredClone(dice.pick(oddValues) ?? null);
    set(spot, value);
    return `${spot.pointer} is ${JSON.stringify(value).slice(0, 80)}`;
  },
  (spot, dice) => {
    const name = dice.pick(oddNames) ?? "";
    const value = valueAt(spot);
    if (isObject(spot.parent)) {
      remove(spot);
      put(spot.parent, name, value);
    }
    return `${spot.pointer} is called ${JSON.stringify(name)}`;
  },
  (spot, dice) => {
    const name = dice.pick(oddNames) ?? "";
    if (isObject(spot.parent)) put(spot.parent, name, structuredClone(valueAt(spot)));
    return `${spot.pointer} stands a second time as ${JSON.stringify(name)}`;
  },
  (spot) => {
    set(spot, [valueAt(spot)]);
    return `${spot.pointer} stands in a list`;
  },
  (spot, dice, spots) => {
    const other = dice.pick(spots) ?? spot;
    set(spot, structuredClone(valueAt(other)));
    return `${spot.pointer} is what stands at ${other.pointer}`;
  },
  (spot, dice, spots) => {
    const other = dice.pick(spots) ?? spot;
    set(spot, { $ref: `#${other.pointer}` });
    return `${spot.pointer} refers to ${other.pointer}`;
  },
  (spot) => {
    set(spot, { $ref: `#${spot.pointer}` });
    return `${spot.pointer} refers to itself`;
  },
  (spot, dice) => {
    const depth = 1 + dice.below(400);
    set(spot, nested(depth));
    return `${spot.pointer} is a schema ${depth} deep`;
  },
];

type Slip = (lines: string[], at: number, dice: Dice) => string;

/** Each changes `lines` at a line. */
const slips: readonly Slip[] = [
  (lines, at) => {
    lines.splice(at, 1);
    return "left out";
  },
  (lines, at) => {
    lines.splice(at, 0, lines[at] ?? "");
    return "twice";
  },
  (lines, at, dice) => {
    const count = 1 + dice.below(3);
    lines[at] = " ".repeat(count) + (lines[at] ?? "");
    return `${count} to the right`;
  },
  (lines, at) => {
    lines[at] = (lines[at] ?? "").slice(1);
    return "one to the left";
  },
  (lines, at, dice) => {
    const line = lines[at] ?? "";
    const column = dice.below(line.length + 1);
    const sign = dice.pick([
      ":",
      "-",
      "\t",
      "'",
      '"',
      "{",
      "]",
      "&a",
      "*a",
      "!",
      "#",
      "%",
      "\0",
      "|",
      "? ",
    ]);
    lines[at] = `${line.slice(0, column)}${sign}${line.slice(column)}`;
    return `with ${JSON.stringify(sign)} at ${column + 1}`;
  },
  (lines, at, dice) => {
    const line = lines[at] ?? "";
    const column = dice.below(line.length + 1);
    lines[at] = line.slice(0, column) + line.slice(column + 1);
    return `without the sign at ${column + 1}`;
  },
  (lines, at, dice) => {
    const line = dice.pick([
      "---",
      "...",
      "%YAML 1.1",
      "\ufeff",
      "<<: *a",
      "? [a]",
      "key without colon",
    ]);
    lines.splice(at, 0, line ?? "");
    return `after ${JSON.stringify(line)}`;
  },
  (lines, at) => {
    lines.length = at;
    return "and all behind it left out";
  },
];

/** `document` is read, and stays as it is. */
export function spoil(document: Json, dice: Dice): Spoiled {
  const data = structuredClone(document);
  if (dice.chance(0.25)) return spoilText(data, dice);
  const faults: string[] = [];
  for (let count = dice.chance(0.2) ? 3 : 1; count > 0; count -= 1) {
    const spots = spotsOf(data);
    const spot = dice.pick(spots);
    const fault = dice.pick(dataFaults);
    if (spot !== undefined && fault !== undefined) faults.push(fault(spot, dice, spots));
  }
  return { fault: faults.join("; "), text: JSON.stringify(data, null, 2), ending: ".json" };
}

function spoilText(data: Json, dice: Dice): Spoiled {
  const ending = dice.chance(0.3) ? ".json" : ".yaml";
  const text = ending === ".json" ? JSON.stringify(data, null, 2) : yaml.stringify(data);
  const lines = text.split("\n");
  const at = dice.below(lines.length);
  const fault = dice.pick(slips)?.(lines, at, dice) ?? "";
  const end = dice.chance(0.1) ? "\r\n" : "\n";
  return { fault: `line ${at + 1} ${fault}`, text: lines.join(end), ending };
}
