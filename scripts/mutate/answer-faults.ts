// Single faults of an answer: a header or a member that is missing, another type, another value, one too many.

import { isObject, type Json } from "../../generator/suite/json.ts";
import type { Asked } from "../../test/support/relations/asked.ts";

export interface KeptAnswer {
  readonly operation: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Json;
  /** what it answers, where that is known */
  readonly asked?: Asked;
}

export interface AnswerFault {
  readonly kind: string;
  /** "header etag", "body /items/*\/id" */
  readonly place: string;
  readonly answer: KeptAnswer;
}

/** Of HTTP itself: what writes them is no code of ours. */
const transport: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "date",
  "keep-alive",
  "transfer-encoding",
]);

/** The wording of `message` is for people, and promised to nobody: another one is no fault. */
const wording = /\/message$/;
const wordingKinds: ReadonlySet<string> = new Set(["garbled", "other case"]);

export function faultsOf(answer: KeptAnswer): readonly AnswerFault[] {
  const { body } = answer;
  const found = [...headerFaults(answer), ...statusFaults(answer)];
  if (body === undefined) return found;
  const text = JSON.stringify(body);
  const ofBody = bodyFaults(answer, body).filter(
    ({ kind, place, answer: faulty }) =>
      JSON.stringify(faulty.body) !== text && !(wordingKinds.has(kind) && wording.test(place)),
  );
  return [...found, ...ofBody];
}

function headerFaults(answer: KeptAnswer): readonly AnswerFault[] {
  const { headers } = answer;
  const own = Object.keys(headers).filter((name) => !transport.has(name));
  const fault = (kind: string, name: string, changed: KeptAnswer["headers"]): AnswerFault => ({
    kind: `header ${kind}`,
    place: `header ${name}`,
    answer: { ...answer, headers: changed },
  });
  return [
    ...own.flatMap((name) => [
      fault("missing", name, without(headers, name)),
      fault("garbled", name, { ...headers, [name]: "garbled value" }),
      fault("empty", name, { ...headers, [name]: "" }),
    ]),
    fault("unknown", "x-surprise", { ...headers, "x-surprise": "1" }),
  ];
}

function statusFaults(answer: KeptAnswer): readonly AnswerFault[] {
  const others = [answer.status + 1, answer.status < 300 ? 400 : 200];
  return others.map((status) => ({
    kind: "other status",
    place: "status",
    answer: { ...answer, status },
  }));
}

type Path = readonly (string | number)[];

function bodyFaults(answer: KeptAnswer, body: Json): readonly AnswerFault[] {
  return pathsOf(body).flatMap((path) => {
    const value = valueAt(body, path);
    const place = `body ${path.map((step) => `/${typeof step === "number" ? "*" : step}`).join("")}`;
    const put = (kind: string, changed: Json | undefined): AnswerFault => ({
      kind,
      place,
      answer: { ...answer, body: replaced(body, path, changed) },
    });
    const isMember = typeof path.at(-1) === "string";
    return [
      ...(isMember ? [put("missing", undefined)] : []),
      ...(value === null ? [] : [put("null", null)]),
      put("other type", typeof value === "string" ? 7 : "text"),
      ...otherValues(value).map(([kind, changed]) => put(kind, changed)),
    ];
  });
}

function otherValues(value: Json): readonly (readonly [string, Json])[] {
  if (typeof value === "string") {
    const isUpper = value.toUpperCase() === value;
    const otherCase = isUpper ? `${value.toLowerCase()}Z` : value.toUpperCase();
    return [
      ["empty", ""],
      ["garbled", `${value}\u{a0}!`],
      ["other case", otherCase],
      ...sameForm(value),
    ];
  }
  if (typeof value === "number") {
    return [
      ["negative", -1],
      ["fraction", value + 0.5],
      ["one more", value + 1],
    ];
  }
  if (typeof value === "boolean") return [["the contrary", !value]];
  if (Array.isArray(value)) return [["empty list", []], ...otherLists(value)];
  if (isObject(value)) return [["one too many", { ...value, surprise: true }]];
  return [];
}

const hourMilliseconds = 3_600_000;

/** Another value that a schema cannot tell from the right one. */
function sameForm(value: string): readonly (readonly [string, Json])[] {
  if (/^\d+$/.test(value)) return [["one more", String(BigInt(value) + 1n)]];
  if (/^\d+\.\d+$/.test(value))
    return [["one more", value.replace(/^\d+/, (all) => String(BigInt(all) + 1n))]];
  if (/^\d{4}-\d\d-\d\dT/.test(value)) {
    const at = (milliseconds: number): string =>
      new Date(Date.parse(value) + milliseconds).toISOString();
    return [
      ["an hour later", at(hourMilliseconds)],
      ["an hour earlier", at(-hourMilliseconds)],
    ];
  }
  const isName = /^(0x|[a-z]{3}_)[0-9A-Za-z]{20,}$/.test(value);
  if (isName) return [["another one", value.replace(/.$/, (last) => (last === "7" ? "8" : "7"))]];
  return [];
}

function otherLists(value: readonly Json[]): readonly (readonly [string, Json])[] {
  const [first] = value;
  if (first === undefined) return [];
  const turned: readonly (readonly [string, Json])[] =
    value.length > 1 ? [["turned round", value.toReversed()]] : [];
  return [["one less", value.slice(0, -1)], ["one twice", [first, ...value]], ...turned];
}

/** Of each value in it, the outermost first; of a list the first two elements. */
function pathsOf(value: Json, at: Path = []): readonly Path[] {
  if (Array.isArray(value)) {
    const inner = value.slice(0, 2).flatMap((one, place) => pathsOf(one, [...at, place]));
    return [at, ...inner];
  }
  if (!isObject(value)) return [at];
  return [at, ...Object.entries(value).flatMap(([name, one]) => pathsOf(one, [...at, name]))];
}

function valueAt(body: Json, path: Path): Json {
  let value: Json = body;
  for (const step of path) {
    value = Array.isArray(value) ? (value[Number(step)] ?? null) : memberOf(value, step);
  }
  return value;
}

function memberOf(value: Json, name: string | number): Json {
  return isObject(value) ? (value[name] ?? null) : null;
}

/** Undefined: the member is gone. */
function replaced(body: Json, [step, ...rest]: Path, changed: Json | undefined): Json {
  if (step === undefined) return changed ?? null;
  if (Array.isArray(body)) {
    return body.map((one, place) => (place === step ? replaced(one, rest, changed) : one));
  }
  if (!isObject(body)) return body;
  if (rest.length === 0 && changed === undefined) return without(body, String(step));
  return { ...body, [step]: replaced(memberOf(body, step), rest, changed) };
}

function without<Value>(
  members: Readonly<Record<string, Value>>,
  name: string,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(members).filter(([one]) => one !== name));
}
