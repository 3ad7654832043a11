// Where operations are mounted when the contract's servers say so: below the path of one of them (OpenAPI 3.1.1,
// section 4.8.5). Paths are relative to the server's URL, of which scheme and host are not this application's business.

import type { Json, JsonObject } from "../json.ts";
import { isObject, itemsOf, textOf } from "../json.ts";
import { follow } from "../normalise/references.ts";
import type { Report } from "../read/origins.ts";
import type { Operation } from "./model.ts";

export interface Mounting {
  readonly document: JsonObject;
  /** "first", a path that begins with "/", or a server by its name, description or URL; undefined: none */
  readonly basePath: string | undefined;
  readonly report: Report;
}

/** The operations with the paths that requests have. */
export function mounted(operations: readonly Operation[], mounting: Mounting): Operation[] {
  const { document, basePath, report } = mounting;
  if (basePath === undefined) return [...operations];
  if (basePath.startsWith("/")) {
    const base = asSent(basePath);
    return operations.map((one) => ({ ...one, path: `${base}${one.path}` }));
  }
  const known = serversOf(document);
  if (basePath !== "first" && !known.some((one) => isNamed(one, basePath))) {
    report.error(
      "OAG619",
      [document, "servers"],
      [
        `no server of the document is called "${basePath}"`,
        'name one by its name, description or url, write "first", or a path such as /api',
      ],
    );
    return [...operations];
  }
  const bases = new Map<JsonObject, string>();
  const moved = operations.map((one): Operation => {
    const server = serverOf(one, mounting);
    if (server === undefined) return one;
    const base = bases.get(server) ?? basePathOf(server, report);
    bases.set(server, base);
    return { ...one, path: `${base}${one.path}` };
  });
  checkDifferent(moved, operations, report);
  return moved;
}

function serversOf(node: Json | undefined): readonly JsonObject[] {
  return isObject(node) ? itemsOf(node["servers"]).filter(isObject) : [];
}

function isNamed({ name, description, url }: JsonObject, wanted: string): boolean {
  return [name, description, url].includes(wanted);
}

/** Those of the operation count in place of those of its path, and those in place of the document's. */
function serverOf(
  { node, path }: Operation,
  { document, basePath }: Mounting,
): JsonObject | undefined {
  const paths = document["paths"];
  const item = isObject(paths) ? follow(document, paths[path]) : undefined;
  const servers = [node, item, document].map(serversOf).find((list) => list.length > 0) ?? [];
  return servers.find((one) => isNamed(one, basePath ?? "")) ?? servers[0];
}

/** Of a server's URL with the defaults of its variables, what stands behind the host; "" for "/". */
function basePathOf(server: JsonObject, report: Report): string {
  const variables = isObject(server["variables"]) ? server["variables"] : {};
  const url = (textOf(server["url"]) ?? "").replaceAll(/\{([^{}]*)\}/g, (whole, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return (isObject(variable) ? textOf(variable["default"]) : undefined) ?? whole;
  });
  const path = url.replace(/[?#].*$/s, "").replace(/^(?:[a-z][\w+.-]*:)?\/\/[^/]*/i, "");
  if (!/[{}]/.test(path) && (path === "" || path.startsWith("/"))) {
    return path === "" ? "" : asSent(path);
  }
  report.error(
    "OAG618",
    [server, "url"],
    [
      /[{}]/.test(path)
        ? `"${url}" has a variable without a default`
        : `"${url}" is relative to where the document lies, which is not known here`,
      "write the path that requests have as the base path, such as /api",
    ],
  );
  return "";
}

/** Dots are taken away, as every client does. */
function asSent(path: string): string {
  return withoutEnd(new URL(`http://host${path}`).pathname);
}

function withoutEnd(path: string): string {
  return path.replace(/\/+$/, "");
}

/** Servers of single operations can bring two together. */
function checkDifferent(
  moved: readonly Operation[],
  operations: readonly Operation[],
  report: Report,
): void {
  const seen = new Map<string, string>();
  for (const [index, { method, path, node }] of moved.entries()) {
    const written = operations[index]?.path ?? path;
    const key = `${method} ${path.replaceAll(/\{[^{}]*\}/g, "{}")}`;
    const earlier = seen.get(key);
    seen.set(key, earlier ?? written);
    if (earlier === undefined || earlier === written) continue;
    report.error(
      "OAG620",
      [node],
      [
        `with their servers, "${written}" and "${earlier}" are one path`,
        "give one of the two another path, or write the base path as text",
      ],
    );
  }
}
