// The document that types.ts is made of, in the words that types have. Where openapi-typescript would refuse it, lose
// something or say it differently, it is written so that both understand it: the tests hold one against the other.

import type { Json, JsonObject } from "../json.ts";
import { copyEntries, entriesOf, isObject, itemsOf, pointerTokens, put, textOf } from "../json.ts";
import type { Model } from "../model/model.ts";
import { hasName } from "../model/paths.ts";
import { isQuerystring } from "../model/querystring.ts";
import { fileMark } from "../normalise/files.ts";
import { codecOf } from "../normalise/codecs.ts";
import { follow, targetOf } from "../normalise/references.ts";
import { decodeFragment } from "../read/locate.ts";
import { Origins } from "../read/origins.ts";
import { operationsOf } from "../read/operations.ts";
import { componentFolders, type Kind } from "../read/shapes.ts";
import { rewrite, type Rewriting } from "../read/walk.ts";
import { nullnessIn } from "./nullness.ts";
import { possibleTypes } from "./possible-types.ts";
import { asObject, typedSchema } from "./typed-schemas.ts";

export function typedDocument(model: Model): JsonObject {
  const origins = new Origins();
  const facts = {
    nullness: nullnessIn(model.document),
    possibleTypes: (schema: Json) => possibleTypes(schema, model.document),
  };
  const names = new Map(
    model.operations.map(({ method, path, operationId }) => [`${method} ${path}`, operationId]),
  );
  const whole = withoutAliases(model.document);
  // a header may be one of a part of its own content
  const within = new Set<Json>();
  const writtenOut = (target: Json, kind: Kind): Json => {
    within.add(target);
    const copy = rewrite(target, kind, rewriting);
    within.delete(target);
    return copy;
  };
  const rewriting: Rewriting = {
    origins,
    rewriter(node, kind) {
      const target = targetElsewhere(whole, node, kind);
      if (target !== undefined) return within.has(target) ? {} : writtenOut(target, kind);
      removeData(node, kind);
      if (kind === "Schema") return typedSchema(node, facts);
      withObjects(node);
      if (kind !== "Parameter") return node;
      return isQuerystring(node) ? asQueryParameter(node) : withContentSchema(node);
    },
  };
  const copy = rewrite(whole, "Document", rewriting);
  if (!isObject(copy)) return {};
  // a path item may stand under several paths; its operations have a name of their own in each
  for (const [path, target] of entriesOf(copy["paths"])) {
    for (const { method, operation } of operationsOf(target)) {
      const name = names.get(`${method} ${path}`);
      if (name !== undefined) put(operation, "operationId", name);
    }
  }
  if (copy["components"] === undefined) put(copy, "components", {}); // there is a type of them in any case
  if (isObject(copy["components"])) {
    removeNames(copy["components"]["pathItems"]);
    delete copy["components"]["mediaTypes"]; // no reference to one is left
  }
  removeUnplaced(copy);
  moveOverridden(copy);
  moveOthers(copy, origins);
  delete copy["webhooks"];
  return copy;
}

/**
 * What a reference into a path or into another component means (`#/paths/~1a/get/parameters/0`): the types have other
 * names there, or none. Undefined: it is none of these. Of schemas each has a component.
 */
function targetElsewhere(document: JsonObject, node: JsonObject, kind: Kind): Json | undefined {
  const reference = textOf(node["$ref"]);
  const folder = componentFolders[kind];
  if (reference === undefined || folder === undefined || kind === "Schema") return undefined;
  const [top, group, ...names] = pointerTokens(decodeFragment(reference.slice(1)));
  if (top === "components" && group === folder && names.length === 1) return undefined;
  return targetOf(document, reference);
}

/** openapi-typescript knows no place for the whole query. */
function asQueryParameter({ name = "", required = false, content }: JsonObject): JsonObject {
  const [media] = Object.values(isObject(content) ? content : {});
  const schema = isObject(media) ? (media["schema"] ?? {}) : {};
  return { name, in: "query", required, schema };
}

/** Handlers get what the text stands for; openapi-typescript takes every such parameter for text. */
function withContentSchema(node: JsonObject): JsonObject {
  const [content] = entriesOf(node["content"]);
  if (content === undefined) return node;
  const [name, media] = content;
  const any = codecOf(name) === "json" ? {} : { type: "string" };
  return { ...node, schema: (isObject(media) ? media["schema"] : undefined) ?? any };
}

/**
 * Parameters of a path that has no place for them are ignored, those that lead nowhere, and of several with one
 * name all but the first.
 */
