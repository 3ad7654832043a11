// A readOnly property is required of answers only, a writeOnly one of requests only (OpenAPI 3.1.1
// section 4.8.24.3). Schemas in which that makes a difference get a second component for the side
// where less is required: `NameRequest` or `NameResponse`.

import type { Json, JsonObject } from "../json.ts";
import { entriesOf, isObject, itemsOf, put } from "../json.ts";
import type { Origins } from "../read/origins.ts";
import { operationsOf } from "../read/operations.ts";
import { copyObject, rewrite, walk } from "../read/walk.ts";
import { componentName, follow, referenceTo, schemasOf } from "./references.ts";

interface Side {
  /** the mark of properties this side need not carry */
  readonly mark: "readOnly" | "writeOnly";
  readonly suffix: "Request" | "Response";
}

const requestSide: Side = { mark: "readOnly", suffix: "Request" };
const responseSide: Side = { mark: "writeOnly", suffix: "Response" };

/** Changes the document in place (it is the generator's own copy). */
export function splitDirections(document: JsonObject, origins: Origins): void {
  const components = isObject(document["components"]) ? document["components"] : {};
  for (const side of [requestSide, responseSide]) {
    const variants = new Variants(document, side, origins);
    if (variants.none) continue;
    const folder = side === requestSide ? "requestBodies" : "responses";
    for (const [, shared] of entriesOf(components[folder])) variants.apply(shared);
    for (const [path, value] of entriesOf(document["paths"])) {
      const item = path.startsWith("x-") ? undefined : follow(document, value);
      for (const { operation } of operationsOf(item)) {
        if (side === requestSide) variants.apply(operation["requestBody"]);
        else for (const [, response] of entriesOf(operation["responses"])) variants.apply(response);
      }
    }
  }
}

class Variants {
  readonly #document: JsonObject;
  readonly #side: Side;
  readonly #origins: Origins;
  readonly #affected: ReadonlySet<string>;
  readonly #inline: boolean;
  readonly #names = new Map<string, string>();

  constructor(document: JsonObject, side: Side, origins: Origins) {
    this.#document = document;
    this.#side = side;
    this.#origins = origins;
    this.#affected = this.#findAffected();
    this.#inline = this.#lessRequiredSomewhere(document["paths"] ?? null);
  }

  get none(): boolean {
    return this.#affected.size === 0 && !this.#inline;
  }

  /** Rewrites the media types of one request body or response. */
  apply(node: Json | undefined): void {
    if (!isObject(node)) return;
    for (const [, media] of entriesOf(node["content"])) {
      if (isObject(media) && media["schema"] !== undefined)
        put(media, "schema", this.#variant(media["schema"]));
    }
  }

  #variant(schema: Json): Json {
    return rewrite(schema, "Schema", {
      origins: this.#origins,
      rewriter: (node, kind) => (kind === "Schema" ? this.#relaxed(node) : node),
    });
  }

  /** Without the names this side need not carry, and referring to other variants. */
  #relaxed(node: JsonObject): JsonObject {
    const missing = new Set<Json>(this.#exempt(node));
    const required = itemsOf(node["required"]).filter((name) => !missing.has(name));
    if (missing.size > 0) {
      if (required.length === 0) delete node["required"];
      else put(node, "required", required);
    }
    const name = typeof node["$ref"] === "string" ? componentName(node["$ref"]) : undefined;
    if (name !== undefined && this.#affected.has(name)) {
      put(node, "$ref", referenceTo(this.#variantName(name)));
    }
    const discriminator = node["discriminator"];
    if (isObject(discriminator)) this.#keepTags(discriminator, node);
    return node;
  }

  /** A variant keeps the tags of the schema it was made of: those of the mapping, or its name. */
  #keepTags(discriminator: JsonObject, node: JsonObject): void {
    const members = new Set(
      [...itemsOf(node["oneOf"]), ...itemsOf(node["anyOf"])].map((member) =>
        isObject(member) ? member["$ref"] : undefined,
      ),
    );
    const variants = [...this.#names].filter(([, variant]) => members.has(referenceTo(variant)));
    if (variants.length === 0) return;
    const written = isObject(discriminator["mapping"]) ? discriminator["mapping"] : {};
    const mapping = copyObject(written, this.#origins);
    for (const [name, variant] of variants) {
      const reference = referenceTo(variant);
      const meant = (target: Json | undefined): boolean =>
        typeof target === "string" && componentName(target) === name;
      const tags = entriesOf(written).flatMap(([tag, target]) => (meant(target) ? [tag] : []));
      for (const tag of tags.length > 0 ? tags : [name]) put(mapping, tag, reference);
      if (meant(discriminator["defaultMapping"])) put(discriminator, "defaultMapping", reference);
    }
    put(discriminator, "mapping", mapping);
  }

  #variantName(name: string): string {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const schemas = schemasOf(this.#document);
    let variant = `${name}${this.#side.suffix}`;
    for (let number = 2; Object.hasOwn(schemas, variant); number += 1)
      variant = `${name}${this.#side.suffix}_${number}`;
    this.#names.set(name, variant);
    put(schemas, variant, true); // the name is taken while the variant is being made
    put(schemas, variant, this.#variant(schemas[name] ?? true));
    return variant;
  }

  /** Required names of this object that this side need not carry. */
  #exempt(node: JsonObject): string[] {
    const properties = isObject(node["properties"]) ? node["properties"] : {};
    return itemsOf(node["required"]).filter((name): name is string => {
      const property =
        typeof name === "string" && Object.hasOwn(properties, name) ? properties[name] : undefined;
      return isObject(property) && this.#isMarked(property);
    });
  }

  #isMarked(property: JsonObject): boolean {
    if (property[this.#side.mark] === true) return true;
    const name = typeof property["$ref"] === "string" ? componentName(property["$ref"]) : undefined;
    const target = name === undefined ? undefined : schemasOf(this.#document)[name];
    return isObject(target) && target[this.#side.mark] === true;
  }

  #lessRequiredSomewhere(node: Json): boolean {
    let found = false;
    const look = (value: Json): void => {
      walk(value, "Schema", (schema) => {
        found ||= this.#exempt(schema).length > 0;
      });
    };
    for (const [, item] of entriesOf(node)) {
      walk(item, "PathItem", (child, kind) => {
        if (kind === "MediaType" && child["schema"] !== undefined) look(child["schema"]);
      });
    }
    return found;
  }

  /** Components in which the side makes a difference, and those that refer to one of them. */
  #findAffected(): ReadonlySet<string> {
    const schemas = schemasOf(this.#document);
    const users = new Map<string, string[]>();
    const affected = new Set<string>();
    for (const [name, schema] of Object.entries(schemas)) {
      walk(schema, "Schema", (node, kind) => {
        if (kind !== "Schema") return;
        const target = typeof node["$ref"] === "string" ? componentName(node["$ref"]) : undefined;
        if (target !== undefined) users.set(target, [...(users.get(target) ?? []), name]);
        if (this.#exempt(node).length > 0) affected.add(name);
      });
    }
    // a set grows while it is walked, so this reaches users of users
    for (const name of affected) for (const user of users.get(name) ?? []) affected.add(user);
    return affected;
  }
}
