// An OpenAPI document by its operations, read without any of the code that is under test.
//
// Beside OpenAPI it knows what our documents say more of: `x-default-statuses` and `x-default-responses` (the
// statuses that `default` stands for, and what each of them answers), and `x-server-responses` (what a caller
// is answered whom no operation has met).

import {
  escapeToken,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  objectAt,
  textOf,
  unescapeToken,
} from "./json.ts";

/** A node of the document and where it stands, after following its reference. */
export interface Place {
  readonly node: JsonObject;
  /** JSON Pointer */
  readonly pointer: string;
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
  /** of `application/json`, or of another media type that is JSON */
  readonly body: Place | undefined;
  /** of that body; undefined: there is none */
  readonly mediaType: string | undefined;
  /** media types of a body that are none of JSON */
  readonly otherMediaTypes: readonly string[];
  readonly isBodyRequired: boolean;
  readonly responses: ReadonlyMap<string, Place>;
  /** what `default` stands for */
  readonly defaultStatuses: readonly number[];
}

/** "query" since OpenAPI 3.2. */
const methods = new Set("get put post delete options head patch trace query".split(" "));

export class Contract {
  readonly document: JsonObject;
  /** in the order of the document */
  readonly operations: readonly Operation[];
  readonly serverResponses: ReadonlyMap<string, Place>;

  constructor(document: JsonObject) {
    this.document = document;
    const root: Place = { node: document, pointer: "" };
    this.operations = Array.from(this.members(root, "paths")).flatMap(([path, item]) =>
      Object.keys(item.node).flatMap((name) => {
        const place = { path, item };
        if (methods.has(name))
          return [
            this.#operation(this.below(item, name), { ...place, method: name.toUpperCase() }),
          ];
        if (name !== "additionalOperations") return [];
        // methods as they are sent (OpenAPI 3.2, section 4.9)
        return Array.from(this.members(item, name), ([method, one]) =>
          this.#operation(one, { ...place, method }),
        );
      }),
    );
    this.serverResponses = this.members(root, "x-server-responses");
  }

  /** The place below `pointer`, wherever its reference leads; throws when it leads nowhere. */
  placeAt(pointer: string): Place {
    const node = this.#at(pointer);
    if (!isObject(node)) throw new Error(`${pointer} is nothing in the document`);
    const reference = node["$ref"];
    // schemas keep their references: what stands beside one counts there
    if (typeof reference !== "string" || /\/(?:schema|itemSchema)$/.test(pointer))
      return { node, pointer };
    return this.placeAt(targetOf(reference));
  }

