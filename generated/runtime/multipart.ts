// Written by "npm run generate" from spec/openapi.yaml; do not edit.

// Multipart bodies: each part read as the contract says, texts, JSON and files (RFC 7578).

import type { HeadersPlan } from "./answer-plans.ts";
import { sourceOf } from "./inflow.ts";
import { joined } from "./bytes.ts";
import { Ambiguous, Malformed, parseJson, utf8 } from "./json.ts";
import { MultipartParser, type PartHead } from "./multipart-parser.ts";
import { readHeaders } from "./parameters.ts";
import type { PartPlan, Violation } from "./runtime.ts";
import { repeated, scalar } from "./text.ts";
import { put, type Values } from "./values.ts";
import { escapePointer, problemsToViolations, report } from "./violations.ts";

export interface MultipartPlan {
  readonly parts: ReadonlyMap<string, PartPlan>;
  /** what the heads of parts have to say besides, by their names */
  readonly headers: ReadonlyMap<string, HeadersPlan>;
  readonly depthMax: number;
}

/** A part that has been read to its end. */
export interface WholePart extends PartHead {
  readonly bytes: Uint8Array;
}

/** Throws `MultipartError`. */
export async function readParts(body: Uint8Array, boundary: string): Promise<readonly WholePart[]> {
  const source = sourceOf(body);
  const parser = new MultipartParser(() => source.read(), boundary);
  const parts: WholePart[] = [];
  for (let head = await parser.next(); head !== undefined; head = await parser.next()) {
    parts.push({ ...head, bytes: await bytesOf(() => parser.piece()) });
  }
  return parts;
}

export async function bytesOf(piece: () => Promise<Uint8Array | undefined>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (let bytes = await piece(); bytes !== undefined; bytes = await piece()) {
    size += bytes.length;
    pieces.push(bytes);
  }
  const [first = new Uint8Array(0)] = pieces;
  return pieces.length < 2 ? first : joined(pieces, size);
}

/** A mark at the beginning is a character like any other. */
const keepingMark = new TextDecoder("utf-8", { ignoreBOM: true });

/** As fetch would give it, but for `Content-Transfer-Encoding`, which forms must not have (RFC 7578, section 4.7). */
export function formOf(parts: readonly WholePart[]): FormData {
  const form = new FormData();
  for (const part of parts) {
    if (part.filename === undefined) form.append(part.name, keepingMark.decode(part.bytes));
    else form.append(part.name, fileOf(part));
  }
  return form;
}

function fileOf({ bytes, filename = "", contentType = "text/plain" }: WholePart): File {
  return new File([bytes], filename, { type: contentType });
}

/** The body as an object of texts, values and `File`s; names nobody has described are kept as they came. */
export function readForm(
  parts: readonly WholePart[],
  plan: MultipartPlan,
  violations: Violation[],
): Values {
  const values: Values = {};
  for (const part of parts) addPart({ values, plan, violations }, part);
  return values;
}

/** A form on its way. */
export interface Form {
  readonly values: Values;
  readonly plan: MultipartPlan;
  readonly violations: Violation[];
}

export function addPart(form: Form, part: WholePart): void {
  const { plan } = form;
  const known = plan.parts.get(part.name);
  if (isUnchosen(part, known)) return;
  const refuse = openPlace(form, part);
  if (refuse === undefined) return;
  const value = valueOf(part, known, { depthMax: plan.depthMax, refuse });
  addValue(form, part.name, value);
}

/** As a browser sends an input for files that nobody has chosen: an empty name, and nothing in it. */
function isUnchosen({ filename, bytes }: WholePart, known: PartPlan | undefined): boolean {
  if (bytes.length > 0) return false;
  return filename === "" || (filename === undefined && fileRules(known) !== undefined);
}

export type FileRules = Extract<Exclude<PartPlan["kind"], "json">, { file: unknown }>["file"];

export function fileRules(known: PartPlan | undefined): FileRules | undefined {
  if (known === undefined || known.kind === "json" || !("file" in known.kind)) return undefined;
  return known.kind.file;
}

