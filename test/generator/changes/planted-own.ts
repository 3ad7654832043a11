// Changes planted into the contract of the service: those that break clients, each with the rule and the
// place that it must be found by, and some that break nobody.

import { add, both, type Breaking, change, type Harmless, move, remove, without } from "./edits.ts";

const payments = "/paths/~1v1~1payments/post";
const endpoints = "/paths/~1v1~1webhook-endpoints/post";
const schedules = "/paths/~1v1~1payout-schedules/get";
const parameters = "/components/parameters";
const schemas = "/components/schemas";
const request = `${schemas}/CreatePaymentRequest`;
const scheduleStatuses = `${schemas}/PayoutScheduleStatus/enum`;

export const ownBreaking: readonly Breaking[] = [
  ["an operation is gone", remove(payments), "operation-removed", payments],
  [
    "a path is another one",
    move("/paths/~1v1~1x402~1settle", "/paths/~1v1~1x402~1settlements"),
    "operation-removed",
    "/paths/~1v1~1x402~1settle/post",
  ],
  [
    "a function of generated clients is called otherwise",
    change(`${payments}/operationId`, "makePayment"),
    "operation-id-changed",
    `${payments}/operationId`,
  ],
  [
    "another scope is needed",
    change(`${payments}/x-required-scope`, "payments:create"),
    "required-scope-changed",
    `${payments}/x-required-scope`,
  ],
  [
    "a slower bucket",
    change(`${schedules}/x-rate-limit-policy`, "money"),
    "rate-limit-lowered",
    `${schedules}/x-rate-limit-policy`,
  ],
  [
    "an Idempotency-Key must be sent",
    change(`${parameters}/OptionalIdempotencyKey/required`, true),
    "request-parameter-became-required",
    `${parameters}/OptionalIdempotencyKey/required`,
  ],
  [
    "a new header must be sent",
    add(`${payments}/parameters`, { name: "X-Shop", in: "header", required: true, schema: {} }),
    "request-required-parameter-added",
    `${payments}/parameters/5`,
  ],
  [
    "a filter is gone",
    remove(`${schedules}/parameters/5`),
    "request-parameter-removed",
    `${parameters}/FilterCurrencyId`,
  ],
  [
    "a page without limit is longer",
    change(`${parameters}/Limit/schema/default`, 50),
    "request-default-changed",
    `${parameters}/Limit/schema/default`,
  ],
  [
    "a page may not be as long",
    change(`${parameters}/Limit/schema/maximum`, 50),
    "request-bound-tightened",
    `${parameters}/Limit/schema/maximum`,
  ],
  [
    "a new field must be sent",
    both(
      add(`${request}/properties/channel`, { type: "string" }),
      add(`${request}/required`, "channel"),
    ),
    "request-required-property-added",
    `${request}/properties/channel`,
  ],
  [
    "a field must be sent",
    add(`${request}/required`, "user_id"),
    "request-property-became-required",
    `${request}/properties/user_id`,
  ],
  [
    "a field is not taken any more",
    remove(`${request}/properties/user_id`),
    "request-property-removed",
    `${request}/properties/user_id`,
  ],
  [
    "a choice is not taken any more",
    without(`${request}/properties/overpay_policy/enum`, "pro_rata"),
    "request-enum-value-removed",
    `${request}/properties/overpay_policy/enum/0`,
  ],
  [
    "a value must have a form",
    add(`${request}/properties/merchant_order_no/pattern`, "^[A-Z0-9-]+$"),
    "request-pattern-added",
    `${request}/properties/merchant_order_no/pattern`,
  ],
  [
    "a value is a number now",
    change(`${request}/properties/user_id`, { type: "integer" }),
    "request-type-changed",
    `${request}/properties/user_id/type`,
  ],
  [
    "fewer prices are taken",
    change(`${request}/properties/quotes/maxProperties`, 8),
    "request-bound-tightened",
    `${request}/properties/quotes/maxProperties`,
  ],
  [
    "a field of an answer is gone",
    both(
      remove(`${schemas}/RegisteredWebhookEndpoint/properties/secret`),
      without(`${schemas}/RegisteredWebhookEndpoint/required`, "secret"),
    ),
    "response-property-removed",
    `${schemas}/RegisteredWebhookEndpoint/properties/secret`,
  ],
  [
    "a field of an answer may be absent",
    without(`${schemas}/RegisteredWebhookEndpoint/required`, "secret"),
    "response-property-became-optional",
    `${schemas}/RegisteredWebhookEndpoint/properties/secret`,
  ],
  [
    "a field of an answer may be null",
    change(`${schemas}/WebhookEndpoint/properties/active/type`, ["boolean", "null"]),
    "response-became-nullable",
    `${schemas}/WebhookEndpoint/properties/active/type`,
  ],
  [
    "a known value is gone",
    without(`${schemas}/EventType/x-known-values`, "payment.paid"),
    "known-value-removed",
    `${schemas}/EventType/x-known-values`,
  ],
  [
    "an error has another code",
    change(`${endpoints}/responses/409/x-error-codes/0`, "endpoint_exists"),
    "error-code-removed",
    `${endpoints}/responses/409/x-error-codes`,
  ],
  [
    "a status is gone",
    both(remove(`${endpoints}/responses/409`), (document) =>
      add(`${endpoints}/responses/410`, { description: "Gone." })(document),
    ),
    "response-status-removed",
    `${endpoints}/responses/409`,
  ],
  [
    "a status behind the default is gone",
    without(`${endpoints}/x-default-statuses`, 422),
    "response-status-removed",
    "/components/responses/Default",
  ],
  [
    "a success has another status",
    add(`${endpoints}/responses/202`, { description: "Later." }),
    "response-success-status-added",
    `${endpoints}/responses/202`,
  ],
  [
    "a header of an answer may be absent",
    change("/components/headers/XRequestId/required", false),
    "response-header-became-optional",
    "/components/headers/XRequestId",
  ],
  [
    "a header of an answer is gone",
    remove(`${endpoints}/responses/201/headers/Location`),
    "response-header-removed",
    "/components/headers/Location",
  ],
  [
    "the key is sent elsewhere",
    change("/components/securitySchemes/ApiKey/name", "X-Key"),
    "security-scheme-changed",
    "/components/securitySchemes/ApiKey",
  ],
  [
    "the server has moved",
    change("/servers/0/url", "https://pay.example"),
    "server-removed",
    "/servers/0",
  ],
  [
    "an operation ends too soon",
    both(add(`${schedules}/deprecated`, true), add(`${schedules}/x-sunset`, "2026-12-31")),
    "sunset-too-soon",
    `${schedules}/x-sunset`,
  ],
];

