// Lists that come in pages: how long they are, in which order, and where the next page begins.

import type { JsonObject } from "../../../generator/suite/json.ts";
import { textOf } from "../../../generator/suite/json.ts";
import { limitOf, nextOf } from "./headers.ts";
import {
  type Claim,
  holds,
  objectsOf,
  ofSuccess,
  type Relation,
  same,
  type Seen,
  twice,
} from "./relation.ts";

interface List {
  readonly member: string;
  /** each is before the next one by this */
  readonly orderOf: (item: JsonObject) => readonly string[];
  readonly isNewestFirst: boolean;
}

const lists: Readonly<Record<string, List>> = {
  listCurrencies: {
    member: "currencies",
    orderOf: ({ code, id }) => [textOf(code), textOf(id)],
    isNewestFirst: false,
  },
  listPayoutSchedules: {
    member: "schedules",
    orderOf: ({ created_at, id }) => [textOf(created_at), textOf(id)],
    isNewestFirst: true,
  },
  listWebhookDeliveries: {
    member: "deliveries",
    orderOf: ({ created_at }) => [textOf(created_at)],
    isNewestFirst: true,
  },
};

const paged = ["listCurrencies", "listPayoutSchedules"];

export function itemsOf(seen: Seen): readonly JsonObject[] {
  const list = lists[seen.operationId];
  return list === undefined ? [] : objectsOf(seen.body[list.member]);
}

/** Whether the one may stand in front of the other. */
export function isBefore(operationId: string, one: JsonObject, other: JsonObject): boolean {
  const list = lists[operationId];
  if (list === undefined) return true;
  const [a, b] = [list.orderOf(one), list.orderOf(other)];
  const place = a.findIndex((part, index) => part !== b[index]);
  if (place === -1) return true;
  return (a[place] ?? "") < (b[place] ?? "") !== list.isNewestFirst;
}

function ofPages(name: string, claims: (seen: Seen) => readonly Claim[]): Relation {
  return ofSuccess(paged, name, (seen) => (seen.asked === undefined ? [] : claims(seen)));
}

export const pageRelations: readonly Relation[] = [
  ofSuccess(Object.keys(lists), "a list is in its order", (seen) => {
    const items = itemsOf(seen);
    const wrong = items.findIndex((item, place) => {
      const next = items[place + 1];
      return next !== undefined && !isBefore(seen.operationId, item, next);
    });
    return [holds(`body`, wrong === -1, `entry ${wrong} is not in its order`)];
  }),
  ofSuccess(Object.keys(lists), "nothing stands twice in a list", (seen) => {
    const [again] = twice(itemsOf(seen).map(({ id }) => textOf(id)));
    return [holds("body", again === undefined, `has ${again} twice`)];
  }),
  ofPages("a page has no more than its limit", (seen) => {
    const [count, limit] = [itemsOf(seen).length, limitOf(seen)];
    return [holds("body", count <= limit, `has ${count} entries of at most ${limit}`)];
  }),
  ofPages("the address and the cursor of the next page come together", (seen) => {
    const [link, cursor] = [nextOf(seen), seen.header("X-Next-Cursor")];
    return [same("header Link", link?.searchParams.get("cursor") ?? undefined, cursor)];
  }),
  ofPages("only a full page has a next one", (seen) => {
    if (seen.header("X-Next-Cursor") === undefined) return [];
    const [count, limit] = [itemsOf(seen).length, limitOf(seen)];
    return [holds("header X-Next-Cursor", count === limit, `is there, after ${count} of ${limit}`)];
  }),
  ofPages("the next page is asked for as this one", (seen) => {
    const next = nextOf(seen);
    if (next === undefined) return [];
    const [path] = seen.asked?.target.split("?") ?? [];
    const others = (query: URLSearchParams): readonly string[] =>
      [...query]
        .filter(([name]) => name !== "cursor")
        .map((pair) => pair.join("="))
        .toSorted();
    const asked = seen.query;
    asked.set("limit", String(limitOf(seen)));
    const wanted = others(asked);
    return [
      same("header Link", next.pathname, path),
      same("header Link", [...others(next.searchParams)], [...wanted]),
    ];
  }),
  ofSuccess("listPayoutSchedules", "a list has what was asked for", (seen) =>
    ["status", "currency_id", "target_chain_id"].flatMap((name) => {
      const wanted = seen.query.get(name);
      if (wanted === null) return [];
      const other = itemsOf(seen).find((item) => item[name] !== wanted);
      return [
        holds(
          "body",
          other === undefined,
          `has ${textOf(other?.[name])}, and ${name} is ${wanted}`,
        ),
      ];
    }),
  ),
];