  #isThere(node: Json): boolean {
    const reference = isObject(node) ? node["$ref"] : undefined;
    return typeof reference !== "string" || this.#at(targetOf(reference)) !== undefined;
  }

  #at(pointer: string): Json | undefined {
    let node: Json | undefined = this.document;
    for (const token of pointer.split("/").slice(1)) {
      const name = unescapeToken(token);
      node = Array.isArray(node) ? node[Number(name)] : isObject(node) ? node[name] : undefined;
    }
    return node;
  }

  below(place: Place, ...names: readonly string[]): Place {
    return this.placeAt([place.pointer, ...names.map(escapeToken)].join("/"));
  }

  /** Places of all members of an object, none when there is no such object. */
  members(place: Place, name: string): ReadonlyMap<string, Place> {
    const names = Object.keys(objectAt(place.node, name));
    return new Map(names.map((member) => [member, this.below(place, name, member)]));
  }

  /**
   * The response that a status stands for, of those that `default` stands for the one that is meant; without
   * an operation one that the server gives outside of them. Undefined when the contract does not know it.
   */
  responseFor(operation: Operation | undefined, status: number): Place | undefined {
    const name = String(status);
    if (operation === undefined) return this.serverResponses.get(name);
    const { responses, node } = operation;
    const meant = this.members(operation, "x-default-responses").get(name);
    const range = responses.get(`${name.charAt(0)}XX`);
    // Who lists what `default` stands for has no others.
    const isListed = node["x-default-responses"] ?? node["x-default-statuses"];
    const others = isListed === undefined ? responses.get("default") : undefined;
    return responses.get(name) ?? meant ?? range ?? others;
  }

  #operation(
    place: Place,
    {
      path,
      item,
      method,
    }: { readonly path: string; readonly item: Place; readonly method: string },
  ): Operation {
    const { node } = place;
    const body = isObject(node["requestBody"]) ? this.below(place, "requestBody") : undefined;
    const content = body === undefined ? new Map<string, Place>() : this.members(body, "content");
    const mediaType = [...content.keys()].find(isJson);
    return {
      ...place,
      operationId: textOf(node["operationId"] ?? `${method} ${path}`),
      method,
      path,
      parameters: this.#parameters(item, place),
      body: mediaType === undefined ? undefined : content.get(mediaType),
      mediaType,
      otherMediaTypes: [...content.keys()].filter((name) => !isJson(name)),
      isBodyRequired: body?.node["required"] === true,
      responses: this.members(place, "responses"),
      defaultStatuses: listAt(node, "x-default-statuses").map(Number),
    };
  }

  /** Those of the path, too, unless the operation has its own of the same name. */
  #parameters(item: Place, operation: Place): readonly ParameterPlace[] {
    const found = [item, operation].flatMap((owner) =>
      listAt(owner.node, "parameters").flatMap((one, index) => {
        // It is left out, where that is allowed; another one is referred to by its number.
        if (!this.#isThere(one)) return [];
        const parameter = this.below(owner, "parameters", String(index));
        const { in: part, name, required } = parameter.node;
        return { ...parameter, in: textOf(part), name: textOf(name), required: required === true };
      }),
    );
    return [...new Map(found.map((one) => [`${one.in} ${one.name}`, one])).values()];
  }
}

/** Of a reference in the document: it may be percent-encoded (RFC 6901, section 6). */
export function targetOf(reference: string): string {
  try {
    return decodeURIComponent(reference.slice(1));
  } catch {
    return reference.slice(1);
  }
}

/** The schema among the components that a reference names; undefined where it names another place, or none. */
export function schemaNamed(document: JsonObject, reference: Json | undefined): Json | undefined {
  const [, token] = /^\/components\/schemas\/([^/]+)$/.exec(targetOf(textOf(reference))) ?? [];
  if (token === undefined) return undefined;
  const schemas = objectAt(objectAt(document, "components"), "schemas");
  const name = unescapeToken(token);
  return Object.hasOwn(schemas, name) ? schemas[name] : undefined;
}

/** Answers of this status have no content, whatever a document says of them (RFC 9110, section 6.4.1). */
export function hasNoContent(status: number): boolean {
  return status < 200 || status === 204 || status === 304;
}

export function isJson(mediaType: string): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(mediaType);
}

/** What a map of media types says of one: by its name, without its parameters, or by a range of several. */
export function mediaFor<Value>(
  content: ReadonlyMap<string, Value>,
  contentType: string,
): Value | undefined {
  const essence = (name: string): string => name.replace(/\s*;.*$/s, "").toLowerCase();
  const own = essence(contentType);
  const range = own.replace(/\/.*$/s, "/*");
  const names = [own, range, "*/*"];
  const found = names.flatMap(
    (one) => [...content.keys()].find((name) => essence(name) === one) ?? [],
  );
  return content.get(contentType) ?? content.get(found[0] ?? "");
}

/** Values of `examples` of a media type, by name. */
export function examplesOf(contract: Contract, media: Place): ReadonlyMap<string, Json> {
  const values = Array.from(contract.members(media, "examples"), ([name, { node }]) => {
    return [name, node["dataValue"] ?? node["value"] ?? null] as const;
  });
  return new Map(values);
}
