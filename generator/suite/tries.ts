// Everything that is tried of an operation: what the document allows must be taken, whatever breaks one of its
// rules must be refused, and HTTP holds in any case.

import { boundsIn } from "./bounds.ts";
import { brokenBodies, brokenForm, brokenParameter } from "./broken-parts.ts";
import type { Operation, ParameterPlace } from "./contract.ts";
import { listCharactersMax } from "./drawing.ts";
import { isObject } from "./json.ts";
import {
  compose,
  isSaidByHttp,
  keyOf,
  type Parts,
  type PlainRequest,
  schemaPointerOf,
  whyUnwritable,
} from "./requests.ts";
import { type Expectation, type Tries, type Try, type TryWish, wishOf } from "./try.ts";
import { bodiesOf, draw, formOf, type WholeForm } from "./wholes.ts";

export function triesOf(operation: Operation, wish: TryWish): Tries {
  const large = new Set<string>();
  const { tries, untried } = everythingOf(operation, {
    ...wish,
    leaveOut: (name) => large.add(`${name}: a value of more than ${listCharactersMax} characters`),
  });
  return { tries, untried: [...untried, ...large] };
}

function everythingOf(operation: Operation, wish: TryWish): Tries {
  const untried: string[] = [];
  const tries: Try[] = [];
  const add = (name: string, parts: Parts, expected: Expectation): void => {
    tries.push({ name, request: compose(operation, parts), expected });
  };
  const hasBody = operation.body !== undefined || operation.otherMediaTypes.length > 0;
  if (hasBody && /^(?:GET|HEAD|TRACE)$/.test(operation.method)) {
    untried.push("its body: a client does not send one with this method");
    if (operation.isBodyRequired) return { tries, untried };
    const { tries: others, untried: more } = everythingOf(
      { ...operation, body: undefined, otherMediaTypes: [] },
      wish,
    );
    return { tries: others, untried: [...untried, ...more] };
  }
  if (/[?#]/.test(operation.path)) {
    return { tries, untried: ["all of it: no request has a path with ? or #"] };
  }
  for (const mediaType of operation.otherMediaTypes) {
    const form = formOf(operation, mediaType, wish);
    const request = form?.withValue(form.value);
    if (form === undefined || request === undefined) {
      untried.push(`bodies of ${mediaType}`);
      continue;
    }
    tries.push({ name: `a body of ${mediaType}`, request, expected: { kind: "taken" } });
    tries.push(...wholeForms(operation, form, wish));
    if (!mediaType.endsWith("urlencoded")) untried.push(`rules of bodies of ${mediaType}`);
    else tries.push(...formTries(brokenForm(form, wish)));
  }
  const whole = draw(operation, wish, "all");
  if ("why" in whole) {
    const isForm = operation.body === undefined && tries.length > 0;
    return { tries: unique(tries), untried: isForm ? untried : [...untried, whole.why] };
  }
  for (const name of whole.untried) untried.push(name);
  add("everything that may be said", whole.parts, { kind: "taken" });
  const least = draw(operation, wish, "none");
  if ("parts" in least) add("no more than must be said", least.parts, { kind: "taken" });
  for (let index = 1; index <= wish.draws; index++) {
    const drawn = draw(operation, wish, "some");
    if ("parts" in drawn) add(`drawn ${index}`, drawn.parts, { kind: "taken" });
  }
  const { parts } = whole;
  for (const [name, one] of onBounds(operation, parts, wish)) add(name, one, { kind: "taken" });
  for (const parameter of operation.parameters) {
    if (isSaidByHttp(parameter)) continue;
    const found = brokenParameter(parameter, parts, wish);
    untried.push(...found.untried);
    for (const { parameters, wrong } of found.broken) {
      const name = `${wrong.in} ${wrong.pointer} ${wrong.rule}`;
      add(name, { ...parts, parameters }, { kind: "refused", wrong });
    }
  }
  const bodies = brokenBodies(operation, wish);
  untried.push(...bodies.untried);
  for (const { body, wrong } of bodies.broken) {
    add(`body ${wrong.pointer} ${wrong.rule}`, { ...parts, body }, { kind: "refused", wrong });
  }
  tries.push(...oddities(operation, compose(operation, parts), wish));
  return { tries: unique(tries), untried };
}

/** Forms on each bound, and none at all. */
function wholeForms(
  { body, isBodyRequired }: Operation,
  { pointer, value, withValue }: WholeForm,
  wish: TryWish,
): readonly Try[] {
  const taken = boundsIn({ ...wish, pointer, isRequest: true }, value).flatMap((one) => {
    const request = withValue(one.value);
    if (request === undefined) return [];
    return [{ name: `form ${one.name}`, request, expected: { kind: "taken" } as const }];
  });
  const whole = withValue(value);
  if (!isBodyRequired || body !== undefined || whole === undefined) return taken;
  const { "Content-Type": _, ...headers } = whole.headers;
  const request = { ...whole, headers, body: undefined };
  return [
    ...taken,
    { name: "no form", request, expected: { kind: "status", statuses: [400, 415] } },
  ];
}

function formTries(broken: ReturnType<typeof brokenForm>): readonly Try[] {
  return broken.map(({ request, wrong }) => ({
    name: `form ${wrong.pointer} ${wrong.rule}`,
    request,
    expected: { kind: "refused", wrong },
  }));
}

/** Whole requests of which one value is on a bound. */
function* onBounds(
  operation: Operation,
  parts: Parts,
  wish: TryWish,
): Generator<readonly [name: string, parts: Parts]> {
  const { known } = wish;
  for (const parameter of operation.parameters) {
    const key = keyOf(parameter);
    const [pointer, value] = [schemaPointerOf(parameter), parts.parameters.get(key)];
    if (pointer === undefined || value === undefined || known.has(key)) continue;
    for (const bound of boundsIn({ ...wishOf(wish, key), pointer, isRequest: true }, value)) {
      if (whyUnwritable(parameter, bound.value) !== undefined) continue;
      yield [
        `${key} ${bound.name}`,
        { ...parts, parameters: new Map([...parts.parameters, [key, bound.value]]) },
      ];
    }
    if (!parameter.required) {
      const others = [...parts.parameters].filter(([one]) => one !== key);
      yield [`without ${key}`, { ...parts, parameters: new Map(others) }];
    }
  }
  for (const whole of bodiesOf(operation, wish)) {
    const pointer = `${operation.body?.pointer ?? ""}/schema`;
    for (const { name, value } of boundsIn({ ...wish, pointer, isRequest: true }, whole)) {
      yield [`body ${name}`, { ...parts, body: value }];
    }
  }
}

/** What HTTP forbids, or the document does not know. */
function oddities(operation: Operation, sound: PlainRequest, wish: TryWish): readonly Try[] {
  const { body, isBodyRequired, mediaType = "", parameters } = operation;
  const found: Try[] = [];
  const add = (name: string, request: Partial<PlainRequest>, expected: Expectation): void => {
    found.push({ name, request: { ...sound, ...request }, expected });
  };
  if (wish.refusesUnknownParameters && !parameters.some(isOpenQuery)) {
    const mark = sound.target.includes("?") ? "&" : "?";
    const wrong = { in: "query", pointer: "/undeclared", rule: "unknown", isAlone: true };
    add(
      "an unknown parameter",
      { target: `${sound.target}${mark}undeclared=1` },
      { kind: "refused", wrong },
    );
  }
  if (body === undefined) return found;
  const { "Content-Type": _, ...untyped } = sound.headers;
  const typed = (type: string) => ({ headers: { ...untyped, "Content-Type": type } });
  const refused = { kind: "status", statuses: [415] } as const;
  for (const type of ["text/plain", "application/xml"]) {
    const isKnown = operation.otherMediaTypes.some(
      (one) => one.startsWith(type) || one.includes("*"),
    );
    if (!isKnown) add(`a body of ${type}`, typed(type), refused);
  }
  const malformed = { kind: "status", statuses: [400] } as const;
  const text = sound.body ?? "";
  // of a number, what is left of it is one, too
  const hasEnd = !/^-?\d/.test(text);
  if (hasEnd) add("a body that is cut", { body: text.slice(0, -1) }, malformed);
  add("a body that is none of JSON", { body: "{not json" }, malformed);
  add("a body with a comma too many", { body: `${text},` }, malformed);
  if (hasEnd) add("two bodies in one", { body: `${text}${text}` }, malformed);
  if (isBodyRequired)
    add("no body", { body: undefined, headers: untyped }, { kind: "status", statuses: [400, 415] });
  if (mediaType === "application/json") {
    add("a body of JSON with a charset", typed("application/json; charset=utf-8"), {
      kind: "taken",
    });
  }
  return found;
}

/** The schema judges its names, or its members stand as parameters of their own: no name is unknown. */
function isOpenQuery({ in: part, node }: ParameterPlace): boolean {
  if (part === "querystring") return true;
  const { schema } = node;
  return (
    part === "query" &&
    isObject(schema) &&
    schema["type"] === "object" &&
    node["style"] !== "deepObject"
  );
}

/** The same request is tried once, whatever it was made for. */
function unique(tries: readonly Try[]): readonly Try[] {
  const names = new Map<string, number>();
  return tries.map((one) => {
    const count = (names.get(one.name) ?? 0) + 1;
    names.set(one.name, count);
    return count === 1 ? one : { ...one, name: `${one.name} (${count})` };
  });
}
