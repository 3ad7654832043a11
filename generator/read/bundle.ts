// Makes one document out of several files: everything another file holds is taken into this
// document, components under `components`, path items in place. Local references are checked.

import type { Json, JsonObject } from "../json.ts";
import {
  at,
  copyEntries,
  entriesOf,
  escapeToken,
  fragmentOf,
  isObject,
  pointerTokens,
  put,
  textOf,
} from "../json.ts";
import { isKnownDialect } from "../check/dialect.ts";
import type { Said } from "../problems.ts";
import { applyVocabularies } from "../check/vocabularies.ts";
import {
  addReference,
  dynamicName,
  removeNames,
  resourceOfPart,
  unfoldDynamic,
} from "./dynamic.ts";
import { checkLocalKinds } from "./local-kinds.ts";
import { decodeFragment, type Load, locate, type Target } from "./locate.ts";
import type { Report } from "./origins.ts";
import { isAddress, type Resource, Resources } from "./resources.ts";
import { isSchemeReference, renameSchemes } from "./scheme-references.ts";
import type { Field, Kind } from "./shapes.ts";
import { componentFolders, shapes } from "./shapes.ts";
import { closest } from "./similar.ts";
import { saySlip } from "./slips.ts";
import type { Source } from "./source.ts";
import { leaveOut } from "./leave-out.ts";
import { rewrite, type Rewriting } from "./walk.ts";

/** The whole document in one piece; every `$ref` in it begins with "#/". */
export function bundle(root: Source, load: Load, report: Report): JsonObject {
  return new Bundler(root, load, report).run();
}

class Bundler {
  readonly #root: Source;
  readonly #load: Load;
  readonly #report: Report;
  readonly #rewriting: Rewriting;
  /** file and pointer of what was taken in, to the reference that finds it here */
  readonly #imported = new Map<string, string>();
  readonly #groups = new Map<string, JsonObject>();
  readonly #resources: Resources;
  /** resources of other files of which something stands in the document */
  readonly #reached = new Set<Resource>();
  /** names that a `$dynamicRef` looks for */
  readonly #sought = new Set<string>();
  /** what refers to nothing, where that is allowed */
  readonly #lost = new Set<Json>();
  /** file and pointer of what is being written out in place */
  readonly #open = new Set<string>();
  /** whether security requirements may name schemes by URI */
  readonly #hasSchemeReferences: boolean;

  constructor(root: Source, load: Load, report: Report) {
    this.#root = root;
    this.#load = load;
    this.#report = report;
    const rewriter = (node: JsonObject, kind: Kind): Json => this.#resolve(node, kind);
    this.#rewriting = { origins: report.origins, rewriter };
    // 3.0 has none of the keywords of resources
    const version = isObject(root.data) ? textOf(root.data["openapi"]) : undefined;
    this.#hasSchemeReferences = version?.startsWith("3.2") === true;
    const areNamed = version?.startsWith("3.0") !== true || report.allows("OAG303");
    this.#resources = new Resources(report, areNamed);
  }

