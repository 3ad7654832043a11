// The contract as it was written by hand, read without any of the code that is under test.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json;
}

export const documentPath = join(import.meta.dirname, "..", "..", "spec", "openapi.yaml");

/** YAML without tags, dates and anchors of its own is JSON. */
export const document = parse(readFileSync(documentPath, "utf8")) as JsonObject;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function objectAt(parent: JsonObject, name: string): JsonObject {
  const value = Object.hasOwn(parent, name) ? parent[name] : undefined;
  return isObject(value) ? value : {};
}

export function listAt(parent: JsonObject, name: string): readonly Json[] {
  const value = parent[name];
  return Array.isArray(value) ? value : [];
}

/** A text as it is, anything else as JSON. */
export function textOf(value: Json | undefined): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function escapeToken(token: string): string {
  return token.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** A node of the document and where it stands, after following its reference. */
export interface Place {
  readonly node: JsonObject;
  /** JSON Pointer */
  readonly pointer: string;
}

/** The place below `pointer`, wherever its reference leads; throws when it leads nowhere. */
export function placeAt(pointer: string): Place {
  let node: Json | undefined = document;
  for (const token of pointer.split("/").slice(1)) {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    node = Array.isArray(node) ? node[Number(name)] : isObject(node) ? node[name] : undefined;
  }
  if (!isObject(node)) throw new Error(`${pointer} is nothing in the document`);
  const reference = node["$ref"];
  // schemas keep their references: what stands beside one counts there
  if (typeof reference !== "string" || pointer.endsWith("/schema")) return { node, pointer };
  return placeAt(reference.slice(1));
}

export function below(place: Place, ...names: readonly string[]): Place {
  return placeAt([place.pointer, ...names.map(escapeToken)].join("/"));
}

/** Places of all members of an object, none when there is no such object. */
export function members(place: Place, name: string): ReadonlyMap<string, Place> {
  const names = Object.keys(objectAt(place.node, name));
  return new Map(names.map((member) => [member, below(place, name, member)]));
}

export interface ParameterPlace extends Place {
  readonly in: string;
  readonly name: string;
  readonly required: boolean;
}

export interface Operation extends Place {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly ParameterPlace[];
  /** of `application/json` */
  readonly body: Place | undefined;
  readonly responses: ReadonlyMap<string, Place>;
  /** what `default` stands for */
  readonly defaultStatuses: readonly number[];
}

const methods = new Set(["get", "put", "post", "delete", "options", "head", "patch", "trace"]);

function readOperations(): readonly Operation[] {
  const root: Place = { node: document, pointer: "" };
  const found: Operation[] = [];
  for (const [path, item] of members(root, "paths")) {
    for (const name of Object.keys(item.node)) {
      if (methods.has(name)) found.push(readOperation(below(item, name), path));
    }
  }
  return found;
}

function readOperation(place: Place, path: string): Operation {
  const { node, pointer } = place;
  const parameters = listAt(node, "parameters").map((_, index) => {
    const parameter = below(place, "parameters", String(index));
    const { in: part, name, required } = parameter.node;
    return { ...parameter, in: textOf(part), name: textOf(name), required: required === true };
  });
  return {
    ...place,
    operationId: textOf(node["operationId"]),
    method: (pointer.split("/").at(-1) ?? "").toUpperCase(),
    path,
    parameters,
    body: isObject(node["requestBody"])
      ? below(below(place, "requestBody"), "content", "application/json")
      : undefined,
    responses: members(place, "responses"),
    defaultStatuses: listAt(node, "x-default-statuses").map(Number),
  };
}

/** Every operation, in the order of the document. */
export const operations: readonly Operation[] = readOperations();

/** The response that a status stands for; undefined when the contract does not know the status. */
export function responseFor(operation: Operation, status: number): Place | undefined {
  const named = operation.responses.get(String(status));
  if (named !== undefined) return named;
  return operation.defaultStatuses.includes(status)
    ? operation.responses.get("default")
    : undefined;
}

/** Values of `examples` of a media type, by name. */
export function examplesOf(media: Place): ReadonlyMap<string, Json> {
  const values = Array.from(members(media, "examples"), ([name, { node }]) => {
    return [name, node["value"] ?? null] as const;
  });
  return new Map(values);
}
