// What two answers say of one thing is the same, and what is made anew is new.

import { isObject, type Json, type JsonObject, textOf } from "../../../generator/suite/json.ts";
import { digitsAfterPoint } from "./amounts.ts";
import { currenciesOf } from "./catalog.ts";
import { itemsOf } from "./pages.ts";
import { quotesOf } from "./payments.ts";
import { objectsOf, type Seen, timeOf } from "./relation.ts";

/** Said of one thing. */
export interface Fact {
  /** the thing, among those of its relation; undefined: it is not known which, and nothing is said */
  readonly about: string | undefined;
  readonly place: string;
  readonly value: Json;
}

/** A promise that needs a memory. */
export interface Remembered {
  readonly name: string;
  /** "same": as it was said before; "new": of nothing before */
  readonly kind: "same" | "new";
  readonly facts: (seen: Seen) => readonly Fact[];
}

function pick(from: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, from[name] ?? null]));
}

function isIn(seen: Seen, ...operationIds: readonly string[]): boolean {
  return seen.isSuccess && operationIds.includes(seen.operationId);
}

/** Each key has a catalog, and orders, of its own. Undefined: whose it was, and of which server, nobody knows. */
function ofKey(seen: Seen, ...parts: readonly (Json | undefined)[]): string | undefined {
  const key = seen.sent("X-Api-Key");
  return key === undefined ? undefined : [key, ...parts.map(textOf)].join(" ");
}

function schedulesOf(seen: Seen): readonly JsonObject[] {
  if (isIn(seen, "listPayoutSchedules")) return itemsOf(seen);
  return isIn(seen, "createPayoutSchedule", "pausePayoutSchedule") ? [seen.body] : [];
}

interface Deployed {
  readonly currency: Json;
  readonly chain: Json;
  readonly id: Json;
  readonly decimals?: Json | undefined;
}

/** Every deployment that an answer speaks of. */
function deployedIn(seen: Seen): readonly Deployed[] {
  const { body } = seen;
  if (isIn(seen, "listCurrencies", "getCurrency")) {
    return currenciesOf(seen).flatMap(({ id: currency = null, deployments }) =>
      objectsOf(deployments).map(({ chain_id: chain = null, id = null, decimals }) => {
        return { currency, chain, id, decimals };
      }),
    );
  }
  if (isIn(seen, "createPayment", "cancelPayment")) {
    return quotesOf(body).flatMap(([currency, { deployments }]) =>
      objectsOf(deployments).map(
        ({ chain_id: chain = null, currency_chain_id: id = null, decimals }) => {
          return { currency, chain, id, decimals };
        },
      ),
    );
  }
  if (isIn(seen, "cancelSubscription")) {
    const {
      currency_id: currency = null,
      chain_id: chain = null,
      currency_chain_id: id = null,
    } = body;
    return [{ currency, chain, id }];
  }
  const sent = isIn(seen, "requestWithdrawal") ? [body] : schedulesOf(seen);
  return sent.map((one) => {
    const {
      currency_id: currency = null,
      target_chain_id: chain = null,
      currency_chain_id: id = null,
    } = one;
    const [raw, amount] =
      one["min_send_raw"] === undefined
        ? [one["send_amount_raw"], seen.wish["amount"]]
        : [one["min_send_raw"], one["min_send_amount"]];
    return { currency, chain, id, decimals: decimalsBetween(textOf(raw), amount) };
  });
}

/** By how many places the one is the other; undefined: of zero nobody can tell. */
function decimalsBetween(raw: string, amount: Json | undefined): number | undefined {
  if (typeof amount !== "string" || /^0*$/.test(raw)) return undefined;
  const digits = amount.replace(".", "").replace(/^0+/, "");
  const fraction = amount.split(".")[1]?.length ?? 0;
  const places = raw.length - digits.length + fraction;
  return places >= digitsAfterPoint(amount) ? places : undefined;
}