export const ownHarmless: readonly Harmless[] = [
  ["a new operation", add("/paths/~1v1~1news", { get: { operationId: "news", responses: {} } })],
  ["a new field that may be sent", add(`${request}/properties/channel`, { type: "string" })],
  [
    "a new field of an answer",
    add(`${schemas}/WebhookEndpoint/properties/note`, { type: "string" }),
  ],
  ["a new choice in a request", add(`${request}/properties/overpay_policy/enum`, "keep")],
  ["a new event", add(`${schemas}/EventType/x-known-values`, "payment.seen")],
  ["a new code of an error", add(`${endpoints}/responses/409/x-error-codes`, "endpoint_busy")],
  ["a new value in requests and answers", add(scheduleStatuses, "ended")],
  ["longer values are taken", change(`${request}/properties/merchant_order_no/maxLength`, 256)],
  ["a field need not be sent", without(`${request}/required`, "quotes")],
  ["a faster bucket", change(`${payments}/x-rate-limit-policy`, "read")],
  ["another description and title", change("/info/title", "Payments")],
  [
    "a schema moves into a component of another name",
    both(
      move(`${schemas}/RegisteredWebhookEndpoint`, `${schemas}/NewEndpoint`),
      change(
        `${endpoints}/responses/201/content/application~1json/schema/$ref`,
        "#/components/schemas/NewEndpoint",
      ),
    ),
  ],
  [
    "an end that is told a year ahead",
    both(add(`${schedules}/deprecated`, true), add(`${schedules}/x-sunset`, "2030-12-31")),
  ],
];
