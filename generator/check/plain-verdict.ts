// Whether a value fits a schema, where that is plain: everyday keywords and formats, judged by walking the schema.
// Nearly every example of a contract is decided here in a hundredth of the time that Ajv takes to be loaded and to
// compile the schema. Whatever else there is has no verdict, and Ajv is asked.

import { entriesOf, equal, isObject, itemsOf, type Json, type JsonObject } from "../json.ts";
import { componentName, schemasOf } from "../normalise/references.ts";
import { patternOf } from "../suite/patterns.ts";

/** Undefined: it is not plain. */
type Verdict = boolean | undefined;

/** Deeper than values of people are; circles of references without a value between them end here. */
const depthMax = 64;
/** Of schemas that are walked for one value: where there are many ways through, Ajv knows a shorter one. */
const stepsMax = 2_000;
/** Of a list whose items are compared with each other. */
const comparedMax = 50;

type Judge = (schema: Json, value: Json) => Verdict;

/** Of schemas of a normalised document, where every reference names a component (JSON Schema 2020-12). */
export function plainJudge(document: JsonObject): Judge {
  const walk = new PlainWalk(schemasOf(document));
  return (schema, value) => walk.begin(schema, value);
}

/** What says nothing of values. */
const annotations = new Set(
  (
    "title description default example examples deprecated readOnly writeOnly externalDocs xml $comment " +
    "discriminator contentEncoding contentMediaType contentSchema then else"
  ).split(" "),
);

interface Asked {
  readonly schema: JsonObject;
  readonly value: Json;
  readonly depth: number;
}

/** By keyword; a keyword of neither list has no verdict. */
type Rule = (argument: Json, asked: Asked) => Verdict;

class PlainWalk {
  readonly #components: JsonObject;
  readonly #patterns = new Map<string, RegExp | undefined>();
  #steps = 0;

  constructor(components: JsonObject) {
    this.#components = components;
  }

  begin(schema: Json, value: Json): Verdict {
    this.#steps = 0;
    return this.verdict(schema, value, 0);
  }

