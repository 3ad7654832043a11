// Parameters of a request, and the headers that a webhook is sent with.

import { isObject, itemsOf, type JsonObject, textOf } from "../json.ts";
import { compareContent } from "./content.ts";
import { type Both, type Found, type Pair, shown } from "./found.ts";
import { objectAt, type Revision } from "./revision.ts";
import type { DocumentRuleName } from "./rules.ts";
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
): readonly Found[] {
  const found: Found[] = [];
  const { base, head } = places;
  const pair: Pair = { base: base.revision, head: head.revision };
  const before = parametersOf(base);
  const after = parametersOf(head);
  for (const [key, parameter] of before) {
    const other = after.get(key);
    if (other === undefined) {
      const at = { revision: base.revision, node: parameter };
      found.push({
        rule: "request-parameter-removed",
        at,
        message: `${wordsOf(parameter)} is gone`,
      });
      continue;
    }
    const own = { base: parameter, head: other };
    found.push(...compareParameter(own, head.revision));
    found.push(...compareValue(own, { ...pair, direction: "request" }, schemas));
  }
  for (const [key, parameter] of after) {
    if (before.has(key)) continue;
    const rule: DocumentRuleName =
      parameter["required"] === true
        ? "request-required-parameter-added"
        : "request-parameter-added";
    const at = { revision: head.revision, node: parameter };
    found.push({ rule, at, message: `${wordsOf(parameter)} is new` });
  }
  return found;
}

function wordsOf(parameter: JsonObject): string {
  return `${textOf(parameter["in"]) ?? ""} parameter ${textOf(parameter["name"]) ?? ""}`;
}

function compareParameter({ base, head }: Both<JsonObject>, revision: Revision): readonly Found[] {
  const found: Found[] = [];
  const report = (rule: DocumentRuleName, name: string | undefined, message: string): void => {
    const at = name === undefined || head[name] === undefined ? {} : { name };
    found.push({ rule, at: { revision, node: head, ...at }, message });
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
  return found;
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
  const at = { revision: pair.head, node: both.head };
  return [{ rule: `${pair.direction}-encoding-changed`, at, message }];
}

/** Headers that clients get, with a response or with a webhook. */
export function compareHeaders(
  { base, head }: Both<ReadonlyMap<string, JsonObject>>,
  pair: Pair,
  schemas: SchemaComparison,
): readonly Found[] {
  const found: Found[] = [];
  const lower = (map: ReadonlyMap<string, JsonObject>): Map<string, JsonObject> =>
    new Map(Array.from(map, ([name, header]) => [name.toLowerCase(), header]));
  const after = lower(head);
  const before = lower(base);
  for (const [name, header] of before) {
    const other = after.get(name);
    const at = { revision: pair.base, node: header };
    if (other === undefined) {
      found.push({ rule: "response-header-removed", at, message: `the header ${name} is gone` });
      continue;
    }
    const had = header["required"] === true;
    const has = other["required"] === true;
    if (had !== has) {
      const rule = has ? "response-header-became-required" : "response-header-became-optional";
      const message = `the header ${name} ${has ? "always comes" : "may be absent"} now`;
      found.push({ rule, at: { revision: pair.head, node: other }, message });
    }
    const own = { base: header, head: other };
    found.push(...compareValue(own, { ...pair, direction: "response" }, schemas));
  }
  for (const [name, header] of after) {
    if (before.has(name)) continue;
    const at = { revision: pair.head, node: header };
    found.push({ rule: "response-header-added", at, message: `the header ${name} is new` });
  }
  return found;
}

/** The headers that a webhook is sent with stand among its parameters. */
export function sentHeaders(place: Place): ReadonlyMap<string, JsonObject> {
  const entries = Array.from(parametersOf(place).values()).flatMap((parameter) => {
    const name = textOf(parameter["name"]);
    return name !== undefined && parameter["in"] === "header" ? [[name, parameter] as const] : [];
  });
  return new Map(entries);
}
