// The types of path items and operations, and of what they are made of.

import type { Json, JsonObject } from "../json.ts";
import { entriesOf, isObject, itemsOf, textOf } from "../json.ts";
import { follow } from "../normalise/references.ts";
import { typeComment } from "./type-comments.ts";
import { type Schemas, schemaType } from "./type-schemas.ts";
import * as types from "./type-text.ts";
import type { Member, Type } from "./type-text.ts";

export interface Operations extends Schemas {
  /** takes in what stands under `operations` */
  readonly take: (operationId: string, type: Type) => void;
}

const methods = "get put post delete options head patch trace".split(" ");
const places = ["query", "header", "path", "cookie"] as const;

const absent = (name: string): Member => ({ name, type: types.never, isOptional: true });

/** An operation that has a name stands by that name under `operations`. */
export function pathItemType(item: JsonObject, operations: Operations): Type {
  return types.object([
    parameterMember(itemsOf(item["parameters"]), operations),
    ...methods.map((method) => methodMember(item, method, operations)),
  ]);
}

function methodMember(item: JsonObject, method: string, operations: Operations): Member {
  const operation = item[method];
  if (!isObject(operation)) return absent(method);
  const parameters = new Map<string, Json>();
  for (const one of [...itemsOf(item["parameters"]), ...itemsOf(operation["parameters"])]) {
    const target = follow(operations.document, one);
    parameters.set(JSON.stringify([target?.["in"], target?.["name"]]), one); // its own before the path's
  }
  const type = types.object([
    parameterMember([...parameters.values()], operations),
    requestMember(operation["requestBody"], operations),
    { name: "responses", type: responsesType(operation["responses"], operations) },
  ]);
  const comment = typeComment(operation);
  const operationId = textOf(operation["operationId"]);
  if (operationId === undefined) return { name: method, type, comment };
  operations.take(operationId, type);
  return { name: method, type: types.within("operations", operationId), comment };
}

function parameterMember(parameters: readonly Json[], operations: Operations): Member {
  const resolved = parameters.map((one) => ({ one, target: follow(operations.document, one) }));
  const members = places.map((place): Member => {
    const own = resolved.flatMap(({ one, target }): readonly Member[] => {
      if (target?.["in"] !== place) return [];
      const name = textOf(target["name"]) ?? "";
      const type = referenced(one, operations) ?? parameterType(target, operations);
      const isOptional = place !== "path" && target["required"] !== true;
      return [{ name, type, isOptional, comment: typeComment(target) }];
    });
    if (own.length === 0) return absent(place);
    const isOptional = own.every((member) => member.isOptional);
    return { name: place, type: types.object(own), isOptional };
  });
  return { name: "parameters", type: types.object(members) };
}

export function parameterType({ schema }: JsonObject, schemas: Schemas): Type {
  return schema === undefined ? types.text : schemaType(schema, schemas);
}

function requestMember(body: Json | undefined, operations: Operations): Member {
  if (!isObject(body)) return absent("requestBody");
  const type = referenced(body, operations) ?? requestBodyType(body, operations);
  const isOptional = follow(operations.document, body)?.["required"] !== true;
  return { name: "requestBody", type, isOptional, comment: typeComment(body) };
}

export function requestBodyType({ content }: JsonObject, schemas: Schemas): Type {
  const media = mediaMembers(content, schemas);
  const type = types.object(media.length === 0 ? [absent("*/*")] : media);
  return types.object([{ name: "content", type }]);
}

function mediaMembers(content: Json | undefined, schemas: Schemas): readonly Member[] {
  return entriesOf(content).map(([name, media]) => {
    const schema = isObject(media) ? media["schema"] : undefined;
    const type = schema === undefined ? types.unknown : schemaType(schema, schemas);
    return { name, type, comment: typeComment(media) };
  });
}

function responsesType(responses: Json | undefined, operations: Operations): Type {
  const members = entriesOf(responses).map(([name, response]): Member => {
    const written = isObject(response) ? response : {};
    const type = referenced(response, operations) ?? responseType(written, operations);
    return { name, type, comment: typeComment(response) };
  });
  return members.length === 0 ? types.never : types.object(members);
}

export function responseType({ headers, content }: JsonObject, schemas: Schemas): Type {
  const named = entriesOf(headers).map(([name, header]): Member => {
    const reference = referenced(header, schemas);
    const written = isObject(header) ? header : {};
    const type = reference ?? headerType(written, schemas);
    const isOptional = reference === undefined && written["required"] !== true;
    return { name, type, isOptional, comment: typeComment(header) };
  });
  const media = mediaMembers(content, schemas);
  return types.object([
    { name: "headers", type: types.object(named, types.indexText("name", types.unknown)) },
    media.length === 0 ? absent("content") : { name: "content", type: types.object(media) },
  ]);
}

export function headerType({ schema, content }: JsonObject, schemas: Schemas): Type {
  if (schema !== undefined) return schemaType(schema, schemas);
  return content === undefined ? types.unknown : types.object(mediaMembers(content, schemas));
}

/** Undefined: it is no reference. */
function referenced(node: Json | undefined, { reference }: Schemas): Type | undefined {
  const $ref = isObject(node) ? textOf(node["$ref"]) : undefined;
  return $ref === undefined ? undefined : reference($ref);
}
