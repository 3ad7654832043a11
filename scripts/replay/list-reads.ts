// Payout schedules with their filters, and the deliveries of webhooks.

import { isDeepStrictEqual } from "node:util";
import { isObject, type JsonObject, listAt, textOf } from "../../generator/suite/json.ts";
import { operationBy } from "../../test/support/contract-resources.ts";
import { orderProblems, walk } from "./pages.ts";
import { plainOf } from "./requests.ts";
import { ChainStopped, type Session } from "./session.ts";
import { offBy } from "./values.ts";

const schedules = { operationId: "listPayoutSchedules", member: "schedules" };

const newestFirst = (one: JsonObject, other: JsonObject): boolean => {
  const place = ({ created_at: at, id }: JsonObject): string => `${textOf(at)} ${textOf(id)}`;
  return place(one) > place(other);
};

/** The schedules, as they were answered. */
export async function readSchedules(session: Session): Promise<readonly JsonObject[]> {
  const now = Date.now();
  const { items } = await walk(session, {
    ...schedules,
    limit: 100,
    checkPage: ({ body }) => {
      const page = isObject(body) ? listAt(body, schedules.member).filter(isObject) : [];
      return [
        ...orderProblems(page, schedules.member, newestFirst),
        ...page.flatMap((one) => scheduleProblems(one, now)),
      ];
    },
  });
  const third = Math.max(1, Math.ceil(items.length / 3));
  const filters = ["status=active", "status=paused", "status=retired"];
  const [first] = items;
  if (first !== undefined) {
    filters.push(`currency_id=${encodeURIComponent(textOf(first["currency_id"]))}`);
    filters.push(`target_chain_id=${encodeURIComponent(textOf(first["target_chain_id"]))}`);
  }
  await compare(session, items, { limit: third });
  for (const filter of filters) await compare(session, items, { limit: 100, filter });
  return items;
}

/** With a filter there is what fits, and nothing else. */
async function compare(
  session: Session,
  all: readonly JsonObject[],
  { limit, filter = "" }: { readonly limit: number; readonly filter?: string },
): Promise<void> {
  const wanted = [...new URLSearchParams(filter)];
  const expected = all.filter((one) =>
    wanted.every(([name, value]) => textOf(one[name]) === value),
  );
  const seen: JsonObject[] = [];
  await walk(session, {
    ...schedules,
    limit,
    ...(filter === "" ? {} : { filter }),
    checkPage: ({ body, headers }) => {
      seen.push(...(isObject(body) ? listAt(body, schedules.member).filter(isObject) : []));
      const isWhole = headers.has("Link") || seen.length === expected.length;
      if (isWhole && isDeepStrictEqual(seen, expected.slice(0, seen.length))) return [];
      const ids = (list: readonly JsonObject[]): string =>
        list.map(({ id }) => textOf(id)).join(", ");
      return [`body /schedules: has ${ids(seen)}, and all of them are ${ids(expected)}`];
    },
  });
}

export function scheduleProblems(one: JsonObject, now: number): readonly string[] {
  const { id, status, enabled, created_at: created, updated_at: updated } = one;
  const problem = (text: string): string => `body /schedules: ${textOf(id)}: ${text}`;
  const off = offBy(Math.max(now, Date.parse(textOf(updated))), now);
  return [
    ...(enabled === (status === "active")
      ? []
      : [problem(`enabled is ${textOf(enabled)}, and it is ${textOf(status)}`)]),
    ...(textOf(created) <= textOf(updated) ? [] : [problem("updated_at is before created_at")]),
    ...(off === undefined ? [] : [problem(`updated_at ${off}`)]),
  ];
}

const deliveryDaysMax = 30;

export async function readDeliveries(session: Session): Promise<void> {
  const operation = operationBy("listWebhookDeliveries");
  await session.play({
    name: "listWebhookDeliveries: all",
    operation,
    request: plainOf(operation, {}),
    expected: [{ status: 200 }],
    check: ({ body }) => {
      const items = isObject(body) ? listAt(body, "deliveries").filter(isObject) : [];
      const order = orderProblems(
        items,
        "deliveries",
        (one, other) => textOf(one["created_at"]) >= textOf(other["created_at"]),
      );
      return [...order, ...items.flatMap((one) => deliveryProblems(one, Date.now()))];
    },
  });
}

function deliveryProblems(one: JsonObject, now: number): readonly string[] {
  const { id, status, attempts, created_at: created } = one;
  const problem = (text: string): string => `body /deliveries: ${textOf(id)}: ${text}`;
  const time = Date.parse(textOf(created));
  const off = offBy(Math.max(now, time), now);
  const daysOld = (now - time) / 86_400_000;
  return [
    ...(off === undefined ? [] : [problem(`created_at ${off}`)]),
    ...(daysOld <= deliveryDaysMax + 1 ? [] : [problem(`is ${Math.floor(daysOld)} days old`)]),
    ...(status === "delivered" && attempts === 0 ? [problem("is delivered after no attempt")] : []),
  ];
}

/** What was noted already ends one chain, and no other. */
export async function untilStopped<Result>(
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ChainStopped) return undefined;
    throw error;
  }
}
