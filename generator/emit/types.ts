// types.ts: the types of the contract in the form that openapi-typescript gives them, so that its clients know them;
// the tests hold them against its own. Every component schema has a type by its name, which TypeScript can resolve
// where a union refers to itself.

import type { Json, JsonObject } from "../json.ts";
import { entriesOf, isObject, pointerTokens } from "../json.ts";
import type { Model } from "../model/model.ts";
import { decodeFragment } from "../read/locate.ts";
import { typeComment } from "./type-comments.ts";
import {
  headerType,
  type Operations,
  parameterType,
  pathItemType,
  requestBodyType,
  responseType,
} from "./type-operations.ts";
import { namedType, type Schemas } from "./type-schemas.ts";
import type { Member, Type } from "./type-text.ts";
import { membersText, named as plain, never, object, record, within } from "./type-text.ts";
import { typedDocument } from "./typed-document.ts";

export function emitTypes(model: Model): string {
  const document = typedDocument(model);
  const identifiers = new Map(model.schemas.map(({ name, identifier }) => [name, identifier]));
  const operations: Member[] = [];
  const definitions = new Set<string>();
  const written: Operations = {
    document,
    isInComponent: false,
    reference: (reference) => referenceType(reference, identifiers),
    requiring(type, names) {
      definitions.add(requiredDefinition);
      return plain(`WithRequired<${type.text}, ${names.text}>`);
    },
    take: (name, type) => operations.push({ name, type }),
  };
  const paths = objectsOf(document["paths"]).map(([name, item]): Member => {
    return { name, type: pathItemType(item, written) };
  });
  const { components } = document;
  const groups = isObject(components) ? components : {};
  const schemas = schemaMembers(groups["schemas"], { ...written, isInComponent: true });
  const others = Object.entries(writers).map(([group, write]): Member => {
    const members = objectsOf(groups[group]).map(([name, one]): Member => {
      return { name, type: write(one, written), comment: typeComment(one) };
    });
    return { name: group, type: members.length === 0 ? never : object(members) };
  });
  const aliases = schemas.map(({ name, type, comment = "" }) => {
    return `${comment}export type ${identifiers.get(name) ?? name} = ${type.text};\n`;
  });
  const named: Member = { name: "schemas", type: namesType(schemas, identifiers) };
  return [
    ...aliases,
    root("paths", paths),
    root("webhooks", []),
    root("components", [named, ...others]),
    root("$defs", []),
    root("operations", operations),
    ...definitions,
  ].join("");
}

type Writer = (one: JsonObject, operations: Operations) => Type;

const writers: Readonly<Record<string, Writer>> = {
  responses: responseType,
  parameters: parameterType,
  requestBodies: requestBodyType,
  headers: headerType,
  pathItems: pathItemType,
};

function schemaMembers(group: Json | undefined, schemas: Schemas): readonly Member[] {
  return entriesOf(group).map(([name, schema]) => ({
    name,
    type: namedType(schema, schemas),
    comment: typeComment(schema),
  }));
}

/** `schemas: { Name: Name }` */
function namesType(schemas: readonly Member[], identifiers: ReadonlyMap<string, string>): Type {
  if (schemas.length === 0) return never;
  return object(schemas.map(({ name }) => ({ name, type: plain(identifiers.get(name) ?? name) })));
}

function referenceType(reference: string, identifiers: ReadonlyMap<string, string>): Type {
  const [top = "", ...names] = pointerTokens(decodeFragment(reference.slice(1)));
  const [folder, name = "", ...more] = names;
  const identifier = folder === "schemas" && more.length === 0 ? identifiers.get(name) : undefined;
  return identifier === undefined ? within(top, ...names) : plain(identifier);
}

function root(name: string, members: readonly Member[]): string {
  return members.length === 0
    ? `export type ${name} = ${record(never).text};\n`
    : `export interface ${name} {\n${membersText(members)}}\n`;
}

function objectsOf(value: Json | undefined): [string, JsonObject][] {
  return entriesOf(value).flatMap(([name, one]) => (isObject(one) ? [[name, one]] : []));
}

/** Of a member that may be null, or one of several, not every way has the name. */
const requiredDefinition = `type WithRequired<T, K extends PropertyKey> = T extends object
  ? T & { [P in K & keyof T]-?: T[P] }
  : T;
`;
