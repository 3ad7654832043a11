// Requests in which one rule of one part is broken.

import { breaksIn } from "./breaking.ts";
import { isJson, type Operation, type ParameterPlace } from "./contract.ts";
import { isObject, type Json, replaceAt, textOf } from "./json.ts";
import {
  isFormQuery,
  keyOf,
  mediaTypeOf,
  type ParameterValues,
  type Parts,
  type PlainRequest,
  schemaPointerOf,
  whyUnwritable,
} from "./requests.ts";
import { type TryWish, wishOf, type Wrong } from "./try.ts";
import { bodiesOf, type WholeForm } from "./wholes.ts";

interface BrokenParameters {
  readonly broken: readonly { readonly parameters: ParameterValues; readonly wrong: Wrong }[];
  readonly untried: readonly string[];
}

export function brokenParameter(
  parameter: ParameterPlace,
  parts: Parts,
  wish: TryWish,
): BrokenParameters {
  const key = keyOf(parameter);
  const { name, required } = parameter;
  const isWhole = parameter.in === "querystring";
  // the whole query has no name in it
  const [part, place] = isWhole ? ["query", ""] : [parameter.in, `/${name}`];
  const isForm = isFormQuery(parameter);
  const broken: BrokenParameters["broken"][number][] = [];
  const untried: string[] = [];
  const put = (value: Json, wrong: Wrong): void => {
    broken.push({ parameters: new Map([...parts.parameters, [key, value]]), wrong });
  };
  // where there is no query, it is an empty form or text
  const mayBeMissed = isWhole && (isForm || !isJson(mediaTypeOf(parameter)));
  if (required && part !== "path" && !mayBeMissed) {
    const others = new Map([...parts.parameters].filter(([one]) => one !== key));
    const wrong = { in: part, pointer: place, rule: "required", isAlone: true };
    broken.push({ parameters: others, wrong });
  }
  const pointer = schemaPointerOf(parameter);
  const value = parts.parameters.get(key);
  if (pointer === undefined || value === undefined) return { broken, untried };
  const { drawing } = wish;
  const found = breaksIn({ ...wishOf(wish, key), pointer, isRequest: true }, value);
  untried.push(...found.unbroken.map((one) => `${key} ${one}`));
  const judge = drawing.judgeAt(pointer);
  for (const one of found.broken) {
    // Taken apart, an object is told by its members alone.
    if (isObject(value) && one.pointer === "" && one.rule === "type") continue;
    const isRead = isForm
      ? isTextRead(one, judge)
      : readings(one.value).some((read) => judge(read).length === 0);
    if (isRead || whyUnwritable(parameter, one.value) !== undefined) continue;
    const isAlone = one.findings.length === 1 && one.rule !== "type";
    put(one.value, { in: part, pointer: place + one.pointer, rule: one.rule, isAlone });
  }
  const isNumber = typeof value === "number" || typeof value === "boolean";
  if (isNumber && judge("ten").length > 0) {
    put("ten", { in: part, pointer: place, rule: "type", isAlone: false });
  }
  return { broken, untried };
}

/** A parameter is text: a number may be read where a text is asked for, one text as a list of one. */
function readings(value: Json): readonly Json[] {
  const asText = inTexts(value);
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
  return [value, asText, [value], [asText], ...(Number.isFinite(number) ? [number, [number]] : [])];
}

function inTexts(value: Json): Json {
  if (Array.isArray(value)) return value.map(inTexts);
  if (!isObject(value)) return textOf(value);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inTexts(one)]));
}

export function brokenBodies(operation: Operation, wish: TryWish) {
  const broken: { readonly body: Json; readonly wrong: Wrong }[] = [];
  const untried: string[] = [];
  const { body } = operation;
  if (body?.node["schema"] === undefined) return { broken, untried };
  const pointer = `${body.pointer}/schema`;
  const wholes = bodiesOf(operation, wish);
  const seen = new Set<string>();
  const missing = new Map<string, true>();
  for (const whole of wholes) {
    const found = breaksIn({ ...wish, pointer, isRequest: true }, whole);
    for (const one of found.broken) {
      const isAlone = one.findings.length === 1;
      if (seen.has(one.place)) continue;
      seen.add(one.place);
      broken.push({
        body: one.value,
        wrong: { in: "body", pointer: one.pointer, rule: one.rule, isAlone },
      });
    }
    for (const name of found.unbroken) missing.set(name, true);
  }
  const tried = new Set(broken.map(({ wrong }) => `${wrong.pointer} ${wrong.rule}`));
  untried.push(
    ...[...missing.keys()].filter((name) => !tried.has(name)).map((name) => `body ${name}`),
  );
  return { broken, untried };
}

/** Of a form, of which every value is text: rules that are broken whatever the text is read as. */
export function brokenForm(
  { pointer, value, withValue }: WholeForm,
  wish: TryWish,
): readonly { readonly request: PlainRequest; readonly wrong: Wrong }[] {
  const judge = wish.drawing.judgeAt(pointer);
  const { broken } = breaksIn({ ...wish, pointer, isRequest: true }, value);
  return broken.flatMap((one) => {
    const isText = isTextRead(one, judge);
    const request = one.pointer === "" || isText ? undefined : withValue(one.value);
    if (request === undefined) return [];
    const wrong = { in: "body", pointer: one.pointer, rule: one.rule, isAlone: false };
    return [{ request, wrong }];
  });
}

/** Whether it is right once it is read as the text that a form makes of it. */
function isTextRead(
  { pointer, value }: { readonly pointer: string; readonly value: Json },
  judge: (value: Json) => readonly unknown[],
): boolean {
  const path = pointer.split("/").slice(1);
  return judge(replaceAt(value, path, textOf(valueAt(value, path)))).length === 0;
}

function valueAt(value: Json, path: readonly string[]): Json | undefined {
  let found: Json | undefined = value;
  for (const step of path) {
    found = Array.isArray(found) ? found[Number(step)] : isObject(found) ? found[step] : undefined;
  }
  return found;
}
