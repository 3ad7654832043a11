// Which names the arguments of an operation have, and whether the members of its body may stand among them.

import { isObject, itemsOf, type Json, type JsonObject } from "../json.ts";
import type { Content, Operation, Parameter } from "../model/model.ts";
import { codecOf, essenceOf } from "../normalise/codecs.ts";
import { follow } from "../normalise/references.ts";

/** Headers that the caller does not give: who sends requests adds them. */
export type Added = ReadonlySet<string>;

export const idempotencyKey = "idempotency-key";

/** Parameters that are arguments: the key of a repetition is an option, and some headers are added on the way. */
export function argumentsOf({ parameters }: Operation, added: Added): readonly Parameter[] {
  return parameters.filter(({ in: place, name }) => {
    const lower = name.toLowerCase();
    return place !== "header" || (lower !== idempotencyKey && !added.has(lower));
  });
}

/** The one of several that is sent: JSON before forms, and these before the rest. */
export function sentContent({ body }: Operation): Content | undefined {
  const order = ["json", "multipart", "form"];
  const rank = ({ mediaType }: Content): number => {
    const at = order.indexOf(codecOf(essenceOf(mediaType)));
    return at === -1 ? order.length : at;
  };
  return body?.content.toSorted((one, other) => rank(one) - rank(other))[0];
}

/** How arguments stand: beside each other, with the body as one of them, or by their places. */
export type Arrangement = "spread" | "beside" | "grouped";

export function arrangementOf(
  operation: Operation,
  added: Added,
  document: JsonObject,
): Arrangement {
  const names = argumentsOf(operation, added).map(({ name }) => name);
  const whole = operation.querystring === undefined ? [] : [operation.querystring.name];
  const own = [...names, ...whole];
  const content = sentContent(operation);
  const members = content === undefined ? new Set<string>() : membersOf(content, document);
  if (!isOnce([...own, ...(members ?? ["body"])]))
    return isOnce([...own, "body"]) ? "beside" : "grouped";
  return content === undefined || members === undefined ? "beside" : "spread";
}

function isOnce(names: readonly string[]): boolean {
  return new Set(names).size === names.length;
}

/** The names of an object that has no others; undefined: it is none, or may have any. */
function membersOf({ mediaType, schema, rules }: Content, document: JsonObject) {
  const isValue = ["json", "form", "multipart"].includes(codecOf(essenceOf(mediaType)));
  if (schema === undefined || !isValue || rules.isStream === true) return undefined;
  const names = new Set<string>();
  return collect(schema, names, { document, seen: new Set() }) ? names : undefined;
}

interface Collecting {
  readonly document: JsonObject;
  readonly seen: Set<Json>;
}

/** @returns whether it is an object whose names are all listed */
function collect(schema: Json, names: Set<string>, collecting: Collecting): boolean {
  const { document, seen } = collecting;
  const node = follow(document, schema);
  if (node === undefined || seen.has(node)) return false;
  seen.add(node);
  const { type, properties, additionalProperties: others, patternProperties } = node;
  const isObjectType = type === undefined || type === "object";
  const isOpen = (others !== undefined && others !== false) || patternProperties !== undefined;
  const ways = ["allOf", "anyOf", "oneOf"].flatMap((keyword) => itemsOf(node[keyword]));
  if (!isObjectType || isOpen || node["const"] !== undefined || node["enum"] !== undefined)
    return false;
  if (!isObject(properties) && ways.length === 0) return others === false;
  for (const name of Object.keys(isObject(properties) ? properties : {})) names.add(name);
  // one that is met again on another way has been taken in
  return ways.every((way) => {
    const target = follow(document, way);
    return (target !== undefined && seen.has(target)) || collect(way, names, collecting);
  });
}
