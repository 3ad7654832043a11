// The types of arguments and of answers, each said in full but for the components that it names.

import {
  entriesOf,
  isObject,
  itemsOf,
  type Json,
  type JsonObject,
  pointerTokens,
  textOf,
} from "../json.ts";
import { typeComment } from "../emit/type-comments.ts";
import { parameterType } from "../emit/type-operations.ts";
import { schemaType, type Schemas } from "../emit/type-schemas.ts";
import * as types from "../emit/type-text.ts";
import type { Member, Type } from "../emit/type-text.ts";
import { typedDocument } from "../emit/typed-document.ts";
import type { Model, Operation } from "../model/model.ts";
import { decodeFragment } from "../read/locate.ts";
import { follow } from "../normalise/references.ts";
import { operationsOf } from "../read/operations.ts";

/** The nodes of one operation, in the words that types have. */
export interface TypedOperation {
  /** by place and name */
  readonly parameterAt: (place: string, name: string) => Member | undefined;
  readonly bodyAt: (mediaType: string) => Type;
  readonly answerAt: (status: string, mediaType: string) => Type;
  /** items of the list in the body of an answer, under this name; "": the body is the list */
  readonly itemAt: (status: string, mediaType: string, name: string) => Type;
}

export class ClientTypes {
  readonly #document: JsonObject;
  readonly #schemas: Schemas;
  readonly #operations: ReadonlyMap<string, readonly JsonObject[]>;

  constructor(model: Model) {
    const document = typedDocument(model);
    const identifiers = new Map(model.schemas.map(({ name, identifier }) => [name, identifier]));
    this.#document = document;
    this.#schemas = {
      document,
      isInComponent: false,
      reference: (reference) => {
        const [, , name = ""] = pointerTokens(decodeFragment(reference.slice(1)));
        return types.named(`types.${identifiers.get(name) ?? name}`);
      },
      requiring: (type, names) => types.named(`answers.WithRequired<${type.text}, ${names.text}>`),
    };
    const ofPaths = entriesOf(document["paths"]).flatMap(([path, item]) =>
      operationsOf(item).map(
        ({ method, operation }) => [`${method} ${path}`, operation, item] as const,
      ),
    );
    // those of other methods stand there, each for itself
    const components = isObject(document["components"]) ? document["components"] : {};
    const ofOthers = entriesOf(components["pathItems"]).flatMap(([name, item]) =>
      operationsOf(item).map(({ operation }) => [name, operation, item] as const),
    );
    this.#operations = new Map(
      [...ofOthers, ...ofPaths].map(([name, ...nodes]) => [name, nodes.filter(isObject)]),
    );
  }

  of({ method, writtenPath, path }: Operation): TypedOperation {
    const nodes =
      this.#operations.get(`${method} ${writtenPath}`) ?? this.#operations.get(`${method} ${path}`);
    const [operation = {}] = nodes ?? [];
    const content = (holder: Json | undefined, mediaType: string): Json | undefined => {
      const media = entriesOf(follow(this.#document, holder)?.["content"]);
      const found = media.find(([name]) => name === mediaType)?.[1];
      return isObject(found) ? found["schema"] : undefined;
    };
    const answer = (status: string, mediaType: string): Json | undefined => {
      const responses = entriesOf(operation["responses"]);
      const found = responses.find(([key]) => key.toUpperCase() === status.toUpperCase());
      return content(found?.[1], mediaType);
    };
    return {
      parameterAt: (place, name) => this.#parameter(nodes ?? [], place, name),
      bodyAt: (mediaType) => this.#type(content(operation["requestBody"], mediaType)),
      answerAt: (status, mediaType) => this.#type(answer(status, mediaType)),
      itemAt: (status, mediaType, name) => {
        const list = follow(this.#document, answer(status, mediaType));
        const properties = list?.["properties"];
        const found = name === "" ? list : isObject(properties) ? properties[name] : undefined;
        return this.#type(follow(this.#document, found)?.["items"]);
      },
    };
  }

  #type(schema: Json | undefined): Type {
    return schema === undefined ? types.unknown : schemaType(schema, this.#schemas);
  }

  /** Its own before the path's. */
  #parameter(nodes: readonly JsonObject[], place: string, name: string): Member | undefined {
    const all = nodes.flatMap((node) => itemsOf(node["parameters"]));
    const node = all
      .map((one) => follow(this.#document, one))
      .find((one) => one?.["in"] === place && one["name"] === name);
    if (node === undefined) return undefined;
    return {
      name: textOf(node["name"]) ?? name,
      type: parameterType(node, this.#schemas),
      isOptional: place !== "path" && node["required"] !== true,
      isReadonly: true,
      comment: typeComment(node),
    };
  }
}
