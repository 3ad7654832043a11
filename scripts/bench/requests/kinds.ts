// The kinds of request that are measured. What a read has to answer is asked for once in front of its
// window, looked at, and then every answer must be the same.

import type { Credentials } from "../../client/canonical.ts";
import type { ClientPlan, PlannedRequest } from "../service/load-plan.ts";
import type { RunningService } from "../service/running.ts";
import { call, creating } from "../service/shops.ts";
import { schedulesEach, withdrawalBody } from "./merchants.ts";
import type { Merchant } from "./merchants.ts";

export interface Kind {
  readonly name: string;
  readonly label: string;
  /** beyond what was measured */
  readonly signedBeforePerSecond: number;
  readonly plan: (service: RunningService, merchant: Merchant) => Promise<ClientPlan>;
  readonly isSigned: boolean;
  /** how many signed requests `plan` sends for each merchant */
  readonly asked: number;
}

/** Every other one is compared with it. */
export const creatingName = "create";

const writesPerSecond = 2_500;
const readsPerSecond = 6_000;
/** Of each merchant, in turn. */
const pagesEach = 20;

export const kinds: readonly Kind[] = [
  write(creatingName, "create a payment", ({ shop }) => [shop, [creating]]),
  {
    ...write("replay", "the same again, replayed", ({ shop, made }) => [shop, made.map(replaying)]),
    signedBeforePerSecond: readsPerSecond,
  },
  write("withdraw", "request a withdrawal", (merchant) => [
    merchant.treasurer,
    [withdrawing(merchant)],
  ]),
  read("endpoint", "a webhook endpoint by its id", ({ shop }) => ({
    path: `/v1/webhook-endpoints/${shop.endpointId}`,
    isRight: ({ id }) => id === shop.endpointId,
  })),
  read("currencies", "currencies, a page of all 5", () => ({
    path: "/v1/currencies?limit=20",
    isRight: ({ currencies }) => isListOf(currencies, 5),
  })),
  read("schedules", "payout schedules, a page of 20", () => ({
    path: `/v1/payout-schedules?limit=${schedulesEach}`,
    isRight: ({ schedules }) => isListOf(schedules, schedulesEach),
  })),
  read("deliveries", "webhook deliveries, the newest 100", () => ({
    path: "/v1/webhook-deliveries",
    isRight: ({ deliveries }) => isListOf(deliveries, 100),
  })),
  {
    name: "checkout",
    label: "the state of a checkout page",
    signedBeforePerSecond: readsPerSecond,
    isSigned: false,
    asked: 0,
    plan: async ({ url }, { made }) => {
      const requests: PlannedRequest[] = [];
      for (const { token } of made.slice(0, pagesEach)) {
        requests.push(await checkoutState(url, token));
      }
      return { credentials: undefined, requests };
    },
  },
];

function isListOf(list: unknown, length: number): boolean {
  return Array.isArray(list) && list.length === length;
}

function write(
  name: string,
  label: string,
  of: (merchant: Merchant) => readonly [Credentials, readonly PlannedRequest[]],
): Kind {
  return {
    name,
    label,
    signedBeforePerSecond: writesPerSecond,
    isSigned: true,
    asked: 0,
    plan: (_, merchant) => {
      const [credentials, requests] = of(merchant);
      return Promise.resolve({ credentials, requests });
    },
  };
}

function replaying({ idempotencyKey, body, answer }: Merchant["made"][number]): PlannedRequest {
  return {
    method: "POST",
    target: "/v1/payments",
    body: JSON.stringify(body),
    idempotencyKey: { same: idempotencyKey },
    answer: { status: 201, isReplay: true, body: { text: answer } },
  };
}

function withdrawing(merchant: Merchant): PlannedRequest {
  const pattern = String.raw`^\{"id":"(wdr_[0-9A-Z]+)".*"send_amount_raw":"250000".*"status":"pending"`;
  return {
    method: "POST",
    target: "/v1/withdrawals",
    body: JSON.stringify(withdrawalBody(merchant)),
    idempotencyKey: "new",
    answer: { status: 201, isReplay: false, body: { pattern } },
  };
}

interface Reading {
  readonly path: string;
  readonly isRight: (answer: Readonly<Record<string, unknown>>) => boolean;
}

function read(name: string, label: string, of: (merchant: Merchant) => Reading): Kind {
  return {
    name,
    label,
    signedBeforePerSecond: readsPerSecond,
    isSigned: true,
    asked: 1,
    plan: async (service, merchant) => {
      const { path, isRight } = of(merchant);
      const text = await call(service, merchant.reader, { method: "GET", path });
      // Every answer with a body is an object of JSON.
      if (!isRight(JSON.parse(text) as Readonly<Record<string, unknown>>)) {
        throw new Error(`GET ${path} was answered with something else: ${text}`);
      }
      const answer = { status: 200, isReplay: false, body: { text } };
      return {
        credentials: merchant.reader,
        requests: [{ method: "GET", target: path, answer }],
      };
    },
  };
}

/** As the open page asks: nobody signs it, and the time of the server stands in it. */
async function checkoutState(url: string, token: string): Promise<PlannedRequest> {
  const target = `/checkout/${token}/status`;
  const response = await fetch(`${url}${target}`);
  const text = await response.text();
  const time = /"server_time":"[^"]+"/.exec(text)?.[0];
  if (!response.ok || !text.includes('"status":"pending"') || time === undefined) {
    throw new Error(`GET ${target} was answered ${response.status}: ${text}`);
  }
  const [before = "", after = ""] = text.split(time);
  const pattern = `^${literally(before)}"server_time":"[^"]+"${literally(after)}$`;
  return { method: "GET", target, answer: { status: 200, isReplay: false, body: { pattern } } };
}

function literally(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}
