// What the compiler holds handlers to. Nothing here runs but the assertions on types: `npm run
// typecheck` is what fails when one of the marked lines becomes legal.

import { describe, expectTypeOf, test } from "vitest";
import type { Handlers } from "../../generated/handlers.ts";
import type * as types from "../../generated/types.ts";
import type { EdgeHeader } from "../../handlers/caller.ts";

interface Caller {
  readonly merchantId: string;
}

type All = Handlers<Caller, EdgeHeader>;
type Handler<Name extends keyof All> = All[Name];

declare const payment: types.Payment;
declare const endpoint: types.RegisteredWebhookEndpoint;
declare const error: types.ApiError;
declare const page: types.PayoutScheduleList;
declare const help: { Link: string };
declare const refusal: { body: types.ApiError; headers: typeof help };
declare const refuse: (cause: unknown) => { status: 404 } & typeof refusal;

describe("a request is what the contract says", () => {
  test("its parts have the types of the document", () => {
    type Request = Parameters<Handler<"createPayment">>[0];
    expectTypeOf<Request["body"]>().toEqualTypeOf<types.CreatePaymentRequest>();
    type Written = types.paths["/v1/payments"]["post"]["requestBody"]["content"];
    expectTypeOf<Request["body"]>().toEqualTypeOf<Written["application/json"]>();
    expectTypeOf<Request["headers"]["Idempotency-Key"]>().toEqualTypeOf<string>();
    expectTypeOf<Request["body"]["quotes"][string]["amount"]>().toEqualTypeOf<string>();
    expectTypeOf<Request["body"]["overpay_policy"]>().toEqualTypeOf<
      "pro_rata" | "to_primary" | undefined
    >();
  });

  test("what has a default is always there", () => {
    type Query = Parameters<Handler<"listPayoutSchedules">>[0]["query"];
    expectTypeOf<Query["limit"]>().toEqualTypeOf<number>();
    expectTypeOf<Query["cursor"]>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Query["status"]>().toEqualTypeOf<types.PayoutScheduleStatus | undefined>();
  });

  test("what is optional may be missing", () => {
    type Headers = Parameters<Handler<"settleX402Payment">>[0]["headers"];
    expectTypeOf<Headers["Idempotency-Key"]>().toEqualTypeOf<string | undefined>();
  });

  test("an operation without a body has none", () => {
    expectTypeOf<Parameters<Handler<"cancelPayment">>[0]>().not.toHaveProperty("body");
    expectTypeOf<Parameters<Handler<"cancelPayment">>[0]["path"]>().toExtend<{ id: string }>();
  });

  test("the caller is what authentication found out", () => {
    expectTypeOf<Parameters<Handler<"cancelPayment">>[1]>().toEqualTypeOf<Caller>();
  });
});

describe("an answer is one that the contract documents", () => {
  test("a documented one compiles", () => {
    const created: Handler<"createPayment"> = () => ({ status: 201, body: payment });
    const refused: Handler<"createPayment"> = () => ({ status: 409, body: error, headers: help });
    const broken: Handler<"createPayment"> = () => ({ status: 503, body: error, headers: help });
    const headers = { "X-Next-Cursor": "c" };
    const listed: Handler<"listPayoutSchedules"> = () => ({ status: 200, body: page, headers });
    const unchanged: Handler<"listCurrencies"> = () => ({ status: 304, headers: { ETag: "1" } });
    const place = { Location: "/v1/webhook-endpoints/whe_1" };
    const later: Handler<"registerWebhookEndpoint"> = () =>
      Promise.resolve({ status: 201, body: endpoint, headers: place });
    for (const one of [created, refused, broken, listed, unchanged, later]) {
      expectTypeOf(one).toBeFunction();
    }
  });

  test("another one does not", () => {
    // @ts-expect-error -- 200 is not documented, creating is 201
    const wrongStatus: Handler<"createPayment"> = () => ({ status: 200, body: payment });
    // @ts-expect-error -- 418 is not among the statuses of default
    const undocumented: Handler<"createPayment"> = () => ({ status: 418, ...refusal });
    // @ts-expect-error -- 404 is another operation's answer
    const foreign: Handler<"createPayment"> = () => ({ status: 404, ...refusal });
    // @ts-expect-error -- the body of 201 is a payment
    const wrongBody: Handler<"createPayment"> = () => ({ status: 201, body: error });
    // @ts-expect-error -- a body is missing
    const noBody: Handler<"createPayment"> = () => ({ status: 201 });
    // @ts-expect-error -- 304 has no body
    const tooMuch: Handler<"listCurrencies"> = () => ({ status: 304, body: error });
    // @ts-expect-error -- the edge does not ask for it, and 429 requires it
    const noRetryAfter: Handler<"listCurrencies"> = () => ({ status: 429, ...refusal });
    // @ts-expect-error -- nor for the entry of the code, which every error requires
    const noHelp: Handler<"createPayment"> = () => ({ status: 409, body: error });
    // @ts-expect-error -- nor for the place of what was made, which 201 requires
    const noPlace: Handler<"registerWebhookEndpoint"> = () => ({ status: 201, body: endpoint });
    // @ts-expect-error -- a part of the body is missing
    const incomplete: Handler<"rotateWebhookEndpointSecret"> = () => ({
      status: 200,
      body: { id: "a" },
    });
    // @ts-expect-error -- the request has no such part
    const wrongPart: Handler<"cancelPayment"> = (request: { body: string }) => refuse(request);
    // @ts-expect-error -- the caller of this service has no such member
    const wrongCaller: Handler<"cancelPayment"> = (_, who: { admin: string }) => refuse(who);
    for (const one of [wrongStatus, undocumented, foreign, wrongBody, noBody]) {
      expectTypeOf(one).toBeFunction();
    }
    for (const one of [
      tooMuch,
      noRetryAfter,
      noHelp,
      noPlace,
      incomplete,
      wrongPart,
      wrongCaller,
    ]) {
      expectTypeOf(one).toBeFunction();
    }
  });

  test("the code of an error says what its details hold", () => {
    type DetailsOf<Code> = Extract<types.ApiError, { code: Code }>["details"];
    type Clock = Extract<types.ApiError, { code: "timestamp_out_of_range" }>;
    expectTypeOf<DetailsOf<Clock["code"]>["server_time"]>().toEqualTypeOf<number>();
    const read = (refused: types.ApiError): string => {
      if (refused.code === "insufficient_balance") return refused.details.available_raw;
      return refused.details.request_id;
    };
    expectTypeOf(read).toBeFunction();
    const readMore = (refused: types.ApiError): unknown => {
      if (refused.code !== "insufficient_balance") return undefined;
      // @ts-expect-error -- no other error has it
      return refused.details.server_time as unknown;
    };
    expectTypeOf(readMore).toBeFunction();
  });

  test("a missing operation does not compile", () => {
    type Incomplete = Omit<All, "cancelPayment">;
    expectTypeOf<Incomplete>().not.toExtend<All>();
    expectTypeOf<keyof All>().toEqualTypeOf<keyof types.operations>();
  });
});