function removeUnplaced(document: JsonObject): void {
  for (const [path, item] of entriesOf(document["paths"])) {
    if (!isObject(item)) continue;
    for (const owner of [item, ...operationsOf(item).map(({ operation }) => operation)]) {
      if (owner["parameters"] === undefined) continue;
      const seen = new Set<string>();
      const placed = itemsOf(owner["parameters"]).filter((one) => {
        const target = follow(document, one);
        if (target === undefined) return false;
        const written = textOf(target["name"]) ?? "";
        const name = target["in"] === "header" ? written.toLowerCase() : written;
        const key = `${textOf(target["in"]) ?? ""} ${name}`;
        if (seen.has(key)) return false;
        seen.add(key);
        return target["in"] !== "path" || hasName(path, textOf(target["name"]) ?? "");
      });
      put(owner, "parameters", placed);
    }
  }
}

/**
 * Header names are the same in any case (RFC 9110 section 5.1), and openapi-typescript takes them as they are written:
 * a path's header that one of its operations writes in another case is written out in the others.
 */
function moveOverridden(document: JsonObject): void {
  const headerOf = (one: Json): string | undefined => {
    const target = follow(document, one);
    return target?.["in"] === "header" ? textOf(target["name"]) : undefined;
  };
  for (const [, item] of entriesOf(document["paths"])) {
    if (!isObject(item)) continue;
    const operations = operationsOf(item).map(({ operation }) => operation);
    for (const one of itemsOf(item["parameters"])) {
      const name = headerOf(one);
      if (name === undefined) continue;
      const own = operations.map((operation) =>
        itemsOf(operation["parameters"])
          .map(headerOf)
          .find((other) => other?.toLowerCase() === name.toLowerCase()),
      );
      if (!own.some((other) => other !== undefined && other !== name)) continue;
      put(
        item,
        "parameters",
        itemsOf(item["parameters"]).filter((other) => other !== one),
      );
      for (const [at, operation] of operations.entries())
        if (own[at] === undefined)
          put(operation, "parameters", [...itemsOf(operation["parameters"]), one]);
    }
  }
}

/** Of operations that stand under a path as well, which have their names there. */
function removeNames(items: Json | undefined): void {
  for (const [, item] of entriesOf(items)) {
    for (const { operation } of operationsOf(item)) delete operation["operationId"];
  }
}

const known = new Set("GET PUT POST DELETE OPTIONS HEAD PATCH TRACE".split(" "));

/** Operations whose method openapi-typescript does not know; those of `components` are written like any other. */
function moveOthers(document: JsonObject, origins: Origins): void {
  const moved: JsonObject = {};
  for (const [path, item] of entriesOf(document["paths"])) {
    if (!isObject(item)) continue;
    const { parameters = [] } = item;
    for (const { method, operation } of operationsOf(item)) {
      if (known.has(method)) continue;
      put(moved, `${method} ${path}`, { parameters, post: operation });
    }
    delete item["query"];
    delete item["additionalOperations"];
  }
  if (Object.keys(moved).length === 0) return;
  const components = isObject(document["components"]) ? document["components"] : {};
  const existing = isObject(components["pathItems"]) ? components["pathItems"] : {};
  put(components, "pathItems", origins.copy(existing, { ...existing, ...moved }));
  put(document, "components", components);
}

const unread: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  Components: ["examples", "links", "callbacks", "securitySchemes"],
  Operation: ["callbacks"],
  Response: ["links"],
  MediaType: ["example", "examples"],
  Parameter: ["examples"],
  Header: ["examples"],
};

/** Nothing of these becomes a type, or is said of one. */
function removeData(node: JsonObject, kind: Kind): void {
  for (const name of Object.keys(node)) {
    if (name.startsWith("x-") && name !== fileMark) delete node[name];
  }
  for (const name of unread[kind] ?? []) delete node[name];
  if (kind === "Operation" && node["responses"] !== undefined) {
    const answers = entriesOf(node["responses"]).filter(([key]) => !key.startsWith("x-"));
    put(node, "responses", Object.fromEntries(answers));
  }
}

const aliased = ["responses", "requestBodies", "parameters", "headers", "pathItems"];

/** Path items and components that only refer to others, written out; it does not follow them. */
function withoutAliases(document: JsonObject): JsonObject {
  const writtenOut = (entries: readonly (readonly [string, Json])[]): JsonObject => {
    const copy: JsonObject = {};
    for (const [name, item] of entries) put(copy, name, follow(document, item) ?? item);
    return copy;
  };
  const copy = copyEntries(document);
  const paths = entriesOf(document["paths"]).filter(([path]) => !path.startsWith("x-"));
  put(copy, "paths", writtenOut(paths));
  if (isObject(document["components"])) {
    const components = copyEntries(document["components"]);
    for (const folder of aliased) {
      const group = components[folder];
      if (group !== undefined) put(components, folder, writtenOut(entriesOf(group)));
    }
    put(copy, "components", components);
  }
  return copy;
}

/** Of everything that holds schemas and is none: components, media types, parameters, headers. */
function withObjects(node: JsonObject): void {
  if (node["schema"] !== undefined) put(node, "schema", asObject(node["schema"]));
  const schemas = node["schemas"];
  if (!isObject(schemas)) return;
  for (const [name, schema] of entriesOf(schemas)) put(schemas, name, asObject(schema));
}
