// Schema resources: what `$id`, `$anchor` and `$dynamicAnchor` name (JSON Schema 2020-12 core, sections 8.2
// and 9.1.2). References that stand below an `$id` are made absolute where they stand, so that nobody else
// has to know of bases.

import type { JsonObject } from "../json.ts";
import { escapeToken, isObject, put, textOf } from "../json.ts";
import type { ErrorCode } from "../diagnostics/codes.ts";
import type { Said } from "../problems.ts";
import type { Report } from "./origins.ts";
import type { Kind } from "./shapes.ts";
import type { Source } from "./source.ts";
import { childrenOf } from "./walk.ts";

/** A schema with an identity of its own, or a whole file. */
export interface Resource {
  /** absolute, without a fragment */
  readonly uri: string;
  readonly source: Source;
  readonly pointer: string;
  /** pointers of what `$anchor` and `$dynamicAnchor` name in it */
  readonly anchors: Map<string, Anchor>;
}

export interface Anchor {
  readonly pointer: string;
  readonly isDynamic: boolean;
}

interface Visit {
  readonly node: JsonObject;
  readonly kind: Kind;
  readonly pointer: string;
}

export class Resources {
  readonly #byUri = new Map<string, Resource>();
  readonly #bySource = new Map<Source, Resource[]>();
  readonly #report: Report;
  readonly #areNamed: boolean;
  #hasNames = false;

  /** `areNamed`: false of documents whose schemas have no names. */
  constructor(report: Report, areNamed: boolean) {
    this.#report = report;
    this.#areNamed = areNamed;
  }

  /** Whether any `$id`, `$anchor` or `$dynamicAnchor` was seen. */
  get hasNames(): boolean {
    return this.#hasNames;
  }

