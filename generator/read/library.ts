// The files of a document, each opened once, from the disk or from wherever they are kept.

import { readFileSync } from "node:fs";
import { isUtf8 } from "node:buffer";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { nameOf } from "../check/fields.ts";
import { isObject, textOf } from "../json.ts";
import type { ErrorCode } from "../diagnostics/codes.ts";
import { type Place, problemAt, type Said } from "../problems.ts";
import { convertSwagger, isSwagger } from "../swagger/convert.ts";
import { hashOf } from "../write/cache.ts";
import { displayPath } from "../write/plan.ts";
import type { Failure, Load } from "./locate.ts";
import type { Report } from "./origins.ts";
import { readSource } from "./read-source.ts";
import { absolute, isAddress } from "./resources.ts";
import type { Source } from "./source.ts";

/** Where files come from, and what people call them there. */
export interface Shelf {
  /** throws what reading a file throws */
  readonly read: (path: string) => Uint8Array;
  readonly shown: (path: string) => string;
  /** where copies of what lies elsewhere come from; undefined: from here, too */
  readonly copies?: Shelf;
}

/** The files of this machine. */
export const disk: Shelf = { read: (path) => readFileSync(path), shown: displayPath };

/**
 * Copies of what has an address elsewhere: the beginning of a URI, and the file or folder that stands for it.
 * Nothing is ever asked over the network.
 */
export type Copies = ReadonlyMap<string, string>;

/** The schema of schemas, as Ajv brings it. */
const schemaOfSchemas = "https://json-schema.org/draft/2020-12/";

function copyOf(uri: string, copies: Copies): string | undefined {
  const [longest] = [...copies]
    .filter(([start]) => uri === start || (start.endsWith("/") && uri.startsWith(start)))
    .toSorted(([a], [b]) => b.length - a.length);
  if (longest !== undefined) return join(longest[1], decodeName(uri.slice(longest[0].length)));
  if (!uri.startsWith(schemaOfSchemas)) return undefined;
  const folder = dirname(createRequire(import.meta.url).resolve("ajv/package.json"));
  const name = decodeName(uri.slice(schemaOfSchemas.length));
  return join(folder, "dist/refs/json-schema-2020-12", `${name}.json`);
}

/** The file the document begins in, in the words of OpenAPI 3; undefined (and reported) when there is none in it. */
export function openRoot(path: string, library: Library, report: Report): Source | undefined {
  const root = library.open(path);
  const refuse = (code: ErrorCode, place: Place, said: Said): undefined => {
    report.take([problemAt(code, place, said)]);
  };
  if (!("data" in root)) {
    if (report.failed) return undefined; // it is there, and it is broken
    const message = `the file cannot be read: ${root.failure}`;
    const place = { file: library.shelf.shown(path), pointer: "" };
    return refuse("OAG101", place, [message, "name an existing OpenAPI file with --spec FILE"]);
  }
  if (isSwagger(root.data)) return convertSwagger(root, library.load, report);
  if (isObject(root.data)) return root;
  const found = root.data === null ? "nothing" : nameOf(root.data);
  const message = `the document must be an object, and this is ${found}`;
  return refuse("OAG102", root.place(""), [message, 'begin with "openapi: 3.1.0"']);
}

interface LibraryMeans {
  readonly shelf?: Shelf | undefined;
  readonly copies?: Copies | undefined;
  readonly progress?: (doing: string) => void;
}

/** Where a file was found. */
interface Placed {
  readonly path: string;
  readonly shelf: Shelf;
}

/** Opens each file once, whatever name it is called by. */
export class Library {
  /** by shelf, since a file of a revision and one of the disk may have the same path */
  readonly #sources = new Map<Shelf, Map<string, Source | Failure>>();
  readonly hashes = new Map<string, string>();
  readonly #places = new Map<Source, Placed>();
  readonly #report: Report;
  readonly #copies: Copies;
  readonly #progress: LibraryMeans["progress"];
  readonly shelf: Shelf;

