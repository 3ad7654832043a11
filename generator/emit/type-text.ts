// Types as TypeScript text. Of a type it matters what it is besides how it is written: a union within a union stands
// in parentheses, and no primitive type stands twice in one.

import type { Json } from "../json.ts";

export interface Type {
  readonly text: string;
  readonly is: "primitive" | "union" | "intersection" | "other";
  /** an array or a tuple, written as such */
  readonly isList?: boolean;
}

export interface Member {
  readonly name: string;
  readonly type: Type;
  readonly isOptional?: boolean;
  readonly isReadonly?: boolean;
  /** with its line end, or empty */
  readonly comment?: string;
}

const primitive = (text: string): Type => ({ text, is: "primitive" });
export const named = (text: string): Type => ({ text, is: "other" });

export const never = primitive("never");
export const nothing = primitive("null");
export const text = primitive("string");
export const number = primitive("number");
export const flag = primitive("boolean");
export const unknown = named("unknown");
export const file = named("File");

export function isPrimitive({ is }: Type): boolean {
  return is === "primitive";
}

/** Of none, `never`. */
export function union(types: readonly Type[]): Type {
  return joined(types, "union", " | ");
}

/** Of none, `never`. */
export function intersection(types: readonly Type[]): Type {
  // Another list says more; and beside one, a tuple that holds itself would be a circle for TypeScript.
  const says = types.filter((type) => type.isList === true && type.text !== anyList);
  const some = says.length === 0 ? types : types.filter(({ text: written }) => written !== anyList);
  return joined(some, "intersection", " & ");
}

function joined(types: readonly Type[], is: "union" | "intersection", sign: string): Type {
  const [first = never, ...others] = types;
  if (others.length === 0) return first;
  return { text: withoutRepeated(types).map(enclosed).join(sign), is };
}

function withoutRepeated(types: readonly Type[]): readonly Type[] {
  const seen = new Set<string>();
  return types.filter((type) => {
    if (!isPrimitive(type)) return true;
    const isNew = !seen.has(type.text);
    seen.add(type.text);
    return isNew;
  });
}

function enclosed({ text: inner, is }: Type): string {
  return is === "union" || is === "intersection" ? `(${inner})` : inner;
}

export function array(items: Type): Type {
  return { ...named(`${enclosed(items)}[]`), isList: true };
}

const anyList = "unknown[]";

export interface Item {
  readonly type: Type;
  readonly isOptional?: boolean;
}

/** @param rest of any number after them */
export function tuple(items: readonly Item[], rest?: Type): Type {
  const places = items.map(({ type, isOptional }) =>
    isOptional === true ? `${enclosed(type)}?` : type.text,
  );
  const more = rest === undefined ? [] : [`...${array(rest).text}`];
  return { ...named(`[${[...places, ...more].join(", ")}]`), isList: true };
}

export function record(values: Type): Type {
  return named(`Record<string, ${values.text}>`);
}

/** @param index of names besides, from `indexText` */
export function object(members: readonly Member[], index = ""): Type {
  return named(`{\n${membersText(members)}${index}}`);
}

/** `[name: string]: values;` */
export function indexText(name: string, values: Type): string {
  return `[${name}: string]: ${values.text};\n`;
}

export function membersText(members: readonly Member[]): string {
  return members.map(memberText).join("");
}

function memberText({ name, type, isOptional, isReadonly, comment = "" }: Member): string {
  const mark = isOptional === true ? "?" : "";
  const modifier = isReadonly === true ? "readonly " : "";
  return `${comment}${modifier}${propertyName(name)}${mark}: ${type.text};\n`;
}

function propertyName(name: string): string {
  const isNumber = String(Number(name)) === name && !name.startsWith("-");
  return isNumber || /^[A-Za-z_$][A-Za-z_$0-9]*$/.test(name) ? name : quoted(name);
}

/** The two that would end a line in the eyes of an editor are written as escapes. */
function quoted(value: string): string {
  return JSON.stringify(value).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

/** `root["one"]["other"]` */
export function within(root: string, ...names: readonly string[]): Type {
  return named(root + names.map((name) => `[${quoted(name)}]`).join(""));
}

/** The type that only this value has. */
export function literalType(value: Json): Type {
  if (value === null) return nothing;
  if (Array.isArray(value)) {
    return value.length === 0
      ? array(never)
      : tuple(value.map((item) => ({ type: literalType(item) })));
  }
  if (typeof value === "string") return named(quoted(value));
  if (typeof value !== "object") return named(String(value));
  const members = Object.entries(value).map(([name, item]) => ({ name, type: literalType(item) }));
  return members.length === 0 ? record(never) : object(members);
}
