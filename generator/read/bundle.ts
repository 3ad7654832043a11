// Makes one document out of several files: everything another file holds is taken into this
// document, components under `components`, path items in place. Local references are checked.

import type { Json, JsonObject } from "../json.ts";
import {
  at,
  copyEntries,
  escapeToken,
  fragmentOf,
  isObject,
  pointerTokens,
  put,
  textOf,
} from "../json.ts";
import type { Report } from "./origins.ts";
import type { Kind } from "./shapes.ts";
import { componentFolders, shapes } from "./shapes.ts";
import { closest } from "./similar.ts";
import type { Source } from "./source.ts";
import { rewrite, type Rewriting, walk } from "./walk.ts";

/** Reads a file named relative to another one; undefined when it could not be read (reported). */
export type Load = (name: string, from: Source) => Source | { readonly failure: string };

interface Target {
  readonly source: Source;
  readonly pointer: string;
  readonly value: Json;
}

/** The whole document in one piece; every `$ref` in it begins with "#/". */
export function bundle(root: Source, load: Load, report: Report): JsonObject {
  const document = new Bundler(root, load, report).run();
  checkLocalKinds(document, report);
  return document;
}

class Bundler {
  readonly #root: Source;
  readonly #load: Load;
  readonly #report: Report;
  readonly #rewriting: Rewriting;
  /** file and pointer of what was taken in, to the reference that finds it here */
  readonly #imported = new Map<string, string>();
  readonly #groups = new Map<string, JsonObject>();

  constructor(root: Source, load: Load, report: Report) {
    this.#root = root;
    this.#load = load;
    this.#report = report;
    const rewriter = (node: JsonObject, kind: Kind): Json => this.#resolve(node, kind);
    this.#rewriting = { origins: report.origins, rewriter };
  }

  run(): JsonObject {
    const result = rewrite(this.#root.data, "Document", this.#rewriting);
    const document = isObject(result) ? result : {};
    addComponents(document, this.#groups, this.#report);
    return document;
  }

  #resolve(node: JsonObject, kind: Kind): Json {
    if (kind === "Discriminator") return this.#resolveMapping(node);
    const reference = textOf(node["$ref"]);
    if (reference === undefined || shapes[kind].reference !== true) return node;
    const target = this.#find(node, reference, "$ref");
    if (target === undefined) return node;
    if (reference.startsWith("#") && target.source === this.#root) return node; // as it was written
    const local = this.#take(target, kind);
    if (local === undefined) return this.#inline(node, kind, target);
    put(node, "$ref", local);
    return node;
  }

  /** Takes the target into the document and says how to refer to it there. */
  #take(target: Target, kind: Kind): string | undefined {
    if (target.source === this.#root) return fragmentOf(target.pointer);
    const key = `${target.source.file}#${target.pointer}`;
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
    put(group, name, rewrite(target.value, kind, this.#rewriting));
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
    const copy = rewrite(target.value, kind, this.#rewriting);
    if (!isObject(copy)) return node;
    const siblings = Object.entries(node).filter(([name]) => name !== "$ref");
    for (const [name, item] of siblings) put(copy, name, item);
    return copy;
  }

  #resolveMapping(node: JsonObject): Json {
    const mapping = node["mapping"];
    if (!isObject(mapping)) return node;
    const copy = this.#report.origins.copy(mapping, copyEntries(mapping));
    for (const [tag, text] of Object.entries(mapping)) {
      if (typeof text !== "string") continue;
      // a bare name means a component of this document; anything with a path is a reference
      if (!/[#/]|\.(ya?ml|json)$/.test(text)) {
        this.#checkMappingName(mapping, tag, text);
        continue;
      }
      const target = this.#find(mapping, text, tag);
      const local = target === undefined ? undefined : this.#take(target, "Schema");
      if (local !== undefined) put(copy, tag, local);
    }
    put(node, "mapping", copy);
    return node;
  }

  #checkMappingName(mapping: JsonObject, tag: string, name: string): void {
    const schemas = at(this.#root.data, "/components/schemas");
    const names = isObject(schemas) ? Object.keys(schemas) : [];
    if (names.includes(name)) return;
    const guess = closest(name, names);
    const advice =
      guess === undefined
        ? 'write a reference such as "#/components/schemas/Name"'
        : `did you mean "${guess}"?`;
    const message = `the mapping names "${name}", and there is no such component schema`;
    this.#report.error([mapping, tag], message, advice);
  }

  #find(node: JsonObject, reference: string, name: string): Target | undefined {
    return locate({
      reference,
      from: this.#report.origins.sourceOf(node) ?? this.#root,
      load: this.#load,
      refuse: (message, advice) => {
        this.#report.error([node, name], message, advice);
      },
    });
  }
}

interface Search {
  readonly reference: string;
  readonly from: Source;
  readonly load: Load;
  readonly refuse: (message: string, advice: string) => void;
}

/** Finds what a reference points at; says what is wrong when there is nothing. */
function locate({ reference, from, load, refuse }: Search): Target | undefined {
  const hash = reference.indexOf("#");
  const file = hash < 0 ? reference : reference.slice(0, hash);
  const fragment = hash < 0 ? "" : decodeFragment(reference.slice(hash + 1));
  if (/^[a-z][a-z0-9+.-]*:/i.test(file)) {
    refuse(
      `"${reference}" is outside this machine`,
      "keep a copy of that file beside the document and refer to the copy",
    );
    return undefined;
  }
  if (fragment !== "" && !fragment.startsWith("/")) {
    refuse(
      `"${reference}" names an anchor, which is not supported`,
      'refer by JSON Pointer, for example "#/components/schemas/Name"',
    );
    return undefined;
  }
  const loaded = file === "" ? from : load(file, from);
  if ("failure" in loaded) {
    refuse(
      `"${file}" cannot be read: ${loaded.failure}`,
      "correct the path; it is relative to the file the reference stands in",
    );
    return undefined;
  }
  const value = at(loaded.data, fragment);
  if (value !== undefined) return { source: loaded, pointer: fragment, value };
  const near = nearest(loaded.data, fragment);
  refuse(
    `there is nothing at "${reference}"`,
    near === undefined
      ? "correct the reference or add the component"
      : `did you mean "${file}#${near}"?`,
  );
  return undefined;
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment; // not percent-encoded: taken as written, and reported when nothing is there
  }
}

/** The sibling of the missing name that reads most like it. */
function nearest(data: Json, pointer: string): string | undefined {
  const tokens = pointerTokens(pointer);
  const wanted = tokens.pop();
  const parentPointer = tokens.map((token) => `/${escapeToken(token)}`).join("");
  const parent = at(data, parentPointer);
  if (wanted === undefined || !isObject(parent)) return undefined;
  const name = closest(wanted, Object.keys(parent));
  return name === undefined ? undefined : `${parentPointer}/${escapeToken(name)}`;
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

/** A reference to a component of another kind would be read as something it is not. */
function checkLocalKinds(document: JsonObject, report: Report): void {
  const folders = Object.values(componentFolders);
  walk(document, "Document", (node, kind) => {
    const reference = textOf(node["$ref"]);
    const own = componentFolders[kind];
    if (reference === undefined || own === undefined) return;
    const folder = /^#\/components\/([^/]+)\/[^/]+$/.exec(reference)?.[1];
    if (folder === undefined || folder === own || !folders.includes(folder)) return;
    const message = `${shapes[kind].article} is wanted here, and "${reference}" is one of the ${folder}`;
    report.error([node, "$ref"], message, `refer to something below #/components/${own}`);
  });
}
