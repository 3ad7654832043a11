// What answers and events promise, one line for each place: a promise that was loosened or has gone is a
// changed line in the list that is checked in. Nobody reads rules out of 9,000 lines of YAML.

import {
  document,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  members,
  objectAt,
  operations,
  type Place,
  placeAt,
  textOf,
} from "../support/contract-document.ts";
import { boundOf } from "../support/contract-bounds.ts";

export function listPromisedPlaces(): readonly string[] {
  const responses = operations.flatMap((operation) =>
    ["responses", "x-default-responses"].flatMap((list) =>
      Array.from(members(operation, list), ([status, response]) => {
        return [`${operation.operationId} ${status}`, response] as const;
      }),
    ),
  );
  const shared = new Map(
    [...responses, ...sharedResponses()]
      .map(([, response]) => response)
      .filter(isShared)
      .map((response) => [response.pointer, response] as const),
  );
  const lines = [
    ...[...responses, ...sharedResponses()].flatMap(([name, response]) =>
      isShared(response) ? [`${name}: ${nameOf(response)}`] : linesOfResponse(name, response),
    ),
    ...[...shared.values()].flatMap((one) => linesOfResponse(nameOf(one), one)),
    ...linesOfEvents(),
  ];
  return [...lines, ...linesOfComponents(lines)];
}

function sharedResponses(): readonly (readonly [string, Place])[] {
  const found = members({ node: document, pointer: "" }, "x-server-responses");
  return Array.from(found, ([status, response]) => [`the server ${status}`, response] as const);
}

function isShared({ pointer }: Place): boolean {
  return pointer.startsWith("/components/");
}

const nameOf = ({ pointer }: Place): string => pointer.replace("/components/", "");

function linesOfResponse(name: string, response: Place): readonly string[] {
  const codes = listAt(response.node, "x-error-codes").map(textOf);
  const headers = Array.from(members(response, "headers"), ([header, { node, pointer }]) => {
    const { schema = {}, ...others } = node;
    const rules = [...rulesOf(others), ...rulesOf(schema)];
    return `${name}: header ${header} ${rules.join(", ") || pointer}`;
  });
  const bodies = Array.from(members(response, "content")).flatMap(([media, { node }]) =>
    linesOfSchema(`${name}: ${media}`, node["schema"] ?? {}, ""),
  );
  const said = codes.length === 0 ? [] : [`${name}: codes ${codes.join(" | ")}`];
  return [...said, ...headers, ...bodies];
}

function linesOfEvents(): readonly string[] {
  const { node, pointer } = placeAt("/webhooks/event/post");
  const headers = listAt(node, "parameters").map((_, at) => {
    const parameter = placeAt(`${pointer}/parameters/${at}`).node;
    const { schema = {}, name, ...others } = parameter;
    return `event: header ${textOf(name)} ${[...rulesOf(others), ...rulesOf(schema)].join(", ")}`;
  });
  const { node: body } = placeAt(`${pointer}/requestBody/content/application~1json`);
  return [...headers, ...linesOfSchema("event: body", body["schema"] ?? {}, "")];
}

/** Words for people, and what is walked through. */
const unruly = new Set(
  (
    "description summary title example examples x-open-reason content headers links in name " +
    "properties items additionalProperties propertyNames oneOf anyOf allOf if then else required"
  ).split(" "),
);

/** `maxLength 200`, and the like. */
function rulesOf(schema: Json): readonly string[] {
  if (!isObject(schema)) return [textOf(schema)];
  const { $ref: reference, required, additionalProperties } = schema;
  const others = Object.keys(schema).filter((name) => !unruly.has(name) && name !== "$ref");
  return [
    ...(required === true ? ["required"] : []),
    ...(typeof reference === "string" ? [`= ${reference.replace("#/components/", "")}`] : []),
    ...others.map((name) => `${name} ${boundOf(schema, name)}`),
    ...(typeof additionalProperties === "boolean" ? [`others ${additionalProperties}`] : []),
  ];
}

/** One line for the place, then those below it; what a reference leads to has lines of its own. */
function linesOfSchema(name: string, schema: Json, mark: string): readonly string[] {
  const rules = [...(mark === "" ? [] : [mark]), ...rulesOf(schema)];
  const own = `${name}: ${rules.join(", ")}`;
  if (!isObject(schema)) return [own];
  const required = new Set(listAt(schema, "required").map(textOf));
  const properties = Object.entries(objectAt(schema, "properties")).flatMap(([member, inner]) =>
    linesOfSchema(`${name}/${member}`, inner, required.has(member) ? "required" : "optional"),
  );
  const known = new Set(Object.keys(objectAt(schema, "properties")));
  const elsewhere = [...required].filter((member) => !known.has(member));
  const lists = ["oneOf", "anyOf", "allOf"].flatMap((list) =>
    listAt(schema, list).flatMap((inner, at) => linesOfSchema(`${name} ${list} ${at}`, inner, "")),
  );
  const inner = ["items", "additionalProperties", "propertyNames", "if", "then", "else"].flatMap(
    (keyword) => {
      const one = schema[keyword];
      return isObject(one) ? linesOfSchema(`${name} ${keyword}`, one, "") : [];
    },
  );
  const more = elsewhere.map((member) => `${name}/${member}: required`);
  return [own, ...properties, ...more, ...lists, ...inner];
}

const reference = /= (schemas|headers)\/(\w+)/g;

/** Of all that the lines refer to, and what that refers to. */
function linesOfComponents(lines: readonly string[]): readonly string[] {
  const components: JsonObject = objectAt(document, "components");
  const found = new Map<string, readonly string[]>();
  const visit = (some: readonly string[]): void => {
    for (const [, kind = "", name = ""] of some.join("\n").matchAll(reference)) {
      const key = `${kind}/${name}`;
      if (found.has(key)) continue;
      found.set(key, []);
      const own = linesOfSchema(key, objectAt(components, kind)[name] ?? {}, "");
      found.set(key, own);
      visit(own);
    }
  };
  visit(lines);
  const sorted = [...found].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return sorted.flatMap(([, own]) => own);
}
