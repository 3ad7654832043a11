// Parameters of a request, and the headers that a webhook is sent with.

import { isObject, itemsOf, type JsonObject, textOf } from "../json.ts";
import { compareContent } from "./content.ts";
import { addTo, type Both, type Found, type Pair, shown } from "./found.ts";
import type { DocumentRuleName } from "./document-rules.ts";
import { compareSunset, isOver, type Notice } from "./lifecycle.ts";
import { type At, objectAt, objectsIn, type Revision } from "./revision.ts";
import type { SchemaComparison } from "./schemas.ts";

/** An operation with the path it stands under. */
export interface Place {
  readonly revision: Revision;
  readonly path: string;
  readonly item: JsonObject;
  readonly operation: JsonObject;
}

/** What OpenAPI says elsewhere: header parameters of these names do not count. */
const saidElsewhere = new Set(["accept", "content-type", "authorization"]);

/** By place and name; parameters of a path by their position in it, as their names do not travel. */
function parametersOf({ revision, path, item, operation }: Place): Map<string, JsonObject> {
  const order = Array.from(path.matchAll(/\{([^}]*)\}/g), ([, name]) => name);
  const found = new Map<string, JsonObject>();
  for (const value of [...itemsOf(item["parameters"]), ...itemsOf(operation["parameters"])]) {
    const parameter = objectAt(revision, value);
    const name = textOf(parameter?.["name"]);
    if (parameter === undefined || name === undefined) continue;
    const where = textOf(parameter["in"]) ?? "";
    const lower = name.toLowerCase();
    if (where === "header" && saidElsewhere.has(lower)) continue;
    const keys: Readonly<Record<string, string>> = {
      path: String(order.indexOf(name)),
      header: lower,
      querystring: "", // there is one, and its name does not travel
    };
    found.set(`${where} ${keys[where] ?? name}`, parameter);
  }
  return found;
}

export function compareParameters(
  places: Both<Place>,
  schemas: SchemaComparison,
  notice: Notice,
): readonly Found[] {
  const found: Found[] = [];
  const { base, head } = places;
  const pair: Pair = { base: base.revision, head: head.revision };
  const whole = { base: operationAt(base), head: operationAt(head) };
  const before = parametersOf(base);
  const after = parametersOf(head);
  for (const [key, parameter] of before) {
    const other = after.get(key);
    if (other === undefined) {
      const where = {
        base: { revision: base.revision, node: parameter },
        head: whole.head,
        isGone: true,
      };
      const message = `${wordsOf(parameter)} is gone`;
      found.push({ ...where, rule: removalOf(parameter, notice), message });
      continue;
    }
    const own = { base: parameter, head: other };
    addTo(found, compareParameter(own, pair, notice));
    addTo(found, compareValue(own, { ...pair, direction: "request" }, schemas));
  }
  for (const [key, parameter] of after) {
    if (before.has(key)) continue;
    const rule: DocumentRuleName =
      parameter["required"] === true
        ? "request-required-parameter-added"
        : "request-parameter-added";
    const where = { base: whole.base, head: { revision: head.revision, node: parameter } };
    found.push({ ...where, rule, message: `${wordsOf(parameter)} is new` });
  }
  return found;
}

function removalOf(parameter: JsonObject, notice: Notice): DocumentRuleName {
  if (isOver(parameter, notice)) return "request-parameter-removed-after-sunset";
  return parameter["required"] === true
    ? "request-required-parameter-removed"
    : "request-parameter-removed";
}

export function operationAt({ revision, operation }: Place): At {
  return { revision, node: operation };
}

function wordsOf(parameter: JsonObject): string {
  return `${textOf(parameter["in"]) ?? ""} parameter ${textOf(parameter["name"]) ?? ""}`;
}

function compareParameter(
  { base, head }: Both<JsonObject>,
  pair: Pair,
  notice: Notice,
): readonly Found[] {
  const found: Found[] = [];
  const at = (revision: Revision, node: JsonObject, name: string): At =>
    node[name] === undefined ? { revision, node } : { revision, node, name };
  const report = (rule: DocumentRuleName, name: string, message: string): void => {
    const where = { base: at(pair.base, base, name), head: at(pair.head, head, name) };
    found.push({ ...where, rule, message });
  };
  const words = wordsOf(head);
  if (base["required"] !== true && head["required"] === true) {
    report("request-parameter-became-required", "required", `${words} must be sent now`);
  }
  if (base["required"] === true && head["required"] !== true) {
    report("request-parameter-became-optional", "required", `${words} may be left out now`);
  }
  if (base["in"] === "path" && base["name"] !== head["name"]) {
    report(
      "path-parameter-renamed",
      "name",
      `${shown(base["name"])} became ${shown(head["name"])}`,
    );
  }
  if (base["deprecated"] !== true && head["deprecated"] === true) {
    report("deprecated", "deprecated", `${words} is deprecated now`);
  }
  for (const [name, value] of Object.entries(wayOf(head))) {
    const before = wayOf(base)[name];
    if (before === value) continue;
    report(
      "request-parameter-style-changed",
      name,
      `${name} ${shown(before)} became ${shown(value)}`,
    );
  }
  const [had, has] = [takesEmpty(base), takesEmpty(head)];
  if (had !== has) {
    const name = "allowEmptyValue";
    const where = { base: at(pair.base, base, name), head: at(pair.head, head, name) };
    const message = `${words} may ${has ? "be empty now" : "not be empty any more"}`;
    found.push({ ...where, rule: `request-bound-${has ? "widened" : "tightened"}`, message });
  }
  const ends = {
    base: { revision: pair.base, node: base },
    head: { revision: pair.head, node: head },
  };
  return [...found, ...compareSunset(ends, notice)];
}

