// Written by "npm run generate" from spec/openapi.yaml; do not edit.

// The text of a parameter to the value it stands for: styles, escapes, integers, booleans, JSON.

import { exceeds } from "./json.ts";
import { repeatedNames } from "./json-names.ts";
import { isLost, lostMessage, lostNumbers } from "./json-numbers.ts";
import type { ParameterKind, ParameterPlan, ScalarKind } from "./runtime.ts";
import { put, type Values } from "./values.ts";

const integer = /^-?(?:0|[1-9][0-9]*)$/;

export const number = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

export function scalar(text: string, kinds: readonly ScalarKind[]): unknown {
  for (const kind of kinds) {
    switch (kind) {
      case "string":
        return text;
      case "integer":
      case "number": {
        const value = (kind === "integer" ? integer : number).test(text) ? Number(text) : Infinity;
        // "1e999" is in the grammar, but JSON has no infinity; an integer is judged by its own bounds
        const isHeld = Number.isFinite(value) && !(kinds.includes("number") && isLost(text, value));
        if (isHeld) return value;
        break;
      }
      case "boolean":
        if (text === "true") return true;
        if (text === "false") return false;
        break;
      case "null":
        if (text === "") return null;
        break;
      default:
        kind satisfies never;
    }
  }
  return text;
}

/** Why a text could not be read; stands in the place of the value. */
export class Misread {
  readonly rule: string;
  readonly message: string;
  constructor(rule: string, message: string) {
    this.rule = rule;
    this.message = message;
  }
}

const wrongEscape = new Misread("encoding", "has a wrong percent-encoding");

const wrongStyle = new Misread("style", "is not written in the style of the contract");

const wrongJson = new Misread("json", "must be a JSON document");

const lostNumber = new Misread("precision", lostMessage);

const repeatedName = new Misread("repeated", "must have each name only once in an object");

export const repeated = new Misread("repeated", "must be given only once");

export type Unescape = (text: string) => string | Misread;

export const asIs: Unescape = (text) => text;

export const percent: Unescape = (text) => {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return wrongEscape;
  }
};

/** In queries and forms "+" is a space, as `URLSearchParams` and every browser write it. */
export const percentPlus: Unescape = (text) =>
  percent(text.includes("+") ? text.replaceAll("+", " ") : text);

/** Cookies have no escapes of their own: what is not a good escape is meant as it stands. */
export const cookieText: Unescape = (text) => {
  const bare =
    text.startsWith('"') && text.endsWith('"') && text !== '"' ? text.slice(1, -1) : text;
  const decoded = percent(bare);
  return decoded instanceof Misread ? bare : decoded;
};

/** Far more than any parameter needs; an address is no place for documents as deep as bodies. */
const jsonDepthMax = 32;

const tooDeep = new Misread("json", `must not be nested deeper than ${jsonDepthMax} levels`);

function json(text: string): unknown {
  if (exceeds(text, jsonDepthMax)) return tooDeep;
  try {
    const value: unknown = JSON.parse(text);
    if (repeatedNames(text, value).length > 0) return repeatedName;
    return lostNumbers(text, value).length > 0 ? lostNumber : value;
  } catch {
    return wrongJson;
  }
}

type Shape = Pick<ParameterPlan, "name" | "style" | "explode" | "kind">;

export function kindsOf(kind: ParameterKind, property: string): readonly ScalarKind[] | undefined {
  if (kind === "json" || !("object" in kind)) return undefined;
  if (Object.hasOwn(kind.object, property)) return kind.object[property];
  return kind.others.length === 0 ? undefined : kind.others;
}

const spaces = /%20|\+/;

const pipes = /%7[cC]|\|/;

/** Cuts a text at the delimiters of its style; undefined when the style's own marks are missing. */
function cut(shape: Shape, text: string): readonly string[] | undefined {
  const single = shape.kind === "json" || "scalar" in shape.kind;
  switch (shape.style) {
    case "matrix":
      return cutMatrix(shape, text, single);
    case "label":
      if (!text.startsWith(".")) return undefined;
      return single ? [text.slice(1)] : text.slice(1).split(shape.explode ? "." : ",");
    case "spaceDelimited":
      return single ? [text] : text.split(spaces);
    case "pipeDelimited":
      return single ? [text] : text.split(pipes);
    case "simple":
    case "form":
    case "cookie":
    case "deepObject":
      if (single) return [text];
      return text === "" ? [] : text.split(",");
    default:
      return shape.style satisfies never;
  }
}

function cutMatrix(shape: Shape, text: string, single: boolean): readonly string[] | undefined {
  if (!text.startsWith(";")) return undefined;
  if (shape.explode && !single) {
    const pieces = text.slice(1).split(";");
    if (typeof shape.kind === "object" && "object" in shape.kind) return pieces;
    const values = pieces.map((piece) => afterName(shape.name, piece));
    return values.every((value) => value !== undefined) ? values : undefined;
  }
  const value = afterName(shape.name, text.slice(1));
  if (value === undefined || single) return value === undefined ? undefined : [value];
  return value.split(",");
}

function afterName(name: string, piece: string): string | undefined {
  if (piece === name) return "";
  return piece.startsWith(`${name}=`) ? piece.slice(name.length + 1) : undefined;
}

/** The value of one whole parameter text, or why there is none. */
export function read(shape: Shape, text: string, unescape: Unescape): unknown {
  const pieces = cut(shape, text);
  if (pieces === undefined) return wrongStyle;
  const { kind } = shape;
  if (typeof kind === "object" && "array" in kind) {
    return readArray(pieces, kind.array, unescape);
  }
  if (typeof kind === "object" && "object" in kind) return readObject(shape, pieces, unescape);
  // trees have names of their own, in queries and forms
  if (typeof kind === "object" && "tree" in kind) return wrongStyle;
  const whole = unescape(pieces[0] ?? "");
  if (whole instanceof Misread) return whole;
  return kind === "json" ? json(whole) : scalar(whole, kind.scalar);
}

function readArray(
  pieces: readonly string[],
  kinds: readonly ScalarKind[],
  unescape: Unescape,
): unknown {
  const items: unknown[] = [];
  for (const piece of pieces) {
    const text = unescape(piece);
    if (text instanceof Misread) return text;
    items.push(scalar(text, kinds));
  }
  return items;
}

/** `R=100,G=200` when exploded, `R,100,G,200` otherwise. */
function readObject(shape: Shape, pieces: readonly string[], unescape: Unescape): unknown {
  const paired = shape.explode && shape.style !== "form";
  const values: Values = {};
  for (let index = 0; index < pieces.length; index += paired ? 1 : 2) {
    const piece = pieces[index] ?? "";
    const equals = piece.indexOf("=");
    const rest = paired ? piece.slice(equals + 1) : pieces[index + 1];
    if ((paired && equals === -1) || rest === undefined) return wrongStyle;
    const name = unescape(paired ? piece.slice(0, equals) : piece);
    const text = unescape(rest);
    if (name instanceof Misread) return name;
    if (text instanceof Misread) return text;
    if (Object.hasOwn(values, name)) return repeated;
    // not in the contract: kept as text, so that the schema says so
    put(values, name, scalar(text, kindsOf(shape.kind, name) ?? ["string"]));
  }
  return values;
}