const aboutThings: readonly Remembered[] = [
  {
    name: "a payment keeps its prices, its time and its order",
    kind: "same",
    facts: (seen) =>
      isIn(seen, "createPayment", "cancelPayment")
        ? [
            {
              about: textOf(seen.body["id"]),
              place: "body",
              value: pick(seen.body, "quotes", "expires_at", "merchant_order_no"),
            },
          ]
        : [],
  },
  {
    name: "a schedule keeps what was asked for",
    kind: "same",
    facts: (seen) =>
      schedulesOf(seen).map((one) => {
        const {
          status: _1,
          enabled: _2,
          next_run_at: _3,
          updated_at: _4,
          retired_at: _5,
          ...kept
        } = one;
        return { about: textOf(one["id"]), place: "body", value: kept };
      }),
  },
  {
    name: "a schedule keeps its grid of time",
    kind: "same",
    facts: (seen) =>
      schedulesOf(seen).map(({ id, next_run_at, interval_secs }) => {
        const value = (timeOf(next_run_at) ?? 0) % (Number(interval_secs) * 1000);
        return { about: textOf(id), place: "body /next_run_at", value };
      }),
  },
  {
    name: "an endpoint keeps the time it was made",
    kind: "same",
    facts: (seen) =>
      isIn(seen, "getWebhookEndpoint", "updateWebhookEndpoint", "setWebhookEndpointStatus")
        ? [
            {
              about: textOf(seen.body["id"]),
              place: "body /created_at",
              value: seen.body["created_at"] ?? null,
            },
          ]
        : [],
  },
  {
    name: "a subscription keeps its price",
    kind: "same",
    facts: (seen) =>
      isIn(seen, "cancelSubscription")
        ? [{ about: textOf(seen.body["id"]), place: "body", value: seen.body }]
        : [],
  },
  {
    name: "an order has one payment",
    kind: "same",
    facts: (seen) => {
      const id = isIn(seen, "createPayment")
        ? seen.body["id"]
        : seen.code === "order_already_exists"
          ? seen.details["payment_id"]
          : undefined;
      if (id === undefined || !seen.hasWish) return [];
      const place = seen.isSuccess ? "body /id" : "body /details/payment_id";
      return [{ about: ofKey(seen, seen.wish["merchant_order_no"]), place, value: id }];
    },
  },
  {
    name: "a payment is settled by one transaction",
    kind: "same",
    facts: (seen) =>
      isIn(seen, "settleX402Payment") && seen.body["tx_hash"] !== ""
        ? [
            {
              about: textOf(seen.body["payment_id"]),
              place: "body /tx_hash",
              value: seen.body["tx_hash"] ?? null,
            },
          ]
        : [],
  },
  {
    name: "a usage is reported once",
    kind: "same",
    facts: (seen) =>
      isIn(seen, "reportX402Usage")
        ? [{ about: textOf(seen.body["payment_id"]), place: "body", value: seen.body }]
        : [],
  },
];

const aboutCatalog: readonly Remembered[] = [
  {
    name: "one version of the catalog says one thing",
    kind: "same",
    facts: (seen) =>
      isIn(seen, "listCurrencies", "getCurrency")
        ? currenciesOf(seen).map((one) => ({
            about: ofKey(seen, seen.body["catalog_version"], one["id"]),
            place: `body (${textOf(one["id"])})`,
            value: one,
          }))
        : [],
  },
  {
    name: "a currency has one deployment on a chain",
    kind: "same",
    facts: (seen) =>
      deployedIn(seen).map(({ currency, chain, id }) => ({
        about: ofKey(seen, currency, chain),
        place: `body (${textOf(currency)})`,
        value: id,
      })),
  },
  {
    name: "a deployment is that of one currency and chain",
    kind: "same",
    facts: (seen) =>
      deployedIn(seen).map(({ currency, chain, id }) => ({
        about: ofKey(seen, id),
        place: `body (${textOf(id)})`,
        value: [currency, chain],
      })),
  },
  {
    name: "a deployment has one number of decimals",
    kind: "same",
    facts: (seen) =>
      deployedIn(seen).flatMap(({ id, decimals }) =>
        decimals === undefined
          ? []
          : [{ about: ofKey(seen, id), place: `body (${textOf(id)})`, value: decimals }],
      ),
  },
];

const makers: Readonly<Record<string, string>> = {
  registerWebhookEndpoint: "id",
  createPayment: "id",
  requestWithdrawal: "id",
  registerWithdrawAddress: "id",
  createPayoutSchedule: "id",
};

function newOf(seen: Seen, place: string, value: Json | undefined): readonly Fact[] {
  return value === undefined || seen.isReplay ? [] : [{ about: textOf(value), place, value: null }];
}

const aboutAnswers: readonly Remembered[] = [
  {
    name: "a replay is the first answer, word for word",
    kind: "same",
    facts: (seen) => {
      const key = seen.sent("Idempotency-Key");
      if (!seen.isSuccess || key === undefined) return [];
      const { method, target } = seen.asked ?? {};
      // An outcome that was open is told when it is known.
      if (seen.answer.status === 202) return [];
      const value = [seen.answer.status, seen.answer.body ?? null];
      return [{ about: ofKey(seen, key, method, target), place: "body", value }];
    },
  },
  {
    name: "an answer has a name of its own",
    kind: "new",
    facts: (seen) => {
      const id = seen.header("X-Request-Id");
      return id === undefined ? [] : [{ about: id, place: "header X-Request-Id", value: null }];
    },
  },
  {
    name: "what is made has an id of its own",
    kind: "new",
    facts: (seen) =>
      seen.isSuccess && makers[seen.operationId] !== undefined
        ? newOf(seen, "body /id", seen.body["id"])
        : [],
  },
  {
    name: "a secret is new",
    kind: "new",
    facts: (seen) =>
      isIn(seen, "registerWebhookEndpoint", "rotateWebhookEndpointSecret")
        ? newOf(seen, "body /secret", seen.body["secret"])
        : [],
  },
  {
    name: "a payment has a page of its own",
    kind: "new",
    facts: (seen) =>
      isIn(seen, "createPayment")
        ? newOf(seen, "body /checkout_url", seen.body["checkout_url"])
        : [],
  },
];

export const rememberedRelations: readonly Remembered[] = [
  ...aboutThings,
  ...aboutCatalog,
  ...aboutAnswers,
];

/** The last entry of the page before, by the cursor that leads on. */
export function pageEnd(
  seen: Seen,
): { readonly cursor: string; readonly last: JsonObject } | undefined {
  const cursor = seen.header("X-Next-Cursor");
  const last = itemsOf(seen).at(-1);
  return cursor === undefined || !isObject(last) ? undefined : { cursor, last };
}
