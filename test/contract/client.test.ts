// The types of the contract and the server, seen from a client: one typed call for each operation.

import createClient from "openapi-fetch";
import { describe, expect, expectTypeOf, test } from "vitest";
import { signingFetch } from "../../scripts/client/signing-client.ts";
import type { operations as Operations, paths } from "../../generated/types.ts";
import type * as types from "../../generated/types.ts";
import { errorOf, readAnswer } from "../support/contract-answers.ts";
import { operations } from "../support/contract-document.ts";
import { newKey } from "../support/contract-requests.ts";
import { useContractServer } from "../support/contract-server.ts";

const server = useContractServer();

/** The types want them; signingFetch writes the true ones over them. */
const caller = { "X-Api-Key": "", "X-Signature": "", "X-Timestamp": "", "X-Nonce": "" };
const header = {
  ...caller,
  get "Idempotency-Key"() {
    return newKey();
  },
};
const path = { id: "any_1" };

/** `fetch` is looked up late: the address is known once the server runs. */
function client() {
  return createClient<paths>({ baseUrl: server.url, fetch: signingFetch(server) });
}

const requirements: types.X402PaymentRequirements = {
  scheme: "exact",
  network: "eip155:8453",
  asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  pay_to: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  max_amount_required: "25000000",
  resource: "https://shop.example/orders/A-1001",
  nonce: `0x${"ab".repeat(32)}`,
  valid_before: 1_767_226_400,
};

const payload: types.Eip3009Payload = {
  signature: `0x${"ab".repeat(65)}`,
  authorization: {
    from: "0x1",
    to: "0x2",
    value: "25000000",
    valid_after: 0,
    valid_before: 1_767_226_400,
    nonce: `0x${"ab".repeat(32)}`,
  },
};

const schedule: types.CreatePayoutScheduleRequest = {
  currency_id: "cur_usdc",
  target_chain_id: "eip155:8453",
  withdraw_address_id: "wad_1",
  interval_secs: 86_400,
  min_send_amount: "10",
  mode: "auto_request",
};

interface Called {
  readonly response: Response;
  readonly data?: unknown;
  readonly error?: types.ApiError;
}

/** A missing operation does not compile, nor does a call with a wrong or missing part. */
const calls: Readonly<Record<keyof Operations, () => Promise<Called>>> = {
  registerWebhookEndpoint: () =>
    client().POST("/v1/webhook-endpoints", {
      params: { header },
      body: { url: "https://shop.example/hooks", event_types: ["payment.paid"] },
    }),
  getWebhookEndpoint: () =>
    client().GET("/v1/webhook-endpoints/{id}", { params: { header: caller, path } }),
  updateWebhookEndpoint: () =>
    client().PUT("/v1/webhook-endpoints/{id}", {
      params: { header, path },
      body: { url: "https://shop.example/hooks", event_types: ["*"] },
    }),
  setWebhookEndpointStatus: () =>
    client().POST("/v1/webhook-endpoints/{id}/status", {
      params: { header, path },
      body: { active: false },
    }),
  rotateWebhookEndpointSecret: () =>
    client().POST("/v1/webhook-endpoints/{id}/rotate-secret", { params: { header, path } }),
  listWebhookDeliveries: () =>
    client().GET("/v1/webhook-deliveries", { params: { header: caller } }),
  createPayment: () =>
    client().POST("/v1/payments", {
      params: { header },
      body: {
        merchant_order_no: "A-1001",
        quotes: { cur_usdc: { amount: "25.00", chain_ids: ["eip155:8453"] } },
        splits: [{ type: "percentage", merchant_id: "mer_1", bps: 500 }],
        overpay_policy: "pro_rata",
      },
    }),
  cancelPayment: () => client().POST("/v1/payments/{id}/cancel", { params: { header, path } }),
  requestWithdrawal: () =>
    client().POST("/v1/withdrawals", {
      params: { header },
      body: {
        currency_id: "cur_usdc",
        target_chain_id: "eip155:8453",
        amount: "100",
        withdraw_address_id: "wad_1",
      },
    }),
  cancelWithdrawal: () =>
    client().POST("/v1/withdrawals/{id}/cancel", { params: { header, path } }),
  registerWithdrawAddress: () =>
    client().POST("/v1/withdraw-addresses", {
      params: { header },
      body: { chain_id: "eip155:1", address: "0x1", destination_type: "custodial" },
    }),
  createPayoutSchedule: () =>
    client().POST("/v1/payout-schedules", { params: { header }, body: schedule }),
  listPayoutSchedules: () =>
    client().GET("/v1/payout-schedules", {
      params: { header: caller, query: { status: "active", limit: 5, currency_id: "cur_usdc" } },
    }),
  pausePayoutSchedule: () =>
    client().POST("/v1/payout-schedules/{id}/pause", { params: { header, path } }),
  cancelSubscription: () =>
    client().POST("/v1/subscriptions/{id}/cancel", { params: { header, path } }),
  listCurrencies: () => client().GET("/v1/currencies", { params: { header: caller } }),
  getCurrency: () => client().GET("/v1/currencies/{id}", { params: { header: caller, path } }),
  replaceCurrencyAcceptance: () =>
    client().PUT("/v1/currency-acceptance", {
      params: { header },
      body: { currencies: { cur_usdc: { chain_ids: ["eip155:8453"] }, cur_eth: {} } },
    }),
  reportX402Usage: () =>
    client().POST("/v1/x402/{payment_id}/usage", {
      params: { header, path: { payment_id: "pay_1" } },
      body: { actual_amount: "0.5", usage_id: "u-1", evidence: { tokens: 12 } },
    }),
  settleX402Payment: () =>
    client().POST("/v1/x402/settle", {
      params: { header: caller },
      body: { payment_id: "pay_1", payment_payload: payload, payment_requirements: requirements },
    }),
};

