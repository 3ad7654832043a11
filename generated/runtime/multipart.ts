// Written by "npm run generate" from spec/openapi.yaml; do not edit.

// Multipart bodies: each part read as the contract says, texts, JSON and files (RFC 7578).

import { Ambiguous, Malformed, parseJson, utf8 } from "./json.ts";
import type { PartPlan, Violation } from "./runtime.ts";
import { repeated, scalar } from "./text.ts";
import { put, type Values } from "./values.ts";
import { report, escapePointer } from "./violations.ts";

export interface MultipartPlan {
  readonly parts: ReadonlyMap<string, PartPlan>;
  readonly depthMax: number;
}

/** Why a part could not be read. */
interface Problem {
  readonly rule: string;
  readonly message: string;
}

/** The body as an object of texts, values and `File`s; names nobody has described are kept as they came. */
export async function readForm(
  form: FormData,
  { parts, depthMax }: MultipartPlan,
  violations: Violation[],
): Promise<Values> {
  const values: Values = {};
  for (const [name, part] of form) {
    const plan = parts.get(name);
    if (isUnchosen(part, plan)) continue;
    const before = Object.hasOwn(values, name) ? values[name] : undefined;
    const place = `/${escapePointer(name)}`;
    const isList = plan?.isList ?? Array.isArray(before);
    const pointer = isList ? `${place}/${Array.isArray(before) ? before.length : 0}` : place;
    const refuse = ({ rule, message }: Problem, path: readonly PropertyKey[] = []): void => {
      const below = path.map((step) => `/${escapePointer(String(step))}`).join("");
      report(violations, { in: "body", pointer: pointer + below, rule, message });
    };
    if (plan !== undefined && !isList && before !== undefined) {
      refuse(repeated);
      continue;
    }
    const value = plan === undefined ? part : await readPart(part, plan, { depthMax, refuse });
    if (isList && Array.isArray(before)) before.push(value);
    else if (plan === undefined && before !== undefined) put(values, name, [before, value]);
    else put(values, name, isList ? [value] : value);
  }
  return values;
}

/** As a browser sends an input for files that nobody has chosen: an empty name, and nothing in it. */
function isUnchosen(part: File | string, plan: PartPlan | undefined): boolean {
  if (typeof part !== "string") return part.name === "" && part.size === 0;
  return part === "" && plan !== undefined && plan.kind !== "json" && "file" in plan.kind;
}

interface Reading {
  readonly depthMax: number;
  /** `path`: inside of the part */
  readonly refuse: (problem: Problem, path?: readonly PropertyKey[]) => void;
}

async function readPart(part: File | string, plan: PartPlan, reading: Reading): Promise<unknown> {
  const { kind } = plan;
  if (kind !== "json" && "file" in kind) {
    const problem = fileProblem(part, kind.file);
    if (problem !== undefined) reading.refuse(problem);
    return part;
  }
  if (typeof part === "string") {
    return kind === "json"
      ? readJson(new TextEncoder().encode(part), reading)
      : scalar(part, kind.text);
  }
  // some clients send texts with a file's name
  const bytes = new Uint8Array(await part.arrayBuffer());
  if (kind === "json") return readJson(bytes, reading);
  try {
    return scalar(utf8.decode(bytes), kind.text);
  } catch {
    reading.refuse({ rule: "encoding", message: "must be UTF-8" });
    return "";
  }
}

function readJson(bytes: Uint8Array, { depthMax, refuse }: Reading): unknown {
  const parsed = parseJson(bytes, depthMax);
  if (parsed instanceof Malformed) {
    refuse({ rule: "json", message: parsed.message });
    return null;
  }
  if (parsed instanceof Ambiguous) {
    refuse(repeated);
    return null;
  }
  for (const { path, rule, message } of parsed.lost) refuse({ rule, message }, path);
  return parsed.value;
}

type FileRules = Extract<Exclude<PartPlan["kind"], "json">, { readonly file: unknown }>["file"];

function fileProblem(
  part: File | string,
  { minBytes = 0, maxBytes = Infinity, contentTypes }: FileRules,
): Problem | undefined {
  if (typeof part === "string") {
    return { rule: "file", message: 'must be sent as a file, with a "filename"' };
  }
  if (part.size < minBytes) {
    return { rule: "minLength", message: `must have at least ${minBytes} bytes` };
  }
  if (part.size > maxBytes) {
    return { rule: "maxLength", message: `must have at most ${maxBytes} bytes` };
  }
  const type = part.type.split(";")[0]?.trim().toLowerCase() ?? "";
  const isKnown = contentTypes?.some((one) => one === "*/*" || one === type || isIn(type, one));
  if (isKnown !== false) return undefined;
  return { rule: "contentType", message: `must be sent as ${contentTypes?.join(", ") ?? ""}` };
}

function isIn(type: string, range: string): boolean {
  return range.endsWith("/*") && type.startsWith(range.slice(0, -1));
}
