// A list, page by page, as a client walks it: by the link to the next page.

import type { Answer } from "../../generator/suite/answer-judge.ts";
import { isObject, type JsonObject, listAt, textOf } from "../../generator/suite/json.ts";
import { operationBy } from "../../test/support/contract-resources.ts";
import { plainOf } from "./requests.ts";
import type { Session } from "./session.ts";

export interface ListWish {
  readonly operationId: string;
  /** the member of the answer that has the list */
  readonly member: string;
  readonly limit: number;
  /** as in a query: "status=active" */
  readonly filter?: string;
  /** what each page has to say beside the list */
  readonly checkPage?: (answer: Answer) => readonly string[];
}

export interface Walked {
  readonly items: readonly JsonObject[];
  readonly last: Answer;
}

const pagesMax = 1000;

/** Throws `ChainStopped` where a page is not answered. */
export async function walk(session: Session, wish: ListWish): Promise<Walked> {
  const { operationId, member, limit, filter, checkPage } = wish;
  const operation = operationBy(operationId);
  const items: JsonObject[] = [];
  let asked = [filter, `limit=${limit}`].filter(Boolean).join("&");
  for (let page = 1; ; page += 1) {
    const query = asked;
    const answer = await session.need({
      name: `${operationId}: page ${page} of ${limit}${filter === undefined ? "" : ` with ${filter}`}`,
      operation,
      request: plainOf(operation, { query }),
      expected: [{ status: 200 }],
      check: (seen) => [
        ...pageProblems(seen, { member, limit, path: operation.path, asked: query, page }),
        ...(checkPage?.(seen) ?? []),
      ],
    });
    items.push(...itemsOf(answer, member));
    const next = linkOf(answer)?.search.slice(1);
    if (next === undefined || next === asked || page === pagesMax) return { items, last: answer };
    asked = next;
  }
}

function itemsOf({ body }: Answer, member: string): readonly JsonObject[] {
  return isObject(body) ? listAt(body, member).filter(isObject) : [];
}

function linkOf({ headers }: Answer): URL | undefined {
  const [, target] = /^<(\/[^>]*)>; rel="next"$/.exec(headers.get("Link") ?? "") ?? [];
  return target === undefined ? undefined : (URL.parse(target, "http://server") ?? undefined);
}

interface Page {
  readonly member: string;
  readonly limit: number;
  readonly path: string;
  readonly asked: string;
  readonly page: number;
}

function pageProblems(
  answer: Answer,
  { member, limit, path, asked, page }: Page,
): readonly string[] {
  const problems: string[] = [];
  const count = itemsOf(answer, member).length;
  const cursor = answer.headers.get("X-Next-Cursor");
  const link = linkOf(answer);
  if (count > limit)
    problems.push(`body /${member}: has ${count} entries, and ${limit} were asked for`);
  if (page > 1 && count === 0)
    problems.push(`body /${member}: is empty, on a page that was linked to`);
  if (cursor !== null && link === undefined) {
    problems.push("header Link: is missing, and there is an X-Next-Cursor");
  }
  if (link === undefined) return problems;
  if (count < limit)
    problems.push(`header Link: is there, and the page has ${count} of ${limit} entries`);
  if (cursor === null) problems.push("header X-Next-Cursor: is missing, and there is a Link");
  const linked = link.searchParams.get("cursor");
  if (cursor !== null && linked !== cursor) {
    problems.push(`header Link: has another cursor than X-Next-Cursor`);
  }
  if (link.pathname !== path) problems.push(`header Link: leads to ${link.pathname}`);
  for (const [name, value] of new URLSearchParams(asked)) {
    if (name !== "cursor" && link.searchParams.get(name) !== value) {
      problems.push(`header Link: has lost ${name}=${value}`);
    }
  }
  return problems;
}

/** Sorted by these texts, and none twice. */
export function orderProblems(
  items: readonly JsonObject[],
  member: string,
  isBefore: (one: JsonObject, other: JsonObject) => boolean,
): readonly string[] {
  const ids = items.map(({ id }) => textOf(id));
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  const at = items.findIndex((item, index) => {
    const next = items[index + 1];
    return next !== undefined && !isBefore(item, next);
  });
  return [
    ...(twice === undefined ? [] : [`body /${member}: has ${twice} twice`]),
    ...(at === -1 ? [] : [`body /${member}: ${ids[at]} stands before ${ids[at + 1]}`]),
  ];
}