/** Whatever its schema says; in a query only. */
function takesEmpty(parameter: JsonObject): boolean {
  return parameter["in"] === "query" && parameter["allowEmptyValue"] === true;
}

/** How a value is written on the wire, with the defaults of OpenAPI. */
function wayOf(parameter: JsonObject): Record<string, string | boolean> {
  const place = textOf(parameter["in"]) ?? "header";
  const style =
    textOf(parameter["style"]) ?? (/^(?:query|cookie)$/.test(place) ? "form" : "simple");
  return {
    style,
    explode:
      typeof parameter["explode"] === "boolean"
        ? parameter["explode"]
        : /^(?:form|cookie)$/.test(style),
    allowReserved: parameter["allowReserved"] === true,
  };
}

type Directed = Pair & { readonly direction: "request" | "response" };

/** A parameter or header has a schema, or one media type with a schema. */
function compareValue(
  both: Both<JsonObject>,
  pair: Directed,
  schemas: SchemaComparison,
): readonly Found[] {
  const had = isObject(both.base["content"]);
  const has = isObject(both.head["content"]);
  if (had === has) return has ? compareContent(both, pair, schemas) : schemas.below(both, pair);
  const message = has ? "it has a media type now" : "it has no media type any more";
  const where = {
    base: { revision: pair.base, node: both.base },
    head: { revision: pair.head, node: both.head },
  };
  return [{ ...where, rule: `${pair.direction}-encoding-changed`, message }];
}

/** What comes beside a body: headers by their names, and other parameters of a webhook by theirs. */
export interface Beside {
  readonly at: At;
  /** by what they are called in a message: `header x-id` */
  readonly parts: ReadonlyMap<string, JsonObject>;
}

/** Headers that clients get, with a response or with a webhook. */
export function compareHeaders(
  { base, head }: Both<Beside>,
  pair: Pair,
  schemas: SchemaComparison,
): readonly Found[] {
  const found: Found[] = [];
  for (const [name, header] of base.parts) {
    const other = head.parts.get(name);
    const at = { revision: pair.base, node: header };
    if (other === undefined) {
      const where = { base: at, head: head.at, isGone: true };
      found.push({ ...where, rule: "response-header-removed", message: `the ${name} is gone` });
      continue;
    }
    const had = header["required"] === true;
    const has = other["required"] === true;
    if (had !== has) {
      const rule = has ? "response-header-became-required" : "response-header-became-optional";
      const message = `the ${name} ${has ? "always comes" : "may be absent"} now`;
      found.push({ base: at, head: { revision: pair.head, node: other }, rule, message });
    }
    const own = { base: header, head: other };
    addTo(found, compareValue(own, { ...pair, direction: "response" }, schemas));
  }
  for (const [name, header] of head.parts) {
    if (base.parts.has(name)) continue;
    const isRequired = header["required"] === true;
    const rule = isRequired ? "response-required-header-added" : "response-header-added";
    const where = { base: base.at, head: { revision: pair.head, node: header } };
    found.push({ ...where, rule, message: `the ${name} is new` });
  }
  return found;
}

/** The headers of a response. */
export function headersOf(revision: Revision, response: JsonObject): Beside {
  const parts = Array.from(objectsIn(revision, response, "headers"), ([name, header]) => {
    return [`header ${name.toLowerCase()}`, header] as const;
  });
  return { at: { revision, node: response }, parts: new Map(parts) };
}

/** What a webhook is sent with stands among its parameters. */
export function sentBeside(place: Place): Beside {
  const parts = Array.from(parametersOf(place).values(), (parameter) => {
    const name = textOf(parameter["name"]) ?? "";
    const isHeader = parameter["in"] === "header";
    const words = isHeader ? `header ${name.toLowerCase()}` : wordsOf(parameter);
    return [words, parameter] as const;
  });
  return { at: operationAt(place), parts: new Map(parts) };
}
