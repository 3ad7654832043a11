// Holds a configuration against its fields: every problem with its place, and what to write instead.

import { allowProblem } from "../diagnostics/allow.ts";
import { closest } from "../read/similar.ts";
import type { Configuration } from "./define.ts";

interface Field {
  /** what stands there when it is right; undefined: it is right */
  readonly problem: (value: unknown) => string | undefined;
  readonly isRequired?: true;
}

type Fields = Readonly<Record<string, Field>>;

const path = (what: string): Field => ({
  problem: (value) => (isText(value) ? undefined : `write the path of ${what} as text`),
});

const endings: ReadonlySet<unknown> = new Set(["ts", "js", "none"]);
const importEndings: Field = {
  problem: (value) => (endings.has(value) ? undefined : 'write "ts", "js" or "none"'),
};

const copies: Field = {
  problem: (value) => {
    const isRight =
      isRecord(value) &&
      Object.entries(value).every(([uri, place]) => URL.canParse(uri) && isText(place));
    return isRight ? undefined : 'write addresses and paths: { "https://example.com/a/": "a/" }';
  },
};

const allow: Field = {
  problem: (value) => {
    if (!Array.isArray(value) || !value.every(isText)) return 'write a list of codes: ["OAG301"]';
    const problems = value.flatMap((name: string) => allowProblem(name) ?? []);
    return problems.length === 0 ? undefined : problems.join("; ");
  },
};

const client: Field = {
  problem: (value) => {
    if (typeof value === "boolean") return undefined;
    const { addedHeaders = [], ...others } = isRecord(value) ? value : { wrong: true };
    const isRight =
      Object.keys(others).length === 0 &&
      Array.isArray(addedHeaders) &&
      addedHeaders.every(isHeaderName);
    return isRight
      ? undefined
      : 'write true, or headers that are added: { addedHeaders: ["X-Signature"] }';
  },
};

/** RFC 9110, section 5.6.2 */
export function isHeaderName(value: unknown): boolean {
  return isText(value) && /^[\w!#$%&'*+.^`|~-]+$/.test(value);
}

const basePath: Field = {
  problem: (value) => (isBasePath(value) ? undefined : basePathAdvice),
};

export const basePathAdvice = 'write "first", the name of a server, or a path such as "/api"';

/** A path has no parameters: no handler would get them. */
export function isBasePath(value: unknown): boolean {
  return isText(value) && !/^\/.*[{}?#\s]/.test(value);
}

const contractFields: Fields = {
  spec: { ...path("the contract"), isRequired: true },
  out: { ...path("the folder for generated files"), isRequired: true },
  handlers: path("the folder for stubs of handlers"),
  copies,
  basePath,
  client,
  importEndings,
  allow,
};

const contracts: Field = {
  problem: (value) =>
    isRecord(value) && Object.keys(value).length > 0
      ? undefined
      : 'write at least one contract by its name: { api: { spec: "...", out: "..." } }',
  isRequired: true,
};

const configurationFields: Fields = { contracts, importEndings, allow };

/** @returns one line for each problem: the way to the field, what is wrong, what to write */
export function fieldProblems(value: unknown): readonly string[] {
  if (!isRecord(value)) {
    return [`it exports ${kindOf(value)}: export an object, export default defineConfig({ ... })`];
  }
  const problems = problemsOf(value, "", configurationFields);
  const named = isRecord(value["contracts"]) ? Object.entries(value["contracts"]) : [];
  return [...problems, ...named.flatMap(([name, contract]) => contractProblems(name, contract))];
}

/** Its fields have been held against the list. */
export function isConfiguration(value: unknown): value is Configuration {
  return fieldProblems(value).length === 0;
}

function contractProblems(name: string, contract: unknown): readonly string[] {
  const at = /^[A-Za-z_]\w*$/.test(name)
    ? `contracts.${name}`
    : `contracts[${JSON.stringify(name)}]`;
  if (name.trim() === "") return [`${at}: a contract needs a name that can be typed`];
  if (isRecord(contract)) return problemsOf(contract, `${at}.`, contractFields);
  return [`${at} is ${kindOf(contract)}: write an object, { spec: "...", out: "..." }`];
}

function problemsOf(
  record: Readonly<Record<string, unknown>>,
  prefix: string,
  fields: Fields,
): readonly string[] {
  const problems: string[] = [];
  for (const name of Object.keys(record)) {
    if (Object.hasOwn(fields, name)) continue;
    const meant = closest(name, Object.keys(fields));
    const advice =
      meant === undefined
        ? `the fields are ${Object.keys(fields).join(", ")}`
        : `did you mean ${meant}?`;
    problems.push(`${prefix}${name}: there is no such field; ${advice}`);
  }
  for (const [name, { problem, isRequired }] of Object.entries(fields)) {
    // who writes `undefined` has left it out
    const value = record[name];
    if (value === undefined && isRequired === undefined) continue;
    const wrong = problem(value);
    const found = value === undefined ? "is missing" : `is ${kindOf(value)}`;
    if (wrong !== undefined) problems.push(`${prefix}${name} ${found}: ${wrong}`);
  }
  return problems;
}

function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null || typeof value === "boolean" || typeof value === "number") return `${value}`;
  if (typeof value === "string") return JSON.stringify(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
