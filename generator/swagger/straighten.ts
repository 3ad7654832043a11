// A Swagger 2.0 document in one piece: what other files hold is taken in, and each operation has all of its
// parameters itself, those of the path and shared bodies and fields of forms among them.

import { nameOf } from "../check/fields.ts";
import type { Json, JsonObject } from "../json.ts";
import {
  at,
  entriesOf,
  escapeToken,
  fragmentOf,
  isObject,
  itemsOf,
  pointerTokens,
  put,
  textOf,
} from "../json.ts";
import { type Load, locate, type Target } from "../read/locate.ts";
import type { Report } from "../read/origins.ts";
import { Resources } from "../read/resources.ts";
import type { Source } from "../read/source.ts";

const places: readonly string[] = ["query", "header", "path", "formData", "body"];

const methods: ReadonlySet<string> = new Set("get put post delete options head patch".split(" "));

/** References into references, of parameters and path items. */
const stepsMax = 50;

export class Straightener {
  readonly #root: Source;
  readonly #load: Load;
  readonly #report: Report;
  readonly #resources: Resources;
  readonly #names = new Map<string, string>();
  readonly #definitions: JsonObject = {};

  constructor(root: Source, load: Load, report: Report) {
    this.#root = root;
    this.#load = load;
    this.#report = report;
    this.#resources = new Resources(report, false);
  }