  /** Looks through a file once; it is a document of OpenAPI or a schema. The whole file is what is returned. */
  index(source: Source): Resource {
    const known = this.#bySource.get(source)?.[0];
    if (known !== undefined) return known;
    const whole: Resource = { uri: source.uri, source, pointer: "", anchors: new Map() };
    this.#bySource.set(source, [whole]);
    this.#byUri.set(whole.uri, whole);
    const { data } = source;
    if (!isObject(data) || !this.#areNamed) return whole;
    const isDocument = ["openapi", "paths", "components"].some((name) => data[name] !== undefined);
    this.#visit({ node: data, kind: isDocument ? "Document" : "Schema", pointer: "" }, whole);
    return whole;
  }

  /** Those that begin at a place of a file or below it. */
  within(source: Source, pointer: string): readonly Resource[] {
    const all = this.#bySource.get(source) ?? [];
    return all.filter((one) => one.pointer === pointer || one.pointer.startsWith(`${pointer}/`));
  }

  /** By an absolute URI without a fragment. */
  find(uri: string): Resource | undefined {
    return this.#byUri.get(uri);
  }

  /** The innermost resource around a place of a file. */
  around(source: Source, pointer: string): Resource | undefined {
    return this.#bySource
      .get(source)
      ?.filter((one) => pointer === one.pointer || pointer.startsWith(`${one.pointer}/`))
      .toSorted((a, b) => b.pointer.length - a.pointer.length)[0];
  }

  #visit({ node, kind, pointer }: Visit, outer: Resource): void {
    const resource = kind === "Schema" ? this.#identified(node, outer, pointer) : outer;
    if (kind === "Schema") {
      readDependencies(node, this.#report);
      this.#name(node, resource, pointer);
      if (resource !== this.#bySource.get(outer.source)?.[0]) makeAbsolute(node, resource.uri);
    }
    for (const { value, kind: inner, path } of childrenOf(node, kind)) {
      const steps = path.map((token) => `/${escapeToken(token)}`).join("");
      if (isObject(value))
        this.#visit({ node: value, kind: inner, pointer: pointer + steps }, resource);
    }
  }

  #identified(node: JsonObject, outer: Resource, pointer: string): Resource {
    const id = textOf(node["$id"]);
    if (id === undefined) return outer;
    const refuse = (code: ErrorCode, said: Said): Resource => {
      this.#report.error(code, [node, "$id"], said);
      if (this.#report.allows(code)) delete node["$id"];
      return outer;
    };
    const uri = absolute(id, outer.uri)?.replace(/#$/, "");
    if (uri === undefined)
      return refuse("OAG209", [
        `"${id}" is not a reference of RFC 3986`,
        "write a URI, or remove it",
      ]);
    if (uri.includes("#"))
      return refuse("OAG210", [`the $id "${id}" has a fragment`, 'name places with "$anchor"']);
    const { source } = outer;
    const known = this.#byUri.get(uri);
    // a schema that fills its file may say once more where that lies
    if (known !== undefined && !(known.source === source && known.pointer === pointer)) {
      return refuse("OAG211", [
        `"${id}" names another schema as well`,
        "give each schema an $id of its own",
      ]);
    }
    // what fills its file goes by the name of the file as well
    const anchors = pointer === outer.pointer ? outer.anchors : new Map<string, Anchor>();
    const resource: Resource = { uri, source, pointer, anchors };
    this.#byUri.set(uri, resource);
    this.#bySource.get(source)?.push(resource);
    this.#hasNames = true;
    put(node, "$id", uri);
    return resource;
  }

  #name(node: JsonObject, { anchors }: Resource, pointer: string): void {
    for (const keyword of ["$anchor", "$dynamicAnchor"]) {
      const name = textOf(node[keyword]);
      if (name === undefined) continue;
      const isDynamic = keyword === "$dynamicAnchor";
      const known = anchors.get(name);
      const refuse = (code: ErrorCode, said: Said): void => {
        this.#report.error(code, [node, keyword], said);
        if (this.#report.allows(code)) delete node[keyword];
      };
      if (!/^[A-Za-z_][-A-Za-z0-9._]*$/.test(name)) {
        const advice = "begin with a letter, and use letters, digits, -, _ and .";
        refuse("OAG212", [`"${name}" is not the name of an anchor`, advice]);
      } else if (known !== undefined && known.pointer !== pointer) {
        const message = `the anchor "${name}" stands twice, and nothing with an $id between`;
        refuse("OAG213", [message, "rename one of the two"]);
      } else {
        this.#hasNames = true;
        anchors.set(name, { pointer, isDynamic: isDynamic || known?.isDynamic === true });
      }
    }
  }
}

/** Up to draft 7 one keyword said what two say now (validation, appendix of changes). */
function readDependencies(node: JsonObject, report: Report): void {
  const { dependencies } = node;
  if (!isObject(dependencies)) return;
  report.warning(
    "OAG424",
    [node, "dependencies", "key"],
    [
      '"dependencies" is a keyword of draft 7, and is read as those of 2020-12',
      'write "dependentRequired" for lists and "dependentSchemas" for schemas',
    ],
  );
  for (const keyword of ["dependentRequired", "dependentSchemas"]) {
    const entries = Object.entries(dependencies).filter(
      ([, item]) => Array.isArray(item) === (keyword === "dependentRequired"),
    );
    const existing = node[keyword];
    if (entries.length === 0 || (existing !== undefined && !isObject(existing))) continue;
    const merged = report.origins.copy<JsonObject>(dependencies, existing ?? {});
    for (const [name, item] of entries) if (!Object.hasOwn(merged, name)) put(merged, name, item);
    put(node, keyword, merged);
  }
  delete node["dependencies"];
}

function makeAbsolute(node: JsonObject, base: string): void {
  for (const keyword of ["$ref", "$dynamicRef"]) {
    const reference = textOf(node[keyword]);
    const whole = reference === undefined ? undefined : absolute(reference, base);
    if (whole !== undefined) put(node, keyword, whole);
  }
}

/** A reference as seen from a base (RFC 3986, section 5.2); undefined when it is none. */
export function absolute(reference: string, base: string): string | undefined {
  if (/^urn:/i.test(base)) {
    // a URN has no hierarchy: only a fragment can be relative to it (RFC 8141, section 2)
    if (reference.startsWith("#")) return base + reference;
    return URL.canParse(reference) ? reference : undefined;
  }
  if (/^urn:/i.test(reference)) return reference;
  return URL.canParse(reference, base) ? new URL(reference, base).href : undefined;
}

/** With a scheme: it begins with a place of its own, not with the file it stands in. */
export function isAddress(name: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(name);
}
