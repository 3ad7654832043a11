// Of a value that the document allows, others that it allows too: on each bound, each of the listed values,
// without each member that need not be there. A server that is stricter than its document refuses one of them.

import { type BreakWish, listsOf, membersOf, pointerOf, type Spot, spotsIn } from "./breaking.ts";
import { isObject, type Json, type JsonObject, replaceAt } from "./json.ts";
import { textsOfLength } from "./texts.ts";

export interface OnBound {
  /** "/name maxLength" */
  readonly name: string;
  readonly value: Json;
}

/** Names a rule of a spot, and values for the spot of which one may do. */
type Bound = readonly [
  name: string,
  path: readonly string[],
  values: readonly (Json | undefined)[],
];

const itemsMax = 1_000;
const charactersMax = 20_000;
/** Those of every object in JavaScript among them. */
const oddNames = ["__proto__", "constructor", "", "a b", "a/b", "a~b", "😀"];

export function boundsIn(wish: BreakWish, whole: Json): readonly OnBound[] {
  const judge = wish.drawing.judgeAt(wish.pointer);
  return [...spotsIn(wish, whole)].flatMap((spot) =>
    [...boundsOf(spot, wish)].flatMap(([name, below, values]) => {
      const path = [...spot.path, ...below];
      const value = values
        .map((one) => replaceAt(whole, path, one))
        .find((one) => judge(one).length === 0);
      return value === undefined ? [] : [{ name: `${pointerOf(path)} ${name}`, value }];
    }),
  );
}

function* boundsOf(spot: Spot, wish: BreakWish): Generator<Bound> {
  const { flat, value } = spot;
  for (const one of flat.values ?? []) yield [`is ${JSON.stringify(one)}`, [], [one]];
  if (flat.types?.includes("null") === true) yield ["is null", [], [null]];
  if (typeof value === "string") yield* textBounds(spot, value);
  if (typeof value === "number") yield* numberBounds(spot);
  if (Array.isArray(value)) yield* listBounds(spot, value, wish);
  if (!isObject(value)) return;
  yield* objectBounds(spot, value, wish);
}

function* objectBounds(spot: Spot, value: JsonObject, wish: BreakWish): Generator<Bound> {
  const { flat } = spot;
  for (const name of flat.properties.keys()) {
    // Without what must be there it may be another alternative.
    if (Object.hasOwn(value, name)) yield ["left out", [name], [undefined]];
  }
  if (flat.values === undefined && !flat.isClosed && flat.names.length === 0) {
    yield ["has one more", ["any_other"], ["x", 1, {}]];
  }
  if (flat.others.length === 0 && flat.byPattern.length === 0) return;
  const entries = Object.entries(value);
  const others = entries.filter(([name]) => !flat.properties.has(name));
  const [[, first] = []] = others;
  if (first === undefined) return;
  const { minProperties = 0, maxProperties } = flat.rules;
  const needed = entries.filter(([name]) => flat.properties.has(name));
  const fewest = [...needed, ...others].slice(0, Math.max(needed.length, minProperties));
  yield ["minProperties", [], [Object.fromEntries(fewest)]];
  if (maxProperties !== undefined && maxProperties <= itemsMax) {
    const missing = Math.max(0, maxProperties - entries.length);
    yield ["maxProperties", [], membersOf(spot, wish, { value, first, missing })];
  }
  for (const name of oddNames) {
    const more = Object.fromEntries([...entries, [name, first]]);
    yield [`has the member ${JSON.stringify(name)}`, [], [more]];
  }
}

function* textBounds({ flat }: Spot, value: string): Generator<Bound> {
  for (const name of ["minLength", "maxLength"]) {
    const bound = flat.rules[name];
    if (bound === undefined || bound > charactersMax || flat.values !== undefined) continue;
    yield [name, [], textsOfLength(value, bound)];
    // Lengths are counted in code points (JSON Schema Validation section 6.3.1), not in halves of pairs.
    yield [
      `${name} of code points`,
      [],
      ["😀".repeat(bound), textsOfLength(`${value}😀`, bound)[0] ?? ""],
    ];
  }
}

function* numberBounds({ flat: { rules, types, format, values } }: Spot): Generator<Bound> {
  if (values !== undefined) return;
  const largest = format === "int32" ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER;
  yield ["is the largest integer", [], [largest]];
  yield ["is the smallest integer", [], [format === "int32" ? -largest - 1 : -largest]];
  const step = rules["multipleOf"] ?? 1;
  for (const [name, bound] of Object.entries(rules)) {
    // 2^63 - 1 is 2^63 as a double: an integer beyond the exact ones is not the one that is written
    const isInteger = types?.includes("integer") === true && !types.includes("number");
    const isExact = !isInteger || Math.abs(bound) <= largest;
    if (isExact && (name === "minimum" || name === "maximum")) yield [name, [], [bound]];
    if (name === "exclusiveMinimum") yield [name, [], [bound + step, bound + step / 2]];
    if (name === "exclusiveMaximum") yield [name, [], [bound - step, bound - step / 2]];
    if (name === "multipleOf") yield [name, [], [0, bound, bound * 2, -bound]];
  }
  if (types?.includes("number") === true) yield ["has a fraction", [], [0.5, 1.5, 10.5, -0.5]];
}

function* listBounds(spot: Spot, value: readonly Json[], wish: BreakWish): Generator<Bound> {
  const { flat } = spot;
  const { minItems = 0, maxItems } = flat.rules;
  yield ["minItems", [], [value.slice(0, minItems)]];
  if (maxItems === undefined || maxItems > itemsMax) return;
  const { distinct, same } = listsOf(spot, wish, { value, count: maxItems });
  yield ["maxItems", [], flat.isUnique ? distinct : [...same, ...distinct]];
}
