// Makes one document out of several files: everything another file holds is taken into this
// document, components under `components`, path items in place. Local references are checked.

import type { Json, JsonObject } from "../json.ts";
import { at, copyEntries, escapeToken, isObject, pointerTokens, put, textOf } from "../json.ts";
import type { Report } from "./origins.ts";
import type { Kind } from "./shapes.ts";
import { componentFolders, shapes } from "./shapes.ts";
import type { Source } from "./source.ts";
import { rewrite, walk } from "./walk.ts";

/** Reads a file named relative to another one; undefined when it could not be read (reported). */
export type Load = (name: string, from: Source) => Source | { readonly failure: string };

interface Target {
  readonly source: Source;
  readonly pointer: string;
}

/** The whole document in one piece; every `$ref` in it begins with "#/". */
export function bundle(root: Source, load: Load, report: Report): JsonObject {
  const imported = new Map<string, string>();
  const components = new Map<string, JsonObject>();
  const rootObject = isObject(root.data) ? root.data : {};

  const nameFor = (folder: string, target: Target): string => {
    const last = pointerTokens(target.pointer).at(-1) ?? target.source.file.replace(/^.*\//, "").replace(/\.[a-z]+$/i, "");
    const wanted = last.replace(/[^A-Za-z0-9._-]+/g, "_") || "Part";
    const taken = (name: string): boolean =>
      at(rootObject, `/components/${folder}/${escapeToken(name)}`) !== undefined ||
      components.get(folder)?.[name] !== undefined;
    let name = wanted;
    for (let number = 2; taken(name); number += 1) name = `${wanted}_${number}`;
    return name;
  };

  /** Takes the target into the document and says how to refer to it there. */
  const take = (target: Target, kind: Kind, value: Json): string | undefined => {
    if (target.source === root) return `#${target.pointer}`;
    const key = `${target.source.file}#${target.pointer}`;
    const known = imported.get(key);
    if (known !== undefined) return known;
    const folder = componentFolders[kind];
    if (folder === undefined) return undefined;
    const name = nameFor(folder, target);
    const reference = `#/components/${folder}/${escapeToken(name)}`;
    imported.set(key, reference);
    const group = components.get(folder) ?? {};
    components.set(folder, group);
    put(group, name, null); // the name is taken while the part itself is being read
    put(group, name, rewrite(value, kind, report.origins, resolve));
    return reference;
  };

  const resolve = (node: JsonObject, kind: Kind): Json => {
    if (kind === "Discriminator") return resolveMapping(node);
    const reference = textOf(node["$ref"]);
    if (reference === undefined || shapes[kind].reference !== true) return node;
    const target = find(node, reference, "$ref");
    if (target === undefined) return node;
    const value = at(target.source.data, target.pointer);
    if (value === undefined) return node;
    const local = take(target, kind, value);
    if (local !== undefined) {
      if (local !== reference) put(node, "$ref", local);
      return node;
    }
    return inline(node, kind, value);
  };

  /** Path items have no references of their own in tools; they are written out in place. */
  const inline = (node: JsonObject, kind: Kind, value: Json): Json => {
    const copy = rewrite(value, kind, report.origins, resolve);
    if (!isObject(copy)) return node;
    const siblings = Object.entries(node).filter(([name]) => name !== "$ref");
    for (const [name, item] of siblings) put(copy, name, item);
    return copy;
  };

  const resolveMapping = (node: JsonObject): Json => {
    const mapping = node["mapping"];
    if (!isObject(mapping)) return node;
    const copy = report.origins.copy(mapping, copyEntries(mapping));
    for (const [tag, text] of Object.entries(mapping)) {
      // a bare name means a component of this document; anything with a path is a reference
      if (typeof text !== "string" || !/[#/]|\.(ya?ml|json)$/.test(text)) continue;
      const target = find(mapping, text, tag);
      const value = target === undefined ? undefined : at(target.source.data, target.pointer);
      const local = target === undefined || value === undefined ? undefined : take(target, "Schema", value);
      if (local !== undefined) put(copy, tag, local);
    }
    put(node, "mapping", copy);
    return node;
  };

  const find = (node: JsonObject, reference: string, name: string): Target | undefined => {
    const from = report.origins.sourceOf(node) ?? root;
    return locate({ reference, from, load, refuse: (message, advice) => report.error([node, name], message, advice) });
  };

  const result = rewrite(rootObject, "Document", report.origins, resolve);
  const document = isObject(result) ? result : {};
  addComponents(document, components, report);
  checkLocalKinds(document, report);
  return document;
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
    refuse(`"${reference}" is outside this machine`, "keep a copy of that file beside the document and refer to the copy");
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
    refuse(`"${file}" cannot be read: ${loaded.failure}`, "correct the path; it is relative to the file the reference stands in");
    return undefined;
  }
  if (at(loaded.data, fragment) !== undefined) return { source: loaded, pointer: fragment };
  const near = nearest(loaded.data, fragment);
  refuse(`there is nothing at "${reference}"`, near === undefined ? "correct the reference or add the component" : `did you mean "${file}#${near}"?`);
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

/** The candidate within a third of the word's length in edits, if there is one. */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(word.length / 3));
  const ranked = candidates
    .map((candidate) => ({ candidate, edits: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ edits }) => edits <= limit)
    .sort((a, b) => a.edits - b.edits);
  return ranked[0]?.candidate;
}

/** Levenshtein's edit distance. */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const change = a[row - 1] === b[column - 1] ? 0 : 1;
      current.push(
        Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (previous[column - 1] ?? 0) + change),
      );
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}

function addComponents(document: JsonObject, groups: ReadonlyMap<string, JsonObject>, report: Report): void {
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
