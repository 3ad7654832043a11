// Where a reference leads: into this document, another file, or a schema that has a name of its own.

import { nameOf } from "../check/fields.ts";
import type { Json } from "../json.ts";
import { at, escapeToken, isObject, pointerTokens } from "../json.ts";
import type { ErrorCode } from "../diagnostics/codes.ts";
import type { Said } from "../problems.ts";
import { absolute, type Resources } from "./resources.ts";
import { componentFolders, type Kind, shapes } from "./shapes.ts";
import { closest } from "./similar.ts";
import type { Source } from "./source.ts";

/** Reads a file named relative to another one, or the copy of an address; undefined when there is none. */
export type Load = (name: string, from: Source) => Source | Failure | undefined;

export interface Failure {
  readonly failure: string;
  /** at the place itself */
  readonly isReported?: true;
}

export interface Target {
  readonly source: Source;
  readonly pointer: string;
  readonly value: Json;
  /** found by the name of a `$dynamicAnchor` */
  readonly isDynamic: boolean;
}

interface Search {
  readonly reference: string;
  /** what is wanted; undefined: a map of parts, or anything */
  readonly kind?: Kind | undefined;
  readonly from: Source;
  readonly load: Load;
  readonly resources: Resources;
  readonly refuse: (code: ErrorCode, said: Said) => void;
  /** of files that cannot be had, in place of `refuse` */
  readonly refuseFile?: ((said: Said) => void) | undefined;
}

/** Finds what a reference points at; says what is wrong when there is nothing. */
export function locate(search: Search): Target | undefined {
  const { reference, kind, refuse } = search;
  const hash = reference.indexOf("#");
  const file = hash < 0 ? reference : reference.slice(0, hash);
  const fragment = hash < 0 ? "" : decodeFragment(reference.slice(hash + 1));
  const resource = resourceOf(search, file);
  if (resource === undefined) return undefined;
  const { source, anchors } = resource;
  if (fragment !== "" && !fragment.startsWith("/")) {
    const anchor = anchors.get(fragment);
    if (anchor !== undefined)
      return { source, ...anchor, value: at(source.data, anchor.pointer) ?? true };
    const guess = closest(fragment, [...anchors.keys()]);
    refuse("OAG202", [
      `there is no anchor "${fragment}" at "${reference}"`,
      guess === undefined
        ? 'refer by JSON Pointer, for example "#/components/schemas/Name"'
        : `did you mean "${file}#${guess}"?`,
    ]);
    return undefined;
  }
  const pointer = resource.pointer + fragment;
  const value = at(source.data, pointer);
  if (value !== undefined) {
    if (kind === undefined || isPart(value, kind))
      return { source, pointer, value, isDynamic: false };
    refuse("OAG205", wrongPart({ reference, kind }, nameOf(value)));
    return undefined;
  }
  const depth = pointerTokens(resource.pointer).length;
  const near = nearest(source.data, pointer, depth)?.slice(resource.pointer.length);
  refuse("OAG201", [
    `there is nothing at "${reference}"`,
    near === undefined
      ? "correct the reference or add the component"
      : `did you mean "${file}#${near}"?`,
  ]);
  return undefined;
}

function isPart(value: Json, kind: Kind): boolean {
  return isObject(value) || (kind === "Schema" && typeof value === "boolean");
}

/** `found`: what stands there. */
export function wrongPart(
  { reference, kind }: { readonly reference: string; readonly kind: Kind },
  found: string,
): Said {
  const own = componentFolders[kind];
  return [
    `${shapes[kind].article} is wanted here, and "${reference}" is ${found}`,
    own === undefined ? "refer to one" : `refer to something below #/components/${own}`,
  ];
}

/** A schema that is called so, or a file. */
function resourceOf(search: Search, file: string) {
  const { from, load, resources, reference } = search;
  const refuse = search.refuseFile === undefined ? search.refuse : withoutCode(search.refuseFile);
  if (file === "") return resources.index(from);
  const uri = absolute(file, from.uri);
  const known = uri === undefined ? undefined : resources.find(uri);
  if (known !== undefined) return known;
  const loaded = load(file, from);
  if (loaded === undefined) {
    refuse("OAG203", [
      `"${reference}" is outside this machine`,
      "keep a copy of that file beside the document and refer to the copy, or name it with --copy",
    ]);
    return undefined;
  }
  if ("failure" in loaded) {
    if (loaded.isReported === true) return undefined;
    refuse("OAG204", [
      `"${file}" cannot be read: ${loaded.failure}`,
      "correct the path; it is relative to the file the reference stands in",
    ]);
    return undefined;
  }
  return resources.index(loaded);
}

function withoutCode(refuse: (said: Said) => void): Search["refuse"] {
  return (_, said) => refuse(said);
}

export function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment; // not percent-encoded: taken as written, and reported when nothing is there
  }
}

/** The sibling of the missing name that reads most like it. @param depth of names that are not in question */
function nearest(data: Json, pointer: string, depth: number): string | undefined {
  const tokens = pointerTokens(pointer);
  const pointerOf = (names: readonly string[]) =>
    names.map((name) => `/${escapeToken(name)}`).join("");
  // A slash in a name is written "~1" (RFC 6901, section 3).
  for (let from = tokens.length - 2; from >= depth; from -= 1) {
    const name = tokens.slice(from).join("/");
    const whole = pointerOf([...tokens.slice(0, from), name]);
    if (at(data, whole) !== undefined) return whole;
  }
  const wanted = tokens.pop();
  const parent = at(data, pointerOf(tokens));
  if (wanted === undefined || !isObject(parent)) return undefined;
  const name = closest(wanted, Object.keys(parent));
  return name === undefined ? undefined : pointerOf([...tokens, name]);
}
