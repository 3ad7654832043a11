// From a page to the next one: by the header Link (RFC 8288), or as the contract's own links say.

import type { Answer } from "./answers.ts";
import type { PagePlan } from "./plan.ts";

/** Arguments of the next page beside those of this one, or its whole query; undefined: this is the last. */
export type Next =
  { readonly arguments: Readonly<Record<string, unknown>> } | { readonly query: string };

/** @param url of this page */
export function nextOf({ next }: PagePlan, answer: Answer, url: string): Next | undefined {
  if (next === undefined) {
    const target = nextLink(answer.headers.get("Link") ?? "");
    return target === undefined ? undefined : { query: new URL(target, url).search.slice(1) };
  }
  const values = Object.entries(next).map(([name, said]) => [name, valueAt(said, answer)] as const);
  const isLast = values.some(([, value]) => value === undefined || value === null || value === "");
  return isLast ? undefined : { arguments: Object.fromEntries(values) };
}

/** The target of the first link whose relations have "next" among them. */
export function nextLink(header: string): string | undefined {
  const links = /<(?<target>[^>]*)>(?<rest>(?:[^,"<]|"(?:[^"\\]|\\.)*")*)/g;
  for (const { groups = {} } of header.matchAll(links)) {
    const { target, rest = "" } = groups;
    const { quoted, token } =
      /;\s*rel\s*=\s*(?:"(?<quoted>[^"]*)"|(?<token>[^\s;]+))/i.exec(rest)?.groups ?? {};
    const relations = (quoted ?? token ?? "").toLowerCase().split(/\s+/);
    if (relations.includes("next")) return target;
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

/** @returns the items of a page; a page that has none has no list */
export function itemsIn({ items }: PagePlan, body: unknown): readonly unknown[] {
  const list =
    items === "" ? body : (Object(body) as Readonly<Record<string, unknown>>)[items ?? ""];
  return Array.isArray(list) ? list : [];
}