  run(): JsonObject {
    const { data } = this.#root;
    if (!isObject(data)) return {};
    this.#expectResponses(data["responses"] ?? null);
    for (const [name, parameter] of entriesOf(data["parameters"]))
      this.#expectParameter(data["parameters"] ?? null, name, parameter);
    const copy = this.#copyOf(data, {
      paths: (paths) =>
        this.#mapOf(paths, (item, name) => (name.startsWith("x-") ? item : this.#pathItem(item))),
      definitions: (map) => this.#mapOf(map, (schema) => this.#schema(schema)),
      parameters: (map) =>
        this.#mapOf(map, (parameter) =>
          isInBody(parameter) ? undefined : this.#parameter(parameter),
        ),
      responses: (map) => this.#mapOf(map, (response) => this.#response(response)),
    });
    if (Object.keys(this.#definitions).length === 0) return copy;
    const own = isObject(copy["definitions"])
      ? copy["definitions"]
      : this.#report.origins.copy<JsonObject>(data, {});
    for (const [name, schema] of entriesOf(this.#definitions)) put(own, name, schema);
    put(copy, "definitions", own);
    return copy;
  }

  /** A copy that stands where its original does; some of its properties are rewritten. */
  #copyOf(
    node: JsonObject,
    rewriters: Readonly<Record<string, (value: Json) => Json>>,
  ): JsonObject {
    const copy = this.#report.origins.copy<JsonObject>(node, {});
    for (const [name, value] of Object.entries(node)) {
      const rewriter = Object.hasOwn(rewriters, name) ? rewriters[name] : undefined;
      put(copy, name, rewriter === undefined ? value : rewriter(value));
    }
    return copy;
  }

  #mapOf(map: Json, rewrite: (value: Json, name: string) => Json | undefined): Json {
    if (!isObject(map)) return map;
    const copy = this.#report.origins.copy<JsonObject>(map, {});
    for (const [name, value] of Object.entries(map)) {
      const rewritten = rewrite(value, name);
      if (rewritten !== undefined) put(copy, name, rewritten);
    }
    return copy;
  }

  #listOf(list: Json, rewrite: (value: Json) => Json): Json {
    return Array.isArray(list) ? this.#report.origins.copy(list, list.map(rewrite)) : list;
  }

  #pathItem(value: Json): Json {
    const item = this.#end(value);
    if (!isObject(item)) return value;
    this.#expectList(item, "parameters");
    for (const method of methods) {
      const operation = item[method];
      if (operation === undefined || isObject(operation)) continue;
      const message = `an operation must be an object, not ${nameOf(operation)}`;
      this.#report.error("OAG310", [item, method], [message, "write an operation here"]);
    }
    const shared = itemsOf(item["parameters"]).map((one) => this.#parameter(one));
    const operations = Object.fromEntries(
      [...methods].map((method) => [method, (one: Json) => this.#operation(one, shared)]),
    );
    const copy = this.#copyOf(item, operations);
    delete copy["parameters"];
    delete copy["$ref"];
    return copy;
  }

  /** `shared`: the parameters of the path, of which each gives way to one of the operation's own. */
  #operation(value: Json, shared: readonly Json[]): Json {
    if (!isObject(value)) return value;
    this.#expectList(value, "parameters");
    const copy = this.#copyOf(value, {
      responses: (map) =>
        this.#mapOf(map, (response, name) =>
          name.startsWith("x-") ? response : this.#response(response),
        ),
    });
    this.#expectResponses(value["responses"] ?? null);
    const own = itemsOf(value["parameters"]).map((one) => this.#parameter(one));
    const keys = new Set(own.map((one) => this.#keyOf(one)));
    const all = [...shared.filter((one) => !keys.has(this.#keyOf(one))), ...own];
    if (all.length > 0) put(copy, "parameters", this.#report.origins.copy(value, all));
    return copy;
  }

  /** What the converter reads without looking at it. */
  #expectList(owner: JsonObject, name: string): void {
    const list = owner[name];
    if (list === undefined) return;
    if (!Array.isArray(list)) {
      const message = `"${name}" must be an array, not ${nameOf(list)}`;
      this.#report.error("OAG310", [owner, name], [message, "write an array"]);
    }
    for (const [index, one] of itemsOf(list).entries()) this.#expectParameter(list, index, one);
  }

  #expectParameter(holder: Json, name: string | number, parameter: Json): void {
    const target = this.#end(parameter);
    const where = [holder as object, name] as const; // what has entries
    const isReference = isObject(parameter) && parameter["$ref"] !== undefined;
    if (isReference && target === undefined) return; // of a reference it has been said
    if (!isObject(target)) {
      const message = `a parameter must be an object, not ${nameOf(parameter)}`;
      this.#report.error("OAG310", where, [message, "write a parameter here"]);
      return;
    }
    const place = target["in"];
    if (typeof place !== "string" || !places.includes(place)) {
      const advice = `write one of ${places.join(", ")}`;
      this.#report.error("OAG310", where, ['a parameter of Swagger 2.0 needs "in"', advice]);
    } else if (place === "body" && target["schema"] === undefined) {
      const said = ['the parameter of the body needs "schema"', 'add "schema"'] as const;
      this.#report.error("OAG310", where, said);
    }
  }

  #expectResponses(map: Json): void {
    for (const [name, response] of entriesOf(map)) {
      if (isObject(response) || name.startsWith("x-") || !isObject(map)) continue;
      const message = `a response must be an object, not ${nameOf(response)}`;
      this.#report.error("OAG310", [map, name], [message, "write a response here"]);
    }
  }

  /** There is one body, whatever its name. */
  #keyOf(parameter: Json): string {
    const target = this.#end(parameter);
    if (!isObject(target)) return "";
    const place = textOf(target["in"]) ?? "";
    return place === "body" ? place : `${place} ${textOf(target["name"]) ?? ""}`;
  }

  /** Those of the document stay references, but for bodies and fields of forms, which 3.0 has no parameters for. */
  #parameter(value: Json): Json {
    const target = this.#end(value);
    if (!isObject(value) || !isObject(target)) return value;
    const reference = textOf(value["$ref"]);
    const isKept = reference?.startsWith("#/parameters/") === true && this.#isOfRoot(value);
    if (isKept && !isInBody(target)) return value;
    return this.#copyOf(target, { schema: (schema) => this.#schema(schema) });
  }

  #response(value: Json): Json {
    if (!isObject(value)) return value;
    const reference = textOf(value["$ref"]);
    const target = this.#end(value);
    if (reference?.startsWith("#/") === true && this.#isOfRoot(value)) return value;
    if (!isObject(target)) return value;
    return this.#copyOf(target, {
      schema: (schema) => this.#schema(schema),
      headers: (map) => this.#mapOf(map, (one) => (isObject(one) ? this.#copyOf(one, {}) : one)),
    });
  }

  #schema(value: Json): Json {
    if (!isObject(value)) return value;
    const copy = this.#copyOf(value, {
      properties: (map) => this.#mapOf(map, (one) => this.#schema(one)),
      additionalProperties: (one) => this.#schema(one),
      items: (one) =>
        Array.isArray(one) ? this.#listOf(one, (each) => this.#schema(each)) : this.#schema(one),
      allOf: (list) => this.#listOf(list, (one) => this.#schema(one)),
    });
    oneType(copy);
    const reference = textOf(value["$ref"]);
    if (reference === undefined) return copy;
    const target = this.#find(value, reference);
    if (target !== undefined && !(target.source === this.#root && reference.startsWith("#")))
      put(copy, "$ref", this.#take(target));
    return copy;
  }

  #take(target: Target): string {
    if (target.source === this.#root) return fragmentOf(target.pointer);
    const key = `${target.source.file}#${target.pointer}`;
    const known = this.#names.get(key);
    if (known !== undefined) return fragmentOf(`/definitions/${escapeToken(known)}`);
    const name = this.#nameFor(target);
    this.#names.set(key, name);
    put(this.#definitions, name, {}); // the name is taken while the schema itself is being read
    put(this.#definitions, name, this.#schema(target.value));
    return fragmentOf(`/definitions/${escapeToken(name)}`);
  }

  #nameFor({ source, pointer }: Target): string {
    const file = source.file.replace(/^.*\//, "").replace(/\.[a-z]+$/i, "");
    const wanted = (pointerTokens(pointer).at(-1) ?? file).replace(/[^A-Za-z0-9._-]+/g, "_");
    const own = at(this.#root.data, "/definitions");
    const isTaken = (name: string): boolean =>
      Object.hasOwn(this.#definitions, name) || (isObject(own) && Object.hasOwn(own, name));
    let name = wanted || "Part";
    for (let number = 2; isTaken(name); number += 1) name = `${wanted}_${number}`;
    return name;
  }

  /** What a chain of references ends with. */
  #end(value: Json): Json | undefined {
    let found: Json | undefined = value;
    for (let steps = 0; isObject(found) && steps < stepsMax; steps++) {
      const reference = textOf(found["$ref"]);
      if (reference === undefined) return found;
      found = this.#find(found, reference)?.value;
    }
    return undefined;
  }

  #isOfRoot(node: JsonObject): boolean {
    return (this.#report.origins.sourceOf(node) ?? this.#root) === this.#root;
  }

  #find(node: JsonObject, reference: string): Target | undefined {
    return locate({
      reference,
      from: this.#report.origins.sourceOf(node) ?? this.#root,
      load: this.#load,
      resources: this.#resources,
      refuse: (code, said) => {
        this.#report.error(code, [node, "$ref"], said);
      },
    });
  }
}

export function isInBody(parameter: Json): boolean {
  if (!isObject(parameter)) return false;
  return parameter["in"] === "body" || parameter["in"] === "formData";
}

/** Null in a list of types, which draft 4 has and OpenAPI 3.0 has not. */
function oneType(schema: JsonObject): void {
  const named = itemsOf(schema["type"]);
  const [only, ...others] = named.filter((type) => type !== "null");
  if (only === undefined || others.length > 0) return;
  put(schema, "type", only);
  if (named.includes("null")) put(schema, "x-nullable", true);
}