  constructor(report: Report, { shelf = disk, copies = new Map(), progress }: LibraryMeans = {}) {
    this.#report = report;
    this.#copies = copies;
    this.#progress = progress;
    this.shelf = shelf;
  }

  readonly load: Load = (name, from) => {
    if (isAddress(name)) {
      if (name.startsWith("file:")) return this.open(resolve(fileURLToPath(name)), name);
      const path = copyOf(name, this.#copies);
      return path === undefined ? undefined : this.#openCopy(path, name);
    }
    const whole = absolute(name, from.uri);
    const uri = whole?.startsWith("file:") === true ? undefined : whole;
    const copy = uri === undefined ? undefined : copyOf(uri, this.#copies);
    if (copy !== undefined) return this.#openCopy(copy, uri);
    // a document that has an address lies beside the files that it belongs to, too
    const { path = ".", shelf = this.shelf } = this.#places.get(from) ?? {};
    return this.#openIn(shelf, resolve(dirname(path), decodeName(name)), uri);
  };

  /** `uri`: where the file is said to lie, when this is a copy. */
  open(path: string, uri?: string): Source | Failure {
    return this.#openIn(this.shelf, path, uri);
  }

  #openCopy(path: string, uri: string | undefined): Source | Failure {
    return this.#openIn(this.shelf.copies ?? this.shelf, resolve(path), uri);
  }

  #openIn(shelf: Shelf, path: string, uri = pathToFileURL(path).href): Source | Failure {
    const opened = this.#sources.get(shelf) ?? new Map<string, Source | Failure>();
    this.#sources.set(shelf, opened);
    const known = opened.get(path);
    if (known !== undefined) return known;
    const source = this.#read({ path, shelf }, uri);
    opened.set(path, source);
    return source;
  }

  /** Every file that was asked for, those that cannot be read included. */
  files(): string[] {
    return [...new Set([...this.#sources.values()].flatMap((opened) => [...opened.keys()]))];
  }

  #refuseBytes(file: string, text: string): Failure {
    const before = text.slice(0, Math.max(0, text.indexOf("\uFFFD"))).split("\n");
    const place = {
      file,
      pointer: "",
      line: before.length,
      column: (before.at(-1)?.length ?? 0) + 1,
    };
    const said = ["the file is not UTF-8 from here on", "save it as UTF-8"] as const;
    this.#report.take([problemAt("OAG115", place, said)]);
    return broken;
  }

  #read(placed: Placed, uri: string): Source | Failure {
    const { path, shelf } = placed;
    let text: string;
    this.#progress?.(`reading ${shelf.shown(path)}`);
    try {
      const bytes = shelf.read(path);
      this.hashes.set(path, hashOf(bytes));
      text = Buffer.from(bytes)
        .toString("utf8")
        .replace(/^\uFEFF/, "");
      if (!isUtf8(bytes)) return this.#refuseBytes(shelf.shown(path), text);
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
      return { failure: code === "ENOENT" ? "there is no such file" : code };
    }
    const { source: read, problems } = readSource(shelf.shown(path), uri, text);
    this.#report.take(problems);
    if (read === undefined) return broken;
    const source = { ...read, uri: selfOf(read) ?? uri };
    this.#report.origins.note(source);
    this.#places.set(source, placed);
    return source;
  }
}

/** What is wrong with it has been said at its own place. */
const broken = { failure: "it is not valid YAML or JSON", isReported: true } as const;
/** The address that a document gives itself is the base of its references (OpenAPI 3.2.0, section 4.1.2.2). */
function selfOf({ data, uri }: Source): string | undefined {
  if (!isObject(data) || textOf(data["openapi"])?.startsWith("3.2") !== true) return undefined;
  const self = textOf(data["$self"]);
  return self === undefined ? undefined : absolute(self, uri)?.replace(/#.*$/, "");
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name; // a "%" that encodes nothing belongs to the file's name
  }
}