  verdict(schema: Json, value: Json, depth: number): Verdict {
    if (typeof schema === "boolean") return schema;
    this.#steps += 1;
    if (!isObject(schema) || depth > depthMax || this.#steps > stepsMax) return undefined;
    return all(Object.keys(schema), (keyword) => {
      if (annotations.has(keyword) || keyword.startsWith("x-")) return true;
      const rule = Object.hasOwn(this.#rules, keyword) ? this.#rules[keyword] : undefined;
      return rule?.(schema[keyword] ?? null, { schema, value, depth: depth + 1 });
    });
  }

  readonly #rules: Readonly<Record<string, Rule>> = {
    $ref: (argument, { value, depth }) => {
      const name = typeof argument === "string" ? componentName(argument) : undefined;
      if (name === undefined || !Object.hasOwn(this.#components, name)) return undefined;
      return this.verdict(this.#components[name] ?? null, value, depth);
    },
    type: (argument, { value }) =>
      (Array.isArray(argument) ? argument : [argument]).some((name) => isOfType(value, name)),
    enum: (argument, { value }) => itemsOf(argument).some((one) => equal(one, value)),
    const: (argument, { value }) => equal(argument, value),
    required: (argument, { value }) =>
      !isObject(value) ||
      itemsOf(argument).every((name) => typeof name === "string" && Object.hasOwn(value, name)),
    properties: (argument, { value, depth }) =>
      !isObject(value) ||
      all(entriesOf(argument), ([name, schema]) =>
        Object.hasOwn(value, name) ? this.verdict(schema, value[name] ?? null, depth) : true,
      ),
    additionalProperties: (argument, { schema, value, depth }) => {
      if (!isObject(value)) return true;
      const named = isObject(schema["properties"]) ? schema["properties"] : {};
      const patterns = entriesOf(schema["patternProperties"]).map(([text]) => this.#pattern(text));
      if (patterns.includes(undefined)) return undefined;
      const others = Object.keys(value).filter(
        (name) => !Object.hasOwn(named, name) && !patterns.some((one) => one?.test(name)),
      );
      return all(others, (name) => this.verdict(argument, value[name] ?? null, depth));
    },
    patternProperties: (argument, { value, depth }) => {
      if (!isObject(value)) return true;
      return all(entriesOf(argument), ([text, schema]) => {
        const pattern = this.#pattern(text);
        if (pattern === undefined) return undefined;
        const names = Object.keys(value).filter((name) => pattern.test(name));
        return all(names, (name) => this.verdict(schema, value[name] ?? null, depth));
      });
    },
    dependentRequired: (argument, { value }) =>
      !isObject(value) ||
      entriesOf(argument).every(
        ([name, needed]) =>
          !Object.hasOwn(value, name) ||
          itemsOf(needed).every((one) => typeof one === "string" && Object.hasOwn(value, one)),
      ),
    if: (argument, { schema, value, depth }) => {
      const verdict = this.verdict(argument, value, depth);
      if (verdict === undefined) return undefined;
      return this.verdict((verdict ? schema["then"] : schema["else"]) ?? true, value, depth);
    },
    propertyNames: (argument, { value, depth }) =>
      !isObject(value) || all(Object.keys(value), (name) => this.verdict(argument, name, depth)),
    items: (argument, { schema, value, depth }) => {
      const placed = itemsOf(schema["prefixItems"]).length;
      const rest = itemsOf(value).slice(placed);
      return all(rest, (item) => this.verdict(argument, item, depth));
    },
    prefixItems: (argument, { value, depth }) => {
      const places = itemsOf(argument);
      const placed = itemsOf(value).slice(0, places.length);
      return all([...placed.entries()], ([index, item]) =>
        this.verdict(places[index] ?? true, item, depth),
      );
    },
    allOf: (argument, { value, depth }) =>
      all(itemsOf(argument), (member) => this.verdict(member, value, depth)),
    anyOf: (argument, { value, depth }) => {
      let isSure = true;
      for (const member of itemsOf(argument)) {
        const verdict = this.verdict(member, value, depth);
        if (verdict === true) return true;
        if (verdict === undefined) isSure = false;
      }
      return isSure ? false : undefined;
    },
    oneOf: (argument, { value, depth }) => {
      let count = 0;
      for (const member of itemsOf(argument)) {
        const verdict = this.verdict(member, value, depth);
        if (verdict === undefined) return undefined;
        if (verdict) count += 1;
      }
      return count === 1;
    },
    not: (argument, { value, depth }) => {
      const verdict = this.verdict(argument, value, depth);
      return verdict === undefined ? undefined : !verdict;
    },
    minimum: ofNumbers((bound, value) => value >= bound),
    maximum: ofNumbers((bound, value) => value <= bound),
    exclusiveMinimum: ofNumbers((bound, value) => value > bound),
    exclusiveMaximum: ofNumbers((bound, value) => value < bound),
    // of decimals it is a matter of rounding
    multipleOf: ofNumbers((divisor, value) =>
      [divisor, value].every(Number.isSafeInteger) ? value % divisor === 0 : undefined,
    ),
    minLength: bySize(lengthOf, (size, bound) => size >= bound),
    maxLength: bySize(lengthOf, (size, bound) => size <= bound),
    minItems: bySize(countOf, (size, bound) => size >= bound),
    maxItems: bySize(countOf, (size, bound) => size <= bound),
    minProperties: bySize(membersOf, (size, bound) => size >= bound),
    maxProperties: bySize(membersOf, (size, bound) => size <= bound),
    uniqueItems: (argument, { value }) => {
      if (argument !== true || !Array.isArray(value)) return true;
      if (value.length > comparedMax) return undefined;
      return value.every((item, index) => !value.slice(0, index).some((one) => equal(one, item)));
    },
    pattern: (argument, { value }) => {
      if (typeof value !== "string") return true;
      return typeof argument === "string" ? this.#pattern(argument)?.test(value) : undefined;
    },
    format: (argument, { value }) => formatVerdict(argument, value),
  };

  #pattern(text: string): RegExp | undefined {
    if (!this.#patterns.has(text)) {
      try {
        this.#patterns.set(text, patternOf(text));
      } catch {
        this.#patterns.set(text, undefined); // told by the check of schemas
      }
    }
    return this.#patterns.get(text);
  }
}

function all<T>(items: readonly T[], verdictOf: (item: T) => Verdict): Verdict {
  let isSure = true;
  for (const item of items) {
    const verdict = verdictOf(item);
    if (verdict === false) return false;
    if (verdict === undefined) isSure = false;
  }
  return isSure ? true : undefined;
}

function isOfType(value: Json, name: Json): boolean {
  switch (name) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === name;
  }
}

function ofNumbers(holds: (argument: number, value: number) => Verdict): Rule {
  return (argument, { value }) => {
    if (typeof value !== "number") return true;
    return typeof argument === "number" ? holds(argument, value) : undefined;
  };
}

/** @param sizeOf undefined where the keyword says nothing of the value */
function bySize(
  sizeOf: (value: Json) => number | undefined,
  holds: (size: number, bound: number) => boolean,
): Rule {
  return (argument, { value }) => {
    const size = sizeOf(value);
    if (size === undefined) return true;
    return typeof argument === "number" ? holds(size, argument) : undefined;
  };
}

/** In code points (section 6.3 of the validation vocabulary). */
function lengthOf(value: Json): number | undefined {
  return typeof value === "string" ? Array.from(value).length : undefined;
}

function countOf(value: Json): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}

function membersOf(value: Json): number | undefined {
  return isObject(value) ? Object.keys(value).length : undefined;
}

/** The 29th of February depends on the year. */
const day =
  "(?:19|20)\\d\\d-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)";
const time =
  "(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-](?:0\\d|1[0-2]):[0-5]\\d)";
const host = "[a-z\\d]+(?:[.-][a-z\\d]+)*";

/** Texts that nobody doubts; any other may be one, too. */
const plainFormats: Readonly<Record<string, RegExp>> = {
  "date-time": new RegExp(`^${day}T${time}$`),
  date: new RegExp(`^${day}$`),
  uuid: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/,
  uri: new RegExp(`^https?://${host}(?:/[\\w./-]*)?(?:\\?[\\w.=&-]*)?$`),
  "uri-reference": new RegExp(`^(?:https?://${host})?/[\\w./-]*$`),
  email: new RegExp(
    `^[a-z\\d]+(?:[._+-][a-z\\d]+)*@[a-z\\d]+(?:-[a-z\\d]+)*(?:\\.[a-z\\d]+(?:-[a-z\\d]+)*)+$`,
  ),
  ipv4: /^(?:1\d\d|[1-9]?\d)(?:\.(?:1\d\d|[1-9]?\d)){3}$/,
};

function formatVerdict(format: Json, value: Json): Verdict {
  if (typeof format !== "string") return undefined;
  if (format === "int32" || format === "int64") {
    if (typeof value !== "number") return true;
    const isSmall = Number.isInteger(value) && Math.abs(value) < 2 ** 31;
    return isSmall ? true : undefined;
  }
  const plain = Object.hasOwn(plainFormats, format) ? plainFormats[format] : undefined;
  if (plain === undefined) return undefined;
  if (typeof value !== "string") return true;
  return plain.test(value) ? true : undefined;
}