  run(): JsonObject {
    this.#resources.index(this.#root);
    const result = rewrite(this.#root.data, "Document", this.#rewriting);
    const document = isObject(result) ? result : {};
    const anchors = this.#takeAnchors();
    addComponents(document, this.#groups, this.#report);
    if (this.#sought.size > 0) {
      const outermost = this.#root.uri;
      unfoldDynamic({ document, anchors, outermost, report: this.#report });
    }
    if (this.#resources.hasNames) removeNames(document);
    checkLocalKinds(document, this.#report, this.#lost);
    leaveOut(this.#lost, document);
    return document;
  }

  /** What the names that are looked for stand for, in every resource of which the document holds a part. */
  #takeAnchors(): Map<string, Map<string, string>> {
    const found = new Map<string, Map<string, string>>();
    // a taken anchor may bring further resources, and further names
    for (let size = -1; size !== this.#reached.size + this.#sought.size;) {
      size = this.#reached.size + this.#sought.size;
      for (const resource of [...this.#reached, ...this.#resources.within(this.#root, "")]) {
        const names = found.get(resource.uri) ?? new Map<string, string>();
        found.set(resource.uri, names);
        for (const [name, { pointer, isDynamic }] of resource.anchors) {
          if (!isDynamic || !this.#sought.has(name)) continue;
          const { source } = resource;
          const value = at(source.data, pointer) ?? true;
          const local = this.#take({ source, pointer, value, isDynamic }, "Schema");
          if (local !== undefined) names.set(name, local);
        }
      }
    }
    return found;
  }

  #resolve(node: JsonObject, kind: Kind): Json {
    if (kind === "Discriminator") return this.#resolveMapping(node);
    if (kind === "Document" || kind === "Operation") this.#resolveSchemes(node);
    for (const [name, inner] of mapsOf(kind)) this.#resolveMap(node[name], name, inner);
    const result = this.#resolveStatic(node, kind);
    if (kind === "Schema") {
      if (node["$dynamicRef"] !== undefined) this.#resolveDynamic(node);
      if (node["$schema"] !== undefined) this.#speak(node);
    }
    return result;
  }

  #resolveStatic(node: JsonObject, kind: Kind): Json {
    const reference = textOf(node["$ref"]);
    if (reference === undefined) return node;
    if (shapes[kind].reference !== true) return this.#resolveAnyway(node, kind, reference);
    const target = this.#find(node, reference, { kind });
    if (target === undefined) return this.#leadingNowhere(node, kind);
    if (/^#(?:\/|$)/.test(reference) && target.source === this.#root) return node; // as it was written
    const local = this.#take(target, kind);
    if (local === undefined) return this.#inline(node, kind, target);
    put(node, "$ref", local);
    return node;
  }

  /** Where OpenAPI knows no reference, many write one all the same, and mean what it leads to. */
  #resolveAnyway(node: JsonObject, kind: Kind, reference: string): Json {
    const target = this.#find(node, reference, { kind });
    if (target === undefined) return node;
    if (!this.#mayWriteOut(node, target, shapes[kind].article)) return node;
    const result = this.#inline(node, kind, target);
    this.#open.delete(keyOf(target));
    return result;
  }

  /** A map of parts with a reference among them, to a map with more of them. */
  #resolveMap(map: Json | undefined, name: string, kind: Kind): void {
    // a property may be called "$ref", and then a schema stands there
    const reference = isObject(map) ? textOf(map["$ref"]) : undefined;
    if (!isObject(map) || reference === undefined) return;
    const target = this.#find(map, reference);
    if (target === undefined) return;
    if (!this.#mayWriteOut(map, target, `"${name}"`)) return;
    delete map["$ref"];
    for (const [key, part] of entriesOf(target.value)) {
      if (!Object.hasOwn(map, key)) put(map, key, rewrite(part, kind, this.#rewriting));
    }
    this.#open.delete(keyOf(target));
  }

  /** Of what a reference of OpenAPI would not lead to. Says so; false where there is no end of it. */
  #mayWriteOut(node: JsonObject, target: Target, what: string): boolean {
    const report = this.#report;
    if (this.#open.has(keyOf(target))) {
      report.error(
        "OAG216",
        [node, "$ref"],
        ["the reference leads back to itself", "write out here what it stands for"],
      );
      return false;
    }
    const message = `${what} has no "$ref" in OpenAPI; what it refers to stands in its place`;
    report.warning("OAG220", [node, "$ref", "key"], [message, "write it out here"]);
    this.#open.add(keyOf(target));
    return true;
  }

  /** Reported. Where that is allowed, a schema says nothing in its place, and anything else goes. */
  #leadingNowhere(node: JsonObject, kind: Kind): JsonObject {
    if (kind === "Schema" && this.#lost.delete(node)) delete node["$ref"];
    return node;
  }

  /** Without a `$dynamicAnchor` where it leads it is a `$ref` (JSON Schema core, section 8.2.3.2). */
  #resolveDynamic(node: JsonObject): void {
    const reference = textOf(node["$dynamicRef"]) ?? "";
    const target = this.#find(node, reference, { name: "$dynamicRef", kind: "Schema" });
    const local = target === undefined ? undefined : this.#take(target, "Schema");
    if (target === undefined && this.#lost.delete(node)) delete node["$dynamicRef"];
    if (target === undefined || local === undefined) return;
    if (!target.isDynamic) {
      delete node["$dynamicRef"];
      addReference(node, local);
      return;
    }
    const name = decodeFragment(reference.slice(reference.indexOf("#") + 1));
    this.#sought.add(name);
    put(node, "$dynamicRef", local);
    put(node, dynamicName, name);
  }

  /** A schema may name a language of its own, of which there is a copy. */
  #speak(node: JsonObject): void {
    const from = this.#report.origins.sourceOf(node) ?? this.#root;
    const name = textOf(node["$schema"]) ?? "";
    const source = isKnownDialect(name) || !isAddress(name) ? undefined : this.#load(name, from);
    if (source !== undefined && "data" in source) applyVocabularies(node, source, this.#report);
  }

  /** Takes the target into the document and says how to refer to it there. */
  #take(target: Target, kind: Kind): string | undefined {
    if (target.source === this.#root) return fragmentOf(target.pointer);
    const key = keyOf(target);
    const known = this.#imported.get(key);
    if (known !== undefined) return known;
    const folder = componentFolders[kind];
    if (folder === undefined) return undefined;
    const name = this.#nameFor(folder, target);
    const reference = fragmentOf(`/components/${folder}/${escapeToken(name)}`);
    this.#imported.set(key, reference);
    const group = this.#groups.get(folder) ?? {};
    this.#groups.set(folder, group);
    put(group, name, null); // the name is taken while the part itself is being read
    saySlip(target.source, { value: target.value, kind }, this.#report);
    const part = rewrite(target.value, kind, this.#rewriting);
    put(group, name, part);
    const around = this.#resources.around(target.source, target.pointer);
    for (const one of this.#resources.within(target.source, target.pointer)) this.#reached.add(one);
    if (around !== undefined) {
      this.#reached.add(around);
      const isMarked = [...around.anchors.values()].some(({ isDynamic }) => isDynamic);
      if (isMarked && isObject(part) && kind === "Schema") put(part, resourceOfPart, around.uri);
    }
    return reference;
  }

  #nameFor(folder: string, target: Target): string {
    const last =
      pointerTokens(target.pointer).at(-1) ??
      target.source.file.replace(/^.*\//, "").replace(/\.[a-z]+$/i, "");
    const wanted = last.replace(/[^A-Za-z0-9._-]+/g, "_") || "Part";
    const taken = (name: string): boolean =>
      at(this.#root.data, `/components/${folder}/${escapeToken(name)}`) !== undefined ||
      Object.hasOwn(this.#groups.get(folder) ?? {}, name);
    let name = wanted;
    for (let number = 2; taken(name); number += 1) name = `${wanted}_${number}`;
    return name;
  }

  /** Path items have no references of their own in tools; they are written out in place. */
  #inline(node: JsonObject, kind: Kind, target: Target): Json {
    saySlip(target.source, { value: target.value, kind }, this.#report);
    const copy = rewrite(target.value, kind, this.#rewriting);
    if (!isObject(copy)) return node;
    const siblings = Object.entries(node).filter(([name]) => name !== "$ref");
    for (const [name, item] of siblings) put(copy, name, item);
    return copy;
  }

  #resolveMapping(node: JsonObject): Json {
    this.#resolveTarget(node, "defaultMapping", node);
    const mapping = node["mapping"];
    if (!isObject(mapping)) return node;
    const copy = this.#report.origins.copy(mapping, copyEntries(mapping));
    for (const tag of Object.keys(mapping)) this.#resolveTarget(mapping, tag, copy);
    put(node, "mapping", copy);
    return node;
  }

  #resolveTarget(from: JsonObject, name: string, to: JsonObject): void {
    const text = textOf(from[name]);
    if (text === undefined) return;
    // a bare name means a component of this document; anything with a path is a reference
    if (!/[#/]|\.(ya?ml|json)$/.test(text) || this.#schemaNames().includes(text)) {
      if (!this.#checkMappingName(from, name, text)) delete to[name];
      return;
    }
    // A mapping chooses among schemas that stand elsewhere: without the file nothing is guessed.
    const refuseFile = ([message, advice]: Said): void => {
      const said = [`the mapping names a file, and ${message}`, advice] as const;
      this.#sayMapping(from, name, [nameIn(text), said]);
      this.#lost.add(from);
    };
    const target = this.#find(from, text, { name, kind: "Schema", refuseFile });
    const local = target === undefined ? undefined : this.#take(target, "Schema");
    if (local !== undefined) put(to, name, local);
    else if (this.#lost.delete(from)) delete to[name];
  }

  #resolveSchemes(node: JsonObject): void {
    if (!this.#hasSchemeReferences) return;
    renameSchemes(node, {
      origins: this.#report.origins,
      rename: (requirement, name) => {
        if (!isSchemeReference(this.#root.data, name)) return undefined;
        const target = this.#find(requirement, name, { name, kind: "SecurityScheme" });
        return target === undefined ? undefined : this.#take(target, "SecurityScheme");
      },
    });
  }

  #checkMappingName(mapping: JsonObject, tag: string, name: string): boolean {
    if (this.#schemaNames().includes(name)) return true;
    const message = `the mapping names "${name}", and there is no such component schema`;
    const advice = 'write a reference such as "#/components/schemas/Name"';
    this.#sayMapping(mapping, tag, [name, [message, advice]]);
    return false;
  }

  /** `name`: as the schema that was meant may be called. */
  #sayMapping(
    mapping: JsonObject,
    tag: string,
    [name, [message, advice]]: readonly [string, Said],
  ): void {
    const guess = closest(name, this.#schemaNames());
    const better = guess === undefined ? advice : `did you mean "${guess}"?`;
    this.#report.error("OAG215", [mapping, tag], [message, better]);
  }

  #schemaNames(): readonly string[] {
    const schemas = at(this.#root.data, "/components/schemas");
    return isObject(schemas) ? Object.keys(schemas) : [];
  }

  #find(
    node: JsonObject,
    reference: string,
    { name = "$ref", kind, refuseFile }: Finding = {},
  ): Target | undefined {
    return locate({
      reference,
      kind,
      from: this.#report.origins.sourceOf(node) ?? this.#root,
      load: this.#load,
      resources: this.#resources,
      refuse: (code, said) => {
        this.#report.error(code, [node, name], said);
        if (this.#report.allows(code)) this.#lost.add(node);
      },
      refuseFile,
    });
  }
}

function keyOf({ source, pointer }: Target): string {
  return `${source.file}#${pointer}`;
}

type Maps = readonly (readonly [name: string, kind: Kind])[];

const mapsByKind = new Map<Kind, Maps>();

/** Fields of a kind that hold parts by name. */
function mapsOf(kind: Kind): Maps {
  const known = mapsByKind.get(kind);
  if (known !== undefined) return known;
  const fields: Readonly<Record<string, Field>> = shapes[kind].fields;
  const maps = Object.entries(fields).flatMap(([name, field]) =>
    field.many === "map" && field.kind !== undefined ? [[name, field.kind] as const] : [],
  );
  mapsByKind.set(kind, maps);
  return maps;
}

function addComponents(
  document: JsonObject,
  groups: ReadonlyMap<string, JsonObject>,
  report: Report,
): void {
  if (groups.size === 0) return;
  const empty = (): JsonObject => report.origins.copy<JsonObject>(document, {});
  const components = isObject(document["components"]) ? document["components"] : empty();
  for (const [folder, group] of groups) {
    const existing = components[folder];
    const merged = isObject(existing) ? existing : empty();
    for (const [name, value] of Object.entries(group)) put(merged, name, value);
    put(components, folder, merged);
  }
  put(document, "components", components);
}

interface Finding {
  readonly name?: string;
  readonly kind?: Kind;
  /** as `locate` has it */
  readonly refuseFile?: (said: Said) => void;
}

/** `./Cat.yaml` and `all.yaml#/Cat` are called so where they have become components, as tools that bundle call them. */
function nameIn(reference: string): string {
  const [file = "", fragment = ""] = reference.split("#");
  const last = pointerTokens(decodeFragment(fragment)).at(-1);
  return last ?? /([^/]*?)(?:\.\w+)?$/.exec(file)?.[1] ?? reference;
}
