// Path templates: whether they can be reached, and whether two of them are one.

import type { Json, JsonObject } from "../json.ts";
import { entriesOf, isObject, put } from "../json.ts";
import { follow } from "../normalise/references.ts";
import type { ErrorCode } from "../diagnostics/codes.ts";
import type { Said } from "../problems.ts";
import type { Report } from "../read/origins.ts";
import { operationsOf } from "../read/operations.ts";
import { canonicalPath } from "../runtime/templates.ts";

/** What ends a path on the request line (RFC 9112, section 3.2; RFC 3986, section 3.3). */
const pathEnds: readonly (readonly [string, string, string])[] = [
  ["?", "%3F", 'describe the query by parameters with "in: query"'],
  ["#", "%23", "leave it out: no server hears of a fragment"],
];

export function checkPathText(paths: JsonObject, path: string, report: Report): void {
  for (const [mark, escaped, advice] of pathEnds) {
    if (!path.replace(/\{[^{}]*\}/g, "").includes(mark)) continue;
    const message = `the path "${path}" ends at "${mark}" for every client: only who writes ${escaped} reaches it`;
    report.warning("OAG601", [paths, path, "key"], [message, advice]);
  }
  const refuse = (code: ErrorCode, said: Said): void =>
    report.error(code, [paths, path, "key"], said);
  if (!path.startsWith("/")) {
    refuse("OAG602", [`the path "${path}" does not begin with "/"`, `write "/${path}"`]);
  }
  if (!/^(?:[^{}]|\{[^{}]+\})*$/.test(path)) {
    refuse("OAG603", [
      `the braces of the path "${path}" do not match`,
      "write each parameter as {name}",
    ]);
  } else if (path.includes("}{")) {
    const advice = 'put something between the two, for example "/"';
    refuse("OAG604", [`nothing tells where the first of two parameters ends in "${path}"`, advice]);
  }
}

/**
 * `/a/{x}` and `/a/{y}` are the same path; of two operations with one method a router would pick one. Where it is
 * allowed, the later ones leave the document.
 */
export function checkAmbiguousPaths(document: JsonObject, report: Report): void {
  const paths = document["paths"];
  if (!isObject(paths)) return;
  const seen = new Map<
    string,
    { readonly path: string; readonly methods: ReadonlySet<string> }[]
  >();
  for (const [path, value] of entriesOf(paths)) {
    const form = canonicalPath(path);
    const own = new Set(operationsOf(follow(document, value)).map(({ method }) => method));
    const others = seen.get(form) ?? [];
    seen.set(form, [...others, { path, methods: own }]);
    const [earlier] = others;
    if (earlier === undefined) continue;
    const merge = "merge the two path items";
    const clash = others.find(({ methods }) => [...own].some((one) => methods.has(one)));
    const other = (clash ?? earlier).path;
    const { file, line } = report.origins.place(paths, other, "key");
    const same = `"${path}" is the same path as "${other}" at ${file}:${line ?? 1}`;
    if (clash === undefined)
      report.warning("OAG606", [paths, path, "key"], [`${same}, with other methods`, merge]);
    else {
      report.error("OAG605", [paths, path, "key"], [same, merge]);
      if (report.allows("OAG605")) {
        const taken = others.flatMap(({ methods }) => [...methods]);
        leaveOut({ document, paths, path }, taken, report);
      }
    }
  }
}

/** The path item may be shared by several paths, so this path gets one of its own. */
function leaveOut(
  { document, paths, path }: Placed,
  methods: readonly string[],
  report: Report,
): void {
  const item = follow(document, paths[path]);
  if (item === undefined) return;
  const isLeft = ([name]: readonly [name: string, value: Json]): boolean => !methods.includes(name);
  const rest = Object.entries(item).flatMap(([name, value]): [string, Json][] => {
    if (name === "additionalOperations" && isObject(value)) {
      const others = Object.fromEntries(Object.entries(value).filter(isLeft));
      return [[name, report.origins.copy<JsonObject>(value, others)]];
    }
    return isLeft([name.toUpperCase(), value]) ? [[name, value]] : [];
  });
  put(paths, path, report.origins.copy<JsonObject>(item, Object.fromEntries(rest)));
}

interface Placed {
  readonly document: JsonObject;
  readonly paths: JsonObject;
  readonly path: string;
}

/** Whether the path has a place for this parameter. */
export function hasName(path: string, name: string): boolean {
  return path.includes(`{${name}}`);
}