/** Why a part could not be read; `path`: inside of it. */
type Refuse = (
  problem: { readonly rule: string; readonly message: string },
  path?: readonly PropertyKey[],
) => void;

/** What may be said of a part before it is read; undefined: there is no place for it. */
export function openPlace({ values, plan, violations }: Form, part: PartHead): Refuse | undefined {
  const { name, contentType } = part;
  const known = plan.parts.get(name);
  const before = Object.hasOwn(values, name) ? values[name] : undefined;
  const isList = known?.isList ?? Array.isArray(before);
  const place = `/${escapePointer(name)}`;
  const at = isList ? `${place}/${Array.isArray(before) ? before.length : 0}` : place;
  const refuse: Refuse = ({ rule, message }, path = []) => {
    const below = path.map((step) => `/${escapePointer(String(step))}`).join("");
    report(violations, { in: "body", pointer: at + below, rule, message });
  };
  if (known !== undefined && !isList && before !== undefined) {
    refuse(repeated);
    return undefined;
  }
  const types = fileRules(known)?.contentTypes ?? known?.contentTypes;
  const isSaid = contentType !== undefined || fileRules(known) !== undefined;
  if (types !== undefined && isSaid && !isOneOf(types, contentType ?? "text/plain")) {
    refuse({ rule: "contentType", message: `must be sent as ${types.join(", ")}` });
  }
  const headers = plan.headers.get(name);
  if (headers !== undefined) checkHeaders(headers, part, refuse);
  return refuse;
}

function isOneOf(types: readonly string[], contentType: string): boolean {
  const type = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  return types.some(
    (one) =>
      one === "*/*" || one === type || (one.endsWith("/*") && type.startsWith(one.slice(0, -1))),
  );
}

function checkHeaders({ named, check }: HeadersPlan, part: PartHead, refuse: Refuse): void {
  const violations: Violation[] = [];
  const values = readHeaders(named, Object.fromEntries(part.headers), violations);
  if (violations.length === 0) {
    violations.push(...problemsToViolations("header", check?.problems(values) ?? []));
  }
  for (const { pointer, rule, message } of violations) {
    refuse({ rule, message: `its header ${pointer.slice(1)} ${message}` });
  }
}

export function addValue({ values, plan }: Form, name: string, value: unknown): void {
  const before = Object.hasOwn(values, name) ? values[name] : undefined;
  const known = plan.parts.get(name);
  const isList = known?.isList ?? Array.isArray(before);
  if (isList && Array.isArray(before)) before.push(value);
  else if (known === undefined && before !== undefined) put(values, name, [before, value]);
  else put(values, name, isList ? [value] : value);
}

interface Reading {
  readonly depthMax: number;
  readonly refuse: Refuse;
}

function valueOf(part: WholePart, known: PartPlan | undefined, reading: Reading): unknown {
  const { bytes, filename } = part;
  const { refuse } = reading;
  if (known === undefined) return filename === undefined ? text(bytes, refuse) : fileOf(part);
  const { kind } = known;
  if (kind === "json") return json(bytes, reading);
  if (!("file" in kind)) return scalar(text(bytes, refuse), kind.text);
  if (filename === undefined) {
    refuse({ rule: "file", message: 'must be sent as a file, with a "filename"' });
    return "";
  }
  const problem = sizeProblem(kind.file, bytes.length);
  if (problem !== undefined) refuse(problem);
  return fileOf(part);
}

export function sizeProblem({ minBytes = 0, maxBytes = Infinity }: FileRules, size: number) {
  if (size < minBytes) {
    return { rule: "minLength", message: `must have at least ${minBytes} bytes` };
  }
  if (size > maxBytes) {
    return { rule: "maxLength", message: `must have at most ${maxBytes} bytes` };
  }
  return undefined;
}

function text(bytes: Uint8Array, refuse: Refuse): string {
  try {
    return utf8.decode(bytes);
  } catch {
    refuse({ rule: "encoding", message: "must be UTF-8" });
    return "";
  }
}

function json(bytes: Uint8Array, { depthMax, refuse }: Reading): unknown {
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