test.each(operations)("openapi-fetch reaches $operationId", async (operation) => {
  const call = Object.entries(calls).find(([name]) => name === operation.operationId)?.[1];
  if (call === undefined) throw new Error("the generated types lack the operation");
  const { response } = await call();
  expect(response.headers.get("x-request-id")).toMatch(/^req_/);
  expect(response.status).not.toBe(501);
});

test("a refusal arrives in the type of the contract", async () => {
  const { data, error, response } = await client().GET("/v1/currencies", {
    params: { header: caller, query: { limit: 0 } },
  });
  expect([response.status, data]).toEqual([400, undefined]);
  expect(error?.code).toBe("invalid_limit");
  expect(error?.details).toHaveProperty("violations", [
    {
      in: "query",
      pointer: "/limit",
      rule: "minimum",
      message: expect.stringMatching(/1/) as string,
    },
  ]);
});

test("the bytes a typed client sends are what the contract means", async () => {
  const [, , , , , , payment] = operations;
  const answers: Promise<unknown>[] = [];
  const observed = createClient<paths>({
    baseUrl: server.url,
    fetch: async (request) => {
      const response = await signingFetch(server)(request);
      answers.push(readAnswer(response.clone(), payment));
      return response;
    },
  });
  const body = { merchant_order_no: "", quotes: {} };
  const { error } = await observed.POST("/v1/payments", { params: { header }, body });
  expect(errorOf(error as never).details.violations).toHaveLength(2);
  expect(await Promise.all(answers)).toHaveLength(1);
});

describe("types, checked by the compiler", () => {
  const typed = () => client();

  test("success and error are told apart", () => {
    const check = async (): Promise<void> => {
      const answer = await typed().POST("/v1/withdrawals/{id}/cancel", {
        params: { header, path },
      });
      if (answer.error === undefined) {
        expectTypeOf(answer.data).toEqualTypeOf<types.CancelledWithdrawal>();
      } else {
        expectTypeOf(answer.error).toEqualTypeOf<types.ApiError>();
        expectTypeOf(answer.data).toEqualTypeOf<undefined>();
      }
    };
    expectTypeOf(check).returns.resolves.toBeVoid();
  });

  test("what the contract refuses does not compile", () => {
    const neverCalled = (): readonly unknown[] => [
      // @ts-expect-error -- X-Signature is required
      typed().GET("/v1/currencies", { params: { header: { "X-Api-Key": "mk" } } }),
      // @ts-expect-error -- there is no such path
      typed().GET("/v1/currency", { params: { header: caller } }),
      // @ts-expect-error -- the path answers to POST only
      typed().GET("/v1/payments", { params: { header: caller } }),
      // @ts-expect-error -- the path needs its id
      typed().GET("/v1/currencies/{id}", { params: { header: caller } }),
      typed().GET("/v1/payout-schedules", {
        // @ts-expect-error -- not one of the three statuses
        params: { header: caller, query: { status: "gone" } },
      }),
      typed().GET("/v1/payout-schedules", {
        // @ts-expect-error -- the limit is a number
        params: { header: caller, query: { limit: "5" } },
      }),
      // @ts-expect-error -- the body is required
      typed().POST("/v1/payments", { params: { header } }),
      typed().POST("/v1/payments", {
        params: { header },
        // @ts-expect-error -- an amount is text
        body: { merchant_order_no: "A-1", quotes: { cur_usdc: { amount: 25 } } },
      }),
      typed().PUT("/v1/webhook-endpoints/{id}", {
        params: { header, path },
        // @ts-expect-error -- event_types are required on an update
        body: { url: "https://shop.example/hooks" },
      }),
    ];
    expectTypeOf(neverCalled).toBeFunction();
  });
});
