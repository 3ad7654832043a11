// From a page to the next one: by the header Link (RFC 8288), or as the contract's own links say.

import type { Answer } from "./answers.ts";
import type { OperationPlan, PagePlan } from "./plan.ts";
import type { Arguments } from "./request.ts";

/** Arguments of the next page beside those of this one, or its whole query; undefined: this is the last. */
export type Next =
  { readonly arguments: Readonly<Record<string, unknown>> } | { readonly query: string };

/** Of this page, with what the next one has in their place. */
export function nextArguments(plan: OperationPlan, first: Arguments, more: Arguments): Arguments {
  if (plan.isGrouped !== true) return { ...first, ...more };
  const groups: Record<string, unknown> = { ...first };
  for (const [key, value] of Object.entries(more)) {
    const [place = "", name = ""] = key.split(/\.(.*)/s);
    groups[place] = { ...Object(groups[place]), [name]: value } as Arguments;
  }
  return groups;
}

/**
 * @param url of this page
 * @throws {TypeError} the next page is told by something else than its query
 */
export function nextOf({ next }: PagePlan, answer: Answer, url: string): Next | undefined {
  if (next === undefined) {
    const target = nextLink(answer.headers.get("Link") ?? "");
    if (target === undefined) return undefined;
    const query = URL.canParse(target, url) ? new URL(target, url).search.slice(1) : "";
    if (query !== "") return { query };
    throw new TypeError(`the next page is at ${JSON.stringify(target)}, which has no query`);
  }
  const values = Object.entries(next).map(([name, said]) => [name, valueAt(said, answer)] as const);
  const isLast = values.some(([, value]) => value === undefined || value === null || value === "");
  return isLast ? undefined : { arguments: Object.fromEntries(values) };
}

const parameter =
  /;\s*(?<name>[^\s=;]+)\s*(?:=\s*(?:"(?<quoted>(?:[^"\\]|\\.)*)"|(?<token>[^\s;"]*)))?/g;

/** The target of the first link whose relations have "next" among them. */
export function nextLink(header: string): string | undefined {
  const links = /<(?<target>[^>]*)>(?<rest>(?:[^,"<]|"(?:[^"\\]|\\.)*")*)/g;
  for (const { groups = {} } of header.matchAll(links)) {
    const { target, rest = "" } = groups;
    const said = Array.from(rest.matchAll(parameter), (one) => one.groups ?? {});
    // the first one counts (RFC 8288, section 3.3)
    const { quoted, token = "" } = said.find(({ name }) => name?.toLowerCase() === "rel") ?? {};
    if ((quoted ?? token).toLowerCase().split(/\s+/).includes("next")) return target;
  }
  return undefined;
}

/** `$response.body#/next_cursor`, `$response.header.X-Next`, or a constant. */
function valueAt(said: string, { body, headers }: Answer): unknown {
  const header = /^\$response\.header\.(?<name>.+)$/.exec(said)?.groups?.["name"];
  if (header !== undefined) return headers.get(header) ?? undefined;
  const pointer = /^\$response\.body#(?<pointer>.*)$/.exec(said)?.groups?.["pointer"];
  if (pointer === undefined) return said;
  let here: unknown = body;
  for (const token of pointer.split("/").slice(1)) {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    const inside = Object(here) as Readonly<Record<string, unknown>>;
    here = Object.hasOwn(inside, name) ? inside[name] : undefined;
  }
  return here;
}

/** @returns the items of a page; undefined: the contract says that there is a list, and there is none */
export function itemsIn({ items = "", isAlways }: PagePlan, body: unknown) {
  const inside = Object(body) as Readonly<Record<string, unknown>>;
  const list = items === "" ? body : Object.hasOwn(inside, items) ? inside[items] : undefined;
  if (Array.isArray(list)) return list as readonly unknown[];
  return isAlways === true ? undefined : [];
}
