// Parameters of the path and the headers, and what every part of a request shares.

import type { ParameterPlan, ScalarKind, Violation } from "./runtime.ts";
import { Misread, asIs, percent, read, scalar, type Unescape } from "./text.ts";
import { put, type Values } from "./values.ts";
import { report, escapePointer } from "./violations.ts";

export function addDefaults(parameters: readonly ParameterPlan[], values: Values): void {
  for (const { name, default: value } of parameters) {
    if (value === undefined || Object.hasOwn(values, name)) continue;
    // a handler may change what it is given, and the next request must not see that
    put(values, name, typeof value === "object" ? structuredClone(value) : value);
  }
}

export interface Found {
  readonly parameter: ParameterPlan;
  readonly text: string;
  readonly unescape: Unescape;
}

export function readInto(values: Values, found: Found, violations: Violation[]): void {
  const { parameter } = found;
  const value = read(parameter, found.text, found.unescape);
  if (value instanceof Misread) {
    const pointer = `/${escapePointer(parameter.name)}`;
    report(violations, { in: parameter.in, pointer, rule: value.rule, message: value.message });
  } else {
    put(values, parameter.name, value);
  }
}

export interface NamedPlan {
  readonly parameters: readonly ParameterPlan[];
  readonly headers: readonly HeaderPlan[];
  readonly defaults: readonly ParameterPlan[];
}

interface HeaderPlan {
  readonly parameter: ParameterPlan;
  readonly name: string;
  /** how Node calls it */
  readonly key: string;
  /** what its whole text may stand for; undefined for lists, objects and JSON */
  readonly scalar: readonly ScalarKind[] | undefined;
}

export function namedPlan(parameters: readonly ParameterPlan[]): NamedPlan {
  const headers = parameters.map((parameter) => {
    const { name, kind } = parameter;
    const isScalar = typeof kind === "object" && "scalar" in kind && name !== "__proto__";
    return { parameter, name, key: name.toLowerCase(), scalar: isScalar ? kind.scalar : undefined };
  });
  const defaults = parameters.filter((one) => one.default !== undefined);
  return { parameters, headers, defaults };
}

export function readHeaders(
  plan: NamedPlan,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  violations: Violation[],
): Values {
  const values: Values = {};
  for (const { parameter, name, key, scalar: kinds } of plan.headers) {
    const header = headers[key];
    const text = Array.isArray(header) ? header.join(", ") : header;
    // an inherited member such as "constructor" is not a header
    if (typeof text !== "string") continue;
    if (kinds === undefined) {
      readInto(values, { parameter, text: listText(parameter, text), unescape: asIs }, violations);
    } else {
      values[name] = kinds[0] === "string" ? text : scalar(text, kinds);
    }
  }
  if (plan.defaults.length > 0) addDefaults(plan.defaults, values);
  return values;
}

/** Spaces around the commas of lists and objects mean nothing (RFC 9110, section 5.6.1). */
function listText({ kind }: ParameterPlan, text: string): string {
  if (kind === "json" || "scalar" in kind) return text;
  return Array.from(text.split(","), (piece) => piece.trim()).join(",");
}

/** The parameters of a path in the order of the template's groups. */
export function readPath(
  parameters: readonly (ParameterPlan | undefined)[],
  match: RegExpExecArray,
  violations: Violation[],
): Values {
  const values: Values = {};
  for (let index = 0; index < parameters.length; index++) {
    const parameter = parameters[index];
    const text = match[index + 1];
    if (parameter === undefined || text === undefined) continue;
    readInto(values, { parameter, text, unescape: percent }, violations);
  }
  return values;
}
